"""What could come next. Hidden cards take every value the census leaves them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.core.notation import Seat
from companion.games.odin.rules.actions import Action, Count, Deal, Pass, Play, Take
from companion.games.odin.rules.cards import GOAT, Card
from companion.games.odin.rules.objections import objections
from companion.games.odin.rules.state import (
    Hand,
    Phase,
    State,
    goat_holders,
    unknown_places,
    unseen,
)

_ASKING = (Phase.DEAL, Phase.TAKE, Phase.COUNT)
"""Phases in which people have to decide or tell something first."""


def actions(state: State) -> Iterator[Action]:
    """Every move `judge` accepts now. What only sets the books right (has, shows, carry) is
    not a move and can be said at any time."""
    return (action for action in _candidates(state) if not any(objections(state, action)))


def to_move(state: State) -> Seat | None:
    return state.hand.to_move if state.hand is not None and state.hand.out is None else None


def needs_answer(state: State) -> bool:
    """Must people decide or tell something before the play goes on?"""
    return state.phase in _ASKING


def expected(state: State) -> Action | None:
    """Dealing and counting leave people no choice, unless the goat may be anywhere."""
    if state.phase is Phase.DEAL and state.next_starter is not None:
        return Deal(state.next_starter)
    if state.phase is Phase.COUNT and state.hand is not None:
        holders = goat_holders(state, state.hand)
        return Count(state.hand.sizes, holders[0]) if len(holders) == 1 else None
    return None


def passing(state: State) -> Action | None:
    seat = to_move(state)
    return None if seat is None else Pass(seat)


def _candidates(state: State) -> Iterator[Action]:
    hand = state.hand
    if hand is None:
        yield from (Deal(seat) for seat in state.seats)
    elif hand.out is not None:
        yield from (Count(hand.sizes, holder) for holder in goat_holders(state, hand))
    elif hand.beaten:
        yield from (Take(hand.to_move, card) for card in hand.beaten)
    else:
        yield from _plays(state, hand)
        yield Pass(hand.to_move)


def _plays(state: State, hand: Hand) -> Iterator[Play]:
    seat, size = hand.to_move, hand.sizes[hand.to_move]
    counts = {len(hand.middle), len(hand.middle) + 1} if hand.middle else {1, size}
    holdable = hand.known[seat] | (unseen(state, hand) if unknown_places(hand, seat) else set())
    for count in sorted(counts):
        if count <= size:
            yield from (Play(seat, cards) for cards in _sets(state, holdable, count))


def _sets(state: State, cards: frozenset[Card], count: int) -> Iterator[tuple[Card, ...]]:
    """All sets of one colour or one number; a set that is both is told once."""
    told: set[tuple[Card, ...]] = set()
    for group in _groups(state, cards):
        for chosen in combinations(group, count):
            if chosen not in told:
                told.add(chosen)
                yield chosen


def _groups(state: State, cards: frozenset[Card]) -> Iterator[list[Card]]:
    """Cards that could lie in one set, each group from high to low."""
    ordered = sorted(cards - {GOAT}, key=lambda card: (-card.number, str(card.colour)))
    goat = [GOAT] if GOAT in cards else []
    for colour in dict.fromkeys(card.colour for card in ordered):
        yield [card for card in ordered if card.colour == colour] + goat
    numbers_goat = goat if state.options.goat_in_number_set or not ordered else []
    for number in dict.fromkeys(card.number for card in ordered):
        yield [card for card in ordered if card.number == number] + numbers_goat
    if not ordered:
        yield goat
