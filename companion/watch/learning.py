"""What people teach the eyes while they play: a further look of a card, or a whole deck."""

from __future__ import annotations

from dataclasses import replace

from companion.core.game import Setup
from companion.tabletop.deck_offers import DeckOffer
from companion.watch.eyes import Eyes
from companion.watch.played_looks import DeckKeeper


class Learning:
    def __init__(self, eyes: Eyes, keeper: DeckKeeper) -> None:
        self._eyes = eyes
        self._keeper = keeper

    def learn(self, setup: Setup, word: str, picture: bytes) -> None:
        """A further look of that card."""
        self._eyes.learn(setup, word, picture)

    def offer(self, setup: Setup) -> DeckOffer | None:
        """The deck that was seen in play, once it is nearly whole."""
        cards = self._eyes.cards_of(setup)
        found = self._keeper.offer(self._eyes.deck_name(setup), cards) if cards else None
        if found is None:
            return None
        return replace(found, missing=self._eyes.words_of(setup, found.missing))

    def keep_deck(self, setup: Setup, name: str) -> None:
        """Begins to make a deck of it."""
        self._keeper.keep(self._eyes.deck_name(setup), name, self._eyes.cards_of(setup))
