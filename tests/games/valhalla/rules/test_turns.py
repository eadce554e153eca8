"""What the numbered situations leave out: order, Deities, dares, falling, and what is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.notation import Seat
from companion.foundation.errors import BadSetup
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import Reveal
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.state import Debt, Fallen, Happening, Note, Phase, Stage, State
from tests.games.valhalla.rules.tables import TURN, A, B, C, D, arranged, cards, codes, setup, table
from tests.strategies import played


def laid(*pairs: str, hands: dict[Seat, str] | None = None, **changes: str) -> State:
    """A first turn, revealed; every pair is a seat's Main and Support."""
    start = valhalla.start(setup(len(pairs), **changes))
    start = arranged(start, hands=hands) if hands else start
    reveals = (f"{seat} reveals {pair}" for seat, pair in zip(Seat, pairs, strict=False))
    return played(valhalla, start, *TURN, *reveals)


# Laying


def test_seats_are_ready_in_any_order_and_nothing_shows() -> None:
    state = table("first B", "C ready", seats=3)
    assert state.phase is Phase.SELECT
    assert state.waiting == (B, A)
    player = state.players[C]
    assert (player.hand, player.down, player.main, player.support) == (2, 2, None, None)
    assert player.known == cards("hammer sword axe wolf")  # as before: any two of them are down
    assert played(valhalla, state, "A ready", "B ready") == played(valhalla, state, "ready")


def test_the_order_goes_round_from_the_first_player() -> None:  # A-5
    state = table("first B", "ready", seats=3)
    assert state.waiting == (B, C, A)
    state = played(valhalla, state, "A reveals axe wolf", "C reveals sword wolf")
    assert valhalla.to_move(state) is B  # the last one asked
    state = played(valhalla, state, "B reveals hammer wolf")
    assert valhalla.to_move(state) is B  # the first to act


def test_a_hand_of_one_is_a_main_without_support() -> None:  # A-13
    state = arranged(table(), hands={A: "axe"})
    state = played(valhalla, state, *TURN, "A reveals axe", "B reveals sword wolf")
    assert (state.players[A].main, state.players[A].support) == (Card.AXE, None)


def test_the_first_player_falls_and_is_followed() -> None:  # A-1
    start = arranged(table(seats=3, short_hand="last_stand"), hands={B: "axe"})
    state = played(valhalla, start, "first B", "B stands draugr axe axe")
    assert state.fallen == (Fallen(B, 1, Stage.DAWN),)
    assert state.playing_order == (C, A)
    state = played(valhalla, state, "ready", "C reveals hammer sword", "A reveals axe sword")
    state = played(valhalla, state, "C passes", "A passes")
    assert (state.first, state.turn) == (C, 2)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_first_player_rotates_past_the_fallen(turns: int) -> None:  # A-1
    start = table(seats=3, first_player="rotate_left_each_turn", short_hand="last_stand")
    state = played(valhalla, arranged(start, hands={B: "axe"}), "first A")
    state = played(valhalla, state, "B stands draugr axe axe")
    for _ in range(turns):
        first, second = state.playing_order
        state = played(valhalla, state, "ready", "A reveals hammer sword", "C reveals axe sword")
        state = played(valhalla, state, f"{first} passes", f"{second} passes")
    assert state.first is (C if turns % 2 else A)


# Strategy


def test_an_axe_still_lets_its_target_take() -> None:  # VLLA-AXE
    state = arranged(laid("axe wolf", "hammer wolf"), armory="sword")
    state = played(valhalla, state, "A declares axe on B", "A passes", "B takes sword")
    assert state.players[B].discard == cards("sword")  # VLLA-STR-4b


def test_axe_and_hammer_on_one_target() -> None:
    state = laid("axe wolf", "hammer wolf", "sword wolf")
    lines = ("A declares axe on C", "B declares hammer on C", "A passes", "B passes")
    state = played(valhalla, state, *lines, "C draws axe draugr draugr keeps axe")
    assert state.debts == (Debt(C, 2),)
    assert state.bottom == cards("draugr draugr")


