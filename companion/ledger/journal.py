"""The log of all games in one SQLite file: append-only, and on the disk before it is believed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

import msgspec

from companion.core.game import Reason
from companion.foundation.errors import (
    BadInput,
    JournalConflict,
    JournalFull,
    JournalTooNew,
    JournalUnreadable,
    LogCorrupt,
    NoSuchGame,
)
from companion.foundation.messages import N_, Message, message, phrase
from companion.ledger.events import NO_LINK, Event, Fact, Link, Opened, decode, encode
from companion.tabletop.readings import ReadingRef

APPLICATION_ID = 0x0D1BC0DE  # marks a file as ours

# One entry per schema version. Never change one that has been released: add the next.
Migrations: TypeAlias = tuple[tuple[str, ...], ...]
MIGRATIONS: Migrations = (
    (
        """
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            game INTEGER NOT NULL,
            based_on INTEGER NOT NULL,
            at TEXT NOT NULL,
            source TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT
        """,
        # A game's events form one chain: two writers can never both follow the same event.
        "CREATE UNIQUE INDEX event_chain ON event (game, based_on)",
        """
        CREATE TABLE refusal (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            based_on INTEGER NOT NULL,
            at TEXT NOT NULL,
            source TEXT NOT NULL,
            action TEXT NOT NULL,
            reasons TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TRIGGER event_no_update BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END
        """,
        """
        CREATE TRIGGER event_no_delete BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END
        """,
        # INSERT OR REPLACE deletes without asking the trigger above.
        """
        CREATE TRIGGER event_no_replace BEFORE INSERT ON event
        WHEN EXISTS (SELECT 1 FROM event WHERE seq = NEW.seq)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END
        """,
    ),
    (
        # Which reading of the camera an event was made of, and which one it took the place of.
        # Events written before have neither: nobody knows it any more.
        "ALTER TABLE event ADD COLUMN because TEXT",
        "ALTER TABLE event ADD COLUMN instead_of TEXT",
    ),
)

_LARGEST = 2**63 - 1  # number SQLite knows
_EVENT = "SELECT seq, game, based_on, at, source, kind, body, because, instead_of FROM event"
_Row: TypeAlias = tuple[int, int, int, str, str, str, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Kept:
    """One game in the journal, as a list of games shows it; a broken one is not `opened`."""

    number: int
    opened: Event | None
    last_at: str
    events: int


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """Open it in a `with` statement. One connection, one lock: any thread may call."""

    def __init__(
        self, path: Path, *, clock: Callable[[], str] = now, migrations: Migrations = MIGRATIONS
    ) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._connection = _opened(path, migrations)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._connection.close()

    def open_game(self, fact: Opened, source: str) -> Event:
        """Starts the next game of the file."""
        return self.open_with([fact], source)[0]

    def open_with(self, facts: Sequence[Fact], source: str) -> list[Event]:
        """The same, with entries that are known from the first; all of them or nothing."""
        at = self._clock()
        return self.import_game([(fact, at, source) for fact in facts])

    def append(self, game: int, fact: Fact, based_on: int, source: str) -> Event:
        """Returns once the fact is on the disk; otherwise raises and nothing has changed."""
        return self.append_all(game, ((fact, NO_LINK),), based_on, source)[0]

    def append_all(
        self, game: int, facts: Sequence[tuple[Fact, Link]], based_on: int, source: str
    ) -> list[Event]:
        """One after the other, with where they came from; all are on the disk then, or none."""
        at = self._clock()
        with self._writing() as cursor:
            return _chain(
                cursor, [Event(0, game, based_on, at, source, fact, link) for fact, link in facts]
            )

    def import_game(self, facts: Sequence[tuple[Fact, str, str]]) -> list[Event]:
        """A whole game at once (fact, time, source), or nothing of it."""
        with self._writing() as cursor:
            highest = cursor.execute("SELECT COALESCE(MAX(game), 0) FROM event").fetchone()[0]
            return _chain(
                cursor, [Event(0, highest + 1, 0, at, source, fact) for fact, at, source in facts]
            )

    def refuse(
        self, game: int, based_on: int, source: str, action: str, reasons: tuple[Reason, ...]
    ) -> None:
        """Remembers what was refused, beside the log: it changed nothing."""
        body = msgspec.json.encode([str(each) for each in reasons]).decode()
        with self._writing() as cursor:
            cursor.execute(
                "INSERT INTO refusal (game, based_on, at, source, action, reasons)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (game, based_on, self._clock(), source, action, body),
            )

    def prove(self) -> None:
        """Goes the way of an append and writes nothing; raises if an append would."""
        with self._writing():
            pass

    def events(self, game: int, after: int = 0) -> list[Event]:
        """The events of one game in order; raises `LogCorrupt` if one is broken."""
        events, corrupt = self.readable(game, after)
        if corrupt is not None:
            raise corrupt
        return events

    def readable(self, game: int, after: int = 0) -> tuple[list[Event], LogCorrupt | None]:
        """The events of one game up to the first broken one, and what is broken about it."""
        rows = []
        if max(game, after) <= _LARGEST:
            with self._reading():
                rows = self._connection.execute(
                    f"{_EVENT} WHERE game = ? AND seq > ? ORDER BY seq", (game, after)
                ).fetchall()
        if not rows and after == 0:
            raise NoSuchGame(
                "journal-has-no-game",
                N_("the journal has no game %(game)s; `companion games` lists them"),
                game=game,
            )
        events: list[Event] = []
        for row in rows:
            try:
                events.append(_event(row))
            except LogCorrupt as corrupt:
                return events, corrupt
        return events, None

    def latest_game(self) -> int | None:
        """The game played last."""
        with self._reading():
            row = self._connection.execute(
                "SELECT game FROM event ORDER BY seq DESC LIMIT 1"
            ).fetchone()
        return None if row is None else int(row[0])

    def games(self, most: int = 20, skip: int = 0) -> list[Kept]:
        """The games of the file, those played last first."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT game, MIN(seq), MAX(seq), COUNT(*) FROM event GROUP BY game"
                " ORDER BY MAX(seq) DESC LIMIT ? OFFSET ?",
                (min(most, _LARGEST), min(skip, _LARGEST)),
            ).fetchall()
            return [
                Kept(game, self._opening(first), self._at(last), count)
                for game, first, last, count in rows
            ]

    def count_games(self) -> int:
        with self._reading():
            row = self._connection.execute("SELECT COUNT(DISTINCT game) FROM event").fetchone()
        return int(row[0])

    def _opening(self, seq: int) -> Event | None:
        row = self._connection.execute(f"{_EVENT} WHERE seq = ?", (seq,)).fetchone()
        try:
            return _event(row)
        except LogCorrupt:  # said when the game itself is looked at
            return None

    def _at(self, seq: int) -> str:
        row = self._connection.execute("SELECT at FROM event WHERE seq = ?", (seq,)).fetchone()
        return str(row[0])

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.DatabaseError as broken:
                raise JournalUnreadable(
                    "journal-cannot-read-not",
                    N_("the journal %(path)s cannot be read (%(why)s); it was not changed"),
                    path=self.path,
                    why=broken,
                ) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock:
            cursor = self._connection.cursor()
            try:
                cursor.execute("BEGIN IMMEDIATE")
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.DatabaseError as broken:
                if broken.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                    raise JournalConflict(
                        "another-program-has-written",
                        N_(
                            "another program has written to this game; nothing was changed. Let "
                            "only one companion run on this journal"
                        ),
                    ) from None
                raise JournalFull(
                    "journal-could-not-written",
                    N_(
                        "the journal %(path)s could not be written (%(why)s); nothing was "
                        "changed. Free some disk space or check the card, then enter it again"
                    ),
                    path=self.path,
                    why=broken,
                ) from None
            finally:
                if self._connection.in_transaction:
                    self._connection.rollback()
                cursor.close()


