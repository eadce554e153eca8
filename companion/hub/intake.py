"""Takes in what boxes send: each event once, in order, and only behind the one it follows.

The hub answers with how far it has heard; so whatever was lost on the way, power, network or the
hub itself, the box simply goes on from there."""

from __future__ import annotations

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import Box
from companion.hub.contests.board_results import reopen_board
from companion.hub.store import Transaction
from companion.ledger.journal import now
from companion.ledger.wire import WireEvent
from companion.outbox.protocol import Batch, Heard, Rewind

RESTORED = "restored"
"""An incident: a box went on from an earlier event, as it does after a backup was restored."""
TWO_COPIES = "two-copies"
"""An incident: events came back that another copy of the same journal had made obsolete."""
HASH_LETTERS = 64
LARGEST = 2**63 - 1
"""The largest number a database keeps."""
COLUMNS = (
    "club", "box", "seq", "game", "based_on", "at", "source", "by_device", "kind", "body",
    "because", "instead_of", "hash",
)  # fmt: skip
_ASIDE = ", ".join(COLUMNS)
_WHICH = "WHERE club = ? AND id = ?"


class TwoCopies(BadInput):
    """Two boxes speak with one name: copies of one journal. Neither is believed any more."""

    def __init__(self) -> None:
        super().__init__(
            "hub-two-copies",
            N_(
                "two copies of this box are at work, and each takes back what the other says;"
                " switch one off, then the owner says so on the club's page"
            ),
        )


def take_in(transaction: Transaction, box: Box, batch: Batch) -> Heard:
    """How far the hub has heard of the box now. The box must be locked by this transaction."""
    if box.forked_at:
        raise TwoCopies
    if batch.after != box.heard:
        return box.heard  # sent before, or from another point: the box goes on from what is here
    previous, last = box.heard.before_next(box.id), box.heard
    for event in batch.events:
        if event.seq <= last.seq or not _keepable(event) or not event.follows(previous):
            raise _does_not_fit(event)
        previous, last = bytes.fromhex(event.hash), Heard(event.seq, event.hash)
    if last == box.heard:
        return last
    if came_back(transaction, box, batch.events[0].hash):
        raise TwoCopies
    transaction.many("event", COLUMNS, (_row(box, event) for event in batch.events))
    _note(transaction, box, last)
    return last


def came_back(transaction: Transaction, box: Box, summed: str) -> bool:
    """Whether an event was put aside for others before: then the journal it is from is still at
    work beside the one that took its place."""
    row = transaction.one(
        "SELECT 1 FROM event_aside WHERE club = ? AND box = ? AND hash = ? AND moved_at > ?"
        " LIMIT 1",
        box.club, box.id, bytes.fromhex(summed) if _is_hash(summed) else b"", box.settled_at,
    )  # fmt: skip
    return row is not None


def note_two_copies(transaction: Transaction, box: Box) -> None:
    """Nothing is taken in from now on, until the owner has seen to it."""
    transaction.run(f"UPDATE box SET forked_at = ? {_WHICH}", now(), box.club, box.id)
    _incident(transaction, box, TWO_COPIES, 0)


def note_contact(transaction: Transaction, box: Box) -> None:
    """It is there, though it has nothing new."""
    transaction.run(f"UPDATE box SET heard_at = ? {_WHICH}", now(), box.club, box.id)


def heard_at(transaction: Transaction, box: Box, seq: int) -> Heard:
    """The last event up to a number."""
    row = transaction.one(
        "SELECT seq, hash FROM event WHERE club = ? AND box = ? AND seq <= ?"
        " ORDER BY seq DESC LIMIT 1",
        box.club, box.id, seq,
    )  # fmt: skip
    return Heard() if row is None else Heard(row[0], bytes(row[1]).hex())


def rewind(transaction: Transaction, box: Box, asked: Rewind) -> Heard:
    """Puts aside what the hub has beyond `asked.to`, and remembers that it did: nothing is
    lost."""
    to = asked.to
    if box.forked_at or (asked.next and came_back(transaction, box, asked.next)):
        raise TwoCopies
    if heard_at(transaction, box, to.seq) != to:
        raise BadInput(
            "hub-rewind-unknown",
            N_("the hub has no such event of this box; nothing was changed"),
        )
    beyond = "club = ? AND box = ? AND seq > ?", (box.club, box.id, to.seq)
    moved = transaction.run(
        f"INSERT INTO event_aside ({_ASIDE}, moved_at) SELECT {_ASIDE}, ? FROM event"
        f" WHERE {beyond[0]}",
        now(), *beyond[1],
    )  # fmt: skip
    games = transaction.all(f"SELECT DISTINCT game FROM event WHERE {beyond[0]}", *beyond[1])
    transaction.run(f"DELETE FROM event WHERE {beyond[0]}", *beyond[1])
    for (game,) in games:  # folded again from what is left
        reopen_board(transaction, box.id, game)
        for table in ("game", "result"):
            transaction.run(
                f"DELETE FROM {table} WHERE club = ? AND box = ? AND number = ?",
                box.club, box.id, game,
            )  # fmt: skip
    _incident(transaction, box, RESTORED, moved)
    first = transaction.one(
        "SELECT MIN(seq) FROM event WHERE club = ? AND box = ? AND game IN"
        f" ({', '.join('?' * len(games)) or 'NULL'})",
        box.club, box.id, *(game for (game,) in games),
    )  # fmt: skip
    folded = min(box.folded, to.seq if first is None or first[0] is None else first[0] - 1)
    transaction.run(f"UPDATE box SET folded = ? {_WHICH}", folded, box.club, box.id)
    _note(transaction, box, to)
    return to


def _keepable(event: WireEvent) -> bool:
    """No database can keep larger numbers, nor PostgreSQL a text with a zero in it."""
    numbers = (event.seq, event.game, event.based_on)
    texts = (event.at, event.source, event.by, event.kind, event.body)
    optional = (event.because or "", event.instead_of or "")
    return all(0 <= each <= LARGEST for each in numbers) and not any(
        "\0" in each for each in (*texts, *optional)
    )


def _note(transaction: Transaction, box: Box, last: Heard) -> None:
    transaction.run(
        f"UPDATE box SET seq = ?, hash = ?, heard_at = ? {_WHICH}",
        last.seq, last.hash, now(), box.club, box.id,
    )  # fmt: skip


def _incident(transaction: Transaction, box: Box, kind: str, events: int) -> None:
    transaction.run(
        "INSERT INTO incident (club, box, at, kind, events) VALUES (?, ?, ?, ?, ?)",
        box.club, box.id, now(), kind, events,
    )  # fmt: skip


def _is_hash(text: str) -> bool:
    return len(text) == HASH_LETTERS and not text.strip("0123456789abcdef")


def _row(box: Box, event: WireEvent) -> tuple[object, ...]:
    return (
        box.club, box.id, event.seq, event.game, event.based_on, event.at, event.source, event.by,
        event.kind, event.body, event.because, event.instead_of, bytes.fromhex(event.hash),
    )  # fmt: skip


def _does_not_fit(event: WireEvent) -> BadInput:
    return BadInput(
        "hub-event-does-not-fit",
        N_(
            "event %(seq)s of this box does not fit the one before it; nothing was taken in."
            " The box's health page says more"
        ),
        seq=event.seq,
    )