def test_a_sword_may_look_at_anybody_else() -> None:  # VLLA-SWO, A-7
    state = laid("sword wolf", "axe wolf", "hammer wolf", "hammer axe")
    before = state.players[D]
    after = played(valhalla, state, "A declares sword on D")
    assert after.players[D] == before
    assert after.players[A].discard == cards("sword")
    acted = played(valhalla, laid("axe wolf", "sword wolf"), "A passes", "B declares sword on A")
    assert valhalla.to_move(acted) is B


def test_three_draugr_under_a_hammer_all_hit() -> None:  # A-8
    state = laid("hammer wolf", "axe wolf")
    state = played(valhalla, state, "A declares hammer on B", "A passes")
    state = played(valhalla, state, "B draws draugr draugr draugr")
    assert state.debts == (Debt(B, 3),)
    assert state.players[B].hand == 2


def test_what_was_taken_or_shown_is_known() -> None:
    state = laid("axe wolf", "hammer wolf")
    state = played(valhalla, state, "A declares axe on B", "A draws")
    assert state.players[A].hidden == 1
    state = played(valhalla, state, "B draws sword wolf keeps sword")
    assert state.players[B].hidden == 0


def test_a_draw_from_a_deck_of_one() -> None:  # A-24
    state = arranged(laid("axe wolf", "hammer wolf"), deck="sword")
    after = played(valhalla, state, "A draws")
    assert (after.deck, after.players[A].hand) == (0, 3)
    state = arranged(laid("axe wolf", "hammer wolf"), deck="draugr")
    assert [str(move) for move in valhalla.actions(state) if "draws" in str(move)] == [
        "A draws draugr"
    ]


# Deities


def test_a_deity_looks_and_may_shuffle() -> None:  # VLLA-DEI, A-30
    state = laid("deity axe", "hammer wolf", hands={A: "deity axe"}, expansion="true")
    state = replace(state, bottom=(Card.DRAUGR,))
    assert played(valhalla, state, "A declares deity").bottom == (Card.DRAUGR,)
    after = played(valhalla, state, "A declares deity shuffles")
    assert after.bottom == ()
    assert after.players[A].discard == (Card.DEITY,)


def test_a_deity_as_support_without_a_battle() -> None:  # A-27
    hands = {A: "axe deity wolf", B: "hammer deity wolf"}
    state = laid("axe deity", "hammer deity", hands=hands, expansion="true")
    state = played(valhalla, state, "A passes", "B passes")
    assert (state.phase, valhalla.to_move(state)) == (Phase.SUPPORT, A)
    state = played(valhalla, state, "A turns wolf")
    assert state.players[A].discard == cards("deity wolf")  # the new card lies on top
    state = played(valhalla, state, "B turns draugr")
    assert state.armory == (Card.DRAUGR,)
    assert state.debts == (Debt(B, 1),)
    state = played(valhalla, state, "B loses deity from discard")
    assert state.turn == 2


def test_the_last_one_still_has_a_battle_to_survive() -> None:  # A-22
    """A and B clash; C's Deity turns a Draugr on all. A and C fall, and B fights alone."""
    hands = {A: "axe", B: "axe wolf hammer", C: "sword deity"}
    changes = {"expansion": "true", "deity_support_draugr_hits": "both"}
    state = laid("axe", "axe wolf", "sword deity", hands=hands, **changes)
    state = arranged(state, piles={A: ""})
    state = played(valhalla, state, "C declares sword on A", "C passes")
    state = arranged(state, piles={C: ""})
    state = played(valhalla, state, "C turns draugr", "B loses axe from discard")
    state = played(valhalla, state, "A stands draugr axe axe", "C stands draugr axe axe")
    assert not state.over
    assert state.fighters == (B,)
    state = played(valhalla, state, "armory axe", "armory wolf")
    assert valhalla.standing(state).winners == (B,)


# Dares


def test_dares_pile_up_and_may_be_declined() -> None:  # VLLA-DARE-1, A-28
    state = laid(
        "deity axe",
        "hammer wolf",
        "sword wolf",
        hands={A: "deity axe"},
        expansion="true",
        dares="log_only",
    )
    assert codes(state, "B dares A") == ["nothing-to-dare"]
    state = played(valhalla, state, "A declares deity", "B dares A", "C dares A", "A declines")
    assert [(dare.by, dare.declined) for dare in state.dares] == [(B, False), (C, True)]
    state = played(valhalla, state, "A declines")
    assert all(dare.declined for dare in state.dares)
    assert codes(state, "A declines") == ["no-dare"]


