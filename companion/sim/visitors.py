"""People who sit down at a simulated table in a bot's place: the bot asks them what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.foundation.errors import BadInput


@dataclass(frozen=True, slots=True)
class Asked:
    """What the table waits for: one card or one action, several cards, or that they leave it."""

    what: str
    """Which question it is; the page has sentences for some, and one for all others."""
    cards: tuple[str, ...] = ()
    """Cards to choose from."""
    lines: tuple[str, ...] = ()
    """Actions to choose from, in the game's notation."""
    wrong: tuple[str, ...] = ()
    """Actions that can be done as well, but the referee refuses them: then they are asked again."""
    seen: tuple[str, ...] = ()
    """Cards they get to see for it but cannot choose."""
    several: bool = False
    """May cards be chosen together?"""
    leave: str = ""
    """The word for choosing nothing, where that is possible: `pass`, `roll`, `done` or another."""


class Visitors:
    """Who sits where, what they are asked, and what they have said. Any thread may call;
    `changed` is told when there is something new to see."""

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
        """None while it is not their turn, or while the hand is on its way."""
        return self._asked

    @property
    def hand(self) -> tuple[str, ...]:
        return self._hand

    def sit(self, seat: Seat | None) -> None:
        """In that bot's place, until it is told otherwise; None: the bots play alone."""
        with self._lock:
            self._seat, self._asked, self._said, self._hand = seat, None, None, ()
        self._changed()

    def say(self, *words: str) -> None:
        """What they choose, or the word for leaving it."""
        with self._lock:
            asked = self._asked
            if asked is None:
                raise BadInput("It is not your turn at the simulated table.")
            if not asked.leave or words != (asked.leave,):
                _check(asked, words)
            self._said, self._asked = words, None
        self._changed()

    # -- the table's side ---------------------------------------------------------------------

    def sits(self, seat: Seat) -> bool:
        return self._seat == seat

    def holds(self, hands: tuple[tuple[str, ...], ...]) -> None:
        """What everybody holds now."""
        with self._lock:
            seat = self._seat
            hand = hands[seat] if seat is not None and seat < len(hands) else ()
            same = sorted(hand) == sorted(self._hand)
            self._hand = self._hand if same else hand
        if not same:
            self._changed()

    def answer(self, seat: Seat, asked: Asked) -> tuple[str, ...] | None:
        """What they said; None as long as they think."""
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
    if words == ("pass",):
        raise BadInput("You cannot pass now: choose from what is shown.")
    offered = {*asked.cards, *asked.lines, *asked.wrong}
    if not words or len(set(words)) < len(words) or set(words) - offered:
        raise BadInput("Choose from what is shown.")
    if len(words) > 1 and not (asked.several and set(words) <= set(asked.cards)):
        raise BadInput("Choose only one.")
