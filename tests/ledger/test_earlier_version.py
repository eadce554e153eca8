"""A journal, a backup and record files written by the version before this one. Each holds a game
of every kind, with entries taken back, refused and let stand. They open, replay and go on.

The files in `fixtures` were made by that version and must never be made again by a later one.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import records
from companion.ledger.events import Did, LetStood, Link, Proposal, Retracted, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.schema import MIGRATIONS
from companion.ledger.session import Ruling, replayed
from companion.service.restore import restore
from companion.tabletop.readings import Reading, ReadingRef
from tests.ledger.logs import at_table, everything, rows

FIXTURES = Path(__file__).with_name("fixtures")
GAMES = ("odin", "valhalla", "valhal")  # in the order they were played
REFUSALS = 11


@pytest.fixture(params=["journal", "backup"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The old journal, as it lay there or as a backup brings it back."""
    data = tmp_path / "data"
    if request.param == "backup":
        restore(FIXTURES / "backup-schema-1.zip", data, tmp_path / "companion.toml", dry_run=False)
    else:
        data.mkdir()
        shutil.copy(FIXTURES / "journal-schema-1.db", data / "journal.db")
    return data / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        yield journal


@pytest.mark.parametrize("number", range(1, len(GAMES) + 1))
def test_an_old_game_replays_as_it_was(journal: Journal, number: int) -> None:
    events = journal.events(number)
    kept = (FIXTURES / f"{GAMES[number - 1]}.txt").read_text()
    assert records.write(events) == kept
    assert {each.link for each in events} == {Link()}, "nobody knows any more what they rest on"
    kinds = {type(each.fact) for each in events}
    assert kinds >= {Did, LetStood, Retracted}
    session = replayed(events)
    assert session.setup.game == GAMES[number - 1]
    again = list(records.judged(records.read(kept.encode())))[-1].after
    assert again.state == session.state


@pytest.mark.parametrize("number", range(1, len(GAMES) + 1))
def test_an_old_game_goes_on(journal: Journal, number: int) -> None:
    referee = Referee(journal)
    session = referee.resume(number)
    assert session is not None
    assert isinstance(referee.propose(Undo(session.seq, Source.PAGE, 2)), Ruling)
    session = at_table(referee)
    line = session.game.format(next(iter(session.game.actions(session.state))))
    reading = Reading((line,), 0.99, id=f"{session.seq}.1")
    assert isinstance(referee.adopt(reading, session.seq, Source.CAMERA), Ruling)
    assert journal.events(number)[-1].because == ReadingRef(f"{session.seq}.1", 0)
    assert everything(replayed(journal.events(number))) == everything(at_table(referee))


def test_an_old_entry_that_was_undone_can_be_entered_again_by_hand(journal: Journal) -> None:
    referee = Referee(journal)
    session = referee.resume(1)
    assert session is not None
    assert session.latest is not None
    line = session.latest.action
    referee.propose(Undo(session.seq, Source.PAGE))
    referee.propose(Proposal(line, journal.events(1)[-1].seq, Source.PAGE))
    assert (journal.events(1)[-1].action, journal.events(1)[-1].link) == (line, Link())


def test_what_was_refused_is_kept_and_nothing_can_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    shutil.copy(FIXTURES / "journal-schema-1.db", path)
    with closing(sqlite3.connect(path)) as before:
        assert before.execute("PRAGMA user_version").fetchone() == (1,)
    old = rows(path)
    with Journal(path):
        pass
    with closing(sqlite3.connect(path)) as after:
        assert after.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        for change in ("DELETE FROM event", "UPDATE event SET because = '1.1/0'"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                after.execute(change)
    assert [row[:-1] for row in rows(path)] == [(*row, None, None, "") for row in old]
    assert len(rows(path, "refusal")) == REFUSALS


@pytest.mark.parametrize("game", GAMES)
def test_an_old_record_is_read_as_before(tmp_path: Path, game: str) -> None:
    text = (FIXTURES / f"{game}.txt").read_text()
    record = records.read(text.encode())
    with Journal(tmp_path / "journal.db") as journal:
        events = journal.import_game(records.facts(record, "2026-11-18T00:00:00.000Z"))
    assert records.write(events) == text


@pytest.mark.parametrize("schema", [1, 2])
def test_an_old_journal_gets_its_chain_and_a_name(tmp_path: Path, schema: int) -> None:
    path = tmp_path / "journal.db"
    shutil.copy(FIXTURES / f"journal-schema-{schema}.db", path)
    old = rows(path)
    with Journal(path) as journal:
        box, found = journal.box, journal.verify()
        assert len(bytes.fromhex(box)) == 16
        assert (found.problem, found.events) == (None, len(old))
        log = journal.events(1)
        assert [(each.by, len(bytes.fromhex(each.hash))) for each in log] == [("", 32)] * len(log)
        assert len({each.hash for each in log}) == len(log)
    before = rows(path)
    with Journal(path) as journal:  # nothing is made anew
        assert (journal.box, journal.events(1)) == (box, log)
    assert rows(path) == before


def test_two_boxes_have_two_names(tmp_path: Path) -> None:
    boxes = set()
    for number in range(2):
        path = tmp_path / f"{number}.db"
        shutil.copy(FIXTURES / "journal-schema-2.db", path)
        with Journal(path) as journal:
            boxes |= {journal.box, journal.events(1)[0].hash}
    assert len(boxes) == 4