def test_deities_that_clash_may_be_dared() -> None:
    state = laid(
        "deity axe", "deity wolf", hands={A: "deity axe", B: "deity wolf"},
        expansion="true", dares="log_only",
    )  # fmt: skip
    assert state.darable == {A, B}


# Draugr


def test_cards_on_the_table_are_the_last_to_go() -> None:  # A-12
    state = arranged(laid("axe wolf", "hammer wolf"), hands={A: "sword"})
    state = played(valhalla, state, "A draws draugr draugr")
    assert state.debts == (Debt(A, 2),)
    state = played(valhalla, state, "A loses sword from hand")
    assert {str(move) for move in valhalla.actions(state)} == {
        "A loses axe from table",
        "A loses wolf from table",
    }
    state = played(valhalla, state, "A loses wolf from table")
    assert state.players[A].table == cards("axe")


def test_losing_all_that_is_known_asks_nobody() -> None:
    state = arranged(laid("axe wolf", "hammer wolf"), hands={A: ""})
    state = played(valhalla, state, "A draws draugr draugr")
    assert state.debts == (Debt(A, 0, stand=True),)
    assert state.notes == (Note(Happening.LOST, A, cards("axe wolf")),)
    assert state.graveyard == cards("axe wolf")


def test_losing_all_asks_for_what_is_hidden() -> None:
    """A holds one card nobody has seen, and has a Main and a Support on the table."""
    state = played(valhalla, laid("axe wolf", "hammer wolf"), "A draws", "B passes", "ready")
    state = played(valhalla, state, "A reveals axe hammer", "B reveals hammer sword")
    hand = replace(state.players[A], hand=1, known=(), discard=())
    state = arranged(replace(state, players=(hand, *state.players[1:])))
    state = played(valhalla, state, "B declares hammer on A", "A draws draugr draugr draugr")
    assert state.debts == (Debt(A, 3, stand=True),)
    state = played(valhalla, state, "A loses sword from hand")  # the rest everybody can see
    assert state.debts == (Debt(A, 0, stand=True),)
    assert state.graveyard == cards("sword axe hammer")


def test_last_stands_in_playing_order_and_an_empty_deck() -> None:  # A-24
    start = arranged(table(seats=3), hands={A: "axe", B: "axe", C: "sword wolf axe"})
    state = played(valhalla, start, "first B", "ready")
    lines = ("A reveals axe", "B reveals axe", "C reveals sword wolf", "C passes")
    state = arranged(played(valhalla, state, *lines), deck="draugr wolf wolf wolf")
    state = played(valhalla, state, "armory draugr", "armory wolf", "armory wolf", "armory wolf")
    assert [fallen.seat for fallen in state.fallen] == [B, A]
    standing = valhalla.standing(state)
    assert (standing.winners, standing.ranks) == ((C,), (2, 2, 1))


def test_ranks_by_survival() -> None:
    state = replace(
        table("first A", seats=4),
        turn=5,
        fallen=(
            Fallen(A, 2, Stage.BATTLE),
            Fallen(B, 3, Stage.STRATEGY),
            Fallen(C, 3, Stage.BATTLE),
        ),
    )
    assert valhalla.standing(state).ranks == (4, 3, 2, 1)
    assert valhalla.standing(state).points == (4, 4, 4, 4)


def test_draugr_that_were_buried_come_back() -> None:  # A-10
    state = laid("axe sword", "hammer sword", draugr_after_strategy_reveal="graveyard")
    state = arranged(state, armory="draugr " * 4)
    state = replace(state, graveyard=cards("draugr draugr"), deck=state.deck - 2)
    after = played(valhalla, state, "A passes", "B passes")
    assert after.graveyard == ()
    assert after.notes[-1] == Note(Happening.RECALLED, None, cards("draugr draugr"))
    assert after.bottom == cards("draugr draugr")


