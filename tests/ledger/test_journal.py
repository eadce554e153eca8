"""The journal: append-only, on the disk before it is believed, never harmed by being looked at."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest

from companion.core.game import reason
from companion.foundation.errors import (
    JournalConflict,
    JournalError,
    JournalFull,
    JournalTooNew,
    JournalUnreadable,
    LogCorrupt,
    NoSuchGame,
)
from companion.ledger.events import Did, Event, Fact, LetStood, Opened, Retracted
from companion.ledger.journal import Journal
from companion.ledger.schema import APPLICATION_ID, MIGRATIONS, Migrations
from tests.ledger.logs import OPENED, PATIENCE, SETUP, at_once, folder, rows, slip_in, worn_out
from tests.strategies import odin_setup

ROOT = Path(__file__).parents[2]

NEXT: Migrations = (
    *MIGRATIONS,
    (
        "ALTER TABLE event ADD COLUMN camera TEXT",
        "CREATE TABLE evidence (event INTEGER NOT NULL, picture BLOB NOT NULL) STRICT",
    ),
)
BROKEN: Migrations = (
    *MIGRATIONS,
    ("CREATE TABLE evidence (picture BLOB)", "ALTER TABLE no_such_table ADD COLUMN x TEXT"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path, clock=ticking()) as journal:
        yield journal


def ticking() -> Callable[[], str]:
    """A clock that moves on a second whenever it is asked."""
    seconds = iter(range(3600))

    def tick() -> str:
        minute, second = divmod(next(seconds), 60)
        return f"2026-11-16T10:{minute:02}:{second:02}.000Z"

    return tick


def play(journal: Journal, *lines: str) -> list[Event]:
    """A new game with these entries; the journal does not ask whether they make sense."""
    log = [journal.open_game(OPENED, "page")]
    for line in lines:
        log.append(journal.append(log[0].game, Did(line), log[-1].seq, "button"))
    return log


def asked(path: Path, pragma: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"PRAGMA {pragma}").fetchone()[0]


def run(trouble: str, path: Path, *watcher: str) -> subprocess.CompletedProcess[str]:
    python = (sys.executable, "-W", "error", "-m", "tests.ledger.trouble")
    return subprocess.run(
        [*watcher, *python, trouble, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


# Append-only


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}'",
        "UPDATE event SET at = '' WHERE seq = 2",
        "UPDATE event SET seq = seq + 10",
        "UPDATE OR IGNORE event SET game = 2",
        "UPDATE OR REPLACE event SET based_on = 0 WHERE seq = 2",
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 3",
    ],
)
def test_events_can_be_neither_changed_nor_deleted(
    journal: Journal, path: Path, statement: str
) -> None:
    log = play(journal, "deal A", "A r3")
    before = rows(path)
    with closing(sqlite3.connect(path)) as stranger:
        with pytest.raises(sqlite3.IntegrityError, match=r"^the journal is append-only$"):
            stranger.execute(statement)
        stranger.commit()
    assert rows(path) == before
    assert journal.events(1) == log


def test_every_fact_comes_back_as_it_went_in(journal: Journal, path: Path) -> None:
    setup = odin_setup(4, "de", goat="true", limit="one_hand")
    facts: list[Fact] = [
        Opened(setup, 1),
        Did("count 0 4 5 goat=B"),
        LetStood("A r3", ("too-low", "not-your-turn")),
        LetStood("A r3", ()),
        Retracted(3),
        Did("Ænima – 猫 🐐 \" ' ; \\ \x00"),
    ]
    log = [journal.open_game(facts[0], "page")] if isinstance(facts[0], Opened) else []
    for fact in facts[1:]:
        log.append(journal.append(1, fact, log[-1].seq, "camera"))
    assert [event.fact for event in log] == facts
    assert [event.seq for event in log] == [1, 2, 3, 4, 5, 6]
    assert [event.based_on for event in log] == [0, 1, 2, 3, 4, 5]
    assert [event.at for event in log] == [f"2026-11-16T10:00:0{n}.000Z" for n in range(6)]
    assert [event.source for event in log] == ["page", *["camera"] * 5]
    assert journal.events(1) == log
    with Journal(path) as again:
        assert again.events(1) == log
        assert again.events(1, after=4) == log[4:]
        assert again.events(1, after=6) == []


# On the disk


def test_the_journal_is_written_ahead_and_in_full(journal: Journal, path: Path) -> None:
    play(journal, "deal A")
    assert asked(path, "journal_mode") == "wal"
    assert journal._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert asked(path, "application_id") == APPLICATION_ID
    assert asked(path, "user_version") == len(MIGRATIONS)


def test_so_it_is_when_opened_again(path: Path) -> None:
    for _ in range(2):
        with Journal(path) as journal:
            play(journal)
            assert journal._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_every_entry_is_synced_before_append_returns(path: Path) -> None:
    """Watched from outside: write to the log, sync of the log, and only then the word."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    calls = path.with_name("calls")
    watched = ("-qq", "-y", "-e", "trace=write,pwrite64,fsync,fdatasync", "-o", str(calls))
    done = run("three-entries", path, strace, *watched)
    if "kept" not in done.stdout:
        pytest.skip(f"this machine does not let itself be watched: {done.stderr[:200]}")
    steps = re.findall(r'^(\w+)\(\d+<[^>]*?(-wal>|>, "kept)', calls.read_text(), re.MULTILINE)
    told = ["kept" if "kept" in what else call for call, what in steps]
    first = told.index("kept")
    entries = " ".join(told[: len(told) - told[::-1].index("kept")][first + 1 :]).split("kept")
    assert len(entries) == 3, told
    for entry in entries[:2]:
        assert re.fullmatch(r"\s*(pwrite64 )+f(data)?sync ", entry), told


