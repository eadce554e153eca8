"""Events as rows of the journal and back. A row of a damaged file may hold anything: whatever it
is, it becomes an event or `LogCorrupt`, never another error."""

from __future__ import annotations

import sqlite3
from typing import TypeAlias

from companion.foundation.errors import BadInput, LogCorrupt
from companion.foundation.messages import N_, Message, message
from companion.ledger.chain import Field, genesis, hashed, the_box
from companion.ledger.events import Event, Link, decode, encode
from companion.tabletop.readings import ReadingRef

Row: TypeAlias = tuple[Field, ...]
"""The fields of an event as they are hashed, its hash, and the hash of the event before it."""

SELECT_EVENT = (
    "SELECT seq, game, based_on, CAST(at AS BLOB), CAST(source AS BLOB), CAST(by AS BLOB),"
    " CAST(kind AS BLOB), CAST(body AS BLOB), CAST(because AS BLOB), CAST(instead_of AS BLOB),"
    " hash, (SELECT COALESCE(before.hash, x'') FROM event AS before WHERE before.seq < event.seq"
    " ORDER BY before.seq DESC LIMIT 1) FROM event"
)

GIVEN = "SELECT seq FROM sqlite_sequence WHERE name = 'event'"
END = (
    "SELECT seq, hash, (SELECT seq FROM sqlite_sequence WHERE name = 'event') FROM event"
    " ORDER BY seq DESC LIMIT 1"
)
"""The last event, and the highest number ever given: more than its, if some were taken away."""

CHANGED = N_("it, or the event before it, is not as it was written")


def insert(cursor: sqlite3.Cursor, event: Event) -> Event:
    """Writes an event behind the last of the file; gives it with its number and its hash."""
    seq, previous = end_of(cursor)
    kind, body = encode(event.fact)
    because, instead_of = _spelt(event.because), _spelt(event.instead_of)
    fields = (
        seq, event.game, event.based_on, event.at, event.source, event.by, kind, body, because,
        instead_of,
    )  # fmt: skip
    summed = hashed(previous, fields)
    cursor.execute(
        "INSERT INTO event (seq, game, based_on, at, source, by, kind, body, because, instead_of,"
        " hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*fields, summed),
    )
    return Event(
        seq, event.game, event.based_on, event.at, event.source, event.fact, event.link, event.by,
        summed.hex(),
    )  # fmt: skip


def end_of(cursor: sqlite3.Cursor) -> tuple[int, bytes]:
    """The next number, which was never given before, and the hash to follow."""
    found = cursor.execute(END).fetchone()
    last, summed, given = (0, None, None) if found is None else found
    if found is None:
        summed = genesis(the_box(cursor.connection))
        given = next(iter(cursor.execute(GIVEN).fetchone() or ()), None)
    highest = max(whole(last), 0 if given is None else whole(given))
    return highest + 1, summed if isinstance(summed, bytes) else b""


def event_of(row: Row, box: str) -> Event:
    """The event of a row that was selected with `SELECT_EVENT`; raises `LogCorrupt`."""
    *fields, found, previous = row
    seq, game, based_on, *rest = fields
    at, source, by, kind, body, because, instead_of = (text_of(each) for each in rest)
    where = whole(game), whole(seq), kind or ""
    try:
        link = Link(_ref(because), _ref(instead_of))
        fact = decode(kind or "", body or "")
    except BadInput as bad:
        raise LogCorrupt(*where, bad.message) from None
    if not fits(fields, found, previous, box):
        raise LogCorrupt(*where, changed())
    summed = found.hex() if isinstance(found, bytes) else ""
    return Event(
        whole(seq), whole(game), whole(based_on), at or "", source or "", fact, link, by or "",
        summed,
    )  # fmt: skip


def fits(fields: list[Field], found: Field, previous: Field, box: str) -> bool:
    """Whether a row is as it was written; `previous` is the hash before it, None for the first."""
    if previous is None:
        previous = genesis(box)
    return found == hashed(previous if isinstance(previous, bytes) else b"", fields)


def changed() -> Message:
    return message("event-changed", CHANGED)


def whole(field: Field) -> int:
    """A number of the file; -1 if something else lies there."""
    return field if isinstance(field, int) else -1


def text_of(field: Field) -> str | None:
    """A text of the file, whatever lies there; None stays None."""
    if field is None:
        return None
    # A broken letter breaks its event, not the reading of all of them.
    return field.decode("utf-8", "replace") if isinstance(field, bytes) else str(field)


def _spelt(ref: ReadingRef | None) -> str | None:
    return None if ref is None else str(ref)


def _ref(text: str | None) -> ReadingRef | None:
    return None if text is None else ReadingRef.parse(text)