# The end of a turn


def test_what_happened_by_itself_is_told() -> None:
    state = laid("axe wolf", "axe hammer")
    assert state.notes == (
        Note(Happening.CLASHED, A, cards("axe")),
        Note(Happening.SUPPORT_BACK, A, cards("wolf")),
        Note(Happening.CLASHED, B, cards("axe")),
        Note(Happening.SUPPORT_BACK, B, cards("hammer")),
    )
    assert played(valhalla, state, "armory axe").notes == ()


def test_a_wolf_fetches_what_the_owner_likes() -> None:  # A-21
    state = arranged(laid("axe wolf", "hammer sword"), piles={A: "sword hammer"})
    state = played(valhalla, state, "A passes", "B passes")
    assert {str(move) for move in valhalla.actions(state)} == {
        "A fetches sword",
        "A fetches hammer",
    }
    state = played(valhalla, state, "A fetches sword")
    assert state.players[A].discard == cards("hammer wolf")


def test_surplus_draugr_go_when_nothing_else_is_left() -> None:  # VLLA-ARM-3, A-20
    state = arranged(laid("axe sword", "hammer sword"), armory="draugr " * 6 + "axe")
    after = played(valhalla, state, "A passes", "B passes")
    assert after.armory == cards("draugr " * 5)
    assert after.notes[-1].cards == cards("axe draugr")


def test_confirm_takes_what_is_sure() -> None:
    assert str(valhalla.expected(table("first A"))) == "ready"
    state = arranged(laid("axe sword", "axe wolf"), armory="")
    state = played(valhalla, state, *["armory wolf"] * 4)
    assert str(valhalla.expected(state)) == "A takes wolf"
    assert valhalla.expected(table()) is None


@pytest.mark.parametrize(
    ("hand", "debt"),
    [("sword hammer", Debt(A, 2)), ("draugr", Debt(A, 0, stand=True)), ("", Debt(A, 2))],
)
def test_the_literal_last_stand(hand: str, debt: Debt) -> None:  # A-12
    trigger = "literal_lone_draugr"
    state = laid("axe wolf", "hammer wolf", "sword wolf", last_stand_trigger=trigger)
    state = arranged(state, hands={A: hand}, piles={A: "wolf"})
    assert played(valhalla, state, "A draws draugr draugr").debts == (debt,)


def test_the_literal_last_stand_of_who_owns_nothing() -> None:  # A-12: or nobody could fall
    state = arranged(table(seats=3, last_stand_trigger="literal_lone_draugr"), hands={A: ""})
    state = played(valhalla, state, *TURN, "B reveals axe wolf", "C reveals sword wolf")
    state = played(valhalla, state, "A draws draugr draugr")
    assert state.debts == (Debt(A, 0, stand=True),)


def test_unseen_cards_of_the_fallen_are_buried_unseen() -> None:  # A-23, A-24
    state = laid(
        "axe wolf",
        "hammer wolf",
        "sword wolf",
        last_stand_trigger="fewer_than_two_in_hand",
        deck_short="reshuffle_graveyard_without_draugr",
    )
    state = played(valhalla, state, "A draws", "B passes", "C passes", "ready")
    hidden = replace(state.players[A], hand=0, known=(), discard=(), down=1)
    state = arranged(replace(state, players=(hidden, *state.players[1:])))
    state = played(valhalla, state, "A reveals wolf", "B reveals axe sword", "C reveals sword axe")
    hidden = replace(state.players[A], hand=1, known=(), main=None)
    state = arranged(replace(state, players=(hidden, *state.players[1:])))
    state = played(valhalla, state, "A draws draugr draugr", "A stands draugr")
    assert (state.buried, state.graveyard) == (1, ())
    state = arranged(state, deck="axe axe")
    assert state.deck == 1  # the other one was A's
    graves = len(state.graveyard) - state.graveyard.count(Card.DRAUGR)
    after = played(valhalla, state, "B draws")
    assert after.buried == 0
    assert after.deck == 1 + graves + 1 - 1  # A's card and the graves came, one was kept


