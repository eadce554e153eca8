"""Whether a journal is as it was written, from its first event to its last. It is read in portions,
so that entries can be made meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.foundation.messages import N_, Message, message
from companion.ledger.chain import BEFORE_ALL, EVENTS, REFUSALS, hashed, the_box
from companion.ledger.rows import Row, fits, whole
from companion.ledger.schema import (
    BUSY_MILLISECONDS,
    DAMAGE,
    FIRST_WITH_HASHES,
    ahead_of,
    connected,
)

PORTION = 2000
"""Rows read at once: some milliseconds."""

Reader: TypeAlias = Callable[[str, tuple[int, ...]], list[Row]]
"""Asks the file; raises what SQLite raises if it cannot be read."""


@dataclass(frozen=True, slots=True)
class Soundness:
    """What an examination of the whole file found."""

    events: int
    first_bad: tuple[int, int] | None = None
    """Game and number of the first event that is not as it was written."""
    bad: int = 0
    missing: int = 0
    """Events that were written last and are gone."""
    bad_refusals: int = 0
    pages: str = "ok"
    """What SQLite says of the file's pages."""

    @property
    def problem(self) -> Message | None:
        """The worst of it, in one sentence; None if it is sound."""
        if self.first_bad is not None:
            game, seq = self.first_bad
            return message(
                "journal-event-changed",
                N_(
                    "event %(seq)s of game %(game)s, or the one before it, is not as it was "
                    "written; everything before it is as it was, and so are the other games"
                ),
                seq=seq,
                game=game,
            )
        if self.missing:
            return message(
                "journal-events-missing",
                N_("the last events of the journal are gone (%(count)s); what is there is sound"),
                count=self.missing,
            )
        if self.pages != "ok":
            return message(
                "journal-pages-damaged",
                N_("the journal's file is damaged (%(why)s), but every event can be read"),
                why=self.pages,
            )
        if self.bad_refusals:
            return message(
                "journal-refusals-changed",
                N_("what was refused is not noted as it was written; the games are sound"),
            )
        return None


def verify(read: Reader, box: str) -> Soundness:
    """Examines everything; an unreadable page ends it where it lies."""
    events, bad, first_bad = 0, 0, None
    previous: object = None
    pages = "ok"
    try:
        for *fields, found in _rows(read, EVENTS):
            if not fits(fields, found, previous, box):
                bad += 1
                first_bad = first_bad or (whole(fields[1]), whole(fields[0]))
            events, previous = events + 1, found if found is not None else b""
        pages = str(read("PRAGMA integrity_check(1)", ())[0][0])
        missing, refusals = _missing(read), _bad_refusals(read)
    except DAMAGE as broken:
        why = str(broken) or "out of memory"
        return Soundness(events, first_bad, bad, pages=why)
    return Soundness(events, first_bad, bad, missing, refusals, " ".join(pages.split()))


def verify_file(path: Path, *, alone: bool = False) -> Soundness:
    """The same for a file that may be in use, or too old to have hashes; it is only read. `alone`:
    without what was written ahead. Raises `DAMAGE` if it cannot be read at all."""
    how = "immutable=1" if alone else "mode=ro"
    with closing(connected(f"{path.absolute().as_uri()}?{how}")) as connection:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")

        def read(question: str, given: tuple[int, ...]) -> list[Row]:
            return connection.execute(question, given).fetchall()

        if whole(read("PRAGMA user_version", ())[0][0]) < FIRST_WITH_HASHES:
            events = whole(read("SELECT COUNT(*) FROM event", ())[0][0])
            return Soundness(events, pages=str(read("PRAGMA integrity_check(1)", ())[0][0]))
        return verify(read, the_box(connection))


def set_strange_ahead_aside(path: Path) -> Path | None:
    """What was written ahead of another journal would spoil this one as soon as it is opened. If
    the file alone is sound and with what lies beside it is not, that is laid aside; gives where."""
    ahead = ahead_of(path)
    try:
        if not ahead.stat().st_size or not path.stat().st_size:
            return None
        if _sound(path, alone=False) or not _sound(path, alone=True):
            return None
        aside = ahead.with_name(f"{ahead.name}-aside-{ahead.stat().st_mtime_ns}")
        ahead.rename(aside)
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    except OSError:  # said when the journal is opened
        return None
    return aside


def _sound(path: Path, *, alone: bool) -> bool:
    try:
        return verify_file(path, alone=alone).problem is None
    except DAMAGE as broken:
        # Somebody else's lock says nothing about the file.
        return getattr(broken, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY


def _rows(read: Reader, select: str) -> Iterator[Row]:
    """All rows of a table that is numbered by its first field."""
    last = BEFORE_ALL
    while rows := read(f"{select} LIMIT {PORTION}", (last,)):
        yield from rows
        following = whole(rows[-1][0])
        if following <= last:  # on malformed pages rows may come round again
            raise sqlite3.DatabaseError("rows out of order")
        last = following


def _missing(read: Reader) -> int:
    """How many numbers were given beyond the last event there is."""
    ((last,),) = read("SELECT COALESCE(MAX(seq), 0) FROM event", ())
    given = read("SELECT seq FROM sqlite_sequence WHERE name = 'event'", ())
    return abs(whole(given[0][0]) - whole(last)) if given else whole(last)


def _bad_refusals(read: Reader) -> int:
    return sum(found != hashed(b"", fields) for *fields, found in _rows(read, REFUSALS))