# Many games in one file


def test_many_games_lie_in_one_file(journal: Journal) -> None:
    assert (journal.latest_game(), journal.count_games(), journal.games()) == (None, 0, [])
    first = play(journal, "deal A")
    second = play(journal, "deal B", "B r3")
    first.append(journal.append(1, Did("A b4"), first[-1].seq, "page"))
    third = play(journal)
    second.append(journal.append(2, Retracted(2), second[-1].seq, "page"))
    assert [event.game for event in (first[0], second[0], third[0])] == [1, 2, 3]
    assert [journal.events(number) for number in (1, 2, 3)] == [first, second, third]
    assert [event.seq for event in first] == [1, 2, 6]
    assert journal.latest_game() == 2
    assert journal.count_games() == 3
    listed = journal.games()
    assert [game.number for game in listed] == [2, 3, 1]
    assert [game.events for game in listed] == [4, 1, 3]
    assert [game.opened for game in listed] == [second[0], third[0], first[0]]
    assert [game.last_at for game in listed] == [second[-1].at, third[-1].at, first[-1].at]
    assert [game.number for game in journal.games(most=1, skip=1)] == [3]
    assert journal.games(most=5, skip=3) == []


def test_a_whole_game_comes_in_at_once_or_not_at_all(journal: Journal, path: Path) -> None:
    play(journal, "deal A")
    facts: list[tuple[Fact, str, str]] = [
        (OPENED, "2020-01-01T00:00:00.000Z", "page"),
        (Did("deal B"), "2020-01-01T00:00:01.000Z", "button"),
        (Retracted(1), "2020-01-01T00:00:02.000Z", "camera"),
    ]
    log = journal.import_game(facts)
    assert [(event.fact, event.at, event.source) for event in log] == facts
    assert [(event.seq, event.game, event.based_on) for event in log] == [
        (3, 2, 0),
        (4, 2, 3),
        (5, 2, 4),
    ]
    assert journal.events(2) == log
    before = rows(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute(
            "CREATE TRIGGER third BEFORE INSERT ON event WHEN NEW.kind = 'retracted'"
            " BEGIN SELECT RAISE(ABORT, 'worn out'); END"
        )
    with pytest.raises(JournalFull, match="worn out"):
        journal.import_game(facts)
    assert rows(path) == before
    assert journal.count_games() == 2


def test_a_game_that_is_not_there(journal: Journal) -> None:
    play(journal)
    for number in (0, 2, -1):
        with pytest.raises(NoSuchGame) as caught:
            journal.events(number)
        assert str(caught.value) == (
            f"the journal has no game {number}; `companion games` lists them"
        )


# One chain


def test_two_writers_cannot_both_follow_the_same_event(journal: Journal, path: Path) -> None:
    log = play(journal, "deal A")
    with Journal(path) as other:
        won = other.append(1, Did("A r3"), log[-1].seq, "page")
        before = rows(path)
        with pytest.raises(JournalConflict, match="another program has written to this game"):
            journal.append(1, Did("A b4"), log[-1].seq, "page")
        assert rows(path) == before
        assert journal.events(1) == other.events(1) == [*log, won]
        then = journal.append(1, Did("B b4"), won.seq, "page")
        assert other.events(1) == [*log, won, then]


def test_of_many_writers_at_once_one_wins(journal: Journal, path: Path) -> None:
    log = play(journal, "deal A")
    barrier = threading.Barrier(8)
    outcomes: list[str] = []

    def write(name: str) -> None:
        with Journal(path) as own:
            barrier.wait(PATIENCE)
            try:
                outcomes.append(str(own.append(1, Did(name), log[-1].seq, "page").fact))
            except JournalConflict:
                outcomes.append("lost")

    at_once(*(partial(write, f"A r{number}") for number in range(1, 9)))
    (won,) = journal.events(1, after=log[-1].seq)
    assert sorted(outcomes) == sorted([str(won.fact), *["lost"] * 7])


def test_any_thread_may_write(journal: Journal) -> None:
    def write() -> None:
        play(journal, "deal A", "A r3", "B pass")

    at_once(*[write] * 8)
    assert journal.count_games() == 8
    for number in range(1, 9):
        log = journal.events(number)
        assert [event.based_on for event in log] == [0, *(event.seq for event in log[:-1])]
        assert [event.fact for event in log[1:]] == [Did("deal A"), Did("A r3"), Did("B pass")]


# What is not ours is left alone


def a_database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


FOREIGN = {
    "unmarked": ("CREATE TABLE recipe (name TEXT)", "INSERT INTO recipe VALUES ('skyr')"),
    "marked": ("CREATE TABLE recipe (name TEXT)", "PRAGMA application_id = 77"),
    "our version": ("CREATE TABLE recipe (name TEXT)", "PRAGMA user_version = 1"),
    "our table": ("CREATE TABLE event (seq INTEGER)", "INSERT INTO event VALUES (1)"),
    "write-ahead": ("PRAGMA journal_mode = WAL", "CREATE TABLE recipe (name TEXT)"),
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_a_database_of_another_program_is_refused_untouched(
    path: Path, statements: tuple[str, ...]
) -> None:
    a_database(path, *statements)
    before = folder(path.parent)
    with pytest.raises(JournalUnreadable) as caught:
        Journal(path)
    assert str(caught.value) == (
        f"{path} is a database of another program; it was not changed: "
        "set `data` in the settings to another place"
    )
    assert folder(path.parent) == before


NO_DATABASE = {
    "text": b"Shopping list\n\n- skyr\n- herring\n" * 40,
    "short": b"hello",
    "junk": Random(1).randbytes(10_000),
    "a header only": b"SQLite format 3\x00",
    "a header and junk": b"SQLite format 3\x00" + Random(2).randbytes(8176),
}


@pytest.mark.parametrize("data", NO_DATABASE.values(), ids=NO_DATABASE)
def test_a_file_that_is_no_database_is_refused_untouched(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(JournalUnreadable) as caught:
        Journal(path)
    assert str(caught.value) == (
        f"{path} is not a journal of the companion or is damaged (file is not a database); "
        "it was not changed: move it away to start a new one"
    )
    assert folder(path.parent) == {"journal.db": data}


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    with Journal(path) as journal:
        assert journal.count_games() == 0
        play(journal, "deal A")
    assert len(rows(path)) == 2


def test_a_journal_with_a_page_overwritten_is_never_misread(path: Path) -> None:
    with Journal(path) as journal:
        log = [play(journal, *(f"A r{n}" for n in range(40))) for _ in range(5)][-1]
    whole = path.read_bytes()
    size = int(str(asked(path, "page_size")))
    unreadable = []
    for at in range(0, len(whole), size):
        junk = Random(at).randbytes(size)
        path.write_bytes(whole[:at] + junk + whole[at + size :])
        before = folder(path.parent)
        try:
            with Journal(path) as journal:
                assert journal.events(5) == log
        except JournalUnreadable as why:
            unreadable.append(str(why))
        assert folder(path.parent) == before
    assert len(unreadable) >= 3  # the schema, the root of the events, the page of game 5
    assert [why for why in unreadable if str(path) not in why] == []


# Later versions and earlier ones


def test_a_journal_of_a_later_version_is_refused_untouched(path: Path) -> None:
    with Journal(path, migrations=NEXT) as later:
        play(later, "deal A")
    before = folder(path.parent)
    with pytest.raises(JournalTooNew) as caught:
        Journal(path)
    assert str(caught.value) == (
        f"the journal {path} was written by a later version (schema {len(NEXT)}, this one "
        f"knows {len(MIGRATIONS)}); "
        "it was not changed: update the companion to open it"
    )
    assert folder(path.parent) == before


def test_a_journal_of_an_earlier_version_is_brought_up_to_date(path: Path) -> None:
    with Journal(path) as journal:
        log = play(journal, "deal A", "A r3")
        journal.refuse(1, 3, "camera", "B r1", (reason("too-low", "ODIN-PLAY-1"),))
    refusals = rows(path, "refusal")
    assert asked(path, "user_version") == len(MIGRATIONS)
    for _ in range(2):  # the second time there is nothing to do
        with Journal(path, migrations=NEXT) as later:
            assert later.events(1) == log
        assert asked(path, "user_version") == len(NEXT)
    assert rows(path, "refusal") == refusals
    assert rows(path, "evidence") == []
    assert [row[-1] for row in rows(path)] == [None] * 3
    with Journal(path, migrations=NEXT) as later:
        log.append(later.append(1, Did("B b5"), log[-1].seq, "page"))
        assert later.events(1) == log
    with closing(sqlite3.connect(path)) as stranger, pytest.raises(sqlite3.IntegrityError):
        stranger.execute("DELETE FROM event")


def test_a_new_journal_gets_every_migration(path: Path) -> None:
    with Journal(path, migrations=NEXT) as journal:
        play(journal)
    assert asked(path, "user_version") == len(NEXT)
    assert asked(path, "application_id") == APPLICATION_ID
    assert rows(path, "evidence") == []


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    with Journal(path) as journal:
        log = play(journal, "deal A")
    before = folder(path.parent)
    with pytest.raises(JournalUnreadable, match="no such table: no_such_table"):
        Journal(path, migrations=BROKEN)
    assert folder(path.parent) == before
    with Journal(path) as journal:
        assert journal.events(1) == log


# Nowhere to write


def test_a_folder_is_made_for_a_new_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "some" / "where" / "journal.db") as journal:
        play(journal)


@pytest.mark.parametrize("where", ["file/journal.db", "file/below/journal.db", "folder"])
def test_a_place_where_no_journal_can_be(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    path = tmp_path / where
    with pytest.raises(JournalUnreadable) as caught:
        Journal(path)
    assert str(caught.value).startswith(f"the journal {path} cannot be opened (")
    assert str(caught.value).endswith(
        "; check the folder, or set `data` in the settings to another place"
    )
    assert (tmp_path / "file").read_text() == "in the way"
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_folder_that_only_others_may_write_to() -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o555)
        done = run("no-right", place / "journal.db")
        assert done.stderr == ""
        assert done.stdout == (
            f"JournalUnreadable the journal {place}/journal.db cannot be opened (unable to open "
            "database file); check the folder, or set `data` in the settings to another place\n"
        )
        assert list(place.iterdir()) == []
        place.chmod(0o755)


# A disk that is full


def test_a_full_disk_loses_only_the_entry_that_did_not_fit(path: Path) -> None:
    """At every place where an append can run out of space; with space again it goes on."""
    done = run("full", path)
    assert done.stderr == ""
    told = done.stdout.splitlines()
    assert len(told) == 12
    assert set(told) <= {
        f"the journal {path} could not be written ({why}); nothing was changed. "
        "Free some disk space or check the card, then enter it again"
        for why in ("disk I/O error", "database or disk is full")
    }


def test_a_full_file_loses_only_the_entry_that_did_not_fit(journal: Journal, path: Path) -> None:
    log = play(journal, "deal A")
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        while len(log) < 1000:
            log.append(journal.append(1, Did("A r3"), log[-1].seq, "page"))

    with pytest.raises(JournalFull) as caught:
        fill()
    assert str(caught.value) == (
        f"the journal {path} could not be written (database or disk is full); nothing was "
        "changed. Free some disk space or check the card, then enter it again"
    )
    assert journal.events(1) == log
    journal._connection.execute("PRAGMA max_page_count = 100000")
    log.append(journal.append(1, Did("A r3"), log[-1].seq, "page"))
    assert journal.events(1) == log


def test_a_new_game_or_a_refusal_that_cannot_be_written(journal: Journal, path: Path) -> None:
    log = play(journal, "deal A")
    with worn_out(path), pytest.raises(JournalFull, match="worn out"):
        journal.open_game(Opened(SETUP, 1), "page")
    with worn_out(path, "refusal"), pytest.raises(JournalFull, match="worn out"):
        journal.refuse(1, 2, "page", "A r3", (reason("too-low", "ODIN-PLAY-1"),))
    assert journal.count_games() == 1
    log.append(journal.append(1, Did("A r3"), log[-1].seq, "page"))
    assert journal.events(1) == log


# Broken events

BROKEN_EVENTS = {
    "unknown kind": ("danced", "{}", "an event of unknown kind 'danced'"),
    "no JSON": ("did", "A r3", "the body of a 'did' event is broken: JSON is malformed: invalid"),
    "cut off": ("did", '{"action":"A', "the body of a 'did' event is broken: Input data was tr"),
    "empty": ("opened", "", "the body of a 'opened' event is broken: Input data was truncated"),
    "no object": ("did", "[]", "the body of a 'did' event is broken: Expected `object`, got `arr"),
    "a part missing": ("did", "{}", "the body of a 'did' event is broken: Object missing requir"),
    "a wrong type": (
        "retracted",
        '{"entries":"many"}',
        "the body of a 'retracted' event is broken: Expected `int`, got `str` - at `$.entries`",
    ),
    "reasons missing": (
        "let-stood",
        '{"action":"A r3"}',
        "the body of a 'let-stood' event is broken: Object missing required field `reasons`",
    ),
}


@pytest.mark.parametrize(("kind", "body", "why"), BROKEN_EVENTS.values(), ids=BROKEN_EVENTS)
def test_a_broken_event_is_named_and_what_came_before_stays_readable(
    journal: Journal, path: Path, kind: str, body: str, why: str
) -> None:
    log = play(journal, "deal A", "A r3")
    sound = play(journal, "deal B")
    seq = slip_in(path, 1, kind, body)
    slip_in(path, 1, "did", '{"action":"B pass"}')
    before = {name: data for name, data in folder(path.parent).items() if "shm" not in name}
    readable, corrupt = journal.readable(1)
    assert readable == log
    assert corrupt is not None
    assert (corrupt.game, corrupt.seq, corrupt.entry) == (1, seq, kind)
    assert str(corrupt.why).startswith(why)
    assert str(corrupt) == f"game 1: event {seq} ({kind}) no longer replays: {corrupt.why}"
    with pytest.raises(LogCorrupt) as caught:
        journal.events(1)
    assert str(caught.value) == str(corrupt)
    assert journal.readable(2) == (sound, None)
    assert {name: folder(path.parent)[name] for name in before} == before


def test_a_closed_journal_says_so(path: Path) -> None:
    with Journal(path) as journal:
        play(journal)
    with pytest.raises(JournalError, match="closed"):
        journal.events(1)


# What is not ours, or only half of it


def test_nothing_is_replaced_behind_the_triggers(journal: Journal, path: Path) -> None:
    play(journal, "deal A", "A r3")
    before = rows(path)
    raw = sqlite3.connect(path)
    with closing(raw), pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute("INSERT OR REPLACE INTO event SELECT * FROM event WHERE seq = 2")
    assert rows(path) == before


@pytest.mark.parametrize("pragma", ["user_version = 1", "application_id = 77"])
def test_an_empty_database_of_another_program_is_left_alone(path: Path, pragma: str) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA {pragma}")
        raw.execute("VACUUM")
    before = path.read_bytes()
    with pytest.raises(JournalUnreadable, match="of another program"):
        Journal(path)
    assert path.read_bytes() == before


def test_numbers_no_database_knows_are_no_games(journal: Journal) -> None:
    play(journal, "deal A")
    with pytest.raises(NoSuchGame):
        journal.events(2**63)
    assert journal.games(20, 2**64) == []


def test_letters_that_are_none_break_their_event_only(journal: Journal, path: Path) -> None:
    log = play(journal, "deal A")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(
            "INSERT INTO event (game, based_on, at, source, kind, body)"
            " VALUES (1, ?, '', 'page', 'did', CAST(x'ff22' AS TEXT))",
            (log[-1].seq,),
        )
        raw.commit()
    events, corrupt = journal.readable(1)
    assert events == log
    assert corrupt is not None
