"""Whole games: nothing gets lost, every game ends, and true players are never refused."""

from __future__ import annotations

import pytest
from hypothesis import given

from companion.core.game import Setup
from companion.core.notation import seats
from companion.foundation.errors import BadSetup
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.state import Phase
from tests.games.valhalla.rules.real import RealTable
from tests.games.valhalla.rules.tables import MOST_STEPS, check, random_game, seeds, setup, setups
from tests.strategies import examples


def play_out(start: valhalla.State, seed: int) -> valhalla.State:
    check(start)
    state = start
    for _, _, after in random_game(start, seed):
        check(after)
        state = after
    return state


@given(chosen=setups(), seed=seeds)
@examples(200)
def test_any_options_any_seats(chosen: Setup, seed: int) -> None:
    end = play_out(valhalla.start(chosen), seed)
    assert end.phase is Phase.OVER
    assert valhalla.expected(end) is valhalla.passing(end) is None
    assert valhalla.to_move(end) is None


@pytest.mark.parametrize("edition", ["en", "expansion"])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_every_seat_count(edition: str, count: int, seed: int) -> None:
    start = valhalla.start(setup(count, edition, max_players="five"))
    assert start.deck == {"en": 52, "expansion": 64}[edition] - 4 * count  # VLLA-SETUP-3 and -4
    end = play_out(start, seed)
    standing = valhalla.standing(end)
    assert standing.over
    assert standing.winners == tuple(s for s in seats(count) if end.players[s].alive)
    assert len(standing.winners) <= 1


@given(chosen=setups(), seed=seeds)
@examples(80)
def test_the_truth_is_never_refused(chosen: Setup, seed: int) -> None:
    real = RealTable(valhalla.start(chosen), seed)
    for _ in range(MOST_STEPS):
        if real.state.over:
            break
        real.step()
        real.check()
    assert real.state.over


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_truth_by_default(count: int, seed: int) -> None:
    real = RealTable(valhalla.start(setup(count)), seed)
    while not real.state.over:
        real.step()
        real.check()


def test_five_need_the_expansion_or_an_agreement() -> None:
    with pytest.raises(BadSetup, match=r"seat-count \[VLLA-COMP-2\] \(got=5, least=2, most=4\)"):
        valhalla.start(setup(5))
    assert valhalla.start(setup(5, "expansion")).deck == 44
    with pytest.raises(BadSetup, match="seat-count"):
        valhalla.start(setup(6, "expansion"))
