"""What everybody may know of a game: of a hand, its size and the cards that were seen going into
it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.core.notation import Seat
from companion.games.odin.rules.cards import GOAT, Card
from companion.games.odin.rules.options import Options


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    LEAD = "lead"
    TURN = "turn"
    TAKE = "take"
    COUNT = "count"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of the game, from the deal until somebody has no cards left."""

    number: int
    starter: Seat
    sizes: tuple[int, ...]
    known: tuple[frozenset[Card], ...]
    to_move: Seat
    round: int = 1
    middle: tuple[Card, ...] = ()
    owner: Seat | None = None  # who laid the middle
    sets: int = 0  # laid in this round
    beaten: tuple[Card, ...] = ()  # the set just beaten, while its winner chooses a card
    passed: frozenset[Seat] = frozenset()  # since the last play
    discards: frozenset[Card] = frozenset()
    out: Seat | None = None  # who emptied the hand


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    options: Options
    deck: frozenset[Card]
    carried: tuple[int, ...]  # points from before this game was kept here
    tallies: tuple[tuple[int, ...], ...] = ()  # points of each hand counted so far
    hand: Hand | None = None
    next_starter: Seat | None = None
    version: int = 2  # of the rules the game was opened under; an old log is judged as it was

    @property
    def phase(self) -> Phase:
        hand = self.hand
        if hand is None:
            return Phase.OVER if self.over else Phase.DEAL
        if hand.out is not None:
            return Phase.COUNT
        if hand.beaten:
            return Phase.TAKE
        return Phase.TURN if hand.middle else Phase.LEAD

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(sum(column) for column in zip(self.carried, *self.tallies, strict=True))

    @property
    def over(self) -> bool:
        """ODIN-END-1 and -3, A-ODIN-8: tested only when a whole hand has been counted."""
        if not self.tallies or self.hand is not None:
            return False
        return self.options.limit == "one_hand" or reached(self.options, max(self.points))


def reached(options: Options, points: int) -> bool:
    """A-ODIN-8: whether the limit is reached; or exceeded, if the table plays it so."""
    limit = options.limit
    if isinstance(limit, str):
        return False
    return points >= limit if options.limit_test == ">=" else points > limit


def unseen(state: State, hand: Hand) -> frozenset[Card]:
    """Cards of which nobody knows where they are: in a hand, or not dealt (ODIN-SETUP-5)."""
    return state.deck.difference(hand.middle, hand.beaten, hand.discards, *hand.known)


def unknown_places(hand: Hand, seat: Seat) -> int:
    """How many cards of this seat nobody else knows."""
    return hand.sizes[seat] - len(hand.known[seat])


def goat_holders(state: State, hand: Hand) -> tuple[Seat | None, ...]:
    """Who may hold the goat at the end of the hand; None stands for nobody."""
    if GOAT not in state.deck or GOAT in (*hand.middle, *hand.beaten, *hand.discards):
        return (None,)
    known = tuple(seat for seat in state.seats if GOAT in hand.known[seat])
    if known:
        return known
    possible = tuple(seat for seat in state.seats if unknown_places(hand, seat) > 0)
    lying = len(hand.middle) + len(hand.beaten) + len(hand.discards)
    all_dealt = sum(hand.sizes) + lying == len(state.deck)
    if possible and (all_dealt or state.options.goat_forced_into_a_hand):  # A-ODIN-12
        return possible
    return (None, *possible)