def _chain(cursor: sqlite3.Cursor, unwritten: Sequence[Event]) -> list[Event]:
    """Events of one game, each following the one before; the first says what it follows."""
    events: list[Event] = []
    for event in unwritten:
        based_on = events[-1].seq if events else event.based_on
        events.append(_insert(cursor, replace(event, based_on=based_on)))
    return events


def _insert(cursor: sqlite3.Cursor, event: Event) -> Event:
    kind, body = encode(event.fact)
    cursor.execute(
        "INSERT INTO event (game, based_on, at, source, kind, body, because, instead_of)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.game,
            event.based_on,
            event.at,
            event.source,
            kind,
            body,
            _spelt(event.because),
            _spelt(event.instead_of),
        ),
    )
    seq = cursor.lastrowid
    assert seq is not None, "an insert has a row id"  # noqa: S101
    return replace(event, seq=seq)


def _event(row: _Row) -> Event:
    seq, game, based_on, at, source, kind, body, because, instead_of = row
    try:
        link = Link(_ref(because), _ref(instead_of))
        return Event(seq, game, based_on, at, source, decode(kind, body), link)
    except BadInput as bad:
        raise LogCorrupt(game, seq, kind, bad.message) from None


def _spelt(ref: ReadingRef | None) -> str | None:
    return None if ref is None else str(ref)


