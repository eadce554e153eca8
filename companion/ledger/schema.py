"""The journal's file: its tables, how they came about, whose file it is, how it is opened."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.foundation.errors import JournalTooNew, JournalUnreadable
from companion.foundation.messages import N_, Message, message, phrase
from companion.ledger.chain import chain_up

DAMAGE = (sqlite3.Error, MemoryError, OverflowError, UnicodeError)
"""What Python raises when SQLite cannot go on: an error of its own, no memory, a number that does
not fit, or a message about a damaged file that is no text."""
BUSY_MILLISECONDS = 5000
"""How long another program that writes is waited for."""
FIRST_WITH_HASHES = 3
"""The version of the schema from which on every event has a hash."""
BOX_BYTES = 16
"""Of the box's name for programs: enough that no two boxes ever choose the same."""


def _name_the_box(connection: sqlite3.Connection) -> None:
    """A journal has a name that no other has. It stays with its events, wherever they are moved,
    so that whoever gathers games of several boxes can tell them apart."""
    named = (secrets.token_hex(BOX_BYTES),)
    connection.execute("INSERT INTO about (name, said) VALUES ('box', ?)", named)


APPLICATION_ID = 0x0D1BC0DE  # marks a file as ours

# One entry per schema version. Never change one that has been released: add the next.
Step: TypeAlias = str | Callable[[sqlite3.Connection], None]
Migrations: TypeAlias = tuple[tuple[Step, ...], ...]
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
    (
        # Who did it: the device's name, as people gave it. And each event carries a hash over
        # itself and the hash of the event before it; `chain` says how it is made.
        "ALTER TABLE event ADD COLUMN by TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE event ADD COLUMN hash BLOB",
        "ALTER TABLE refusal ADD COLUMN hash BLOB",
        "CREATE TABLE about (name TEXT PRIMARY KEY, said TEXT NOT NULL) STRICT",
        _name_the_box,
        "DROP TRIGGER event_no_update",
        chain_up,
        """
        CREATE TRIGGER event_no_update BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END
        """,
    ),
)


def opened(path: Path, migrations: Migrations) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _look_at(path, migrations)
        connection = connected(path.absolute().as_uri())
    except DAMAGE as broken:
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
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        _migrate(connection, path, migrations)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except DAMAGE as broken:
        connection.close()
        raise JournalUnreadable.saying(_why_not(path, broken)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def connected(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, isolation_level=None, check_same_thread=False, uri=True)
    # A broken letter breaks its event, not the reading of all of them.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def ahead_of(path: Path) -> Path:
    """Where SQLite writes what is not in the file itself yet."""
    return path.with_name(f"{path.name}-wal")


def _look_at(path: Path, migrations: Migrations) -> None:
    """Whose file is it? Asked without the right to write: what is not ours stays as it is."""
    if not path.exists() or path.stat().st_size == 0:
        return
    ahead = ahead_of(path)
    if not ahead.exists() or ahead.stat().st_size == 0:
        with path.open("rb") as file:  # SQLite itself would leave files beside this one
            header = file.read(100)
        page = int.from_bytes(header[16:18])
        if header.startswith(b"SQLite format 3\0") and path.stat().st_size % max(page, 512) == 0:
            version, marked = (int.from_bytes(header[at : at + 4]) for at in (60, 68))
            _check(path, Mark(version, marked, empty=False), migrations)
        return
    connection = connected(f"{path.absolute().as_uri()}?mode=ro")
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        connection.execute("BEGIN")  # one moment of the file, however busy others are with it
        _check(path, _mark(connection), migrations)
    finally:
        connection.close()


_ADVICE = {
    sqlite3.SQLITE_CANTOPEN: N_("check the folder, or set `data` in the settings to another place"),
    sqlite3.SQLITE_BUSY: N_("another program is using it; try again when that has ended"),
}


def _why_not(path: Path, broken: Exception) -> Message:
    code = getattr(broken, "sqlite_errorcode", 0)
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
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
        why=str(broken) or "out of memory",
        advice=phrase(_ADVICE.get(code, usual)),
    )


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Migrations) -> None:
    connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
    mark = _mark(connection)
    _check(path, mark, migrations)
    for number in range(mark.version, len(migrations)):
        for step in migrations[number]:
            _take(connection, step)
    if mark.version < len(migrations):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
    connection.execute("COMMIT")


def _take(connection: sqlite3.Connection, step: Step) -> None:
    if isinstance(step, str):
        connection.execute(step)
    else:
        step(connection)


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
