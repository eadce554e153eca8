"""A game of the journal as the list of games shows it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.foundation.errors import JournalError
from companion.ledger.events import Opened
from companion.ledger.journal import Journal, Kept
from companion.ledger.session import replayed
from companion.views.speech import Speech


@dataclass(frozen=True, slots=True)
class KeptView:
    number: int
    game: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[str, ...]
    over: bool
    last_at: str
    events: int
    trouble: str = ""  # why it can no longer be replayed


def kept_view(journal: Journal, kept: Kept, language: str = "en") -> KeptView:
    """One game; what `trouble` says replaces the points if it can no longer be replayed."""
    fact = None if kept.opened is None else kept.opened.fact
    setup = fact.setup if isinstance(fact, Opened) else None
    names = setup.names if setup else ()
    game = setup.game if setup else "?"
    try:
        session = replayed(journal.events(kept.number))
    except JournalError as broken:
        why = Speech(language).told(broken.message)
        return KeptView(kept.number, game, names, (), (), False, kept.last_at, kept.events, why)
    standing = session.game.standing(session.state)
    winners = tuple(names[seat] for seat in standing.winners)
    return KeptView(
        kept.number,
        game,
        names,
        standing.points,
        winners,
        standing.over,
        kept.last_at,
        kept.events,
    )
