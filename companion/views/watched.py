"""The watched table in words: what else an entry may have been, and names of cards and zones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.foundation.errors import BadInput
from companion.tabletop.readings import Alternatives
from companion.views.public import retold
from companion.views.speech import N_, Speech
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Another way to read an entry."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CardName:
    """A card that can be chosen."""

    word: str  # in notation
    name: str


@dataclass(frozen=True, slots=True)
class DoubtView:
    """A thing that an entry rests on, and what it may have been instead."""

    thing: int  # its number: the page shows its picture
    instead: tuple[OtherReading, ...]
    cards: tuple[CardName, ...]


def alternatives_told(
    speech: Speech, alternatives: tuple[Alternatives, ...]
) -> tuple[DoubtView, ...]:
    return tuple(
        DoubtView(
            each.thing, tuple(_sentences(speech, each.lines)), cards_named(speech, each.words)
        )
        for each in alternatives
    )


def _sentences(speech: Speech, lines: tuple[str, ...]) -> Iterator[OtherReading]:
    for line in lines:
        try:
            yield OtherReading(line, retold(speech, line))
        except BadInput:  # no line of this game: nothing to offer
            continue


def cards_named(speech: Speech, words: tuple[str, ...]) -> tuple[CardName, ...]:
    return tuple(CardName(word, speech.piece(speech, word)) for word in words)


def thing_named(speech: Speech, label: str | int | None) -> str:
    """What a thing is taken for, in the reader's words: *red 5*, never `r5`."""
    if label is None:
        return "?"
    if str(label).endswith("back"):
        return speech.say(N_("face down"))
    return speech.piece(speech, label if isinstance(label, int) else str(label))


def zone_named(speech: Speech, zone: str) -> str:
    """A zone in words: `A.main` is `A Main`, and `food-winter-1` is `Food winter 1`, if the game
    has words for main and food."""
    seat, dot, name = zone.rpartition(".")
    zones = words_of(speech.game).zones
    if name in zones:
        words = speech.say(zones[name])
    else:
        kind, _, rest = name.partition("-")
        known = speech.say(zones[kind]) if kind in zones else kind
        words = f"{known} {rest.replace('-', ' ')}".strip()
    return f"{seat} {words}" if dot else words
