"""The cards of Valhalla. Copies of a card are alike, so a `Card` is a kind of card. Only if the
table tells Deities apart by name (A-2) is each of them a kind of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from companion.core.notation import Word
from companion.foundation.messages import N_


class Card(StrEnum):
    HAMMER = "hammer"
    SWORD = "sword"
    AXE = "axe"
    WOLF = "wolf"
    DRAUGR = "draugr"
    DEITY = "deity"
    ODIN = "odin"
    THOR = "thor"
    FREYJA = "freyja"
    FRIGG = "frigg"
    BALDR = "baldr"
    TYR = "tyr"
    HEIMDALL = "heimdall"
    NJORD = "njord"
    FREYR = "freyr"
    BRAGI = "bragi"
    IDUN = "idun"
    SKADI = "skadi"
    LOKI_FLY = "loki-fly"
    LOKI_MARE = "loki-mare"
    LOKI_SALMON = "loki-salmon"
    LOKI_SEAL = "loki-seal"

    @property
    def person(self) -> str:
        """Who a Deity card shows: the aspects of Loki are all Loki (A-2)."""
        return self.value.partition("-")[0]

    @classmethod
    def parse(cls, word: Word) -> Card:
        try:
            return cls(word.text.lower())
        except ValueError:
            raise word.bad(
                "not-card-write-hammer",
                N_(
                    "%(text)s is not a card; write hammer, sword, axe, wolf, draugr, deity or "
                    "the name of a deity such as freyja"
                ),
                text=repr(word.text),
            ) from None


WEAPONS = (Card.HAMMER, Card.SWORD, Card.AXE)  # VLLA-COMP-1
DEALT = (*WEAPONS, Card.WOLF)  # VLLA-SETUP-2: one of each to everybody
NAMED = tuple(Card)[tuple(Card).index(Card.ODIN) :]
DEITIES = frozenset({Card.DEITY, *NAMED})

DRAUGR = 8  # VLLA-COMP-1: in the deck
ARMORY_ROOM = 5  # VLLA-ARM-2: cards that stay there


def is_deity(card: Card | None) -> bool:
    return card in DEITIES


@cache
def deck_of(deities: tuple[str, ...], *, by_name: bool) -> Mapping[Card, int]:
    """VLLA-COMP-1 and -3: how many there are of each card, in hands and deck together."""
    cards = {Card.HAMMER: 12, Card.SWORD: 12, Card.AXE: 12, Card.WOLF: 8, Card.DRAUGR: DRAUGR}
    if by_name:
        cards.update({Card(name): 1 for name in deities})
    elif deities:
        cards[Card.DEITY] = len(deities)
    return MappingProxyType(cards)


def draugr_in(cards: Iterable[Card]) -> int:
    return sum(card is Card.DRAUGR for card in cards)


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards without one copy of this card, the newest."""
    at = len(cards) - 1 - cards[::-1].index(card)
    return (*cards[:at], *cards[at + 1 :])
