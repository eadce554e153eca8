"""`companion check` and `companion legal`."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.answers import json_line, language_option, standing_text
from companion.cli.main import NO
from companion.cli.record_file import load_record, replayed
from companion.core.catalog import game_named
from companion.core.game import Reason, Refused
from companion.core.notation import Seat
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.events import Retracted
from companion.ledger.records import Judged, Record
from companion.ledger.session import Ruling, Session
from companion.views import explain, follows, rule_text, speech_for
from companion.views.speech import Speech

MOST_SHOWN = 40
"""Actions that could come next, before they are only counted."""


@click.command()
@click.argument("game")
@click.argument("record", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="One object a line, then the standing.")
@click.option("--explain", "explained", is_flag=True, help="Each rule in short, where it is named.")
@language_option
@click.pass_context
def check(  # noqa: PLR0913, PLR0917 - click hands over each argument
    ctx: click.Context, game: str, record: Any, as_json: bool, explained: bool, language: str
) -> None:
    """Judges a record line by line; - reads from standard input."""
    loaded = _record(game, record, language)
    speech = speech_for(loaded.setup, language)
    session = records.open_record(loaded)
    refused = False
    for each in records.judged(loaded):
        session = each.after
        refused = refused or isinstance(each.ruling, Refused)
        told = _judged_json if as_json else _judged_text
        click.echo(told(each, speech, explained=explained))
    click.echo(_standing_json(session) if as_json else standing_text(session, speech))
    ctx.exit(NO if refused else 0)


@click.command()
@click.argument("game")
@click.argument("record", type=click.File("rb"))
@click.argument("action", required=False)
@click.option("--json", "as_json", is_flag=True)
@click.option("--explain", "explained", is_flag=True, help="Each rule in short, where it is named.")
@language_option
@click.pass_context
def legal(  # noqa: PLR0913, PLR0917 - click hands over each argument
    ctx: click.Context,
    game: str,
    record: Any,
    action: str | None,
    as_json: bool,
    explained: bool,
    language: str,
) -> None:
    """Is ACTION legal after RECORD, and why not; without ACTION, what could come next."""
    loaded = _record(game, record, language)
    session = replayed(loaded, language)
    speech = speech_for(loaded.setup, language)
    if action is None:
        _say_following(session, speech, as_json=as_json)
        return
    found = session.game.judge(session.state, session.game.parse(action))
    reasons = found.reasons if isinstance(found, Refused) else ()
    if as_json:
        click.echo(_legal_json(action, reasons, speech, explained=explained))
    else:
        click.echo(speech.say(N_("legal") if not reasons else N_("not legal")))
        for each in reasons:
            click.echo("\n".join(_reason_lines(speech, each, "  ", explained=explained)))
    ctx.exit(NO if reasons else 0)


def _legal_json(
    action: str, reasons: tuple[Reason, ...], speech: Speech, *, explained: bool
) -> bytes:
    answer = {
        "action": action,
        "legal": not reasons,
        "reasons": [each.rule for each in reasons],
        "sentences": [explain(speech, each) for each in reasons],
    }
    rules = {"rules": [rule_text(speech, each.rule) for each in reasons]}
    return json_line(answer | rules if explained else answer)


def _record(game: str, record: Any, language: str) -> Record:
    game_named(game)
    loaded = load_record(record, language)
    if loaded.setup.game != game:
        raise BadInput(
            "record-not",
            N_("this is a record of %(game)s, not of %(game2)s"),
            game=loaded.setup.game,
            game2=game,
        )
    return loaded


def _reason_lines(speech: Speech, each: Reason, indent: str, *, explained: bool) -> list[str]:
    lines = [f"{indent}{explain(speech, each)} [{each.rule}]"]
    return [*lines, f"{indent}  {rule_text(speech, each.rule)}"] if explained else lines


def _say_following(session: Session, speech: Speech, *, as_json: bool) -> None:
    following = [session.game.format(action) for action in session.game.actions(session.state)]
    if as_json:
        click.echo(json_line({"count": len(following), "actions": following}))
        return
    for action in following[:MOST_SHOWN]:
        click.echo(action)
    if len(following) > MOST_SHOWN:
        more = N_("… and %(count)s more (--json lists them all)")
        click.echo(speech.say(more, count=len(following) - MOST_SHOWN))
    if not following:
        over, idle = N_("nothing: the game is over"), N_("nothing by the rules")
        click.echo(speech.say(over if session.over else idle))


def _verdict(each: Judged) -> str:
    if isinstance(each.ruling, Refused):
        return N_("refused")
    return N_("stands") if each.stands else N_("accepted")


def _follows(each: Judged, speech: Speech) -> tuple[str, ...]:
    """What an entry brought about by itself; an undo brings about nothing."""
    if isinstance(each.ruling, Ruling) and not isinstance(each.ruling.fact, Retracted):
        return follows(speech, each.after)
    return ()


def _judged_json(each: Judged, speech: Speech, *, explained: bool) -> bytes:
    reasons = each.objections
    rules = {"rules": [rule_text(speech, reason.rule) for reason in reasons]}
    return json_line(
        (rules if explained else {})
        | {
            "line": each.line.number,
            "action": each.line.text,
            "verdict": _verdict(each),
            "reasons": [reason.rule for reason in reasons],
            "codes": [str(reason.code) for reason in reasons],
            "sentences": [explain(speech, reason) for reason in reasons],
            "assumes": [reason.rule for reason in each.assumes],
            "follows": _follows(each, speech),
        }
    )


def _judged_text(each: Judged, speech: Speech, *, explained: bool) -> str:
    verdict = speech.say(_verdict(each))
    lines = [f"{each.line.number:>4}  {verdict:<9} {each.line.text}"]
    for reason in (*each.objections, *each.assumes):
        lines += _reason_lines(speech, reason, " " * 16, explained=explained)
    lines += [f"                {sentence}" for sentence in _follows(each, speech)]
    return "\n".join(lines)


def _standing_json(session: Session) -> bytes:
    standing = session.game.standing(session.state)
    seats = [
        {"seat": str(seat), "name": name, "points": points, "rank": rank}
        for seat, name, points, rank in zip(
            Seat, session.setup.names, standing.points, standing.ranks, strict=False
        )
    ]
    winners = [str(seat) for seat in standing.winners]
    return json_line({"standing": seats, "over": standing.over, "winners": winners})
