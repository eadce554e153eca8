"""What the page shows to somebody in a bot's place: their hand, and what they are to choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from companion.rules import valhalla
from companion.rules.catalog import GAMES
from companion.rules.valhalla.cards import Card, is_deity
from companion.sim.visitors import Asked
from companion.views.odin.table import Face, faces_named
from companion.views.public import retold
from companion.views.speech import N_, Speech
from companion.views.watched import card_named

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
    "act": N_("What do you do?"),
}
LEAVE_WORDS: dict[str, str] = {
    "pass": N_("Press pass"),
    "roll": N_("Roll the dice"),
    "done": N_("Done for this season"),
}


@dataclass(frozen=True, slots=True)
class Held:
    """A card of Valhalla: `card` is the word for this very one, `kind` its sign."""

    card: str
    kind: str
    words: str
    down: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An action as a button; with the sign of its card, if it is about one."""

    line: str
    sentence: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Choosing:
    what: str
    sentence: str
    cards: tuple[Face | Held, ...]
    lines: tuple[tuple[Line, ...], ...]
    """Actions that are alike stand together."""
    wrong: tuple[Line, ...]
    seen: tuple[Face | Held, ...]
    several: bool
    leave: str
    leave_words: str


def choosing(speech: Speech, asked: Asked) -> Choosing:
    lines = tuple(_lines(speech, asked.lines))
    alike = groupby(lines, lambda each: type(GAMES[speech.game].parse(each.line)))
    return Choosing(
        what=asked.what,
        sentence=speech.say(ASKED_WORDS[asked.what]),
        cards=held(speech, asked.cards),
        lines=tuple(tuple(group) for _, group in alike),
        wrong=tuple(_lines(speech, asked.wrong)),
        seen=held(speech, asked.seen),
        several=asked.several,
        leave=asked.leave,
        leave_words=speech.say(LEAVE_WORDS[asked.leave]) if asked.leave else "",
    )


def held(speech: Speech, pieces: tuple[str, ...]) -> tuple[Face | Held, ...]:
    """Cards in a hand; Valhal has none."""
    if speech.game == "odin":
        return faces_named(speech, pieces)
    return tuple(_held(speech, piece) for piece in pieces)


def _held(speech: Speech, piece: str) -> Held:
    word = re.sub(r"-\d+$", "", piece)  # copies of a card are told apart by a number
    return Held(piece, _sign(Card(word)), card_named(speech, word))


def _lines(speech: Speech, lines: tuple[str, ...]) -> Iterator[Line]:
    for line in lines:
        card = getattr(valhalla.parse(line), "card", None) if speech.game == "valhalla" else None
        yield Line(line, retold(speech, line), "" if card is None else _sign(card))


def _sign(card: Card) -> str:
    return "deity" if is_deity(card) else card.value
