"""Every value of every option does something: each scenario comes out as told under the value
named, and otherwise under the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from companion.core.notation import Seat
from companion.core.options import Several, Whole
from companion.foundation.errors import BadSetup
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.options import cards_in_play
from companion.games.valhalla.rules.state import State
from tests.games.valhalla.rules.tables import (
    TURN,
    A,
    B,
    C,
    arranged,
    axed,
    begun,
    cards,
    codes,
    hammered,
    throne,
    turn,
)
from tests.strategies import played

PASSES = ("A passes", "B passes")
PASSES3 = (*PASSES, "C passes")

Scenario: TypeAlias = Callable[[dict[str, str]], object]

SCENARIOS: dict[tuple[str, str], tuple[Scenario, object]] = {}


def alternative(option: str, value: str, outcome: object) -> Callable[[Scenario], Scenario]:
    def told(scenario: Scenario) -> Scenario:
        assert (option, value) not in SCENARIOS
        SCENARIOS[option, value] = (scenario, outcome)
        return scenario

    return told


# The cards and the seats


@alternative("expansion", "true", (56, 12))
def _(changes: dict[str, str]) -> object:
    state = begun(changes)
    return state.deck, cards_in_play(state.options).get(Card.DEITY, 0)


OTHERS = "odin thor freyja frigg baldr tyr heimdall njord freyr bragi idun skadi"


@alternative("deities", OTHERS, (True, False))
def _(changes: dict[str, str]) -> object:
    play = cards_in_play(begun({"clash_by": "by_name", **throne(changes)}).options)
    return Card.SKADI in play, Card.LOKI_FLY in play


@alternative("max_players", "five", 32)
def _(changes: dict[str, str]) -> object:
    try:
        return begun(changes, seats=5).deck
    except BadSetup as bad:
        return str(bad)


# Order


@alternative("first_player", "rotate_left_each_turn", B)
def _(changes: dict[str, str]) -> object:
    return turn(changes, "hammer/axe sword/axe axe/sword", *PASSES3).first


@alternative("strategy_order", "simultaneous", ([], None))
def _(changes: dict[str, str]) -> object:
    state = turn(changes, "hammer/axe sword/axe")
    return codes(state, "B draws"), valhalla.to_move(state)


# Clashes


@alternative("clash_by", "by_name", ((), (A, B)))
def _(changes: dict[str, str]) -> object:
    """Freyja and Thor; then two aspects of Loki. By kind all of them are Deities."""
    return tuple(_deities_meet(changes, pair) for pair in ("freyja thor", "loki-fly loki-seal"))


def _deities_meet(changes: dict[str, str], pair: str) -> tuple[Seat, ...]:
    names = pair if changes else "deity deity"
    state = begun(throne(changes))
    hands = {seat: f"{name} axe" for seat, name in zip(Seat, names.split(), strict=False)}
    state = arranged(state, hands=hands)
    reveals = (f"{seat} reveals {hand}" for seat, hand in hands.items())
    return played(valhalla, state, *TURN, *reveals).involved


@alternative("clash_wolf_still_resolves", "false", cards("wolf"))
def _(changes: dict[str, str]) -> object:
    state = turn(changes, "wolf/axe wolf/sword", *["armory axe"] * 4, "A takes axe", "B takes axe")
    return state.players[A].discard


@alternative("wolf_main_returns_itself", "true", ((), 4))
def _(changes: dict[str, str]) -> object:
    player = turn(changes, "wolf/axe sword/hammer", *PASSES).players[A]
    return player.discard, player.hand


# Strategy


@alternative("strategy_action", "mandatory", ["must-act"])
def _(changes: dict[str, str]) -> object:
    return codes(turn(changes, "hammer/axe sword/axe"), "A passes")


@alternative("unused_main", "discard", cards("hammer"))
def _(changes: dict[str, str]) -> object:
    return turn(changes, "hammer/axe sword/axe", *PASSES).players[A].discard


@alternative("main_targets", "anyone", ([], [], ["target-acted"]))
def _(changes: dict[str, str]) -> object:
    """Oneself, a clasher; but never somebody who has chosen (VLLA-STR-5)."""
    state = turn(changes, "hammer/axe hammer/axe axe/wolf sword/wolf")
    acted = played(valhalla, state, "C passes", "! C draws")
    return (
        codes(state, "C declares axe on C"),
        codes(state, "C declares axe on A"),
        codes(acted, "C declares axe on C")[-1:],
    )


@alternative("hammer_draw", "keep_all", (5, ["shown-wrong"]))
def _(changes: dict[str, str]) -> object:
    line = "B draws keeps 3" if changes else "B draws"
    state = hammered(changes)
    return played(valhalla, state, line).players[B].hand - 2, codes(state, "B draws")


@alternative("hammer_draw", "keep1_armory_rest", cards("sword wolf"))
def _(changes: dict[str, str]) -> object:
    return hammered(changes, "B draws sword wolf" if changes else "B draws").armory


@alternative("ignorable_draugr", "all", {"B draws", "B draws draugr draugr draugr"})
def _(changes: dict[str, str]) -> object:
    moves = (str(move) for move in valhalla.actions(hammered(changes)))
    return {move for move in moves if "draws" in move}


@alternative("axe_revealed_leftover", "deck_bottom", ((), cards("hammer")))
def _(changes: dict[str, str]) -> object:
    state = axed(changes, "B draws hammer wolf keeps wolf", "axe/sword sword/axe")
    return state.armory, state.bottom


def two_draugr(changes: dict[str, str]) -> State:
    return turn(changes, "hammer/axe sword/axe", "A draws draugr draugr")


@alternative("draugr_after_strategy_reveal", "armory", (2, (), 0, 0))
@alternative("draugr_after_strategy_reveal", "graveyard", (0, (), 2, 0))
@alternative("draugr_after_strategy_reveal", "one_to_hand", (0, cards("draugr"), 0, 1))
def _(changes: dict[str, str]) -> object:
    state = two_draugr(changes)
    buried = state.graveyard.count(Card.DRAUGR)
    return len(state.armory), state.bottom, buried, state.players[A].draugr


# Losses and last stands


@alternative("draugr_loss_goes_to", "own_discard", ((), cards("wolf"), ["hand-first"]))
def _(changes: dict[str, str]) -> object:
    state = played(valhalla, two_draugr(changes), "A loses wolf from hand")
    again = codes(state, "A loses wolf from discard")
    return state.graveyard, state.players[A].discard, again


def struck(changes: dict[str, str], hand: str, pile: str = "", *, armory: str = "") -> State:
    """A and B clash with Hammers and one Draugr is revealed; A holds nothing but this hand."""
    start = arranged(begun(changes), hands={A: hand, B: "hammer axe sword wolf"})
    laid = " ".join(hand.split()[:2])
    state = played(valhalla, start, *TURN, f"A reveals {laid}", "B reveals hammer axe")
    state = arranged(state, piles={A: f"hammer {pile}"}, armory=armory)
    return played(valhalla, state, "armory draugr", *["armory wolf"] * 3)


def owes(state: State) -> object:
    return [(debt.cards, debt.stand) for debt in state.debts if debt.seat is A]


@alternative("last_stand_trigger", "empty", [])
def _(changes: dict[str, str]) -> object:
    """One card in all, and one asked for."""
    return owes(struck(changes, "hammer"))


@alternative("last_stand_trigger", "fewer_than_two_in_hand", [(0, True)])
def _(changes: dict[str, str]) -> object:
    """One card in hand and a pile full."""
    return owes(struck(changes, "hammer axe", "sword sword"))


@alternative("last_stand_trigger", "literal_lone_draugr", [(0, True)])
def _(changes: dict[str, str]) -> object:
    """A lone Draugr in hand, cards on the table and in the pile. A held Draugr is no cover."""
    state = turn({"draugr_after_strategy_reveal": "one_to_hand", **changes}, "hammer/axe sword/axe")
    state = arranged(state, hands={A: "draugr"}, piles={A: "wolf wolf"})
    return owes(played(valhalla, state, "A draws draugr draugr")) and _lone(changes)


def _lone(changes: dict[str, str]) -> object:
    options = {"draugr_after_strategy_reveal": "armory", **changes}
    state = turn(options, "hammer/axe sword/axe")
    state = arranged(state, hands={A: "draugr"}, piles={A: "wolf wolf"})
    return owes(played(valhalla, state, "A draws draugr draugr"))


@alternative("short_hand", "last_stand", ["A stands hammer sword axe keeps axe"])
def _(changes: dict[str, str]) -> object:
    state = arranged(begun(changes), hands={A: "wolf"})
    state = played(valhalla, state, "first A")
    wanted = "A stands hammer sword axe keeps axe"
    return [str(move) for move in valhalla.actions(state) if str(move) == wanted]


def stood(changes: dict[str, str]) -> State:
    state = struck(changes, "hammer")
    state = played(valhalla, state, "B loses sword from hand")
    return played(valhalla, state, "A stands hammer sword axe keeps axe")


@alternative("last_stand_unchosen", "deck_bottom", (4, cards("hammer sword")))
def _(changes: dict[str, str]) -> object:
    state = stood(changes)
    return len(state.armory), state.bottom


# Supports


@alternative("supports_without_battle", "discard", cards("axe"))
def _(changes: dict[str, str]) -> object:
    return turn(changes, "hammer/axe sword/axe", *PASSES).players[A].discard


@alternative("used_support_goes_to", "hand", ((), 3))
def _(changes: dict[str, str]) -> object:
    player = turn(changes, "hammer/axe hammer/axe sword/axe", "C passes").players[C]
    return player.discard, player.hand


ONE = ("armory draugr", "armory axe", "armory sword", "armory wolf")
HAMMERS = "axe/wolf axe/sword sword/hammer wolf/hammer"


@alternative("hammer_support_stacks", "true", 3)
def _(changes: dict[str, str]) -> object:
    state = turn(changes, HAMMERS, "C passes", "D passes", *ONE)
    assert state.battle is not None
    return state.battle.cost


def with_sword(changes: dict[str, str]) -> State:
    lines = ("C passes", *ONE, "A loses hammer from hand", "B loses hammer from hand")
    return turn(changes, "axe/wolf axe/sword hammer/sword", *lines)


@alternative("sword_support_timing", "after", (A, B, C))
def _(changes: dict[str, str]) -> object:
    return with_sword(changes).waiting


@alternative("battle_armory_draw", "all", (C, A, B, C))
def _(changes: dict[str, str]) -> object:
    return with_sword(changes).waiting


@alternative("five_draugr_value", "4", (4,))
def _(changes: dict[str, str]) -> object:
    state = struck(changes, "hammer axe sword wolf", armory="draugr " * 5)
    assert state.battle is not None
    return state.battle.costs


# The end of a turn


@alternative("armory_trim", "first_player_chooses", {"A returns hammer", "A returns sword"})
def _(changes: dict[str, str]) -> object:
    state = turn(changes, "hammer/axe sword/axe")
    state = arranged(state, armory="draugr draugr hammer hammer sword sword sword")
    return {str(move) for move in valhalla.actions(played(valhalla, state, *PASSES))}


@alternative("wolf_support_choice", "top_card", {"A fetches sword"})
def _(changes: dict[str, str]) -> object:
    state = arranged(turn(changes, "hammer/wolf sword/axe"), piles={A: "axe sword"})
    return {str(move) for move in valhalla.actions(played(valhalla, state, *PASSES))}


# Winning and falling


def both_fall(changes: dict[str, str], *lines: str) -> State:
    start = arranged(begun(changes), hands={A: "hammer", B: "hammer"})
    state = played(valhalla, start, *TURN, "A reveals hammer", "B reveals hammer", *ONE)
    return played(valhalla, state, *lines)


@alternative("victory_check", "immediate", (True, (B,)))
def _(changes: dict[str, str]) -> object:
    state = both_fall(changes, "A stands draugr axe axe")
    return state.over, state.winners


@alternative("all_out_in_battle", "shared_win", (A, B))
def _(changes: dict[str, str]) -> object:
    return both_fall(changes, "A stands draugr axe axe", "B stands draugr axe axe").winners


@alternative("eliminated_cards", "shuffle_into_deck", ((), 1))
def _(changes: dict[str, str]) -> object:
    """Three at the table; A falls at dawn, with a card in hand."""
    state = begun({"short_hand": "last_stand", **changes}, seats=3)
    state = arranged(state, hands={A: "wolf"})
    before = state.deck
    state = played(valhalla, state, "first A", "A stands draugr axe axe")
    return state.graveyard, state.deck - before


@alternative("deck_short", "reshuffle_graveyard_without_draugr", (3, ()))
def _(changes: dict[str, str]) -> object:
    state = arranged(turn(changes, "hammer/axe sword/axe"), deck="axe")
    graves = len(state.graveyard) - state.graveyard.count(Card.DRAUGR)
    after = played(valhalla, state, "A draws")
    left = tuple(card for card in after.graveyard if card is not Card.DRAUGR)
    return after.deck - graves + 3, left


# The Golden Throne Trial


# a Deity is no Draugr
@alternative("deity_allows_ignore", "false", {"A draws", "A draws draugr", "A draws draugr draugr"})
def _(changes: dict[str, str]) -> object:
    moves = (str(move) for move in valhalla.actions(turn(throne(changes), "hammer/axe sword/axe")))
    return {move for move in moves if "A draws" in move}


@alternative("deity_support_draugr_hits", "involved", [A, B])
@alternative("deity_support_draugr_hits", "both", [A, B, C])
def _(changes: dict[str, str]) -> object:
    start = arranged(begun(throne(changes), seats=3), hands={C: "sword deity axe"})
    lines = ("A reveals hammer axe", "B reveals hammer axe", "C reveals sword deity")
    state = played(valhalla, start, *TURN, *lines, "C passes", "C turns draugr")
    return [debt.seat for debt in state.debts]


@alternative("dares", "log_only", [])
def _(changes: dict[str, str]) -> object:
    start = arranged(begun(throne(changes)), hands={A: "deity axe"})
    lines = ("A reveals deity axe", "B reveals hammer axe", "A declares deity")
    return codes(played(valhalla, start, *TURN, *lines), "B dares A")


# All of them


@pytest.mark.parametrize(("option", "value"), sorted(SCENARIOS))
def test_the_value_matters(option: str, value: str) -> None:
    scenario, outcome = SCENARIOS[option, value]
    assert scenario({option: value}) == outcome
    assert scenario({}) != outcome


def test_every_value_has_its_scenario() -> None:
    wanted = set()
    for option in valhalla.OPTIONS:
        if isinstance(option.kind, Whole | Several):
            assert any(name == option.name for name, _ in SCENARIOS)
        else:
            others = (word for word in option.kind.words if word != option.default)
            wanted |= {(option.name, word) for word in others}
    numbers = {"five_draugr_value", "deities"}
    shown = {("odds", "true")}  # for the page alone; no rule looks at it
    assert {key for key in SCENARIOS if key[0] not in numbers} == wanted - shown
