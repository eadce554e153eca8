"""Commands. Exit codes: 0 good, 1 the answer is no, 2 bad input."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.backup import backup_command, restore_command
from companion.cli.doctor import doctor_command
from companion.core.catalog import game_named
from companion.core.game import Reason, Refused
from companion.core.notation import Seat
from companion.foundation.errors import BadInput, BadSetup, CompanionError, LogCorrupt
from companion.ledger import records
from companion.ledger.events import Retracted
from companion.ledger.journal import Journal, now
from companion.ledger.records import Judged, Record
from companion.ledger.session import Ruling, Session, replaying
from companion.service.settings import Settings, read_settings
from companion.views import explain, follows, speech_for, tell
from companion.views.kept import kept_view
from companion.views.speech import LANGUAGES, Speech

NO, BAD = 1, 2
NUMBER = click.IntRange(1, 2**63 - 1)  # of a game in the journal
MOST_SHOWN = 40  # of what could come next, before it is only counted


# Commands that bring heavy libraries with them are loaded when they are asked for.
LATER = {
    "calibrate": "companion.cli.look:calibrate_command",
    "enrol": "companion.cli.enrol:enrol_command",
    "look": "companion.cli.look:look_command",
    "replay-case": "companion.cli.replay_case:replay_case",
    "print": "companion.cli.print:print_",
    "run": "companion.cli.run:run",
    "score": "companion.cli.look:score_command",
    "track": "companion.cli.track:track_command",
}


class Commands(click.Group):
    """Turns what went wrong into one sentence and an exit code; nobody sees a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LATER:
            return super().get_command(ctx, cmd_name)
        module, name = LATER[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        _never_choke()
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            for line in str(error).splitlines():
                click.echo(f"companion: {line}", err=True)
            ctx.exit(NO if isinstance(error, LogCorrupt) else BAD)


def _never_choke() -> None:
    """A terminal without UTF-8 shows a ? for a letter it does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path),
    help="Another file than the companion.toml in this folder.",
)
@click.version_option(package_name="table-companion")
@click.pass_context
def main(ctx: click.Context, file: Path | None) -> None:
    """Keeps the books of Viking games played on a real table."""
    ctx.obj = file


main.add_command(backup_command)
main.add_command(restore_command)
main.add_command(doctor_command)


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
        click.echo((_judged_json if as_json else _judged_text)(each, speech))
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
            pairs = zip_longest(view.names, map(str, view.points), fillvalue="?")
            scores = ", ".join(map(" ".join, pairs))
            click.echo(f"{view.number:>5}  {view.game}  {state:<8}  {scores}  ({view.last_at})")
        if not kept and not as_json:
            click.echo("No games yet. `companion run` starts the companion.")
        elif journal.count_games() > len(kept) and not as_json:
            click.echo(f"… {journal.count_games() - len(kept)} more; --most lists more")


@main.command()
@click.argument("number", type=NUMBER)
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
@click.argument("number", type=NUMBER)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--data", type=click.Path())
@click.pass_obj
def export_game(file: Path | None, number: int, target: Path | None, data: str | None) -> None:
    """Writes a game as a record file, or to standard output."""
    with _journal(file, data) as journal:
        text = records.write(journal.events(number))
    if target is None:
        click.echo(text.encode(), nl=False)
        return
    name = click.format_filename(target)
    try:
        with target.open("xb") as out:
            out.write(text.encode())
    except FileExistsError:
        raise BadInput(f"{name} is there already and stays as it is; choose another name") from None
    except OSError as failed:
        raise BadInput(f"{name} cannot be written ({failed.strerror})") from None
    click.echo(f"game {number} is in {name}")


@main.command("import")
@click.argument("record", type=click.File("rb"))
@click.option("--data", type=click.Path())
@click.pass_obj
def import_game(file: Path | None, record: Any, data: str | None) -> None:
    """Adds the game of a record file to the journal."""
    loaded = _loaded(record)
    facts = records.facts(loaded, now(), _judged(loaded))
    with _journal(file, data) as journal:
        events = journal.import_game(facts)
    click.echo(f"game {events[0].game}: {len(events)} events")


@main.command()
@click.argument("what", type=click.Choice(["all", "keeping", "vision", "table"]), default="all")
@click.option("--json", "as_json", is_flag=True)
@click.option("--quick", is_flag=True, help="Smaller loads; the figures are rougher.")
def bench(what: str, as_json: bool, quick: bool) -> None:
    """Measures the referee, the journal, the page and the eyes on this machine; `table` also
    watches a simulated game, which takes some minutes."""
    from companion.bench import measure

    figures = {}
    for figure in measure(what, quick=quick):
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
    loaded = _loaded(record)
    if loaded.setup.game != game:
        raise BadInput(f"this is a record of {loaded.setup.game}, not of {game}")
    return loaded


def _loaded(file: Any) -> Record:
    """A record that can be opened, or every problem with its header, each in a line."""
    try:
        data = file.read(records.MOST_BYTES + 1)
    except OSError as failed:
        raise BadInput(f"the record cannot be read ({failed.strerror})") from None
    if len(data) > records.MOST_BYTES:
        raise BadInput(f"the record is longer than {records.MOST_BYTES} bytes; it was not read")
    record = records.read(data)
    try:
        records.open_record(record)
    except BadSetup as bad:
        raise BadInput("\n".join(_in_header(record, each) for each in bad.problems)) from None
    return record


def _in_header(record: Record, problem: Reason) -> str:
    sentence = explain(speech_for(record.setup, "en"), problem)
    line = record.line_of(problem)
    return sentence if line is None else f"line {line.number}, column {line.column}: {sentence}"


def _judged(record: Record) -> list[Judged]:
    """Every line of the record, none of which is refused."""
    lines = list[Judged]()
    for each in records.judged(record):
        if isinstance(each.ruling, Refused):
            raise BadInput(_against_the_rules(each, each.ruling))
        lines.append(each)
    return lines


def _replayed(record: Record) -> Session:
    lines = _judged(record)
    return lines[-1].after if lines else records.open_record(record)


def _against_the_rules(each: Judged, refused: Refused) -> str:
    speech = speech_for(each.before.setup, "en")
    why = " ".join(f"{explain(speech, reason)} [{reason.rule}]" for reason in refused.reasons)
    way_on = " If the table let it stand, write ! before it." if refused.can_stand else ""
    place = f"line {each.line.number}, column {each.line.column}"
    return f"{place}: {each.line.text!r} is against the rules. {why}{way_on}"


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
    return _json(
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
    return _json({"standing": seats, "over": standing.over, "winners": winners})


def _standing_text(session: Session) -> str:
    standing = session.game.standing(session.state)
    names = session.setup.names
    scores = ", ".join(f"{n} {p}" for n, p in zip(names, standing.points, strict=True))
    if not standing.over:
        return f"standing: {scores}"
    winners = " and ".join(names[seat] for seat in standing.winners)
    return f"final: {scores}; won by {winners or 'nobody'}"


def _json(value: object) -> bytes:
    """Always UTF-8, whatever the terminal has."""
    return msgspec.json.encode(value)


if __name__ == "__main__":
    main()
