"""Why an action is against the rules: one rule, one `if`, one `yield`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from companion.core.game import Reason, reason
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
from companion.games.odin.rules.cards import GOAT, SUITS, Card, is_set, value
from companion.games.odin.rules.state import (
    Hand,
    Phase,
    State,
    goat_holders,
    reached,
    unknown_places,
)


class Code(StrEnum):
    """Every objection the referee of Odin can make."""

    # when and who
    GAME_OVER = "game-over"
    NOT_SEATED = "not-seated"
    NO_HAND = "no-hand"
    HAND_RUNNING = "hand-running"
    HAND_OVER = "hand-over"
    NOT_YOUR_TURN = "not-your-turn"
    PASSED_ALREADY = "passed-already"
    TAKE_FIRST = "take-first"
    WRONG_STARTER = "wrong-starter"
    # leads and plays
    LEAD_ONE_CARD = "lead-one-card"
    WHOLE_HAND_NOT_YET = "whole-hand-not-yet"
    WHOLE_HAND_FORCED = "whole-hand-forced"
    NO_PASS_ON_LEAD = "no-pass-on-lead"
    NOT_A_SET = "not-a-set"
    NOT_A_SUIT = "not-a-suit"
    TOO_FEW = "too-few"
    TOO_MANY = "too-many"
    TOO_LOW = "too-low"
    # takes
    NOTHING_TO_TAKE = "nothing-to-take"
    TAKE_OWN = "take-own"
    NOT_BEATEN = "not-beaten"
    TAKE_ONE = "take-one"
    # the census of cards
    NOT_IN_DECK = "not-in-deck"
    SAME_CARD_TWICE = "same-card-twice"
    ON_THE_TABLE = "on-the-table"
    WAS_DISCARDED = "was-discarded"
    HELD_BY_OTHER = "held-by-other"
    HAND_KNOWN = "hand-known"
    HAND_TOO_SMALL = "hand-too-small"
    GOAT_HELD = "goat-held"
    # counting
    SIZE_DIFFERS = "size-differs"
    HAND_IMPOSSIBLE = "hand-impossible"
    SEATS_DIFFER = "seats-differ"
    GOAT_ELSEWHERE = "goat-elsewhere"
    GOAT_MISSING = "goat-missing"
    CARRY_TOO_LATE = "carry-too-late"
    CARRY_TOO_HIGH = "carry-too-high"


def objections(state: State, action: Action) -> Iterator[Reason]:
    match action:
        case Deal():
            yield from _deal(state, action)
        case Count():
            yield from _count(state, action)
        case Carry():
            yield from _carry(state, action)
        case Play() | Take() | Pass() | Has() | Shows():
            yield from _at_the_table(state, action)


def _at_the_table(state: State, action: Play | Take | Pass | Has | Shows) -> Iterator[Reason]:
    hand = state.hand
    if action.seat not in state.seats:
        yield reason(Code.NOT_SEATED, "ODIN-COMP-4", may_stand=False, seat=action.seat)
    elif hand is None:
        yield _no_hand(state, "ODIN-SETUP-2")
    elif isinstance(action, Shows):
        yield from _shows(state, hand, action)
    elif isinstance(action, Has):
        yield from _size(state, hand, action.seat, action.size)
    elif hand.out is not None:  # going out ends the hand at once, and nothing is taken
        yield reason(Code.HAND_OVER, "ODIN-HEND-2", may_stand=False, seat=hand.out)
    else:
        yield from _move(state, hand, action)


def _move(state: State, hand: Hand, action: Play | Take | Pass) -> Iterator[Reason]:
    match action:
        case Play():
            yield from _play(state, hand, action)
        case Take():
            yield from _take(hand, action)
        case Pass():
            yield from _pass(state, hand, action)


def _no_hand(state: State, rule: str) -> Reason:
    if state.over:
        return reason(Code.GAME_OVER, "ODIN-END-1", may_stand=False)
    return reason(Code.NO_HAND, rule, may_stand=False)


# Dealing


def _deal(state: State, action: Deal) -> Iterator[Reason]:
    if action.starter not in state.seats:
        yield reason(Code.NOT_SEATED, "ODIN-COMP-4", may_stand=False, seat=action.starter)
        return
    if state.phase is Phase.OVER:
        yield reason(Code.GAME_OVER, "ODIN-END-1", may_stand=False)
    if state.hand is not None:  # a misdeal may be thrown in and dealt again
        yield reason(Code.HAND_RUNNING, "ODIN-NEXT-1")
    elif state.next_starter not in (None, action.starter):
        yield reason(
            Code.WRONG_STARTER, "ODIN-NEXT-2", seat=action.starter, starter=state.next_starter
        )


# Turns


def _turn(state: State, hand: Hand, seat: Seat) -> Iterator[Reason]:
    """ODIN-SETUP-4: clockwise. A-ODIN-16: first a card of the beaten set is taken."""
    if hand.beaten:
        yield reason(Code.TAKE_FIRST, "ODIN-TAKE-1", seat=hand.to_move, cards=hand.beaten)
    elif seat is not hand.to_move:
        if seat in hand.passed and not state.options.reenter_after_pass:
            # Without re-entry whoever has passed stays out until the round ends (A-ODIN-6).
            yield reason(Code.PASSED_ALREADY, "ODIN-PASS-2", seat=seat, to_move=hand.to_move)
        else:
            yield reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=seat, to_move=hand.to_move)


def _play(state: State, hand: Hand, action: Play) -> Iterator[Reason]:
    yield from _turn(state, hand, action.seat)
    yield from _census(state, hand, action.seat, action.cards)
    if hand.beaten:
        return
    if not is_set(action.cards, goat_in_number_set=state.options.goat_in_number_set):
        suits = all(card.colour in (None, *SUITS) for card in action.cards)
        code = Code.NOT_A_SUIT if suits else Code.NOT_A_SET
        yield reason(code, "ODIN-PLAY-3", cards=action.cards)
    if hand.middle:
        yield from _against_middle(hand, action.cards)
    else:
        yield from _as_lead(state, hand, action)


def _against_middle(hand: Hand, cards: tuple[Card, ...]) -> Iterator[Reason]:
    count, middle = len(cards), len(hand.middle)
    if count < middle:
        yield reason(Code.TOO_FEW, "ODIN-PLAY-2", count=count, middle=middle, most=middle + 1)
    elif count > middle + 1:
        yield reason(Code.TOO_MANY, "ODIN-PLAY-2", count=count, most=middle + 1)
    elif value(cards) <= value(hand.middle):  # ODIN-PLAY-5: never so with one card more
        yield reason(Code.TOO_LOW, "ODIN-PLAY-1", value=value(cards), middle=value(hand.middle))


def _as_lead(state: State, hand: Hand, action: Play) -> Iterator[Reason]:
    count, size = len(action.cards), hand.sizes[action.seat]
    if count > 1 and count != size:
        yield reason(Code.LEAD_ONE_CARD, "ODIN-LEAD-1", count=count, size=size)
    elif count > 1 and hand.round == 1 and not state.options.whole_hand_lead_on_first_lead:
        yield reason(Code.WHOLE_HAND_NOT_YET, "ODIN-HEND-1", count=count)
    elif count < size and whole_hand_is_due(state, hand, action) is True:
        held = hand.known[action.seat].union(action.cards)
        yield reason(Code.WHOLE_HAND_FORCED, "ODIN-HEND-1", cards=_in_order(held))


def whole_hand_is_due(state: State, hand: Hand, action: Play) -> bool | None:
    """A-ODIN-3: whether the whole hand had to be led; None if only its owner can know."""
    seat = action.seat
    not_yet = hand.round == 1 and not state.options.whole_hand_lead_on_first_lead
    if state.options.whole_hand_lead == "optional" or not_yet or hand.sizes[seat] == 1:
        return False
    held = tuple(hand.known[seat].union(action.cards))
    if not is_set(held, goat_in_number_set=state.options.goat_in_number_set):
        return False
    return True if len(held) >= hand.sizes[seat] else None


def _pass(state: State, hand: Hand, action: Pass) -> Iterator[Reason]:
    yield from _turn(state, hand, action.seat)
    if not hand.middle and action.seat is hand.to_move:
        yield reason(Code.NO_PASS_ON_LEAD, "ODIN-LEAD-2", seat=action.seat)


def _take(hand: Hand, action: Take) -> Iterator[Reason]:
    if not hand.beaten:
        # After a lead nothing is beaten; a single beaten card was taken with the play itself.
        rule = "ODIN-LEAD-3" if hand.sets <= 1 else "ODIN-TAKE-1"
        yield reason(Code.NOTHING_TO_TAKE, rule, may_stand=False, seat=action.seat)
        return
    if action.more:
        count = 1 + len(action.more)
        yield reason(Code.TAKE_ONE, "ODIN-TAKE-1", may_stand=False, seat=action.seat, count=count)
    if action.seat is not hand.to_move:
        yield reason(Code.NOT_YOUR_TURN, "ODIN-TAKE-1", seat=action.seat, to_move=hand.to_move)
    if action.card in hand.middle:
        yield reason(Code.TAKE_OWN, "ODIN-TAKE-1", may_stand=False, card=action.card)
    elif action.card not in hand.beaten:
        yield reason(
            Code.NOT_BEATEN, "ODIN-TAKE-1", may_stand=False, card=action.card, cards=hand.beaten
        )


# The census: every card exists once (ODIN-COMP-1), and the books know where it was seen last


def _census(state: State, hand: Hand, seat: Seat, cards: tuple[Card, ...]) -> Iterator[Reason]:
    if len(set(cards)) != len(cards):
        yield reason(Code.SAME_CARD_TWICE, "ODIN-COMP-1", may_stand=False, cards=cards)
    yield from _places(state, hand, seat, cards)
    if len(cards) > hand.sizes[seat]:
        yield reason(
            Code.HAND_TOO_SMALL, "ODIN-INV-1", seat=seat, count=len(cards), size=hand.sizes[seat]
        )
        return
    strangers = [card for card in cards if card not in hand.known[seat]]
    if len(strangers) > unknown_places(hand, seat):
        yield reason(Code.HAND_KNOWN, "ODIN-INV-4", seat=seat, cards=_in_order(hand.known[seat]))
    elif state.version > 1 and GOAT not in cards and _last_place(state, hand, len(strangers)):
        yield reason(Code.GOAT_HELD, "ODIN-COMP-3", seat=seat)


def _last_place(state: State, hand: Hand, laid: int) -> bool:
    """A-ODIN-12: the goat is in a hand, and these cards lay open the last it could be in."""
    holders = goat_holders(state, hand)
    if None in holders or any(GOAT in known for known in hand.known):
        return False
    return sum(unknown_places(hand, seat) for seat in state.seats) <= laid


def _places(state: State, hand: Hand, seat: Seat, cards: tuple[Card, ...]) -> Iterator[Reason]:
    for card in dict.fromkeys(cards):
        yield from _place(state, hand, seat, card)


def _place(state: State, hand: Hand, seat: Seat, card: Card) -> Iterator[Reason]:
    """Where the card was seen last, if that is not this seat's hand."""
    if card not in state.deck:
        rule = "ODIN-COMP-3" if card == GOAT else "ODIN-COMP-2"
        yield reason(Code.NOT_IN_DECK, rule, may_stand=False, card=card)
    elif card in hand.middle or card in hand.beaten:
        yield reason(Code.ON_THE_TABLE, "ODIN-INV-4", may_stand=False, card=card)
    elif card in hand.discards:
        yield reason(Code.WAS_DISCARDED, "ODIN-INV-4", card=card)
    else:
        for other in state.seats:
            if other is not seat and card in hand.known[other]:
                yield reason(Code.HELD_BY_OTHER, "ODIN-INV-4", card=card, other=other)


