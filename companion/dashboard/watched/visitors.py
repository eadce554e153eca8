"""What the page shows to somebody in a bot's place: their hand, and what they are to choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from companion.core.catalog import game_named
from companion.sim.visitors import Asked
from companion.views.public import retold
from companion.views.speech import N_, Speech
from companion.views.words import HandCard, words_of

ANYTHING = N_("What do you do?")
"""Asked where the game has no words for the kind of choice."""
NOTHING = N_("None of this")


@dataclass(frozen=True, slots=True)
class ActionButton:
    """An action as a button, perhaps with a shape beside its sentence."""

    line: str
    sentence: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Choosing:
    what: str
    sentence: str
    cards: tuple[HandCard, ...]
    lines: tuple[tuple[ActionButton, ...], ...]
    """Actions that are alike stand together."""
    wrong: tuple[ActionButton, ...]
    seen: tuple[HandCard, ...]
    several: bool
    leave: str
    leave_words: str


def choosing(speech: Speech, asked: Asked) -> Choosing:
    words = words_of(speech.game)
    lines = tuple(_lines(speech, asked.lines))
    alike = groupby(lines, lambda each: type(game_named(speech.game).parse(each.line)))
    return Choosing(
        what=asked.what,
        sentence=speech.say(words.choices.get(asked.what, ANYTHING)),
        cards=held(speech, asked.cards),
        lines=tuple(tuple(group) for _, group in alike),
        wrong=tuple(_lines(speech, asked.wrong)),
        seen=held(speech, asked.seen),
        several=asked.several,
        leave=asked.leave,
        leave_words=speech.say(words.leaves.get(asked.leave, NOTHING)) if asked.leave else "",
    )


def held(speech: Speech, pieces: tuple[str, ...]) -> tuple[HandCard, ...]:
    """Cards in a hand, as the game draws them."""
    return words_of(speech.game).hand(speech, pieces)


def _lines(speech: Speech, lines: tuple[str, ...]) -> Iterator[ActionButton]:
    shape = words_of(speech.game).shape
    for line in lines:
        yield ActionButton(line, retold(speech, line), shape(game_named(speech.game).parse(line)))
