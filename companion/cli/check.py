"""`companion check` and `companion legal`."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.answers import json_line, standing_text
from companion.cli.main import NO
from companion.cli.record_file import load_record, replayed
from companion.core.catalog import game_named
from companion.core.game import Refused
from companion.core.notation import Seat
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.events import Retracted
from companion.ledger.records import Judged, Record
from companion.ledger.session import Ruling, Session
from companion.views import explain, follows, speech_for
from companion.views.speech import LANGUAGES, Speech

MOST_SHOWN = 40
"""Actions that could come next, before they are only counted."""


@click.command()
@click.argument("game")
@click.argument("record", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="One object a line, then the standing.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en")
@click.pass_context
def check(ctx: click.Context, game: str, record: Any, as_json: bool, language: str) -> None:
    """Judges a record line by line; - reads from standard input."""
    loaded = _record(game, record)
    speech = speech_for(loaded.setup, language)
    session = records.open_record(loaded)
    refused = False
    for each in records.judged(loaded):
        session = each.after
        refused = refused or isinstance(each.ruling, Refused)
        click.echo((_judged_json if as_json else _judged_text)(each, speech))
    click.echo(_standing_json(session) if as_json else standing_text(session))
    ctx.exit(NO if refused else 0)


@click.command()
@click.argument("game")
@click.argument("record", type=click.File("rb"))
@click.argument("action", required=False)
@click.option("--json", "as_json", is_flag=True)
@click.option("--language", type=click.Choice(LANGUAGES), default="en")
@click.pass_context
def legal(  # noqa: PLR0913, PLR0917 - click hands over each argument
    ctx: click.Context, game: str, record: Any, action: str | None, as_json: bool, language: str
) -> None:
    """Is ACTION legal after RECORD, and why not; without ACTION, what could come next."""
    loaded = _record(game, record)
    session = replayed(loaded)
    speech = speech_for(loaded.setup, language)
    if action is None:
        _say_following(session, as_json=as_json)
        return
    found = session.game.judge(session.state, session.game.parse(action))
    reasons = found.reasons if isinstance(found, Refused) else ()
    sentences = [explain(speech, each) for each in reasons]
    if as_json:
        answer = {
            "action": action,
            "legal": not reasons,
            "reasons": [each.rule for each in reasons],
            "sentences": sentences,
        }
        click.echo(json_line(answer))
    else:
        click.echo("legal" if not reasons else "not legal")
        for each, sentence in zip(reasons, sentences, strict=True):
            click.echo(f"  {sentence} [{each.rule}]")
    ctx.exit(NO if reasons else 0)


def _record(game: str, record: Any) -> Record:
    game_named(game)
    loaded = load_record(record)
    if loaded.setup.game != game:
        raise BadInput(
            "record-not",
            N_("this is a record of %(game)s, not of %(game2)s"),
            game=loaded.setup.game,
            game2=game,
        )
    return loaded


def _say_following(session: Session, *, as_json: bool) -> None:
    following = [session.game.format(action) for action in session.game.actions(session.state)]
    if as_json:
        click.echo(json_line({"count": len(following), "actions": following}))
        return
    for action in following[:MOST_SHOWN]:
        click.echo(action)
    if len(following) > MOST_SHOWN:
        click.echo(f"… and {len(following) - MOST_SHOWN} more (--json lists them all)")
    if not following:
        click.echo("nothing: the game is over" if session.over else "nothing by the rules")


def _verdict(each: Judged) -> str:
    if isinstance(each.ruling, Refused):
        return "refused"
    return "stands" if each.stands else "accepted"


def _follows(each: Judged, speech: Speech) -> tuple[str, ...]:
    """What an entry brought about by itself; an undo brings about nothing."""
    if isinstance(each.ruling, Ruling) and not isinstance(each.ruling.fact, Retracted):
        return follows(speech, each.after)
    return ()


def _judged_json(each: Judged, speech: Speech) -> bytes:
    reasons = each.objections
    return json_line(
        {
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


def _judged_text(each: Judged, speech: Speech) -> str:
    lines = [f"{each.line.number:>4}  {_verdict(each):<9} {each.line.text}"]
    lines += [
        f"                {explain(speech, reason)} [{reason.rule}]"
        for reason in (*each.objections, *each.assumes)
    ]
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
