"""Rounds of tournaments: everybody plays, nobody twice in a round, and the ranking is just."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.foundation.errors import BadInput
from companion.hub.pairing import (
    Pairing,
    Seated,
    board_sizes,
    meetings,
    next_round,
    ranking,
    round_robin,
    rounds_needed,
)


def ended(people: tuple[int, ...], order: list[int]) -> Pairing:
    """A board that ended in the order of `order`."""
    ranked = sorted(people, key=order.index)
    return Pairing(tuple(Seated(each, ranked.index(each) + 1) for each in people))


@given(st.integers(2, 20))
def test_in_a_round_robin_of_two_everybody_meets_everybody_once(count: int) -> None:
    people = list(range(count))
    rounds = [round_robin(people, at) for at in range(rounds_needed(count, 2))]
    for boards in rounds:
        assert sorted(each for board in boards for each in board) == people
    met = [frozenset(board) for boards in rounds for board in boards if len(board) == 2]
    assert len(met) == len(set(met)) == count * (count - 1) // 2


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 24), st.integers(2, 4), st.randoms(use_true_random=False))
def test_every_swiss_round_seats_everybody_once(count: int, seats: int, chance: object) -> None:
    people = list(range(count))
    order = list(people)
    chance.shuffle(order)  # type: ignore[attr-defined]
    sizes = board_sizes(count, seats, 2)
    played: list[list[Pairing]] = []
    for _ in range(4):
        boards = next_round(people, played, sizes)
        assert sorted(each for board in boards for each in board) == people
        assert sorted(map(len, boards), reverse=True) == sizes
        played.append([ended(board, order) for board in boards])


@pytest.mark.parametrize("count", [8, 9, 16, 31])
def test_in_a_swiss_tournament_of_two_nobody_meets_twice_or_rests_twice(count: int) -> None:
    people, order = list(range(count)), list(range(count))
    played: list[list[Pairing]] = []
    for _ in range(4):
        boards = next_round(people, played, board_sizes(count, 2, 2))
        played.append([ended(board, order) for board in boards])
    assert max(meetings(played).values()) == 1
    rests = [board.people[0] for boards in played for board in boards if board.rests]
    assert len(rests) == len(set(rests))


def test_the_better_player_wins_a_swiss_tournament() -> None:
    people = list(range(16))
    order = [7, *(each for each in people if each != 7)]
    played: list[list[Pairing]] = []
    for _ in range(4):
        boards = next_round(people, played, board_sizes(16, 2, 2))
        played.append([ended(board, order) for board in boards])
    ranks = ranking(people, played)
    assert ranks[0].person == 7
    assert ranks[0].score == 4


def test_ties_are_broken_by_those_one_met_then_by_meeting_each_other() -> None:
    """Worked by hand: 1 and 2 have one win each. 1 has met 3 (no win) and 2; 2 has met 1 and 4."""
    played = [
        [Pairing((Seated(1, 1), Seated(3, 2))), Pairing((Seated(2, 2), Seated(4, 1)))],
        [Pairing((Seated(1, 2), Seated(2, 1))), Pairing((Seated(3, 2), Seated(4, 1)))],
    ]
    ranks = ranking([1, 2, 3, 4], played)
    assert [(each.person, each.score, each.buchholz) for each in ranks] == [
        (4, 2, 1),
        (2, 1, 3),
        (1, 1, 1),
        (3, 0, 3),
    ]


def test_equal_in_everything_share_a_place() -> None:
    played = [[Pairing((Seated(1, 1), Seated(2, 1)))], [Pairing((Seated(3, 1), Seated(4, 2)))]]
    assert [each.place for each in ranking([1, 2, 3, 4], played)][0:3] == [1, 1, 3]


def test_everybody_has_met_after_enough_rounds_at_boards_of_three() -> None:
    people = list(range(9))
    played: list[list[Pairing]] = []
    for _ in range(3 * rounds_needed(9, 3)):
        boards = next_round(people, played, board_sizes(9, 3, 2))
        played.append([ended(board, people) for board in boards])
    met = meetings(played)
    assert all(met[frozenset(pair)] for pair in combinations(people, 2))


@pytest.mark.parametrize(("people", "seats", "fewest"), [(1, 2, 2), (300, 2, 2), (5, 4, 3)])
def test_what_cannot_be_seated_is_said(people: int, seats: int, fewest: int) -> None:
    with pytest.raises(BadInput):
        board_sizes(people, seats, fewest)


@pytest.mark.parametrize(
    ("people", "seats", "sizes"),
    [(8, 2, [2, 2, 2, 2]), (9, 2, [2, 2, 2, 2, 1]), (10, 4, [4, 3, 3]), (12, 4, [4, 4, 4])],
)
def test_boards_are_filled_evenly(people: int, seats: int, sizes: list[int]) -> None:
    assert board_sizes(people, seats, 2) == sizes
