"""The worked situations V1 to V22, by their numbers."""

from __future__ import annotations

import pytest

from companion.core.notation import Seat
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import Pass
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.state import Debt, Phase, State
from tests.games.valhalla.rules.tables import (
    TURN,
    A,
    B,
    C,
    D,
    arranged,
    cards,
    codes,
    fought,
    table,
)
from tests.strategies import played

CLASH = "hammer/wolf hammer/sword"  # A and B; with nobody else at the table, a battle of two
ROW = ("armory hammer", "armory sword", "armory draugr", "armory axe")


def test_everybody_starts_with_four_cards() -> None:  # VLLA-SETUP-2 and -5
    state = table(seats=3)
    for player in state.players:
        assert sorted(player.known) == sorted(cards("hammer sword axe wolf"))
        assert (player.hand, player.discard) == (4, ())
    assert state.armory == ()


def test_v1_two_clash_and_one_acts() -> None:
    lines = ("A reveals hammer wolf", "B reveals hammer sword", "C reveals sword wolf")
    state = table(*TURN, *lines, seats=3)
    assert state.involved == (A, B)
    assert [state.players[seat].discard for seat in (A, B, C)] == [
        cards("hammer"),
        cards("hammer"),
        (),
    ]
    assert [state.players[seat].hand for seat in (A, B, C)] == [3, 3, 2]
    assert Card.WOLF in state.players[A].known
    assert state.players[A].support is None
    assert valhalla.to_move(state) is C
    state = played(valhalla, state, "C draws")
    assert state.phase is Phase.BATTLE
    assert state.battle is not None
    assert state.battle.due == 4


def test_v2_an_axe_as_support_reveals_two_more() -> None:  # VLLA-BAT-2
    state = fought("hammer/wolf hammer/sword sword/axe")
    assert state.battle is not None
    assert state.battle.due == 6
    assert state.players[C].discard == cards("axe")


def test_v3_two_clashes_are_one_battle() -> None:
    state = fought("hammer/wolf hammer/axe sword/wolf sword/axe", seats=4)
    assert state.involved == (A, B, C, D)
    assert state.phase is Phase.BATTLE
    assert state.battle is not None
    assert state.battle.due == 8
    assert not any(player.table for player in state.players)


def test_v4_no_clash_no_battle() -> None:  # VLLA-BAT-1
    lines = ("A reveals hammer axe", "B reveals sword wolf")
    state = table(*TURN, *lines)
    assert valhalla.to_move(state) is A
    state = played(valhalla, state, "A draws")
    assert valhalla.to_move(state) is B
    state = played(valhalla, state, "B draws")
    assert (state.turn, state.phase, state.armory) == (2, Phase.SELECT, ())
    # hammer, sword and axe are back in hand; the Wolf was used and is discarded
    assert state.players[A].hand == 5
    assert sorted(state.players[A].known) == sorted(cards("hammer sword axe wolf"))
    assert state.players[B].discard == cards("wolf")
    assert state.players[B].hand == 4


def acting(b: str = "sword/wolf", a: str = "axe/wolf") -> State:
    """Two players, no clash, A to act."""
    reveals = (f"{seat} reveals {laid.replace('/', ' ')}" for seat, laid in (("A", a), ("B", b)))
    return table(*TURN, *reveals)


def test_v5_a_draugr_is_ignored_unseen() -> None:
    before = acting()
    after = played(valhalla, before, "A draws")
    assert after.players[A].hand == before.players[A].hand + 1
    assert after.players[A].hidden == 1
    assert after.deck == before.deck - 1
    assert (after.debts, after.bottom, after.armory) == ((), (), ())


def test_v6_two_draugr_are_shown_and_hit() -> None:
    before = acting()
    state = played(valhalla, before, "A draws draugr draugr")
    assert state.debts == (Debt(A, 2),)
    assert valhalla.to_move(state) is A
    state = played(valhalla, state, "A loses hammer from hand", "A loses sword from hand")
    assert state.debts == ()
    assert state.players[A].hand == 0
    assert state.deck == before.deck
    assert state.bottom == cards("draugr draugr")
    assert state.graveyard == cards("hammer sword")


