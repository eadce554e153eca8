"""The watched table in words: what else an entry may have been, cards, zones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.foundation.errors import BadInput
from companion.tabletop.readings import Alternatives
from companion.views.public import retold
from companion.views.speech import Speech
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class Instead:
    """One other way to read an entry."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CardName:
    word: str  # in notation
    name: str


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A thing of an entry, pictured, and what it may have been."""

    thing: int
    instead: tuple[Instead, ...]
    cards: tuple[CardName, ...]


def alternatives_told(
    speech: Speech, alternatives: tuple[Alternatives, ...]
) -> tuple[Doubtful, ...]:
    return tuple(
        Doubtful(each.thing, tuple(_sentences(speech, each.lines)), cards_named(speech, each.words))
        for each in alternatives
    )


def _sentences(speech: Speech, lines: tuple[str, ...]) -> Iterator[Instead]:
    for line in lines:
        try:
            yield Instead(line, retold(speech, line))
        except BadInput:  # no line of this game: nothing to offer
            continue


def cards_named(speech: Speech, words: tuple[str, ...]) -> tuple[CardName, ...]:
    return tuple(CardName(word, speech.piece(speech, word)) for word in words)


def zone_named(speech: Speech, zone: str) -> str:
    """`A.main` is Astrid's Main; `food-winter-1` is food, winter, 1."""
    seat, dot, name = zone.rpartition(".")
    zones = words_of(speech.game).zones
    if name in zones:
        words = speech.say(zones[name])
    else:
        kind, _, rest = name.partition("-")
        known = speech.say(zones[kind]) if kind in zones else kind
        words = f"{known} {rest.replace('-', ' ')}".strip()
    return f"{seat} {words}" if dot else words
