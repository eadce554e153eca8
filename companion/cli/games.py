"""The games kept: `companion games`, `show`, `export` and `import`."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from companion.cli.answers import json_line, language_option, standing_text
from companion.cli.record_file import judged, load_record
from companion.foundation.errors import BadInput
from companion.foundation.files import create_file
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.journal import Journal, now
from companion.ledger.session import Session, replaying
from companion.ledger.twins import twin
from companion.service.settings import read_settings
from companion.views import speech_for, tell
from companion.views.kept import KeptView, kept_view
from companion.views.speech import NN_, Speech

NUMBER = click.IntRange(1, 2**63 - 1)
"""Of a game in the journal; SQLite counts no further."""


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--most", default=20, type=click.IntRange(1, 10_000), help="How many to list.")
@click.option("--data", type=click.Path())
@language_option
@click.pass_obj
def games(file: Path | None, as_json: bool, most: int, data: str | None, language: str) -> None:
    """Lists the games kept, those played last first."""
    speech = Speech(language)
    with _journal(file, data) as journal:
        kept = journal.games(most)
        for each in kept:
            view = kept_view(journal, each)
            if as_json:
                click.echo(json_line(view))
                continue
            state = speech.say(_state(view))
            pairs = zip_longest(view.names, map(str, view.points), fillvalue="?")
            scores = ", ".join(map(" ".join, pairs))
            click.echo(f"{view.number:>5}  {view.game}  {state:<8}  {scores}  ({view.last_at})")
        if not kept and not as_json:
            click.echo(speech.say(N_("No games yet. `companion run` starts the companion.")))
        elif journal.count_games() > len(kept) and not as_json:
            more = N_("… %(count)s more; --most lists more")
            click.echo(speech.say(more, count=journal.count_games() - len(kept)))


@click.command()
@click.argument("number", type=NUMBER)
@language_option
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
            click.echo(standing_text(session, speech_for(session.setup, language)))


def _state(view: KeptView) -> str:
    if view.trouble:
        return N_("damaged")
    return N_("over") if view.over else N_("going on")


@click.command("export")
@click.argument("number", type=NUMBER)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--data", type=click.Path())
@language_option
@click.pass_obj
def export_game(
    file: Path | None, number: int, target: Path | None, data: str | None, language: str
) -> None:
    """Writes a game as a record file, or to standard output."""
    with _journal(file, data) as journal:
        text = records.write(journal.events(number))
    if target is None:
        click.echo(text.encode(), nl=False)
        return
    name = click.format_filename(target)
    try:
        create_file(target, text.encode())
    except FileExistsError:
        raise BadInput(
            "already-stays-choose-another-2",
            N_("%(name)s is there already and stays as it is; choose another name"),
            name=name,
        ) from None
    except OSError as failed:
        raise BadInput(
            "cannot-written-4",
            N_("%(name)s cannot be written (%(why)s)"),
            name=name,
            why=failed.strerror,
        ) from None
    done = N_("game %(number)s is in %(name)s")
    click.echo(Speech(language).say(done, number=number, name=name))


@click.command("import")
@click.argument("record", type=click.File("rb"))
@click.option("--again", is_flag=True, help="Even if the journal has this very game already.")
@click.option("--data", type=click.Path())
@language_option
@click.pass_obj
def import_game(
    file: Path | None, record: Any, again: bool, data: str | None, language: str
) -> None:
    """Adds the game of a record file to the journal."""
    loaded = load_record(record, language)
    facts = records.facts(loaded, now(), judged(loaded, language))
    with _journal(file, data) as journal:
        known = None if again else twin(journal, [fact for fact, _, _ in facts])
        if known is not None:
            raise BadInput(
                "game-imported-already",
                N_("the journal has this game already, as game %(number)s; --again adds it anew"),
                number=known,
            )
        events = journal.import_game(facts)
    said = NN_("game %(number)s: %(count)s event", "game %(number)s: %(count)s events")
    click.echo(Speech(language).say(said, number=events[0].game, count=len(events)))


def _journal(file: Path | None, data: str | None) -> Journal:
    return Journal(read_settings(file, data).journal_file)
