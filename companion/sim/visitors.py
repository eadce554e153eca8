"""People who play in a bot's place at a simulated table: the bot asks them what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_


@dataclass(frozen=True, slots=True)
class Asked:
    """What the table asks a visitor to choose: a card, an action, several cards, or nothing."""

    what: str
    """Which question it is. The page has sentences of their own for some, and one for the rest."""
    cards: tuple[str, ...] = ()
    """Cards to choose from."""
    lines: tuple[str, ...] = ()
    """Actions to choose from, in the game's notation."""
    wrong: tuple[str, ...] = ()
    """Actions they can choose as well but the referee refuses; then they are asked again."""
    seen: tuple[str, ...] = ()
    """Cards they are shown with the question but cannot choose."""
    several: bool = False
    """Whether several cards can be chosen together."""
    leave: str = ""
    """The word for choosing nothing, where that is possible: `pass`, `roll`, `done` or another."""


class Visitors:
    """Where a visitor sits, what they are asked, and what they have said. Any thread may call it;
    `changed` is called whenever the page has something new to show."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._seat: Seat | None = None
        self._asked: Asked | None = None
        self._hand: tuple[str, ...] = ()
        self._said: tuple[str, ...] | None = None

    # -- the person's side --------------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        return self._seat

    @property
    def asked(self) -> Asked | None:
        """The open question; None while it is not their turn or their move is carried out."""
        return self._asked

    @property
    def hand(self) -> tuple[str, ...]:
        return self._hand

    def sit(self, seat: Seat | None) -> None:
        """Take that bot's place until the next call; None: the bots play alone again."""
        with self._lock:
            self._seat, self._asked, self._said, self._hand = seat, None, None, ()
        self._changed()

    def say(self, *words: str) -> None:
        """Answer the open question: what they choose, or the word for choosing nothing."""
        with self._lock:
            asked = self._asked
            if asked is None:
                raise BadInput(
                    "not-your-turn-at", N_("It is not your turn at the simulated table.")
                )
            if not asked.leave or words != (asked.leave,):
                _check(asked, words)
            self._said, self._asked = words, None
        self._changed()

    # -- the table's side ---------------------------------------------------------------------

    def sits(self, seat: Seat) -> bool:
        return self._seat == seat

    def holds(self, hands: tuple[tuple[str, ...], ...]) -> None:
        """Note what everybody holds now; the visitor's own hand is shown on the page."""
        with self._lock:
            seat = self._seat
            hand = hands[seat] if seat is not None and seat < len(hands) else ()
            same = sorted(hand) == sorted(self._hand)
            self._hand = self._hand if same else hand
        if not same:
            self._changed()

    def answer(self, seat: Seat, asked: Asked) -> tuple[str, ...] | None:
        """Put the question, and return what they said; None while they have not answered."""
        with self._lock:
            if self._seat != seat:
                return None
            said, self._said = self._said, None
            new = said is None and self._asked != asked
            self._asked = None if said is not None else asked
        if new:
            self._changed()
        return said


def _check(asked: Asked, words: tuple[str, ...]) -> None:
    """Raises `BadInput` if that is no answer to the question."""
    if words == ("pass",):
        raise BadInput(
            "cannot-pass-now-choose", N_("You cannot pass now: choose from what is shown.")
        )
    offered = {*asked.cards, *asked.lines, *asked.wrong}
    if not words or len(set(words)) < len(words) or set(words) - offered:
        raise BadInput("choose-from-what-shown", N_("Choose from what is shown."))
    if len(words) > 1 and not (asked.several and set(words) <= set(asked.cards)):
        raise BadInput("choose-only-one", N_("Choose only one."))
