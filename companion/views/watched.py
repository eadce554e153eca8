"""The watched table in words: what else an entry may have been, cards, zones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.foundation.errors import BadInput
from companion.tabletop.readings import Alternatives
from companion.views.public import retold
from companion.views.speech import N_, Speech

# By the zone's name, or its part before a dash, whose ever it is; another is called as it is named
ZONE_WORDS: dict[str, str] = {
    "middle-1": N_("middle, far lane"),
    "middle-2": N_("middle, near lane"),
    "deck": N_("deck"),
    "discard": N_("discard pile"),
    "reveal": N_("revealed cards"),
    "graveyard": N_("graveyard"),
    "armory": N_("armory"),
    "main": N_("Main"),
    "support": N_("Support"),
    "attackers": N_("attackers"),
    "town": N_("town"),
    "reading": N_("cards to read"),
    "season": N_("season"),
    "food": N_("food"),
    "site": N_("site"),
    "altar": N_("sacrifice"),
    "favour": N_("favour"),
    "glory": N_("glory"),
    "enemy": N_("enemy"),
    "attack": N_("attack"),
    "front": N_("front line"),
}


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
    if name in ZONE_WORDS:
        words = speech.say(ZONE_WORDS[name])
    else:
        kind, _, rest = name.partition("-")
        known = speech.say(ZONE_WORDS[kind]) if kind in ZONE_WORDS else kind
        words = f"{known} {rest.replace('-', ' ')}".strip()
    return f"{seat} {words}" if dot else words
