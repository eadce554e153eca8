"""A table that overrules the referee: the books stay whole whatever it lets stand."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Accepted, Refused, Setup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.notation.actions import OWNED, Achieve, Entry, Has, Resolve, Use
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import BUILDINGS, Fill, Kind, effect
from tests.games.valhal.rules.tables import (
    SHEET,
    A,
    B,
    begun,
    check,
    commissioning,
    food,
    random_game,
    random_position,
    sailing,
    seeds,
    setups,
    with_player,
)
from tests.games.valhal.rules.universe import universe
from tests.strategies import examples, played

ENTRIES = [Entry(path, tuple(value.split())) for path, value in entries(SHEET)]


def asides(state: State, rng: random.Random) -> list[valhal.Action]:
    words = ("coins+3", "food+2", "food-1", "glory-2", "favour-1", "warriors-1", "longboat-1",
             "hull-1", "veterans+1", "block", "famine:winter", "unusable:warriors", "reroll",
             "later:winter:iron+1", "benevolence+1", "wrath+2")  # fmt: skip
    said: list[valhal.Action] = [*rng.sample(ENTRIES, 20)]
    for seat in state.seats:
        said += [Resolve(seat, (effect(word),)) for word in words]
        said += [Has(seat, thing, rng.randrange(8)) for thing in (*OWNED, *BUILDINGS)]
        said += [Use(seat, f"b{number}") for number in range(1, 7)]
        said += [Achieve(seat, token) for token in ACHIEVEMENTS]
    return said


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 200))
@examples(25, shrink=False)
def test_anything_that_can_stand_keeps_the_books_whole(
    chosen: Setup, seed: int, steps: int
) -> None:
    changes = tuple(each for each in chosen.changes if each != ("supply_limited", "strict"))
    start = begun(Setup(chosen.game, chosen.names, chosen.edition, changes))
    state = random_position(start, seed, steps)
    rng = random.Random(seed)
    for _ in range(6):
        standing = _muddles(state, rng)
        if not standing:
            break
        state = rng.choice(standing)
    for _, _, after in random_game(state, seed, 60):
        check(after)


def _muddles(state: State, rng: random.Random) -> list[State]:
    """Some tables one overruled action away."""
    said = [*rng.sample(list(universe(state)), 300), *asides(state, rng)]
    found = []
    for action in said:
        judged, verdict = valhal.judge(state, action), valhal.let_stand(state, action)
        if isinstance(judged, Accepted):
            assert verdict == judged
        else:
            assert isinstance(judged, Refused)
            assert isinstance(verdict, Accepted) == judged.can_stand
        if isinstance(verdict, Accepted):
            check(verdict.state)
            found.append(verdict.state)
    return found


def test_a_payment_without_a_coin() -> None:
    state = with_player(commissioning(), A, coins=0)
    state = played(valhal, state, "! A builds longboat with coin")
    assert (state.players[A].coins, state.players[A].projects[0].left) == (0, 3)


def test_winter_without_food() -> None:
    state = with_player(commissioning(), A, food=food("----"))
    state = played(valhal, state, "A builds warriors with coin", "! agree")
    assert state.players[A].projects[0].left == 2


def test_the_wrong_token_turns_the_card_all_the_same() -> None:
    state = played(valhal, commissioning(), "! A builds longboat with iron", "agree")
    assert (state.players[A].iron, state.players[A].projects[0].left) == (1, 2)


def test_too_many_dice() -> None:
    state = sailing("A attacks v1 with warriors on 1", "B stays", "! A rolls 6 6", "town rolls 1")
    assert state.phase is Phase.DRAW


def test_the_dice_are_rolled_again() -> None:
    state = sailing("A attacks v1 with warriors on 1", "B stays", "A rolls 6", "! A rolls 1")
    assert state.raid is not None
    assert state.raid.attack == (1,)


def test_out_of_turn_the_order_goes_on() -> None:
    state = sailing("! B attacks v1 with warriors on 1")
    assert valhal.to_move(state) is A
    assert state.queue == (A, B)


def test_a_boat_too_full_comes_home_full() -> None:
    state = with_player(sailing(), A, units=("warriors",) * 3)
    state = played(valhal, state, "! A attacks v1 with warriors warriors warriors on 1", "B stays")
    state = played(valhal, state, "A retreats")
    assert (state.players[A].units, state.players[A].boats) == (("warriors",) * 3, 1)


def test_the_books_are_set_right() -> None:
    state = played(
        valhal, commissioning(), "! A has coins 7", "A has coins 7", "! A has longboats 0"
    )
    assert (state.players[A].coins, state.players[A].boats) == (7, 0)
    state = played(valhal, state, "! A has veterans 2", "! A has granary 1")
    assert state.players[A].units == ("veterans", "veterans", "warriors")
    assert state.players[A].food[2] is Fill.GRANARY
    state = played(valhal, state, "! A has granary 0", "! A has altar 1", "! B has favour 3")
    assert state.players[A].buildings == (Kind.ALTAR,)
    assert state.players[B].favour == 3


def test_a_food_token_may_be_taken_off_after_all() -> None:
    state = played(valhal, commissioning(), "! A unfeeds summer")
    assert state.players[A].food == food("----")
