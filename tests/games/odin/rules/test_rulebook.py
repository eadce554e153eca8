"""Rules no worked example shows, and what becomes of the books when something is let stand."""

from __future__ import annotations

import pytest

from companion.core.game import Accepted, Standing, reason
from companion.core.notation import Seat, words
from companion.games.odin import rules as odin
from companion.games.odin.rules.actions import Count, Deal, Pass, Play
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, Phase
from tests.strategies import odin_table, played

A, B, C, D = Seat.A, Seat.B, Seat.C, Seat.D


def cards(text: str) -> frozenset[Card]:
    return frozenset(Card.parse(word) for word in words(text))


def hand_of(state: odin.State) -> Hand:
    assert state.hand is not None
    return state.hand


def singles(state: odin.State) -> set[Card]:
    """Cards the seat to move may lay down alone."""
    return {
        move.cards[0]
        for move in odin.actions(state)
        if isinstance(move, Play) and len(move.cards) == 1
    }


# Dealing and leading


def test_anybody_may_start_the_game_odin_setup_3() -> None:
    start = odin_table(seats=3)
    assert list(odin.actions(start)) == [Deal(A), Deal(B), Deal(C)]
    assert odin.expected(start) is None
    assert odin.to_move(start) is None
    assert odin.passing(start) is None


def test_a_fresh_deal_hides_every_card_odin_setup_1_odin_next_1() -> None:
    """ODIN-SETUP-1, ODIN-SETUP-2, ODIN-NEXT-1: all cards are shuffled back in."""
    before = odin_table("deal A", "A r1", "B r2", "A r3", "B pass", "! A has 0", "count 0 9")
    state = played(odin, before, "deal B")
    hand = hand_of(state)
    assert hand.number == 2
    assert hand.sizes == (9, 9)
    assert hand.known == (frozenset(), frozenset())
    assert hand.discards == frozenset()
    assert singles(state) == state.deck


def test_a_lead_takes_nothing_odin_lead_3() -> None:
    hand = hand_of(odin_table("deal A", "A r5"))
    assert hand.sizes == (8, 9)
    assert hand.known == (frozenset(), frozenset())
    assert hand.discards == frozenset()


def test_turns_go_clockwise_odin_setup_4() -> None:
    state = odin_table("deal B", seats=4)
    movers = [odin.to_move(state)]
    for line in ("B r1", "C pass", "D r2", "A pass", "B r3"):
        state = played(odin, state, line)
        movers.append(odin.to_move(state))
    assert movers == [B, C, D, A, B, C]


@pytest.mark.parametrize(
    ("hand", "due"),
    [("r1 r5 r9", True), ("r5 b5", True), ("r1 b5", False), ("r1", False)],
)
def test_a_whole_hand_that_must_be_led_a_odin_3(hand: str, due: bool) -> None:
    table = odin_table("deal A", f"! A shows {hand}", whole_hand_lead="forced")
    alone = odin.judge(table, odin.parse(f"A {hand.split(maxsplit=1)[0]}"))
    assert isinstance(alone, Accepted) == (not due)
    if isinstance(alone, Accepted):
        assert alone.assumes == ()


def test_of_a_hidden_hand_only_its_owner_knows_a_odin_3() -> None:
    dealt = odin_table("deal A", whole_hand_lead="forced")
    led = odin.judge(dealt, odin.parse("A r1"))
    assert isinstance(led, Accepted)
    assert led.assumes == (reason("hand-is-no-set", "ODIN-HEND-1", seat=A),)
    on_it = odin.judge(led.state, odin.parse("B r2"))
    assert isinstance(on_it, Accepted)
    assert on_it.assumes == ()


@pytest.mark.parametrize(
    "changes", [{}, {"whole_hand_lead": "forced", "whole_hand_lead_on_first_lead": "false"}]
)
def test_a_lead_that_is_free_assumes_nothing_a_odin_3(changes: dict[str, str]) -> None:
    start = odin_table(seats=2, **changes)
    led = odin.judge(played(odin, start, "deal A"), odin.parse("A r1"))
    assert isinstance(led, Accepted)
    assert led.assumes == ()


