"""The watched table in words: names of cards and zones."""

from __future__ import annotations

from dataclasses import dataclass

from companion.views.speech import N_, Speech
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class CardName:
    """A card that can be chosen."""

    word: str  # in notation
    name: str


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