def test_a_taker_finds_nothing_but_draugr() -> None:  # A-18
    state = laid("axe wolf", "axe hammer")
    state = arranged(state, hands={A: "sword sword sword sword", B: "sword sword sword sword"})
    state = arranged(state, deck="draugr draugr")
    state = played(valhalla, state, "armory draugr", "armory draugr")
    for seat in "AB":
        state = played(valhalla, state, *[f"{seat} loses sword from hand"] * 2)
    assert (state.turn, state.phase) == (2, Phase.SELECT)


def test_who_can_do_nothing_may_do_nothing() -> None:  # A-4
    state = laid("axe wolf", "hammer wolf", strategy_action="mandatory")
    assert codes(arranged(state, deck="axe"), "A passes") == ["must-act"]
    assert codes(arranged(state, deck="", armory="sword"), "A passes") == ["must-act"]
    assert codes(arranged(state, deck="", armory="draugr"), "A passes") == []
    hammered = played(valhalla, state, "B declares hammer on A")
    assert codes(arranged(hammered, deck="", armory="sword"), "A passes") == []


def test_a_held_draugr_is_not_lost_with_the_rest() -> None:  # A-10, A-11
    state = laid("axe wolf", "hammer wolf", draugr_after_strategy_reveal="one_to_hand")
    state = arranged(state, hands={A: ""})
    state = played(valhalla, state, "A draws draugr draugr")
    assert state.debts == (Debt(A, 0, stand=True),)
    assert state.players[A].known == cards("draugr")
    assert state.graveyard == cards("axe wolf")


def test_the_graveyard_goes_back_only_once() -> None:  # A-24
    state = laid("axe wolf", "hammer wolf", deck_short="reshuffle_graveyard_without_draugr")
    state = played(valhalla, arranged(state, deck="sword"), "A draws")
    assert state.reshuffled
    after = played(valhalla, arranged(state, deck="sword sword"), "B draws")
    assert after.bottom == cards("draugr " * 8)  # those alone came back, at the end of the turn
    assert after.deck == 8


def test_cards_put_under_the_deck_at_once_lie_in_any_order() -> None:
    """A Draugr shown and one ignored: either may lie lowest, and neither lies above them."""
    state = laid("hammer wolf", "axe wolf")
    state = played(valhalla, state, "A declares hammer on B", "A passes", "B draws draugr")
    assert state.bottom == (None, Card.DRAUGR)


# Readings that no other test names


def test_the_support_is_written_after_the_main() -> None:  # A-29
    laid_down = valhalla.parse("A reveals axe wolf")
    assert isinstance(laid_down, Reveal)
    assert (laid_down.main, laid_down.support) == (Card.AXE, Card.WOLF)
    assert str(laid_down) == "A reveals axe wolf"


def test_a_deity_that_is_drawn_may_be_kept() -> None:  # A-31
    state = laid("axe wolf", "sword wolf", expansion="true")
    state = played(valhalla, state, "A declares axe on B", "A passes")
    after = played(valhalla, state, "B draws deity sword keeps deity")
    assert Card.DEITY in after.players[B].known


def test_nobody_takes_a_draugr_from_the_armory() -> None:  # A-32
    state = replace(laid("axe wolf", "sword wolf"), armory=(Card.DRAUGR, Card.AXE))
    offered = {str(action) for action in valhalla.actions(state)}
    assert "A takes axe" in offered
    assert "A takes draugr" not in offered


def test_deities_clash_by_kind_unless_the_table_says_by_name() -> None:  # A-2
    hands = {A: "freyja axe", B: "thor axe"}
    named = laid("freyja axe", "thor axe", hands=hands, expansion="true", clash_by="by_name")
    assert named.involved == ()
    alike = laid("deity axe", "deity axe", hands={A: "deity axe", B: "deity axe"}, expansion="true")
    assert alike.involved == (A, B)


def test_which_twelve_deities_play_is_said_before() -> None:  # A-33
    twelve = " ".join(valhalla.start(setup(expansion="true")).options.deities)
    assert len(twelve.split()) == 12
    with pytest.raises(BadSetup):
        valhalla.start(setup(expansion="true", deities=twelve.rpartition(" ")[0]))