def test_a_last_card_is_the_whole_hand_a_odin_3() -> None:
    last = odin_table("deal A", "! A has 1", whole_hand_lead="forced")
    led = odin.judge(last, odin.parse("A r1"))
    assert isinstance(led, Accepted)
    assert led.assumes == ()


def test_two_known_cards_that_do_not_match_free_the_lead_a_odin_3() -> None:
    state = odin_table(
        *("deal A", "A r1", "B r2", "A b3", "B pass", "A g1", "B k4", "A o5", "B pass"),
        whole_hand_lead="forced",
    )
    assert hand_of(state).known[A] == cards("r2 k4")
    led = odin.judge(state, odin.parse("A p1"))
    assert isinstance(led, Accepted)
    assert led.assumes == ()


def test_a_whole_hand_from_the_second_round_on_a_odin_4() -> None:
    later = odin_table(
        *("deal A", "A b9", "B pass", "! A shows r1 r5"), whole_hand_lead_on_first_lead="false"
    )
    assert played(odin, later, "A r1 r5").phase is Phase.COUNT


# Rounds


def test_nobody_has_to_play_odin_pass_1() -> None:
    table = odin_table("deal A", "A r1", "! B shows r2 r3")
    assert singles(table) == cards("r2 r3")
    assert played(odin, table, "B pass").phase is Phase.LEAD


def test_the_owner_does_not_have_to_pass_a_odin_5() -> None:
    state = odin_table("deal A", "A r1", "B pass", seats=3)
    assert state.phase is Phase.TURN
    after = played(odin, state, "C pass")
    assert (after.phase, odin.to_move(after)) == (Phase.LEAD, A)


def test_passes_count_only_in_a_row_odin_rend_1() -> None:
    state = odin_table("deal A", "A r1", "B pass", "C r2", "A pass", seats=3)
    assert (state.phase, odin.to_move(state)) == (Phase.TURN, B)
    assert odin.to_move(played(odin, state, "B pass")) is C


def test_without_re_entry_a_pass_lasts_for_the_round_a_odin_6() -> None:
    state = odin_table(
        "deal A", "A r1", "B pass", "C r2", "D pass", seats=4, reenter_after_pass="false"
    )
    assert odin.to_move(state) is A
    again = played(odin, state, "A r3")
    assert odin.to_move(again) is C  # not B
    over = played(odin, again, "C pass")
    assert (over.phase, odin.to_move(over)) == (Phase.LEAD, A)
    assert odin.to_move(played(odin, over, "A b1")) is B  # a new round, everybody is in


def test_a_lone_beaten_card_is_taken_with_the_play_odin_take_1() -> None:
    state = odin_table("deal A", "A r5", "B b7")
    assert state.phase is Phase.TURN
    assert hand_of(state).sizes == (8, 9)
    assert hand_of(state).known == (frozenset(), cards("r5"))


def test_a_taken_card_is_known_until_it_is_played_odin_inv_4() -> None:
    state = odin_table("deal A", "A r5", "B b7", "A b8", "B r5 r6")
    assert hand_of(state).known == (cards("b7"), cards("b8"))
    assert hand_of(state).sizes == (8, 8)


def test_nobody_can_lay_a_card_another_took_up() -> None:
    state = odin_table("deal A", "A r5", "B b7", "A pass", "B b1")
    assert Card.parse(words("r5")[0]) not in singles(state)
    assert singles(played(odin, state, "A pass")) == state.deck - cards("b7 b1")


def test_going_out_discards_what_it_beat_a_odin_7() -> None:
    state = odin_table("deal B", "! B r1 r2", "! A shows r3 r5", "A r3 r5")
    assert state.phase is Phase.COUNT
    assert hand_of(state).discards == cards("r1 r2")
    assert hand_of(state).sizes == (0, 7)


def test_discards_are_kept_a_odin_13() -> None:
    state = odin_table("deal A", "! A r1 r2", "B b3 b4", "B take r2", "A pass")
    assert hand_of(state).discards == cards("r1 b3 b4")


# Counting and the next hand


def test_the_next_starter_sits_left_of_the_first_a_odin_2() -> None:
    """A-ODIN-2: of the hand's starter, not of whoever led its last round."""
    state = odin_table(
        *("deal A", "A r1", "B r2", "C pass", "A pass", "B r3", "! B has 0", "count 8 0 9"),
        seats=3,
    )
    assert state.next_starter is B
    assert odin.expected(state) == Deal(B)
    assert list(odin.actions(state)) == [Deal(B)]


