"""A table that overrules the referee: the books stay whole whatever it lets stand."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Accepted, Refused, Setup
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import Declare, Draw, Reveal
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.state import Phase, State
from tests.games.valhalla.rules.tables import (
    TURN,
    A,
    B,
    arranged,
    asides,
    cards,
    check,
    codes,
    random_game,
    random_position,
    seeds,
    setups,
    table,
    universe,
)
from tests.strategies import examples, played


@given(chosen=setups(), seed=seeds, steps=st.integers(0, 150))
@examples(60)
def test_anything_that_can_stand_keeps_the_books_whole(
    chosen: Setup, seed: int, steps: int
) -> None:
    named = tuple(change for change in chosen.changes if change[0] not in ("clash_by", "deities"))
    start = valhalla.start(Setup(chosen.game, chosen.names, chosen.edition, named))
    state = random_position(start, seed, steps)
    rng = random.Random(seed)
    for _ in range(8):
        standing = _muddles(state, rng)
        if not standing:
            break
        state = rng.choice(standing)
    if not state.over:
        assert _ends(state, seed)


def _muddles(state: State, rng: random.Random) -> list[State]:
    """Some tables one overruled action away."""
    said = [*universe(state), *asides(state)]
    found = []
    for action in rng.sample(said, min(len(said), 250)):
        judged = valhalla.judge(state, action)
        verdict = valhalla.let_stand(state, action)
        if isinstance(judged, Accepted):
            assert isinstance(verdict, Accepted)
        elif isinstance(verdict, Accepted):
            assert judged.can_stand
        else:
            assert isinstance(judged, Refused)
            assert not judged.can_stand
        if isinstance(verdict, Accepted):
            check(verdict.state)
            found.append(verdict.state)
    return found


def _ends(state: State, seed: int) -> bool:
    for _, _, after in random_game(state, seed):
        state = after
    return state.over


def test_a_loss_let_slip() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer wolf", "A draws draugr draugr")
    after = played(valhalla, state, "! A passes")
    assert (after.debts, valhalla.to_move(after)) == ((), B)
    assert after.players[A].hand == 2


def test_a_last_stand_let_slip() -> None:
    start = arranged(table(short_hand="last_stand"), hands={A: "axe"})
    state = played(valhalla, start, "first A")
    assert state.phase is Phase.STAND
    assert played(valhalla, state, "! A passes").phase is Phase.SELECT


def test_a_wolf_that_fetches_nothing_is_used_all_the_same() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer sword")
    state = arranged(state, piles={A: "sword"})
    after = played(valhalla, state, "A passes", "B passes", "! A passes")
    assert after.turn == 2
    assert after.players[A].discard == cards("sword wolf")


def test_a_card_nobody_thought_was_there() -> None:
    """The books were sure of A's hand; now they know what they do not know."""
    state = played(valhalla, table(*TURN), "! A reveals axe axe")
    assert state.players[A].known == ()
    assert state.players[A].hidden == 2
    check(state)


def test_a_missing_support_goes_back_to_the_hand() -> None:
    state = played(valhalla, table(*TURN), "! A reveals axe", "B reveals axe wolf")
    assert state.players[A].hand == 3
    check(state)


def test_out_of_turn_the_order_goes_on() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer wolf", "! B draws")
    assert valhalla.to_move(state) is A
    assert played(valhalla, state, "A passes").turn == 2


def test_nothing_is_shown_under_an_axe() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer wolf", "A declares axe on B")
    after = played(valhalla, state, "A passes", "! B draws")
    assert (after.armory, after.players[B].hidden) == ((), 1)


def test_the_hand_is_set_right() -> None:
    state = table("! A has 6")
    assert (state.players[A].hand, state.players[A].hidden, state.deck) == (6, 2, 42)
    state = played(valhalla, state, "! A has 1")
    assert (state.players[A].hand, state.players[A].known, state.deck) == (1, (), 47)
    state = played(valhalla, state, "A has 1", "A shows wolf", "first A")
    assert state.players[A].known == cards("wolf")
    assert codes(played(valhalla, state, "! A has 0"), "A ready") == ["nothing-to-lay"]


def test_a_battle_whose_deck_turns_out_to_be_empty() -> None:
    state = arranged(table(*TURN, "A reveals axe wolf", "B reveals axe wolf"), deck="axe sword")
    assert state.battle is not None
    assert state.battle.due == 4
    state = played(valhalla, state, "armory axe", "! A has 4")
    assert (state.deck, state.phase) == (0, Phase.SPOILS)


def test_a_hand_shown_while_cards_lie_face_down() -> None:
    state = table("first A", "A ready", "A shows hammer sword")
    assert sorted(state.players[A].known) == sorted(cards("hammer sword axe wolf"))
    state = played(valhalla, table("first A", "A ready"), "! A shows axe axe")
    assert state.players[A].known == cards("axe axe")
    assert state.players[A].hidden == 2


def test_what_cannot_stand_says_so() -> None:
    state = table(*TURN, "A reveals axe wolf", "B reveals hammer wolf")
    for action in (
        Reveal(A, *cards("axe wolf")),
        Declare(A, Card.SWORD, B),
        Draw(A, cards("axe axe axe")),
    ):
        verdict = valhalla.let_stand(state, action)
        assert isinstance(verdict, Refused)
        assert not any(each.may_stand for each in verdict.reasons)