def test_v7_under_an_axe_every_draugr_hits() -> None:
    state = played(valhalla, acting(), "A declares axe on B", "A passes")
    before = state
    state = played(valhalla, state, "B draws sword draugr keeps sword")
    assert state.debts == (Debt(B, 1),)
    assert state.bottom == cards("draugr")
    assert state.players[B].hand == before.players[B].hand + 1
    assert state.players[B].known.count(Card.SWORD) == 1
    assert state.players[A].discard == cards("axe")


def test_v8_under_an_axe_the_rest_goes_to_the_armory() -> None:
    state = played(valhalla, acting(), "A declares axe on B", "A passes")
    state = played(valhalla, state, "B draws sword wolf keeps wolf")
    assert state.armory == cards("sword")
    assert Card.WOLF in state.players[B].known


def test_v9_under_a_hammer_one_draugr_is_ignored() -> None:
    state = played(valhalla, acting(a="hammer/wolf"), "A declares hammer on B", "A passes")
    before = state
    state = played(valhalla, state, "B draws draugr")
    assert state.debts == (Debt(B, 1),)
    assert state.players[B].hand == before.players[B].hand + 1
    assert state.deck == before.deck - 1
    assert state.bottom == (None, Card.DRAUGR)  # the other was put there unseen


def test_v10_a_draugr_in_battle_costs_each_a_card() -> None:  # VLLA-BAT-4
    state = fought(CLASH, *ROW, seats=2)
    assert state.debts == (Debt(A, 1), Debt(B, 1))
    assert valhalla.to_move(state) is None  # both at once
    state = played(valhalla, state, "B loses hammer from discard", "A loses axe from hand")
    assert (state.phase, valhalla.to_move(state)) == (Phase.SPOILS, A)
    assert codes(state, "A takes draugr") == ["draugr-stays"]
    takes = {str(action) for action in valhalla.actions(state)}
    assert takes == {"A takes hammer", "A takes sword", "A takes axe"}
    state = played(valhalla, state, "A takes sword", "B takes axe")
    assert state.armory == cards("hammer draugr")
    assert state.players[B].known.count(Card.AXE) == 2
    assert state.turn == 2


def test_v11_a_hammer_as_support_doubles_it() -> None:
    state = fought("axe/wolf axe/sword sword/hammer", *ROW)
    assert state.debts == (Debt(A, 2), Debt(B, 2))
    assert state.battle is not None
    assert state.battle.cost == 2


def test_v12_a_sword_as_support_takes_first() -> None:
    state = fought("axe/wolf axe/sword hammer/sword", *ROW)
    state = played(valhalla, state, "A loses hammer from hand", "B loses hammer from hand")
    assert valhalla.to_move(state) is C
    before = state.players[C]
    state = played(valhalla, state, "C takes hammer")
    assert state.players[C].hand == before.hand + 1
    assert state.waiting == (A, B)


def test_v13_two_draugr_and_the_supports_fail() -> None:
    state = fought(
        "axe/wolf axe/sword sword/hammer hammer/sword",
        *("armory draugr", "armory draugr", "armory hammer", "armory sword"),
        seats=4,
    )
    assert state.debts == (Debt(A, 2), Debt(B, 2))
    assert state.players[C].discard == cards("hammer")
    assert state.players[D].discard == cards("sword")
    for line in ("A loses hammer from hand", "A loses sword from hand"):
        state = played(valhalla, state, line, line.replace("A", "B", 1))
    assert state.waiting == (A, B)


def test_v14_a_full_armory_makes_draugr_dear() -> None:  # VLLA-DRA-3, A-19
    full = arranged(fought(CLASH, seats=2), armory="draugr " * 5)
    state = played(valhalla, full, *(line.replace("axe", "wolf") for line in ROW))
    assert state.battle is not None
    assert state.battle.costs == (3,)
    assert state.debts == (Debt(A, 3), Debt(B, 3))


def last_card() -> State:
    """A owns one card in all and is about to lose it."""
    start = arranged(table(), hands={A: "hammer", B: "hammer axe sword"})
    state = played(valhalla, start, *TURN, "A reveals hammer", "B reveals hammer axe")
    return played(valhalla, state, "armory draugr", "armory axe", "armory sword", "armory wolf")


def test_v15_a_last_stand_survived() -> None:
    state = last_card()
    assert state.debts == (Debt(A, 0, stand=True), Debt(B, 1))
    assert state.players[A].owned == 0
    assert state.graveyard == cards("hammer")
    state = played(valhalla, state, "B loses axe from hand")
    assert (state.phase, valhalla.to_move(state)) == (Phase.STAND, A)
    before = state
    state = played(valhalla, state, "A stands hammer sword axe keeps sword")
    assert state.players[A].known == cards("sword")
    assert state.armory == (*before.armory, *cards("hammer axe"))
    assert valhalla.to_move(state) is A


