"""What holds in every game of Odin, whoever sits at the table and however they play."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError, dataclass, field
from itertools import chain, combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Accepted, Refused
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.games.odin.rules.actions import Carry, Count, Deal, Has, Pass, Play, Shows, Take
from companion.games.odin.rules.cards import COLOURS, GOAT, NUMBERS, Card, is_set, value
from companion.games.odin.rules.state import Hand, Phase
from tests.strategies import (
    OdinStep,
    examples,
    objections,
    odin_actions,
    odin_candidates,
    odin_games,
    odin_muddles,
    odin_positions,
    odin_setups,
)


def in_one_hand(steps: tuple[OdinStep, ...]) -> list[tuple[OdinStep, Hand, Hand]]:
    """The steps inside hands, with the hand on both sides."""
    return [
        (step, step.before.hand, step.after.hand)
        for step in steps
        if step.before.hand is not None and step.after.hand is not None
    ]


def digits(cards: tuple[Card, ...]) -> int:
    return int("".join(sorted((str(card.number) for card in cards), reverse=True)))


def places(state: odin.State) -> Counter[Card]:
    """How many known places each card has."""
    hand = state.hand
    return Counter(
        [] if hand is None else chain(hand.middle, hand.beaten, hand.discards, *hand.known)
    )


# Whole games: each of these looks at one from its first deal to its end


def it_ends_and_the_fewest_points_win(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-END-1 and ODIN-END-2."""
    last = steps[-1].after
    standing = odin.standing(last)
    assert last.phase is Phase.OVER
    assert standing.over
    assert standing.winners == tuple(
        seat for seat in last.seats if standing.points[seat] == min(standing.points)
    )
    assert [step for step in steps if odin.standing(step.before).over] == []