def _ref(text: str | None) -> ReadingRef | None:
    return None if text is None else ReadingRef.parse(text)


def _opened(path: Path, migrations: Migrations) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _look_at(path, migrations)
        connection = _connected(path.absolute().as_uri())
    except sqlite3.DatabaseError as broken:
        raise JournalUnreadable.saying(_why_not(path, broken)) from None
    except OSError as broken:
        raise JournalUnreadable(
            "journal-cannot-opened-check",
            N_(
                "the journal %(path)s cannot be opened (%(why)s); check the folder, or set "
                "`data` in the settings to another place"
            ),
            path=path,
            why=broken,
        ) from None
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        _migrate(connection, path, migrations)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError as broken:
        connection.close()
        raise JournalUnreadable.saying(_why_not(path, broken)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, isolation_level=None, check_same_thread=False, uri=True)
    # A broken letter breaks its event, not the reading of all of them.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _look_at(path: Path, migrations: Migrations) -> None:
    """Whose file is it? Asked without the right to write: what is not ours stays as it is."""
    if not path.exists() or path.stat().st_size == 0:
        return
    ahead = path.with_name(f"{path.name}-wal")
    if not ahead.exists() or ahead.stat().st_size == 0:
        with path.open("rb") as file:  # SQLite itself would leave files beside this one
            header = file.read(100)
        page = int.from_bytes(header[16:18])
        if header.startswith(b"SQLite format 3\0") and path.stat().st_size % max(page, 512) == 0:
            version, marked = (int.from_bytes(header[at : at + 4]) for at in (60, 68))
            _check(path, Mark(version, marked, empty=False), migrations)
        return
    connection = _connected(f"{path.absolute().as_uri()}?mode=ro")
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("BEGIN")  # one moment of the file, however busy others are with it
        _check(path, _mark(connection), migrations)
    finally:
        connection.close()


_ADVICE = {
    sqlite3.SQLITE_CANTOPEN: N_("check the folder, or set `data` in the settings to another place"),
    sqlite3.SQLITE_BUSY: N_("another program is using it; try again when that has ended"),
}


def _why_not(path: Path, broken: sqlite3.DatabaseError) -> Message:
    if broken.sqlite_errorcode in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return message(
            "not-a-journal",
            N_(
                "%(path)s is not a journal of the companion or is damaged (%(why)s); it was not"
                " changed: move it away to start a new one"
            ),
            path=path,
            why=broken,
        )
    usual = N_("check the disk's free space and the file's permissions")
    return message(
        "journal-not-opened",
        N_("the journal %(path)s cannot be opened (%(why)s); %(advice)s"),
        path=path,
        why=broken,
        advice=phrase(_ADVICE.get(broken.sqlite_errorcode, usual)),
    )


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Migrations) -> None:
    connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
    mark = _mark(connection)
    _check(path, mark, migrations)
    for number in range(mark.version, len(migrations)):
        for statement in migrations[number]:
            connection.execute(statement)
    if mark.version < len(migrations):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
    connection.execute("COMMIT")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a database says of itself: its schema's version and whose it is."""

    version: int
    application: int
    empty: bool


def _mark(connection: sqlite3.Connection) -> Mark:
    def ask(question: str) -> int:
        return int(connection.execute(question).fetchone()[0])

    return Mark(
        version=ask("PRAGMA user_version"),
        application=ask("PRAGMA application_id"),
        empty=ask("SELECT COUNT(*) FROM sqlite_master") == 0,
    )


def _check(path: Path, mark: Mark, migrations: Migrations) -> None:
    fresh = mark == Mark(version=0, application=0, empty=True)
    if mark.application != APPLICATION_ID and not fresh:
        raise JournalUnreadable(
            "database-another-program-not",
            N_(
                "%(path)s is a database of another program; it was not changed: set `data` in "
                "the settings to another place"
            ),
            path=path,
        )
    if mark.version > len(migrations):
        raise JournalTooNew(
            "journal-written-later-version",
            N_(
                "the journal %(path)s was written by a later version (schema %(version)s, this "
                "one knows %(count)s); it was not changed: update the companion to open it"
            ),
            path=path,
            version=mark.version,
            count=len(migrations),
        )
