"""Rules no other test names: one small table each."""

from __future__ import annotations

from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.raid.battle import tableau
from companion.games.valhal.rules.settlement.achievements import owner_of
from companion.games.valhal.rules.state import Happening, Project
from companion.games.valhal.rules.vocabulary import Kind, Pay, Season
from tests.games.valhal.rules.tables import A, B, commissioning, food, rules, sailing, with_player
from tests.games.valhal.rules.test_vectors import after_the_next_voyage
from tests.strategies import played

ATTACK = "A attacks v1 with warriors on 1"


def test_nobody_has_to_provide_food() -> None:  # VHAL-FOOD-7
    state = with_player(commissioning(), A, food=food("----"))
    assert rules(state, "A agrees") == []
    assert played(valhal, state, "agree").season is Season.WINTER


def test_each_payment_turns_a_project_by_a_quarter() -> None:  # VHAL-CON-1
    running = Project(Kind.LONGBOAT, left=3, pay=(Pay.COIN,), fresh=False)
    state = played(valhal, with_player(commissioning(), A, projects=(running,)), "agree")
    assert [(each.left, each.pay) for each in state.players[A].projects] == [(2, ())]


def test_fortified_villages_leave_when_the_first_jarl_is_there() -> None:  # VHAL-CHG-2
    state = commissioning("A resolves favour+4", "A draws w4")
    assert state.changed == (2,)
    assert after_the_next_voyage(state).stack == (0, 3, 3, 1)  # and all Villages


def test_three_longboats_are_an_achievement() -> None:  # VHAL-ACH-2
    state = commissioning("A resolves longboat+1")
    assert owner_of(state, "longboats") is None
    assert owner_of(played(valhal, state, "A resolves longboat+1"), "longboats") is A


def test_the_tableau_is_set_for_a_battle() -> None:  # VHAL-BAT-1
    state = sailing(ATTACK, "B stays")
    marks = tableau(state)
    assert marks is not None
    assert (marks.enemy_hp, marks.base, marks.front_hp) == (2, 1, 2)
    assert [note.thing for note in state.notes if note.what is Happening.MARKED] == ["2 1 2"]


def test_the_difference_is_lost() -> None:  # VHAL-BAT-3
    state = sailing("sheet town.v1.rows 9/0/1", ATTACK, "B stays", "A rolls 4", "town rolls 2")
    marks = tableau(state)
    assert marks is not None
    assert marks.enemy_hp == 6  # 4 + 1 against 2


def test_a_card_that_was_used_can_be_drawn_again() -> None:  # it lies under its stack
    state = commissioning("B resolves wrath+1", "B draws w4", "B resolves wrath+1")
    assert rules(state, "B draws w4") == []
    assert state.players[B].kept == ()
