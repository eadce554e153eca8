"""What holds in whole random games, whatever the variants and options."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Accepted, Game, Refused, Setup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.following import waited_for
from companion.games.valhal.rules.notation.actions import Attack, Join, Roll, TownRoll
from companion.games.valhal.rules.raid.odds import battle_odds
from companion.games.valhal.rules.settlement.clerk import warnings
from companion.games.valhal.rules.state import Phase, State
from tests.games.valhal.rules.tables import (
    MOST_STEPS,
    A,
    begun,
    check,
    fresh,
    random_game,
    random_position,
    seeds,
    setup,
    setups,
)
from tests.games.valhal.rules.universe import universe
from tests.strategies import examples

GAME: Game[valhal.State, valhal.Action] = valhal


@given(chosen=setups(), seed=seeds)
@examples(45, shrink=False)
def test_whole_games(chosen: Setup, seed: int) -> None:
    """Never stuck, never out of bounds; stages only go down; notation reads back."""
    for before, action, after in random_game(begun(chosen), seed):
        check(after)
        assert valhal.parse(valhal.format(action)) == action
        assert after.phase is not Phase.ASK
        assert after.voyages >= before.voyages
        _stages_fall(before, after)
        moving = valhal.to_move(after)
        assert moving is None or moving in waited_for(after)


def _stages_fall(before: State, after: State) -> None:
    for seat in before.seats:
        for project in before.players[seat].projects:
            now = after.players[seat].project(project.site)
            if now is not None and not now.fresh and project.left and now.left:
                assert now.left <= project.left


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", sorted(valhal.EDITIONS))
def test_every_seat_count_and_edition(seats: int, edition: str) -> None:
    state = begun(setup(seats, edition))
    for _, _, after in random_game(state, seats, MOST_STEPS):
        state = after
    assert state.voyages > 1
    assert valhal.standing(state).over == state.over


def test_games_come_to_an_end() -> None:
    """With a short display many do, before the limit; nothing forces a Jarl to win."""
    ends = 0
    for seed in range(12):
        state = fresh(2 + seed % 3, favour_steps="3")
        for _, _, after in random_game(state, seed, 900):
            state = after
        ends += state.over
        if state.over:
            standing = valhal.standing(state)
            assert standing.winners == (state.winner,)
            assert standing.ranks[standing.winners[0]] == 1
            assert list(valhal.actions(state)) == []
            assert valhal.expected(state) is valhal.passing(state) is None
    assert ends >= 4


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 150))
@examples(25, shrink=False)
def test_actions_are_what_judge_accepts(chosen: Setup, seed: int, steps: int) -> None:
    state = random_position(begun(chosen), seed, steps)
    listed = list(valhal.actions(state))
    assert len(set(listed)) == len(listed)
    for action in random.Random(seed).sample(listed, min(len(listed), 40)):
        assert isinstance(valhal.judge(state, action), Accepted)
    known = {_in_one_order(action) for action in listed}
    pool = list(universe(state))
    for action in random.Random(seed).sample(pool, 1500):
        before = replace(state)
        verdict = valhal.judge(state, action)
        assert state == before  # refused or not, nothing is changed in place
        if isinstance(verdict, Accepted):
            assert _in_one_order(action) in known, action
        else:
            assert isinstance(verdict, Refused)
            assert verdict.reasons


def _in_one_order(action: valhal.Action) -> valhal.Action:
    match action:
        case Roll() | TownRoll():
            return replace(action, dice=tuple(sorted(action.dice)))
        case Attack() | Join():
            return replace(action, units=tuple(sorted(action.units)))
        case _:
            return action


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 200))
@examples(30, shrink=False)
def test_what_the_page_asks_for_never_fails(chosen: Setup, seed: int, steps: int) -> None:
    state = random_position(begun(chosen), seed, steps)
    assert all(each.rule for each in warnings(state))
    expected = valhal.expected(state)
    assert expected is None or isinstance(valhal.judge(state, expected), Accepted)
    passing = valhal.passing(state)
    assert passing is None or isinstance(valhal.judge(state, passing), Accepted)
    found = battle_odds(state)
    if found is not None:
        assert 0 <= found.win <= 1
        assert found.losses >= 0


def test_the_same_game_again() -> None:
    """Replay is a fold: the lines of a game lead to the same table."""
    start = fresh(3)
    state, lines = start, []
    for _, action, after in random_game(start, 7, 200):
        lines.append(valhal.format(action))
        state = after
    again = start
    for line in lines:
        verdict = valhal.judge(again, valhal.parse(line))
        assert isinstance(verdict, Accepted)
        again = verdict.state
    assert again == state
    assert A in again.seats
