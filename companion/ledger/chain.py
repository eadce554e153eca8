"""The hash chain over the events: what was written cannot change unnoticed.

Each event carries a SHA-256 over the hash of the event before it and its own fields, in this order:
seq, game, based_on, at, source, by, kind, body, because, instead_of. A field is written as its
length, a colon and its bytes (`2:17`); one that is empty for want of a value is `-`. Numbers are in
decimal, text is UTF-8. The first event follows the name of the box, as text. Anybody can check it.

A row that has rotted does not fit its own hash. One that was taken out or put in breaks the hash of
the one behind it; the last ones cannot be taken away unnoticed either, because SQLite remembers
the highest number it ever gave. Whoever can write to the file and computes all hashes anew is
found out only by somebody who has kept a hash: a backup, or a hub that gathers games.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import TypeAlias

Field: TypeAlias = object
"""As SQLite gives it; in a damaged file it may be of any type."""

EVENTS = (
    "SELECT seq, game, based_on, CAST(at AS BLOB), CAST(source AS BLOB), CAST(by AS BLOB),"
    " CAST(kind AS BLOB), CAST(body AS BLOB), CAST(because AS BLOB), CAST(instead_of AS BLOB),"
    " hash FROM event WHERE seq > ? ORDER BY seq"
)
"""The fields of events in the order they are hashed, text as the bytes that lie there; the hash."""

REFUSALS = (
    "SELECT id, game, based_on, CAST(at AS BLOB), CAST(source AS BLOB), CAST(action AS BLOB),"
    " CAST(reasons AS BLOB), hash FROM refusal WHERE id > ? ORDER BY id"
)

BEFORE_ALL = -(2**63)
"""Smaller than the number of any row."""


def hashed(previous: bytes, fields: Iterable[Field]) -> bytes:
    """The hash of an event that follows another; a refusal follows nothing."""
    parts = [previous]
    for field in fields:
        if field is None:
            parts.append(b"-")
            continue
        data = field if isinstance(field, bytes) else str(field).encode("utf-8", "surrogatepass")
        parts += (b"%d:" % len(data), data)
    return hashlib.sha256(b"".join(parts)).digest()


def genesis(box: str) -> bytes:
    """What the first event follows."""
    return box.encode()


def the_box(connection: sqlite3.Connection) -> str:
    """The name of the box the journal belongs to; empty if it is lost."""
    row = connection.execute("SELECT said FROM about WHERE name = 'box'").fetchone()
    return row[0] if row is not None and isinstance(row[0], str) else ""


def chain_up(connection: sqlite3.Connection) -> None:
    """Gives every event and refusal that has none its hash; for journals from before the chain."""
    previous = genesis(the_box(connection))
    for *fields, _ in connection.execute(EVENTS, (BEFORE_ALL,)).fetchall():
        previous = hashed(previous, fields)
        connection.execute("UPDATE event SET hash = ? WHERE seq = ?", (previous, fields[0]))
    for *fields, _ in connection.execute(REFUSALS, (BEFORE_ALL,)).fetchall():
        summed = hashed(b"", fields)
        connection.execute("UPDATE refusal SET hash = ? WHERE id = ?", (summed, fields[0]))