def _in_order(cards: frozenset[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: (-card.number, str(card.colour))))


# Counting and setting the books right


def _shows(state: State, hand: Hand, action: Shows) -> Iterator[Reason]:
    if len(set(action.cards)) != len(action.cards):
        yield reason(Code.SAME_CARD_TWICE, "ODIN-COMP-1", may_stand=False, cards=action.cards)
    yield from _places(state, hand, action.seat, action.cards)
    yield from _size(state, hand, action.seat, len(action.cards))
    if not hand.known[action.seat].issubset(action.cards):
        yield reason(
            Code.HAND_KNOWN,
            "ODIN-INV-4",
            seat=action.seat,
            cards=_in_order(hand.known[action.seat]),
        )


def _size(state: State, hand: Hand, seat: Seat, size: int) -> Iterator[Reason]:
    elsewhere = len(hand.middle) + len(hand.beaten) + len(hand.discards)
    others = sum(hand.sizes) - hand.sizes[seat]
    if size + others + elsewhere > len(state.deck):
        yield reason(Code.HAND_IMPOSSIBLE, "ODIN-COMP-1", may_stand=False, seat=seat, size=size)
    elif size != hand.sizes[seat]:
        yield reason(
            Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=seat, size=size, books=hand.sizes[seat]
        )


def _count(state: State, action: Count) -> Iterator[Reason]:
    hand = state.hand
    if len(action.left) != len(state.seats):
        yield _seats_differ(state, len(action.left))
    elif hand is None:
        yield _no_hand(state, "ODIN-SCORE-1")
    else:
        if hand.out is None:
            yield reason(Code.HAND_RUNNING, "ODIN-SCORE-1")
        for seat, left, books in zip(state.seats, action.left, hand.sizes, strict=True):
            if sum(action.left) > len(state.deck) and left == max(action.left):
                yield reason(
                    Code.HAND_IMPOSSIBLE, "ODIN-COMP-1", may_stand=False, seat=seat, size=left
                )
            elif left != books:
                yield reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=seat, size=left, books=books)
        yield from _goat(state, hand, action)


