"""Commands. Exit codes: 0 good, 1 the answer is no, 2 bad input."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import click
import msgspec
import segno

from companion import records
from companion.errors import BadInput, BadSetup, CompanionError, LogCorrupt
from companion.journal import Journal, now
from companion.pieces import Seat
from companion.records import Judged, Record
from companion.rules.catalog import GAMES, game_named
from companion.rules.core import Reason, Refused
from companion.session import Session, replaying
from companion.settings import Settings, read_settings
from companion.views import explain, speech_for, tell
from companion.views.kept import kept_view
from companion.views.speech import LANGUAGES, Speech

NO, BAD = 1, 2
MOST_SHOWN = 40  # of what could come next, before it is only counted


class Commands(click.Group):
    """Turns what went wrong into one sentence and an exit code; nobody sees a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadSetup as bad:
            speech = Speech("en", next(iter(GAMES)))
            for problem in bad.problems:
                click.echo(f"companion: {explain(speech, problem)}", err=True)
            ctx.exit(BAD)
        except CompanionError as error:
            click.echo(f"companion: {error}", err=True)
            ctx.exit(NO if isinstance(error, LogCorrupt) else BAD)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Another companion.toml.")
@click.version_option(package_name="table-companion")
@click.pass_context
def main(ctx: click.Context, file: Path | None) -> None:
    """Keeps the books of Viking games played on a real table."""
    ctx.obj = file


@main.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Where the page listens; 0: any.")
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_obj
def run(file: Path | None, port: int | None, data: str | None) -> None:
    """Starts everything, and says which parts are real and which simulated."""
    from companion.app import build

    settings = _settings(file, data)
    if port is not None:
        settings = replace(settings, port=port)
    with ExitStack() as stack:
        app = build(settings, stack)
        address = app.server.addresses[-1]
        for part in app.parts:
            click.echo(f"{part.name}: {part.what}")
        for each in app.server.addresses:
            click.echo(f"page: {each}")
        segno.make(address, micro=False).terminal(out=sys.stdout, compact=True)
        click.echo("Scan the code to join. Ctrl-C stops; nothing is lost.")
        sys.stdout.flush()

        def stop(_number: int, _frame: FrameType | None) -> None:
            app.stop()
            raise KeyboardInterrupt

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        app.server.run()
    click.echo("Stopped. The game goes on where it was left.")


@main.command()
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
        click.echo(_judged_json(each, speech) if as_json else _judged_text(each, speech))
    click.echo(_standing_json(session) if as_json else _standing_text(session))
    ctx.exit(NO if refused else 0)


@main.command()
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
    session = _replayed(loaded)
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
        click.echo(_json(answer))
    else:
        click.echo("legal" if not reasons else "not legal")
        for each, sentence in zip(reasons, sentences, strict=True):
            click.echo(f"  {sentence} [{each.rule}]")
    ctx.exit(NO if reasons else 0)


@main.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--most", default=20, type=click.IntRange(1, 10_000), help="How many to list.")
@click.option("--data", type=click.Path())
@click.pass_obj
def games(file: Path | None, as_json: bool, most: int, data: str | None) -> None:
    """Lists the games kept, those played last first."""
    with _journal(file, data) as journal:
        kept = journal.games(most)
        for each in kept:
            view = kept_view(journal, each)
            if as_json:
                click.echo(_json(view))
                continue
            state = "damaged" if view.trouble else "over" if view.over else "going on"
            scores = ", ".join(
                f"{name} {points}" for name, points in zip(view.names, view.points, strict=False)
            )
            click.echo(f"{view.number:>5}  {view.game}  {state:<8}  {scores}  ({view.last_at})")
        if not kept and not as_json:
            click.echo("No games yet. `companion run` starts the companion.")
        elif journal.count_games() > len(kept) and not as_json:
            click.echo(f"… {journal.count_games() - len(kept)} more; --most lists more")


@main.command()
@click.argument("number", type=int)
@click.option("--language", type=click.Choice(LANGUAGES), default="en")
@click.option("--data", type=click.Path())
@click.pass_obj
def show(file: Path | None, number: int, language: str, data: str | None) -> None:
    """Replays a game of the journal in the terminal; a damaged one up to the damage."""
    with _journal(file, data) as journal:
        events, corrupt = journal.readable(number)
        session: Session | None = None
        for session, event in zip(replaying(events), events, strict=True):
            speech = speech_for(session.setup, language)
            click.echo(f"{event.seq:>6}  {event.at}  {tell(speech, event.fact)}")
        if corrupt is not None:
            raise corrupt
        if session is not None:
            click.echo(_standing_text(session))