def test_the_last_to_act_starts_a_odin_1() -> None:
    state = odin_table(
        *("deal A", "A r1", "B pass", "! C has 1", "C r2", "count 8 9 0"), seats=3, edition="de"
    )
    assert odin.expected(state) == Deal(C)


def test_the_last_seat_hands_on_to_the_first_odin_next_2() -> None:
    state = odin_table("deal C", "! A has 0", "count 0 9 9", seats=3)
    assert odin.expected(state) == Deal(A)


def test_a_count_is_expected_unless_the_goat_may_be_anywhere_a_odin_12() -> None:
    lines = ("deal A", "! A has 1", "! B has 4", "A r1")
    assert odin.expected(odin_table(*lines)) == Count((0, 4))
    hidden = odin_table(*lines, goat="true")
    assert odin.expected(hidden) is None
    assert list(odin.actions(hidden)) == [Count((0, 4)), Count((0, 4), B)]
    forced = odin_table(*lines, goat="true", goat_forced_into_a_hand="true")
    assert odin.expected(forced) == Count((0, 4), B)


def test_a_goat_that_was_seen_needs_no_asking_odin_score_2() -> None:
    taken = odin_table("deal A", "A goat", "B r1", "! A has 1", "A r2", goat="true")
    assert odin.expected(taken) == Count((0, 9), B)
    gone = odin_table("deal A", "A goat", "B pass", "! A has 1", "A r2", goat="true")
    assert odin.expected(gone) == Count((0, 9))


@pytest.mark.parametrize(("option", "worth"), [("5", 13), ("6", 14)])
def test_the_worst_hand_with_the_goat_a_odin_11(option: str, worth: int) -> None:
    """Nine cards, one of them the goat."""
    state = odin_table("deal A", "! A has 0", "count 0 9 goat=B", goat="true", goat_points=option)
    assert state.points == (0, worth)


@pytest.mark.parametrize(
    ("limit", "test", "over"),
    [("10", ">=", True), ("10", ">", False), ("9", ">", True), ("11", ">=", False)],
)
def test_the_limit_reached_or_exceeded_a_odin_8(limit: str, test: str, over: bool) -> None:
    """ODIN-END-3: other limits; here somebody has ten points."""
    state = odin_table(
        *("carry 0 1", "deal A", "! A has 0", "count 0 9"), limit=limit, limit_test=test
    )
    assert (state.phase is Phase.OVER) is over


def test_points_brought_along_end_no_game_odin_end_1() -> None:
    state = odin_table("carry 14 0")
    assert state.phase is Phase.DEAL
    assert odin.standing(state) == Standing((14, 0), (2, 1), over=False)


def test_ranks_of_equals_odin_end_2_a_odin_18() -> None:
    state = odin_table("carry 3 1 3 1", "deal A", "! A has 0", "! count 0 2 0 14", seats=4)
    assert odin.standing(state) == Standing((3, 3, 3, 15), (1, 1, 1, 4), True, (A, B, C))
    running = odin_table("carry 3 1 3 1", seats=4)
    assert odin.standing(running) == Standing((3, 1, 3, 1), (3, 1, 3, 1), False, ())


def test_points_add_up_over_hands_odin_score_1() -> None:
    state = odin_table(
        *("carry 1 2", "deal A", "! A has 0", "! count 0 4", "deal B", "! B has 0", "! count 3 0")
    )
    assert state.tallies == ((0, 4), (3, 0))
    assert state.points == (4, 6)


# What is let stand: the table goes on, nobody is fined (A-ODIN-15)


def test_a_play_out_of_turn_goes_on_from_there() -> None:
    state = odin_table("deal A", "A r1", "! C r2", seats=4)
    assert odin.to_move(state) is D
    assert hand_of(state).owner is C
    assert hand_of(state).known[C] == cards("r1")


def test_a_play_too_low_is_the_new_middle() -> None:
    state = odin_table("deal A", "A r5", "! B b2")
    assert hand_of(state).middle == (Card.parse(words("b2")[0]),)
    assert hand_of(state).known[B] == cards("r5")
    assert state.points == (0, 0)


