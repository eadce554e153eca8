"""The odds against counting every order the hidden cards could lie in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.odds import draugr_odds, last_stand, next_battle, next_draw
from companion.games.valhalla.rules.state import State, unseen
from tests.games.valhalla.rules.tables import TURN, A, B, arranged, setup, valhalla_deities
from tests.strategies import played


def deals(state: State) -> list[tuple[Card, ...]]:
    """Every order of the deck that looks like this table, hidden hands without Draugr."""
    hidden = state.players[A].hidden + state.players[B].hidden + state.buried
    found = []
    for order in permutations(tuple(unseen(state).elements())):
        if Card.DRAUGR in order[:hidden]:
            continue
        rest = iter(order[hidden:])
        top = [next(rest) for _ in range(state.deck - len(state.bottom))]
        bottom = [card if card is not None else next(rest) for card in state.bottom]
        found.append((*top, *bottom))
    return found


def counted(state: State, count: int) -> list[Fraction]:
    orders = deals(state)
    tally = Counter(order[:count].count(Card.DRAUGR) for order in orders)
    return [Fraction(tally[number], len(orders)) for number in range(count + 1)]


def small(deck: str, bottom: tuple[Card | None, ...] = (), **changes: str) -> State:
    """Nobody clashed, A is to act; A's hand hides a card."""
    start = valhalla.start(setup(2, "expansion", **changes))
    lines = (*TURN, "A reveals axe sword", "B reveals hammer sword")
    state = played(valhalla, start, *lines, "A draws", "B passes", *TURN[1:])
    state = played(valhalla, state, "A reveals axe sword", "B reveals hammer sword")
    state = arranged(state, deck=deck)
    known = tuple(card for card in bottom if card is not None)
    gone = list(state.graveyard)
    for card in known:
        gone.remove(card)
    return replace(state, graveyard=tuple(gone), bottom=bottom, deck=state.deck + len(known))


TABLES = [
    pytest.param(small("axe axe draugr wolf draugr hammer"), id="plain"),
    pytest.param(small("axe deity draugr wolf", (Card.DRAUGR,)), id="draugr-below"),
    pytest.param(small("axe wolf draugr hammer", (Card.WOLF, None)), id="two-below"),
    pytest.param(small("axe sword draugr", (Card.DRAUGR, Card.DRAUGR)), id="nearly-all-below"),
    pytest.param(small("axe draugr draugr draugr"), id="draugr-only"),
]


@pytest.mark.parametrize("state", TABLES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_next_cards(state: State, count: int) -> None:
    count = min(count, state.deck)
    odds = draugr_odds(state, count)
    assert list(odds) == counted(state, count)
    assert sum(odds) == 1


@pytest.mark.parametrize("state", TABLES)
def test_a_last_stand(state: State) -> None:
    assert last_stand(state) == counted(state, min(3, state.deck))[0]


def test_a_last_stand_without_a_deck() -> None:
    start = arranged(valhalla.start(setup(2)), deck="")
    assert last_stand(start) == 0


@pytest.mark.parametrize("state", TABLES)
def test_a_draw_that_is_not_shown(state: State) -> None:
    assert next_draw(state, A) == counted(state, 2)[2]
    hammer = played(valhalla, state, "B declares hammer on A")
    three = min(3, state.deck)
    assert next_draw(hammer, A) == sum(counted(hammer, three)[2:])
    axe = played(valhalla, state, "A declares axe on B", "A passes")
    assert next_draw(axe, B) == 1 - counted(axe, 2)[0]


def test_all_draugr_may_be_ignored() -> None:
    state = played(
        valhalla, small("axe wolf draugr draugr draugr", ignorable_draugr="all"),
        "B declares hammer on A",
    )  # fmt: skip
    assert next_draw(state, A) == counted(state, 3)[3]


def test_a_deity_that_does_not_help() -> None:
    state = small("axe deity draugr deity draugr", deity_allows_ignore="false")
    orders = deals(state)
    gods = valhalla_deities()
    hits = sum(
        Card.DRAUGR in order[:2] and all(card in gods | {Card.DRAUGR} for card in order[:2])
        for order in orders
    )
    assert next_draw(state, A) == Fraction(hits, len(orders))
    assert next_draw(state, A) > next_draw(small("axe deity draugr deity draugr"), A)


def test_a_battle_to_come_and_one_half_revealed() -> None:
    start = valhalla.start(setup(2))
    fresh = next_battle(start, 2)
    assert fresh == draugr_odds(start, 4)
    # 36 of the 44 cards are no Draugr
    assert fresh[0] == Fraction(36 * 35 * 34 * 33, 44 * 43 * 42 * 41)
    lines = (*TURN, "A reveals axe sword", "B reveals axe sword", "armory draugr")
    state = played(valhalla, start, *lines)
    assert next_battle(state, 2) == draugr_odds(state, 3)
    assert next_battle(state, 2)[3] == Fraction(7 * 6 * 5, 43 * 42 * 41)


def test_the_graveyard_counts_where_it_goes_back() -> None:
    state = small("axe draugr draugr")
    assert next_draw(state, A) > 0
    assert last_stand(state) == 0
    back = small("axe draugr draugr", deck_short="reshuffle_graveyard_without_draugr")
    assert last_stand(back) > 0
