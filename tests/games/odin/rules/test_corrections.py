"""Odd corners: what people set right, what the table lets stand, and what then follows."""

from __future__ import annotations

import pytest

from companion.core.game import Accepted, Refused, Setup
from companion.core.notation import Seat
from companion.foundation.errors import BadNotation, BadSetup
from companion.games.odin import rules as odin
from companion.games.odin.rules.state import Phase
from tests.strategies import odin_table, played


def test_a_letter_that_only_looks_like_a_suit_is_no_suit() -> None:
    with pytest.raises(BadNotation):
        odin.parse("A ſ7")


def test_a_count_needs_numbers() -> None:
    with pytest.raises(BadNotation):
        odin.parse("count goat=B")


def test_names_and_deck_are_looked_at_together() -> None:
    setup = Setup("odin", ("A", "A", "C", "D", "E"), "en", (("deck", "valhalla36"),))
    with pytest.raises(BadSetup) as bad:
        odin.start(setup)
    assert [each.code for each in bad.value.problems] == [
        "name-twice",
        "seats-for-36",
        "deck-too-small",
    ]


def test_names_that_look_the_same_are_the_same() -> None:
    with pytest.raises(BadSetup):
        odin.start(Setup("odin", ("Ren\u00e9", "Rene\u0301")))


def test_an_empty_hand_cannot_hold_the_goat() -> None:
    state = odin_table("deal A", "! A has 0", goat="true")
    assert isinstance(odin.let_stand(state, odin.parse("count 0 0 goat=B")), Refused)


def test_when_every_card_is_dealt_somebody_has_the_goat() -> None:
    """A-ODIN-12, ODIN-SETUP-5."""
    eleven = "r1 r2 r3 r4 r5 r6 r7 r8 r9 b1 b2"
    state = odin_table("deal A", f"! A {eleven}", seats=5, hand_size="11", goat="true")
    assert [str(action) for action in odin.actions(state)] == [
        f"count 0 11 11 11 11 goat={seat}" for seat in "BCDE"
    ]


def test_more_cards_than_there_are_cannot_be_counted() -> None:
    state = odin_table("deal A", "! A has 0")
    assert isinstance(odin.let_stand(state, odin.parse("count 50 50")), Refused)


def test_the_limit_may_be_carried_in_where_it_has_to_be_exceeded() -> None:
    """A-ODIN-8."""
    assert odin_table("carry 15 3", limit_test=">").points == (15, 3)


def test_a_forced_hand_is_seen_through_the_card_that_is_led() -> None:
    """A-ODIN-3: with the card led, the whole hand is known."""
    state = odin_table(
        "deal A", "A r1", "B r2", "A r3", "B pass", "! A has 2", whole_hand_lead="forced"
    )
    refused = odin.judge(state, odin.parse("A b2"))
    assert isinstance(refused, Refused)
    assert [each.code for each in refused.reasons] == ["whole-hand-forced"]


def test_a_card_that_fits_no_set_with_the_known_ones_needs_no_trust() -> None:
    state = odin_table("deal A", "A r1", "B r2", "A r3", "B pass", whole_hand_lead="forced")
    accepted = odin.judge(state, odin.parse("A b5"))
    assert isinstance(accepted, Accepted)
    assert accepted.assumes == ()


def test_of_two_empty_hands_the_other_one_still_ends_the_hand() -> None:
    state = odin_table("deal B", "! A has 0", "! B has 0", "! A has 3")
    assert state.phase is Phase.COUNT
    assert list(odin.actions(state))


def test_a_hand_thought_empty_and_set_right_keeps_the_turn_where_it_was() -> None:
    state = odin_table("deal A", "A r1", "B pass", seats=4)
    assert odin.to_move(state) is Seat.C
    assert odin.to_move(played(odin, state, "! A has 0", "! A has 8")) is Seat.C


def test_a_take_stays_with_who_beat_the_set() -> None:
    state = odin_table("deal A", "! A r1 r2", "B b3 b4", "! B has 0", "! B has 7", seats=3)
    assert (state.phase, odin.to_move(state)) == (Phase.TAKE, Seat.B)


def test_after_a_take_by_the_wrong_seat_the_turn_goes_on_from_the_right_one() -> None:
    state = odin_table("deal A", "! A r1 r2", "B b3 b4", "! A take r1", seats=3)
    assert odin.to_move(state) is Seat.C


def test_without_re_entry_nobody_plays_on_their_own_set() -> None:
    """A-ODIN-6: all others have passed, so the round is over."""
    state = odin_table("deal A", "A r1", "! A pass", "B r2", reenter_after_pass="false")
    assert (state.phase, odin.to_move(state)) == (Phase.LEAD, Seat.B)