def test_v16_a_last_stand_lost() -> None:
    state = played(valhalla, last_card(), "B loses axe from hand")
    deck = state.deck
    assert played(valhalla, state, "A stands draugr").phase is Phase.OVER  # the rest goes unsaid
    state = played(valhalla, state, "A stands hammer draugr axe")
    assert not state.players[A].alive
    assert state.deck == deck
    assert state.phase is Phase.OVER
    standing = valhalla.standing(state)
    assert (standing.winners, standing.ranks) == ((B,), (2, 1))


def test_v17_the_newest_of_the_armory_goes_back() -> None:  # VLLA-END-1
    row = "draugr draugr hammer sword axe wolf wolf"
    before = arranged(acting(), armory=row)
    state = played(valhalla, before, "A passes", "B passes")
    # Both Supports were Wolves without a pile to fetch from
    assert state.turn == 2
    assert state.armory == cards("draugr draugr hammer sword axe")
    assert state.deck == before.deck + 2
    assert [note.cards for note in state.notes if note.what == "shuffled"] == [cards("wolf wolf")]


def test_v18_a_wolf_as_main_brings_the_pile_back() -> None:
    before = arranged(acting(a="wolf/axe", b="sword/hammer"), piles={A: "hammer sword"})
    state = played(valhalla, before, "A passes", "B passes")
    assert state.players[A].discard == cards("wolf")
    assert sorted(state.players[A].known) == sorted(cards("hammer hammer sword sword axe"))


def test_v19_wolves_that_clash_still_howl() -> None:
    state = fought("wolf/axe wolf/sword", *["armory hammer"] * 4, seats=2)
    state = arranged(state, piles={A: "sword wolf"})
    assert state.players[B].discard == cards("wolf")
    state = played(valhalla, state, "A takes hammer", "B takes hammer")
    assert state.turn == 2
    assert [player.discard for player in state.players] == [(), ()]
    assert state.players[A].known.count(Card.WOLF) == 1
    assert state.players[A].hand == 6
    assert state.players[B].hand == 5


def test_v20_an_empty_hand_lays_nothing() -> None:
    start = arranged(table(), hands={A: ""}, piles={A: "hammer axe wolf"})
    state = played(valhalla, start, "first A")
    assert state.waiting == (B,)
    assert codes(state, "A ready") == ["nothing-to-lay"]
    state = played(valhalla, arranged(state, armory="sword"), "ready", "B reveals hammer axe")
    assert state.involved == ()
    assert valhalla.to_move(state) is A
    moves = {str(action) for action in valhalla.actions(state)}
    assert {"A draws", "A draws draugr draugr", "A takes sword", "A passes"} <= moves


def test_v21_all_out_in_one_battle_and_everyone_loses() -> None:  # VLLA-WIN-2
    start = arranged(table(), hands={A: "hammer", B: "hammer"})
    state = played(valhalla, start, *TURN, "A reveals hammer", "B reveals hammer")
    state = played(valhalla, state, "armory draugr", "armory axe", "armory sword", "armory wolf")
    state = played(valhalla, state, "A stands draugr axe axe")
    assert not state.over  # the phase is not
    state = played(valhalla, state, "B stands draugr axe axe")
    standing = valhalla.standing(state)
    assert (standing.over, standing.winners, standing.ranks) == (True, (), (1, 1))


def test_v22_a_deity_does_not_stay_in_the_armory() -> None:  # VLLA-ARM-4
    state = fought(CLASH, "armory deity", "armory axe", seats=2, expansion="true")
    assert Card.DEITY in state.armory  # not before all are revealed
    before = state
    state = played(valhalla, state, "armory deity", "armory sword")
    assert state.phase is Phase.SPOILS
    assert state.armory == cards("axe sword")
    assert state.deck == before.deck
    assert [note.cards for note in state.notes] == [cards("deity deity")]


@pytest.mark.parametrize("seat", [A, B])
def test_the_pass_button_of_the_strategy_phase(seat: Seat) -> None:
    state = acting()
    if seat is B:
        state = played(valhalla, state, "A draws")
    assert valhalla.passing(state) == Pass(seat)
