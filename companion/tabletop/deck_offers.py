"""What may be said of a deck that was seen in play."""

from __future__ import annotations

from dataclasses import dataclass

from companion.foundation.messages import Message


@dataclass(frozen=True, slots=True)
class DeckOffer:
    """What the page says of a deck that was seen in play."""

    deck: str
    seen: int
    """Cards that were seen, ..."""
    cards: int
    """... of so many."""
    missing: tuple[str, ...]
    looks: int
    """Looks at them, ..."""
    unread: int
    """... and how many of these were not read surely, or had to be put right."""
    making: bool = False
    told: Message | None = None
    """What came of it."""