@main.command("export")
@click.argument("number", type=int)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--data", type=click.Path())
@click.pass_obj
def export_game(file: Path | None, number: int, target: Path | None, data: str | None) -> None:
    """Writes a game as a record file, or to standard output."""
    with _journal(file, data) as journal:
        text = records.write(journal.events(number))
    if target is None:
        click.echo(text, nl=False)
        return
    try:
        with target.open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except OSError as failed:
        raise BadInput(f"{target} cannot be written ({failed.strerror})") from None
    click.echo(f"game {number} is in {target}")


@main.command("import")
@click.argument("record", type=click.File("rb"))
@click.option("--data", type=click.Path())
@click.pass_obj
def import_game(file: Path | None, record: Any, data: str | None) -> None:
    """Adds the game of a record file to the journal."""
    loaded = records.read(record.read(records.MOST_BYTES + 1))
    facts = records.facts(loaded, now())
    with _journal(file, data) as journal:
        events = journal.import_game(facts)
    click.echo(f"game {events[0].game}: {len(events)} events")


@main.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--quick", is_flag=True, help="Smaller loads; the figures are rougher.")
def bench(as_json: bool, quick: bool) -> None:
    """Measures the referee, the journal and the page on this machine."""
    from companion.bench import measure

    figures = {}
    for figure in measure(quick=quick):
        figures[figure.name] = figure.value
        if not as_json:
            click.echo(f"{figure.name:<44} {figure.value:>12,.1f} {figure.unit}")
    if as_json:
        click.echo(_json(figures))


def _settings(file: Path | None, data: str | None) -> Settings:
    settings = read_settings(file)
    return settings if data is None else replace(settings, data=data)


def _journal(file: Path | None, data: str | None) -> Journal:
    return Journal(_settings(file, data).journal_file)


def _record(game: str, record: Any) -> Record:
    game_named(game)
    loaded = records.read(record.read(records.MOST_BYTES + 1))
    if loaded.setup.game != game:
        raise BadInput(f"this is a record of {loaded.setup.game}, not of {game}")
    return loaded


def _replayed(record: Record) -> Session:
    session = records.open_record(record)
    for each in records.judged(record):
        if isinstance(each.ruling, Refused):
            raise BadInput(
                f"line {each.line.number}: {each.line.text!r} is against the rules, so what comes "
                "after it cannot be asked; `companion check` says why"
            )
        session = each.after
    return session


def _say_following(session: Session, *, as_json: bool) -> None:
    following = [session.game.format(action) for action in session.game.actions(session.state)]
    if as_json:
        click.echo(_json({"count": len(following), "actions": following}))
        return
    for action in following[:MOST_SHOWN]:
        click.echo(action)
    if len(following) > MOST_SHOWN:
        click.echo(f"… and {len(following) - MOST_SHOWN} more (--json lists them all)")
    if not following:
        click.echo("nothing: the game is over")


def _verdict(each: Judged) -> str:
    if isinstance(each.ruling, Refused):
        return "refused"
    return "stands" if each.line.stands else "accepted"


def _judged_json(each: Judged, speech: Speech) -> str:
    reasons = _reasons(each)
    return _json(
        {
            "line": each.line.number,
            "action": each.line.text,
            "verdict": _verdict(each),
            "reasons": [reason.rule for reason in reasons],
            "codes": [str(reason.code) for reason in reasons],
            "sentences": [explain(speech, reason) for reason in reasons],
        }
    )


def _judged_text(each: Judged, speech: Speech) -> str:
    lines = [f"{each.line.number:>4}  {_verdict(each):<9} {each.line.text}"]
    lines += [
        f"                {explain(speech, reason)} [{reason.rule}]" for reason in _reasons(each)
    ]
    return "\n".join(lines)


def _reasons(each: Judged) -> tuple[Reason, ...]:
    """Why a line was refused, or what it takes on trust."""
    return each.ruling.reasons if isinstance(each.ruling, Refused) else ()


def _standing_json(session: Session) -> str:
    standing = session.game.standing(session.state)
    seats = [
        {"seat": str(seat), "name": name, "points": points, "rank": rank}
        for seat, name, points, rank in zip(
            Seat, session.setup.names, standing.points, standing.ranks, strict=False
        )
    ]
    winners = [str(seat) for seat in standing.winners]
    return _json({"standing": seats, "over": standing.over, "winners": winners})


def _standing_text(session: Session) -> str:
    standing = session.game.standing(session.state)
    names = session.setup.names
    scores = ", ".join(f"{n} {p}" for n, p in zip(names, standing.points, strict=True))
    if not standing.over:
        return f"standing: {scores}"
    return f"final: {scores}; won by {' and '.join(names[seat] for seat in standing.winners)}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    main()
