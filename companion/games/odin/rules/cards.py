"""The cards of Odin and what a set of them is worth. Rules ODIN-COMP, ODIN-PLAY-3 and -4."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from companion.core.notation import Word
from companion.foundation.messages import N_


class Colour(StrEnum):
    """The six colours of the deck, and the suits of ordinary cards that can replace four."""

    BLUE = "b"
    RED = "r"
    PINK = "p"
    GREEN = "g"
    BLACK = "k"
    ORANGE = "o"
    HEARTS = "h"
    DIAMONDS = "d"
    SPADES = "s"
    CLUBS = "c"

    @property
    def word(self) -> str:
        return self.name.lower()


SUITS = (Colour.HEARTS, Colour.DIAMONDS, Colour.SPADES, Colour.CLUBS)
COLOURS = tuple(colour for colour in Colour if colour not in SUITS)
NUMBERS = range(1, 10)


@dataclass(frozen=True, slots=True)
class Card:
    """A number in a colour. The Grumpy Goat is the number 0 without a colour of its own."""

    number: int
    colour: Colour | None

    def __str__(self) -> str:
        if self.colour is None:
            return "goat"
        return f"{self.colour}{'A' if self.ace else self.number}"

    @property
    def ace(self) -> bool:
        return self.number == 1 and self.colour in SUITS

    @classmethod
    def parse(cls, word: Word) -> Card:
        if word.text.lower() == "goat":
            return GOAT
        if not is_card(word.text):
            raise word.bad(
                "not-card-write-colour",
                N_(
                    "%(text)s is not a card; write a colour and a number such as r7 (b r p g k "
                    "o, or the suits h d s c with A for the ace), or goat"
                ),
                text=repr(word.text),
            )
        colour, number = word.text[0].lower(), word.text[1].lower()
        return cls(1 if number == "a" else int(number), Colour(colour))


GOAT = Card(0, None)  # ODIN-COMP-3


def is_card(text: str) -> bool:
    """Is it written like one?"""
    return bool(re.fullmatch(r"[brpgko][1-9]|[hdsc][1-9a]|goat", text, re.IGNORECASE | re.ASCII))


def deck_of(colours: Iterable[Colour], *, goat: bool) -> frozenset[Card]:
    """ODIN-COMP-1 and -2: 1 to 9 once in each colour. ODIN-COMP-3: the goat is one card more."""
    cards = {Card(number, colour) for number in NUMBERS for colour in colours}
    return frozenset(cards | {GOAT}) if goat else frozenset(cards)


def is_set(cards: tuple[Card, ...], *, goat_in_number_set: bool) -> bool:
    """ODIN-PLAY-3: one card, or all of one colour, or all of one number."""
    real = [card for card in cards if card.colour is not None]
    if len(cards) == 1 or len({card.colour for card in real}) <= 1:
        return bool(cards)
    one_number = len({card.number for card in real}) == 1
    return one_number and (len(real) == len(cards) or goat_in_number_set)  # A-ODIN-10


def value(cards: Iterable[Card]) -> int:
    """ODIN-PLAY-4: the digits from high to low, read as a number. A-ODIN-14: the goat is a 0 at
    the end."""
    worth = 0
    for number in sorted((card.number for card in cards), reverse=True):
        worth = worth * 10 + number
    return worth
