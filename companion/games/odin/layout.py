"""How a table of Odin is laid out: the set to beat lies in one lane, the set that beats it comes
into the other."""

from __future__ import annotations

import re
from types import MappingProxyType

from companion.games.odin.rules.cards import SUITS
from companion.games.odin.rules.state import State
from companion.tabletop.layout import PLAYING_CARDS, Layout
from companion.tabletop.zones import box

ZONES = MappingProxyType(
    {
        "middle-1": box(112, 62, 370, 142),
        "middle-2": box(112, 216, 370, 142),
        "deck": box(20, 158, 76, 104),
        "discard": box(498, 158, 76, 104),
    }
)

"""Left, top, width and height, in millimetres on the mat."""

_PLAYING_CARD = re.compile(r"([A2-9])([SHDC])")


def _word_of(label: str | int) -> str:
    """A deck's label as the game's notation writes the card: 7H of ordinary cards is h7, and a
    joker stands for the goat."""
    if label == "joker":
        return "goat"
    found = _PLAYING_CARD.fullmatch(str(label))
    return f"{found[2].lower()}{found[1]}" if found else str(label)


def _deck_of(state: State) -> str | None:
    return PLAYING_CARDS if any(card.colour in SUITS for card in state.deck) else None


def _features(word: str) -> tuple[str, ...]:
    """Colour and number; the goat is one word."""
    return tuple(word) if len(word) == 2 else (word,)


LAYOUT = Layout(zones=ZONES, deck="odin", deck_of=_deck_of, word_of=_word_of, features=_features)
