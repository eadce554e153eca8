"""What people boast of after a game of Odin, and the chapters of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.odin.rules import Action, State
from companion.games.odin.rules.actions import Play
from companion.games.odin.rules.cards import value
from companion.views.speech import N_
from companion.views.words import Done, Feat

FEAT_WORDS: dict[str, str] = {
    "value": N_("Highest value laid"),
    "cards": N_("Most cards laid at once"),
    "hands": N_("Most hands won in one game"),
}

CHAPTERS: dict[str, str] = {
    "COMP": N_("What is in the box"),
    "SETUP": N_("Before a hand"),
    "LEAD": N_("Leading"),
    "PLAY": N_("Laying a set"),
    "TAKE": N_("Taking a card"),
    "PASS": N_("Passing"),
    "REND": N_("The end of a round"),
    "HEND": N_("The end of a hand"),
    "SCORE": N_("Counting"),
    "NEXT": N_("The next hand"),
    "END": N_("Winning"),
    "INV": N_("Good to know"),
}


def feats(done: Iterable[Done[State, Action]]) -> Iterator[Feat]:
    """Every set laid, and how many hands each seat has won."""
    last: State | None = None
    for before, action, after in done:
        last = after
        if isinstance(action, Play) and before.hand is not None:
            yield Feat("value", action.seat, value(action.cards))
            yield Feat("cards", action.seat, len(action.cards))
    for seat in () if last is None else last.seats:
        won = sum(tally[seat] == 0 for tally in last.tallies) if last else 0
        if won:
            yield Feat("hands", seat, won)