def _goat(state: State, hand: Hand, action: Count) -> Iterator[Reason]:
    """ODIN-SCORE-2: a goat left in a hand costs its holder."""
    holders, goat = goat_holders(state, hand), action.goat
    holds_some = goat is not None and goat in state.seats and action.left[goat] > 0
    if goat in holders and (goat is None or holds_some):
        return
    if GOAT not in state.deck:
        yield reason(Code.NOT_IN_DECK, "ODIN-COMP-3", may_stand=False, card=GOAT)
    elif goat is None:
        yield reason(Code.GOAT_MISSING, "ODIN-SCORE-2", seats=holders)
    else:
        yield reason(Code.GOAT_ELSEWHERE, "ODIN-SCORE-2", may_stand=holds_some, seat=goat)


def _carry(state: State, action: Carry) -> Iterator[Reason]:
    if len(action.points) != len(state.seats):
        yield _seats_differ(state, len(action.points))
    if state.hand is not None or state.tallies:
        yield reason(Code.CARRY_TOO_LATE, "ODIN-SCORE-1", may_stand=False)
    if reached(state.options, max(action.points)):
        limit = state.options.limit
        yield reason(Code.CARRY_TOO_HIGH, "ODIN-END-1", may_stand=False, limit=limit)


def _seats_differ(state: State, got: int) -> Reason:
    return reason(
        Code.SEATS_DIFFER, "ODIN-SCORE-1", may_stand=False, got=got, seats=len(state.seats)
    )
