"""What the camera must know of the books."""

from __future__ import annotations

from itertools import islice

from companion.deciding.memory import REMEMBERED, BookEntry, Books
from companion.ledger.session import Session


def books_of(session: Session) -> Books:
    """What the camera must know of a game."""
    refusal = session.refusal
    return Books(
        game=session.setup.game,
        number=session.number,
        seq=session.seq,
        state=session.state,
        recent=tuple(
            BookEntry(each.event.seq, each.action, each.event.because, each.event.instead_of)
            for each in islice(session.entries, REMEMBERED)
        ),
        taken_back=tuple(
            each.event.because for each in session.taken_back if each.event.because is not None
        ),
        refused="" if refusal is None else refusal.action,
        refused_because=None if refusal is None else refusal.because,
    )
