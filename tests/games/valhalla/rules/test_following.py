"""What could come next is what would be accepted, no more and no less."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Accepted, Game, Setup
from companion.core.notation import Seat
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import Draw, Ready
from companion.games.valhalla.rules.state import State
from tests.games.valhalla.rules.tables import (
    TURN,
    arranged,
    in_one_order,
    random_position,
    seeds,
    setup,
    setups,
    table,
    universe,
)
from tests.strategies import accepted, examples, played

GAME: Game[valhalla.State, valhalla.Action] = valhalla  # mypy holds the package to the Protocol

PERFT = Path("tests/perft/valhalla.txt")
BRUTE = 4  # depths up to which every conceivable action is tried as well


def brute(state: State) -> set[valhalla.Action]:
    return {
        in_one_order(action)
        for action in universe(state)
        if isinstance(valhalla.judge(state, action), Accepted)
    }


def listed(state: State) -> set[valhalla.Action]:
    moves = [in_one_order(action) for action in valhalla.actions(state)]
    assert len(moves) == len(set(moves)), "told twice"
    return set(moves)


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 120))
@examples(60)
def test_actions_are_what_judge_accepts(chosen: Setup, seed: int, steps: int) -> None:
    named = tuple(change for change in chosen.changes if change[0] not in ("clash_by", "deities"))
    start = valhalla.start(Setup(chosen.game, chosen.names, chosen.edition, named))
    state = random_position(start, seed, steps)
    assert listed(state) == brute(state)


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 200))
@examples(60)
def test_the_buttons(chosen: Setup, seed: int, steps: int) -> None:
    """Confirm takes what is sure to be accepted; pass speaks for the seat to move."""
    state = random_position(valhalla.start(chosen), seed, steps)
    expected = valhalla.expected(state)
    if expected is not None:
        assert isinstance(valhalla.judge(state, expected), Accepted)
        others = [move for move in valhalla.actions(state) if not isinstance(move, Ready)]
        assert others in ([], [expected])
    passing = valhalla.passing(state)
    if passing is not None:
        assert str(passing) == f"{valhalla.to_move(state)} passes"


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 200))
@examples(40)
def test_judging_changes_nothing_and_repeats_itself(chosen: Setup, seed: int, steps: int) -> None:
    state = random_position(valhalla.start(chosen), seed, steps)
    for action in valhalla.actions(state):
        first, second = valhalla.judge(state, action), valhalla.judge(state, action)
        assert first == second
        assert accepted(valhalla.let_stand(state, action)) == accepted(first)


def test_what_only_the_drawer_knows_is_assumed() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer wolf")
    verdict = valhalla.judge(state, Draw(Seat.A))
    assert isinstance(verdict, Accepted)
    assert [str(each) for each in verdict.assumes] == ["drew-unseen [VLLA-STR-4a] (seat=A)"]


# Perft


def perft(state: State, depth: int, *, exhaustive: bool) -> int:
    moves = brute(state) if exhaustive else listed(state)
    if depth == 1:
        return len(moves)
    nexts = (accepted(valhalla.judge(state, move)) for move in moves)
    return sum(perft(each, depth - 1, exhaustive=exhaustive) for each in nexts)


def counts() -> list[tuple[str, int, int]]:
    """Of each line: the position, a depth, and how many ways there are."""
    found = []
    for line in PERFT.read_text().splitlines():
        position, _, rest = line.partition("#")[0].partition("depth=")
        if rest:
            depth, ways = rest.split()
            found.append((position.strip(), int(depth), int(ways)))
    return found


def position(text: str) -> State:
    """hands=axe+wolf/axe armory=axe deck=axe+draugr lines=first_A,ready limit=value"""
    words = dict(word.split("=", 1) for word in text.split())
    hands = [hand.replace("+", " ") for hand in words.pop("hands").split("/")]
    lines = [line.replace("_", " ") for line in words.pop("lines", "").split(",") if line]
    armory, deck = (words.pop(name, "").replace("+", " ") for name in ("armory", "deck"))
    start = valhalla.start(setup(len(hands), **words))
    held = dict(zip(Seat, hands, strict=False))
    return played(valhalla, arranged(start, hands=held, armory=armory, deck=deck), *lines)


@pytest.mark.parametrize(("where", "depth", "ways"), counts())
def test_perft(where: str, depth: int, ways: int) -> None:
    state = position(where)
    split = {str(move): 1 for move in listed(state)}
    if depth > 1:
        split = {
            str(move): perft(accepted(valhalla.judge(state, move)), depth - 1, exhaustive=False)
            for move in listed(state)
        }
    assert sum(split.values()) == ways, split
    if depth < BRUTE:
        assert perft(state, depth, exhaustive=True) == ways
