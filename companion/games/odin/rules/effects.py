"""What an action does to the state.

It also works for plays the table let stand, which contradict what the books believed: afterwards
no card is in two places, and no hand has more known cards than it holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.core.notation import Seat
from companion.games.odin.rules.actions import (
    Action,
    Carry,
    Count,
    Deal,
    Has,
    Pass,
    Play,
    Shows,
    Take,
)
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, State

T = TypeVar("T")


def after(state: State, action: Action) -> State:
    match action:
        case Deal(starter):
            return replace(state, hand=_dealt(state, starter))
        case Carry(points):
            return replace(state, carried=points)
        case Count():
            return _counted(state, action)
        case Play() | Take() | Pass() | Has() | Shows():
            if state.hand is None:
                raise ValueError("no hand is being played")
            return replace(state, hand=_moved(state, state.hand, action))


def _moved(state: State, hand: Hand, action: Play | Take | Pass | Has | Shows) -> Hand:
    match action:
        case Play(seat, cards):
            return _played(state, hand, seat, cards)
        case Take(seat, card):
            taken = _takes_up(replace(hand, beaten=()), seat, card, hand.beaten)
            return _turn_passes(state, taken, hand.to_move)
        case Pass(seat):
            return _passed(state, hand, seat)
        case Has(seat, size):
            return _resized(state, hand, seat, size)
        case Shows(seat, cards):
            bared = _without(hand, cards)
            sized = _resized(state, bared, seat, len(cards))
            return replace(sized, known=_changed(sized.known, seat, frozenset(cards)))


def _dealt(state: State, starter: Seat) -> Hand:
    """ODIN-SETUP-2 and ODIN-NEXT-1: everybody holds a new hand that nobody else has seen."""
    count = len(state.seats)
    return Hand(
        number=len(state.tallies) + 1,
        starter=starter,
        sizes=(state.options.hand_size,) * count,
        known=(frozenset(),) * count,
        to_move=starter,
    )


def _played(state: State, hand: Hand, seat: Seat, cards: tuple[Card, ...]) -> Hand:
    beaten = hand.middle
    left = max(0, hand.sizes[seat] - len(cards))
    bared = _without(hand, cards)
    laid = replace(
        bared,
        sizes=_changed(hand.sizes, seat, left),
        known=_fitting(bared.known, seat, left),
        middle=cards,
        owner=seat,
        sets=hand.sets + 1,
        beaten=(),
        discards=bared.discards.union(hand.beaten),  # the take before was let slip
        passed=frozenset() if state.options.reenter_after_pass else hand.passed - {seat},
    )
    if left == 0:  # ODIN-HEND-1 and -2: out, nothing is taken
        return replace(laid, out=seat, to_move=seat, discards=laid.discards.union(beaten))
    if len(beaten) > 1:  # ODIN-TAKE-1: choose one
        return replace(laid, beaten=beaten, to_move=seat)
    if beaten:  # ODIN-TAKE-1: one card only, that one
        laid = _takes_up(laid, seat, beaten[0], beaten)
    return _turn_passes(state, laid, seat)


def _takes_up(hand: Hand, seat: Seat, card: Card, beaten: tuple[Card, ...]) -> Hand:
    """The card goes to the hand, where everybody knows it; the rest of its set is discarded."""
    return replace(
        hand,
        sizes=_changed(hand.sizes, seat, hand.sizes[seat] + 1),
        known=_changed(hand.known, seat, hand.known[seat] | {card}),
        discards=hand.discards.union(beaten) - {card},
    )


def _passed(state: State, hand: Hand, seat: Seat) -> Hand:
    if hand.owner is None:  # a pass instead of a lead was let stand: the next seat leads
        return _turn_passes(state, hand, seat)
    if hand.beaten and seat is hand.to_move:  # the take was let slip
        slipped = replace(hand, beaten=(), discards=hand.discards.union(hand.beaten))
        return _turn_passes(state, slipped, seat)
    passed = replace(hand, passed=hand.passed | {seat})
    if len(passed.passed - {hand.owner}) == len(state.seats) - 1:  # ODIN-REND-1, A-ODIN-5
        return _new_round(passed, hand.owner)
    return _turn_passes(state, passed, seat) if seat is hand.to_move else passed


def _new_round(hand: Hand, owner: Seat) -> Hand:
    """ODIN-REND-1: the middle is discarded, hands are kept, the last to have played leads."""
    return replace(
        hand,
        round=hand.round + 1,
        to_move=owner,
        middle=(),
        sets=0,
        owner=None,
        beaten=(),
        passed=frozenset(),
        discards=hand.discards.union(hand.middle, hand.beaten),
    )


def _turn_passes(state: State, hand: Hand, seat: Seat) -> Hand:
    """ODIN-SETUP-4: clockwise; without re-entry those who passed are skipped (A-ODIN-6)."""
    count = len(state.seats)
    following = [state.seats[(seat + step) % count] for step in range(1, count + 1)]
    if state.options.reenter_after_pass or hand.owner is None:
        return replace(hand, to_move=following[0])
    left = [each for each in following if each not in hand.passed and each is not hand.owner]
    return replace(hand, to_move=left[0]) if left else _new_round(hand, hand.owner)


def _counted(state: State, action: Count) -> State:
    """ODIN-SCORE-1 and -2: a point a card, the goat counts as several (A-ODIN-11)."""
    hand = state.hand
    if hand is None:
        raise ValueError("no hand to count")
    tally = list(action.left)
    if action.goat is not None:
        tally[action.goat] += state.options.goat_points - 1
    return replace(
        state,
        tallies=(*state.tallies, tuple(tally)),
        hand=None,
        next_starter=_next_starter(state, hand),
    )


def _next_starter(state: State, hand: Hand) -> Seat:
    """ODIN-NEXT-2, A-ODIN-1 and -2."""
    if state.options.next_hand_starter == "last_to_act":
        return hand.out if hand.out is not None else hand.to_move
    return state.seats[(hand.starter + 1) % len(state.seats)]


def _resized(state: State, hand: Hand, seat: Seat, size: int) -> Hand:
    """The seat holds another number of cards than the books believed."""
    sized = replace(
        hand,
        sizes=_changed(hand.sizes, seat, size),
        known=_fitting(hand.known, seat, size),
    )
    if size == 0 and hand.out is None:
        return replace(sized, out=seat)
    if size > 0 and hand.out is seat:
        return _back_in(state, sized, seat)
    return sized


def _back_in(state: State, hand: Hand, seat: Seat) -> Hand:
    """The seat was thought to be out and is not; somebody else without cards is, if there is
    anybody."""
    out = next((each for each in state.seats if hand.sizes[each] == 0), None)
    again = replace(hand, out=out)
    had_played = hand.owner is seat and hand.to_move is seat and not hand.beaten
    return _turn_passes(state, again, seat) if had_played and out is None else again


def _without(hand: Hand, cards: tuple[Card, ...]) -> Hand:
    """The cards taken from wherever the books have them; the caller puts them somewhere."""
    return replace(
        hand,
        known=tuple(known.difference(cards) for known in hand.known),
        discards=hand.discards.difference(cards),
    )


def _fitting(
    known: tuple[frozenset[Card], ...], seat: Seat, size: int
) -> tuple[frozenset[Card], ...]:
    """Known cards that fit into a hand of this size. If there are more, some of them are wrong and
    nobody can say which, so none is kept."""
    return known if len(known[seat]) <= size else _changed(known, seat, frozenset[Card]())


def _changed(values: tuple[T, ...], seat: Seat, new: T) -> tuple[T, ...]:
    return (*values[:seat], new, *values[seat + 1 :])