def test_a_play_that_forgot_the_take_discards_the_set_a_odin_16() -> None:
    state = odin_table("deal A", "! A r1 r2", "B b3 b4", "! A g9 g8")
    assert hand_of(state).sizes == (5, 7)
    assert hand_of(state).discards == cards("r1 r2")
    assert hand_of(state).beaten == tuple(Card.parse(word) for word in words("b3 b4"))


def test_a_pass_instead_of_the_take_discards_the_set_a_odin_16() -> None:
    state = odin_table("deal A", "! A r1 r2", "B b3 b4", "! B pass")
    assert (state.phase, odin.to_move(state)) == (Phase.TURN, A)
    assert hand_of(state).discards == cards("r1 r2")
    assert hand_of(state).sizes == (7, 7)
    assert hand_of(state).passed == frozenset()


def test_a_pass_out_of_turn_counts_and_the_turn_stays() -> None:
    state = odin_table("deal A", "A r1", "! C pass", seats=3)
    assert odin.to_move(state) is B
    after = played(odin, state, "B pass")
    assert (after.phase, odin.to_move(after)) == (Phase.LEAD, A)


def test_a_pass_instead_of_a_lead_hands_the_lead_on_odin_lead_2() -> None:
    state = odin_table("deal A", "! A pass", seats=3)
    assert (state.phase, odin.to_move(state)) == (Phase.LEAD, B)


def test_a_misdeal_is_thrown_in_odin_next_1() -> None:
    state = odin_table("deal A", "A r1", "B r2", "! deal A")
    assert hand_of(state) == hand_of(odin_table("deal A"))


def test_a_discarded_card_that_turns_up_is_where_it_is_seen() -> None:
    state = odin_table("deal A", "A r1", "B pass", "! A r1")
    assert hand_of(state).middle == (Card.parse(words("r1")[0]),)
    assert hand_of(state).discards == frozenset()
    assert hand_of(state).sizes == (7, 9)


def test_a_card_of_anothers_hand_is_no_longer_known_there() -> None:
    state = odin_table("deal A", "A r1", "B r2", "! A r1 b1")
    assert hand_of(state).known == (cards("r2"), frozenset())
    assert hand_of(state).sizes == (7, 9)


def test_a_shown_card_is_no_longer_known_elsewhere() -> None:
    state = odin_table("deal A", "A r1", "B r2", "! A shows r1 g4")
    assert hand_of(state).known == (cards("r1 g4"), frozenset())
    assert hand_of(state).sizes == (2, 9)


def test_a_hand_smaller_than_what_is_known_of_it_is_unknown_again() -> None:
    state = odin_table("deal A", "! A shows r1 r2 r3", "! A has 2")
    assert hand_of(state).known[A] == frozenset()
    kept = odin_table("deal A", "! A shows r1 r2 r3", "! A has 4")
    assert hand_of(kept).known[A] == cards("r1 r2 r3")


def test_a_play_from_an_open_hand_that_did_not_have_it_makes_it_unknown() -> None:
    state = odin_table("deal A", "! A shows r1 r2", "! A b7")
    assert hand_of(state).sizes == (1, 9)
    assert hand_of(state).known[A] == frozenset()


def test_more_cards_than_the_hand_had_empty_it() -> None:
    state = odin_table("deal A", "A r1", "! B has 1", "! B b2 b3")
    assert state.phase is Phase.COUNT
    assert hand_of(state).sizes == (8, 0)
    assert hand_of(state).out is B


def test_no_cards_left_end_the_hand_and_some_resume_it() -> None:
    empty = odin_table("deal A", "A r1", "! B has 0", seats=3)
    assert (empty.phase, odin.to_move(empty)) == (Phase.COUNT, None)
    assert odin.passing(empty) is None
    again = played(odin, empty, "! B has 2")
    assert again.phase is Phase.TURN
    assert odin.to_move(again) is not None


def test_a_count_of_a_running_hand_ends_it_odin_score_1() -> None:
    state = odin_table("deal A", "! count 3 4")
    assert (state.phase, state.points) == (Phase.DEAL, (3, 4))
    assert odin.expected(state) == Deal(B)


def test_the_pass_button_passes_for_the_seat_to_move_odin_pass_1() -> None:
    assert odin.passing(odin_table("deal A", "A r1")) == Pass(B)
