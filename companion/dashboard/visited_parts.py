"""What the page shows to somebody in a bot's place: their hand, and what they are to choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from companion.core.catalog import GAMES
from companion.sim.visitors import Asked
from companion.views.catalog import HANDS, SHAPES, HandCard
from companion.views.public import retold
from companion.views.speech import N_, Speech

ASKED_WORDS: dict[str, str] = {
    "lay": N_("Your turn."),
    "take": N_("Which card do you take up?"),
    "main": N_("Which card do you lay as your Main?"),
    "support": N_("Which card do you lay as your Support?"),
    "strategy": N_("Your turn: what do you do?"),
    "shuffle": N_("You look at the top of the deck. Do you shuffle it?"),
    "keep": N_("Which card do you keep?"),
    "lose": N_("Draugr! Which card do you lose?"),
    "spoils": N_("Which card of the armory do you take?"),
    "fetch": N_("Which card of your discard pile do you fetch?"),
    "return": N_("Which card of the armory goes back to the deck?"),
    "attack": N_("Where do you sail?"),
    "front": N_("Who goes to the front line?"),
    "battle": N_("Do you fight on?"),
    "commission": N_("What do you commission, pay, feed or sacrifice?"),
}
ANYTHING = N_("What do you do?")
"""The question where none of these fits."""
LEAVE_WORDS: dict[str, str] = {
    "pass": N_("Press pass"),
    "roll": N_("Roll the dice"),
    "done": N_("Done for this season"),
}
NOTHING = N_("None of this")


@dataclass(frozen=True, slots=True)
class Held:
    """A card that is shown by its words alone."""

    card: str
    words: str


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
    lines = tuple(_lines(speech, asked.lines))
    alike = groupby(lines, lambda each: type(GAMES[speech.game].parse(each.line)))
    return Choosing(
        what=asked.what,
        sentence=speech.say(ASKED_WORDS.get(asked.what, ANYTHING)),
        cards=held(speech, asked.cards),
        lines=tuple(tuple(group) for _, group in alike),
        wrong=tuple(_lines(speech, asked.wrong)),
        seen=held(speech, asked.seen),
        several=asked.several,
        leave=asked.leave,
        leave_words=speech.say(LEAVE_WORDS.get(asked.leave, NOTHING)) if asked.leave else "",
    )


def held(speech: Speech, pieces: tuple[str, ...]) -> tuple[HandCard, ...]:
    """Cards in a hand, as the game draws them."""
    return HANDS.get(speech.game, _in_words)(speech, pieces)


def _in_words(speech: Speech, pieces: tuple[str, ...]) -> tuple[Held, ...]:
    return tuple(Held(piece, speech.piece(speech, piece)) for piece in pieces)


def _lines(speech: Speech, lines: tuple[str, ...]) -> Iterator[ActionButton]:
    shape_of = SHAPES.get(speech.game, _shapeless)
    for line in lines:
        yield ActionButton(line, retold(speech, line), shape_of(GAMES[speech.game].parse(line)))


def _shapeless(_action: object) -> str:
    return ""
