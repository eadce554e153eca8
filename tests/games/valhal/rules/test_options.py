"""Every value of every option does something: each scenario comes out as told under the value
named, and otherwise under the default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from companion.core.options import Whole
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.raid.battle import fighters
from companion.games.valhal.rules.settlement.achievements import owner_of
from companion.games.valhal.rules.settlement.favour import favoured
from companion.games.valhal.rules.state import Held, Owner, Phase, State, boats_of
from companion.games.valhal.rules.vocabulary import Kind, Stack
from tests.games.valhal.rules.tables import (
    A,
    B,
    codes,
    commissioning,
    food,
    fresh,
    sailing,
    with_player,
)
from tests.games.valhal.rules.test_vectors import after_the_next_voyage, told
from tests.strategies import played

Scenario: TypeAlias = Callable[[dict[str, Any]], object]

SCENARIOS: dict[tuple[str, str], tuple[Scenario, object]] = {}


def alternative(option: str, value: str, outcome: object) -> Callable[[Scenario], Scenario]:
    def scenario_of(scenario: Scenario) -> Scenario:
        assert (option, value) not in SCENARIOS
        SCENARIOS[option, value] = (scenario, outcome)
        return scenario

    return scenario_of


def rich(changes: dict[str, Any], *lines: str, **fields: Any) -> State:
    state = with_player(commissioning(**changes), A, **{"coins": 9, "wood": 3, **fields})
    return played(valhal, state, *lines)


# Variants


@alternative("variant_fast", "true", (5, "fast"))
def _(changes: dict[str, Any]) -> object:
    state = fresh(**changes)
    shown = "fast" if state.display == state.sheet.fast else "front"
    return steps_to_win(state.options), shown


@alternative("variant_heidrun", "true", Phase.HEIDRUN)
def _(changes: dict[str, Any]) -> object:
    return sailing("A stays", "B stays", **changes).phase


@alternative("special_units", "true", ("berserkir",))
def _(changes: dict[str, Any]) -> object:
    state = played(valhal, fresh(**changes), "first A")
    if state.phase is Phase.SPECIALS:
        state = played(valhal, state, "B takes special-2", "A takes berserkir")
    assert state.phase is Phase.LAYING
    return state.players[A].units


# Gifts


@alternative("end_of_turn_gift", "food", (3, 2, 0, 0, food("-t--")))
@alternative("end_of_turn_gift", "iron", (3, 3, 0, 0, food("----")))
@alternative("end_of_turn_gift", "wood", (3, 2, 1, 0, food("----")))
@alternative("end_of_turn_gift", "glory", (3, 2, 0, 1, food("----")))
def _(changes: dict[str, Any]) -> object:
    player = commissioning("agree", **changes).players[A]
    return player.coins, player.iron, player.wood, player.glory, player.food


@alternative("defeated_unit_gift", "coins", (4, 2, 0, 0, food("t---")))
@alternative("defeated_unit_gift", "food", (3, 2, 0, 0, food("tt--")))
@alternative("defeated_unit_gift", "iron", (3, 3, 0, 0, food("t---")))
@alternative("defeated_unit_gift", "wood", (3, 2, 1, 0, food("t---")))
def _(changes: dict[str, Any]) -> object:
    state = told(sailing(**changes), "town.v1.rows 9/9/1")
    state = played(valhal, state, "A attacks v1 with warriors on 1", "B stays")
    state = played(valhal, state, "A rolls 1", "town rolls 6")
    player = state.players[A]
    assert player.units == ("warriors",)  # VHAL-BAT-13
    return player.coins, player.iron, player.wood, player.glory, player.food


@alternative("end_of_turn_gift", "coins", (4, 2))
def _(changes: dict[str, Any]) -> object:
    """Whatever the sheet says."""
    player = played(valhal, told(commissioning(**changes), "gift.turn iron"), "agree").players[A]
    return player.coins, player.iron


@alternative("defeated_unit_gift", "glory", (2, 1))
def _(changes: dict[str, Any]) -> object:
    state = told(sailing(**changes), "town.v1.rows 9/9/1", "gift.defeat iron")
    state = played(valhal, state, "A attacks v1 with warriors on 1", "B stays")
    player = played(valhal, state, "A rolls 1", "town rolls 6").players[A]
    return player.iron, player.glory


@alternative("start_food_on_longhouse_usable", "false", ["no-food-stored"])
def _(changes: dict[str, Any]) -> object:
    return codes(told(rich(changes), "longhouse.food usable"), "A feeds spring food")


# Favour


@alternative("favour_steps", "3", (True, A))
def _(changes: dict[str, Any]) -> object:
    state = played(valhal, favoured(rich(changes), A, 2), "A resolves favour+1")
    return state.over, state.winner


#
@alternative("wrath_retrigger", "once", (1, 0))
def _(changes: dict[str, Any]) -> object:
    """Onto the space, back, and onto it again."""
    state = played(valhal, rich(changes, favour=2), "A resolves favour+1")
    first = len(state.dues)
    state = played(valhal, state, "A draws w3", "A resolves favour+1")
    return first, len(state.dues)


@alternative("wrath_on_the_way", "afterwards", (4, 1))
@alternative("wrath_on_the_way", "no", (4, 0))
def _(changes: dict[str, Any]) -> object:
    """Two steps from the second space, over the Wrath symbol on the third."""
    state = played(valhal, rich(changes, favour=2), "A resolves favour+2")
    return state.players[A].favour, len(state.dues)


@alternative("final_stage_cost", "7", (A, 0))
def _(changes: dict[str, Any]) -> object:
    state = played(valhal, rich(changes, favour=5, glory=6), "A resolves glory+1")
    assert state.final is not None
    return state.final.seat, state.players[A].glory


@alternative("next_vikingfahrt", "current", (1, True))
def _(changes: dict[str, Any]) -> object:
    """The Final Stage starts while the first Vikingfahrt is under way."""
    state = with_player(sailing(**changes), A, favour=5, glory=6)
    state = played(valhal, state, "A resolves glory+1")
    assert state.final is not None
    return state.final.after, played(valhal, state, "A stays", "B stays").over


#
@alternative("mainland_removal", "chosen", (Phase.REMOVAL, ("v1", "v2"), (2, 7, 3, 1)))
def _(changes: dict[str, Any]) -> object:
    state = favoured(favoured(rich(changes), A, 2), B, 2)
    state = after_the_next_voyage(played(valhal, state, "A resolves glory+1"))
    phase = state.phase
    if phase is Phase.REMOVAL:
        state = played(valhal, state, f"{state.first} removes v1 v2")
        assert codes(state, "lay v1") == ["town-out"]
    return phase, state.removed, state.stack


@alternative("blessed_takeover", "more", B)
def _(changes: dict[str, Any]) -> object:
    """B has two cards, and A who owns the token one."""
    state = with_player(rich(changes), B, kept=(Held(Stack.BENEVOLENCE, "b5"),) * 2)
    state = with_player(state, A, kept=(Held(Stack.BENEVOLENCE, "b5"),))
    state = replace(state, owners=(Owner("blessed", A),))
    return owner_of(played(valhal, state, "A resolves coins+1"), "blessed")


# Food and projects


@alternative("start_food_on_longhouse_usable", "true", (3, [], food("t--t")))
def _(changes: dict[str, Any]) -> object:
    state = rich(changes)
    refused = codes(state, "A feeds spring food")
    after = state if refused else played(valhal, state, "A feeds spring food")
    return state.players[A].larder, refused, after.players[A].food


@alternative("sacrifice_needs_food", "true", ["not-provided"])
def _(changes: dict[str, Any]) -> object:
    state = rich(changes, "A sacrifices coins for benevolence", food=food("----"))
    return codes(state, "A agrees")


#
@alternative("tokens_per_project", "2", [])
def _(changes: dict[str, Any]) -> object:
    return codes(rich(changes), "A builds longboat with coin wood wood")


@alternative("both_workshops", "saw", 2)
@alternative("both_workshops", "anvil", 3)
def _(changes: dict[str, Any]) -> object:
    """The saw at 2; the anvil at 3 to tell them from the lowest number, or at 1."""
    anvil = "3" if changes.get("both_workshops") == "anvil" else "1"
    state = rich(changes, buildings=(Kind.WAREHOUSE, Kind.BLACKSMITH))
    state = told(state, f"build.warriors.anvil {anvil}")
    return played(valhal, state, "A builds warriors with coin").players[A].projects[0].left


#
@alternative("runestone_coin_cost", "2", 7)
def _(changes: dict[str, Any]) -> object:
    return rich(changes, "A sacrifices coins for benevolence").players[A].coins


# Vikingfahrt and battle


@alternative("pass_in_choice_final", "true", (B,))
def _(changes: dict[str, Any]) -> object:
    state = with_player(sailing(**changes), B, units=("warriors",) * 3, boats=3)
    return played(valhal, state, "A stays", "B attacks v1 with warriors on 1").queue


#
@alternative("overflow_to_wounded_side", "false", [(True, 0)])
def _(changes: dict[str, Any]) -> object:
    """Three hit points of damage to Warriors with two."""
    state = told(sailing(**changes), "town.v1.rows 9/4/1")
    state = played(valhal, state, "A attacks v1 with warriors on 1", "B stays")
    state = played(valhal, state, "A rolls 1", "town rolls 1")
    raid = state.raid
    return [] if raid is None else [(f.wounded, f.hurt) for _, f in fighters(raid)]


@alternative("joint_front_line_by", "vote", [])
def _(changes: dict[str, Any]) -> object:
    state = sailing("A attacks v1 with warriors on 1 inviting B", seats=3, **changes)
    state = played(valhal, state, "B joins with warriors on 1", "C stays")
    return codes(state, "B fronts warriors")


# Supply


@alternative("supply_limited", "strict", (16, 24))
def _(changes: dict[str, Any]) -> object:
    state = rich(changes, "A resolves wood+9 wood+9 longboat+24")
    return state.players[A].wood, boats_of(state, A) + boats_of(state, B)


@alternative("odds", "false", False)
def _(changes: dict[str, Any]) -> object:
    return fresh(**changes).options.odds


@pytest.mark.parametrize(("option", "value"), SCENARIOS, ids=str)
def test_alternative(option: str, value: str) -> None:
    scenario, outcome = SCENARIOS[option, value]
    assert scenario({option: value}) == outcome
    assert scenario({}) != outcome


def test_every_value_has_a_scenario() -> None:
    wanted = set()
    for option in valhal.OPTIONS:
        kind = option.kind
        if isinstance(kind, Whole):
            values = [value for name, value in SCENARIOS if name == option.name]
            assert values
            assert all(kind.read(value) is not None for value in values)
        else:
            wanted |= {(option.name, word) for word in kind.words if word != option.default}
    assert wanted <= set(SCENARIOS)


def test_editions_are_the_variants() -> None:  # VHAL-VAR-MIX
    assert set(valhal.EDITIONS) == {"en", "fast", "heidrun", "special"}