def no_turn_grows_a_hand(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-INV-1, once every beaten set is settled."""
    settled: tuple[int, ...] = ()
    for step in steps:
        hand = step.after.hand
        if isinstance(step.action, Deal) and hand is not None:
            settled = hand.sizes
            assert set(settled) == {step.after.options.hand_size}
        elif hand is not None and not hand.beaten:
            assert all(new <= old for old, new in zip(settled, hand.sizes, strict=True))
            settled = hand.sizes


def each_round_costs_its_leader_a_card(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-INV-2."""
    last: Hand | None = None
    for step in steps:
        hand = step.before.hand
        if step.before.phase is not Phase.LEAD or hand is None:
            continue
        if last is None or last.number != hand.number:
            assert hand.round == 1
        else:
            assert hand.round == last.round + 1
            assert hand.sizes[last.to_move] < last.sizes[last.to_move]
            assert sum(hand.sizes) < sum(last.sizes)
        last = hand


def values_rise_inside_a_round(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-INV-3."""
    for step, before, after in in_one_hand(steps):
        if isinstance(step.action, Play) and before.middle:
            assert digits(after.middle) > digits(before.middle)


def a_card_reappears_only_from_its_taker(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-INV-4, against books kept here from the actions alone."""
    books = Books()
    for step in steps:
        books.note(step)
        hand = step.after.hand
        if hand is not None:
            assert books.middle == hand.middle
            assert books.gone == hand.discards.union(hand.beaten)
            assert books.held == {
                card: seat for seat in step.after.seats for card in hand.known[seat]
            }


def cards_are_conserved(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-COMP-1 and ODIN-SETUP-5: what was dealt lies in hands and on the table, once."""
    for step in steps:
        state, hand = step.after, step.after.hand
        assert set(places(state)) <= state.deck
        assert set(places(state).values()) <= {1}
        if hand is not None:
            table = len(hand.middle) + len(hand.beaten) + len(hand.discards)
            assert sum(hand.sizes) + table == len(state.seats) * state.options.hand_size
            assert all(
                len(known) <= size for known, size in zip(hand.known, hand.sizes, strict=True)
            )


def an_empty_hand_ends_the_hand(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-HEND-1 and ODIN-HEND-2."""
    for step, _, after in in_one_hand(steps):
        empty = [seat for seat in step.after.seats if after.sizes[seat] == 0]
        assert empty == ([] if after.out is None else [after.out])
        assert (step.after.phase is Phase.COUNT) is bool(empty)
        assert odin.to_move(step.after) is (None if empty else after.to_move)


def points_are_cards_left(steps: tuple[OdinStep, ...]) -> None:
    """ODIN-SCORE-1 and ODIN-SCORE-2: nothing but the goat costs more than a point."""
    for step in steps:
        if isinstance(step.action, Count) and step.before.hand is not None:
            left = list(step.before.hand.sizes)
            if step.action.goat is not None:
                left[step.action.goat] += step.before.options.goat_points - 1
            assert step.after.tallies == (*step.before.tallies, tuple(left))
            assert left[step.before.hand.to_move] == 0


@dataclass
class Books:
    """Where cards must be, from what was said at the table and nothing else."""

    middle: tuple[Card, ...] = ()
    held: dict[Card, Seat] = field(default_factory=dict)
    gone: set[Card] = field(default_factory=set)

    def note(self, step: OdinStep) -> None:
        hand = step.after.hand
        match step.action:
            case Play(seat, cards):
                assert hand is not None
                self._laid(seat, cards, out=hand.out is not None)
            case Take(seat, card):
                self.gone.remove(card)
                self.held[card] = seat
            case Pass() if hand is not None and not hand.middle:
                self.gone.update(self.middle)
                self.middle = ()
            case Deal():
                self.middle, self.held, self.gone = (), {}, set()
            case _:
                assert isinstance(step.action, Pass | Count)

    def _laid(self, seat: Seat, cards: tuple[Card, ...], *, out: bool) -> None:
        assert self.gone.isdisjoint(cards)
        assert set(cards).isdisjoint(self.middle)
        assert all(self.held.pop(card, seat) is seat for card in cards)
        beaten, self.middle = self.middle, cards
        if len(beaten) == 1 and not out:
            self.held[beaten[0]] = seat
        else:
            self.gone.update(beaten)


@pytest.mark.parametrize("count", odin.SEATS)
@examples(7, shrink=False)
@given(data=st.data())
def test_whole_games(count: int, data: st.DataObject) -> None:
    steps = data.draw(odin_games(count))
    assert len(steps[0].before.seats) == count
    it_ends_and_the_fewest_points_win(steps)
    no_turn_grows_a_hand(steps)
    each_round_costs_its_leader_a_card(steps)
    values_rise_inside_a_round(steps)
    a_card_reappears_only_from_its_taker(steps)
    cards_are_conserved(steps)
    an_empty_hand_ends_the_hand(steps)
    points_are_cards_left(steps)


# One table, any action


def book_keeping(action: odin.Action) -> bool:
    return isinstance(action, Has | Shows | Carry)


def in_any_order(action: odin.Action) -> object:
    """A set is the same set in whatever order its cards are named."""
    if isinstance(action, Play):
        return (action.seat, len(action.cards), frozenset(action.cards))
    return action


@examples(35)
@given(data=st.data())
def test_actions_are_exactly_the_accepted_moves(data: st.DataObject) -> None:
    state = data.draw(odin_positions())
    moves = list(odin.actions(state))
    told = {in_any_order(move) for move in moves}
    assert len(told) == len(moves)
    for action in data.draw(st.lists(odin_candidates(state), min_size=10, max_size=10)):
        good = isinstance(odin.judge(state, action), Accepted)
        assert good == (in_any_order(action) in told) or book_keeping(action), action


@examples(35)
@given(data=st.data())
def test_a_refusal_names_reasons_and_changes_nothing(data: st.DataObject) -> None:
    state = data.draw(odin_positions())
    before = repr(state)
    for action in data.draw(st.lists(odin_candidates(state), min_size=5, max_size=5)):
        verdict = odin.judge(state, action)
        overruled = odin.let_stand(state, action)
        assert repr(state) == before
        if isinstance(verdict, Refused):
            assert verdict.reasons
            assert {each.code for each in verdict.reasons} <= {*odin.Code}
            assert verdict.can_stand is isinstance(overruled, Accepted)
            final = tuple(each for each in verdict.reasons if not each.may_stand)
            assert objections(overruled) == final
        else:
            assert isinstance(overruled, Accepted)
            assert overruled.state == verdict.state


@examples(10)
@given(odin_positions())
def test_a_table_cannot_be_altered_in_place(state: odin.State) -> None:
    assert isinstance(hash(state), int)
    with pytest.raises(FrozenInstanceError):
        state.hand = None  # type: ignore[misc]
    if state.hand is not None:
        with pytest.raises(FrozenInstanceError):
            state.hand.sizes = ()  # type: ignore[misc]


@examples(60)
@given(data=st.data())
def test_what_agrees_with_the_books_changes_no_size(data: st.DataObject) -> None:
    state = data.draw(odin_positions())
    hand = state.hand
    if hand is None:
        return
    for seat in state.seats:
        assert odin.judge(state, Has(seat, hand.sizes[seat])) == Accepted(state)
    action = data.draw(odin_candidates(state))
    verdict = odin.judge(state, action)
    if isinstance(action, Shows) and isinstance(verdict, Accepted):
        assert verdict.state.hand is not None
        assert verdict.state.hand.sizes == hand.sizes
        assert verdict.state.hand.known[action.seat] == set(action.cards)


@examples(50)
@given(odin_positions())
def test_the_next_thing_expected_is_accepted(state: odin.State) -> None:
    expected = odin.expected(state)
    if expected is not None:
        assert list(odin.actions(state)) == [expected]
    elif state.phase is Phase.COUNT:
        assert len(list(odin.actions(state))) > 1
    seat = odin.to_move(state)
    assert odin.passing(state) == (None if seat is None else Pass(seat))


# The reference: what the rules of leads and plays say of a hidden hand, written down anew


def one_set(cards: tuple[Card, ...], *, goat_joins_numbers: bool) -> bool:
    plain = [card for card in cards if card is not GOAT and card != GOAT]
    colours, numbers = {card.colour for card in plain}, {card.number for card in plain}
    if len(cards) == 1 or len(colours) < 2:
        return True
    return len(numbers) == 1 and (goat_joins_numbers or len(plain) == len(cards))


def legal(state: odin.State, hand: Hand, cards: tuple[Card, ...]) -> bool:
    if not one_set(cards, goat_joins_numbers=state.options.goat_in_number_set):
        return False
    size = hand.sizes[hand.to_move]
    if hand.middle:
        extra = len(cards) - len(hand.middle)
        return extra in (0, 1) and digits(cards) > digits(hand.middle) and len(cards) <= size
    whole = len(cards) == size and (hand.round > 1 or state.options.whole_hand_lead_on_first_lead)
    return len(cards) == 1 or whole


@examples(60)
@given(data=st.data())
def test_plays_from_hidden_hands_follow_the_reference_odin_play_1_to_4(
    data: st.DataObject,
) -> None:
    """ODIN-LEAD-1, ODIN-HEND-1, ODIN-PLAY-1, ODIN-PLAY-2, ODIN-PLAY-3, ODIN-PLAY-4."""
    state = data.draw(odin_positions())
    hand = state.hand
    if hand is None or hand.out is not None or hand.beaten or hand.known[hand.to_move]:
        return
    hidden = sorted(state.deck - set(places(state)), key=str)
    first = data.draw(st.sampled_from(hidden))
    by_colour = [card for card in hidden if card.colour in (first.colour, None)]
    by_number = [card for card in hidden if card.number in (first.number, 0)]
    like = data.draw(st.sampled_from([by_colour, by_number, by_colour + by_number[:2]]))
    like = list(dict.fromkeys(like))
    for _ in range(8):
        most = min(len(like), len(hand.middle) + 2)
        count = data.draw(st.integers(1, most) | st.just(min(len(like), hand.sizes[hand.to_move])))
        cards = tuple(data.draw(st.permutations(like))[:count])
        verdict = odin.judge(state, Play(hand.to_move, cards))
        assert isinstance(verdict, Accepted) is legal(state, hand, cards), cards


def test_one_card_more_always_beats_odin_play_5() -> None:
    """Every set of the largest deck, with the goat in sets of either kind."""
    groups = [
        *([Card(number, colour) for number in NUMBERS] for colour in COLOURS),
        *([Card(number, colour) for colour in COLOURS] for number in NUMBERS),
    ]
    worths: dict[int, set[int]] = {count: set() for count in range(1, 11)}
    for group in groups:
        for count in range(1, len(group) + 2):
            for cards in combinations((*group, GOAT), count):
                assert is_set(cards, goat_in_number_set=True)
                assert value(cards) == digits(cards)
                worths[count].add(value(cards))
    for count in range(1, 10):
        assert max(worths[count]) < min(worths[count + 1])


# A table that lets things stand


def consistent(state: odin.State) -> None:
    """Whatever was let stand: every card has one place at most, and nothing crashes."""
    assert state.phase in Phase
    assert set(places(state)) <= state.deck
    assert set(places(state).values()) <= {1}
    assert len(state.points) == len(state.seats)
    assert min(state.points) >= 0
    hand = state.hand
    if hand is not None:
        assert {hand.starter, hand.to_move} <= set(state.seats)
        assert len(hand.sizes) == len(hand.known) == len(state.seats)
        assert all(len(cards) <= size for cards, size in zip(hand.known, hand.sizes, strict=True))
        assert (hand.owner is None) is (not hand.middle)
        assert hand.middle or not hand.beaten
        assert hand.out is None or hand.sizes[hand.out] == 0
        assert hand.passed <= set(state.seats)
    assert odin.standing(state).points == state.points
    seat, expected = odin.to_move(state), odin.expected(state)
    assert odin.passing(state) == (None if seat is None else Pass(seat))
    assert expected is None or isinstance(odin.judge(state, expected), Accepted)


@examples(80)
@given(odin_muddles())
def test_whatever_is_let_stand_leaves_the_books_in_order_a_odin_15(
    steps: tuple[OdinStep, ...],
) -> None:
    for step in steps:
        consistent(step.after)
    for move in islice(odin.actions(steps[-1].after), 20) if steps else ():
        assert isinstance(odin.judge(steps[-1].after, move), Accepted)


@examples(35)
@given(data=st.data())
def test_nothing_written_down_crashes_any_table(data: st.DataObject) -> None:
    steps = data.draw(odin_muddles())
    state = steps[-1].after if steps else odin.start(data.draw(odin_setups()))
    for action in data.draw(st.lists(odin_actions() | odin_candidates(state), max_size=8)):
        for verdict in (odin.judge(state, action), odin.let_stand(state, action)):
            assert isinstance(verdict, Accepted | Refused)
