"""What makes the books light: going on as planned, nothing asked that has one answer, a new card in
one entry, a whole card in one answer. A game of an older version is judged as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.game import Refused
from companion.foundation.errors import BadNotation
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.settlement.planning import plan
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Row, Side
from companion.games.valhal.rules.sheet.writing import told
from companion.games.valhal.rules.state import Happening, Phase, Project, State
from companion.games.valhal.rules.vocabulary import Kind, Level, Pay, Season, Stack
from tests.games.valhal.rules.tables import (
    SHEET,
    A,
    B,
    C,
    commissioning,
    fallow,
    food,
    in_season,
    rules,
    sailing,
    table,
    with_player,
)
from tests.strategies import played


def working(*kinds: Kind, season: str = "winter", display: str = "----", **fields: Any) -> State:
    """Anna's projects are under way."""
    projects = tuple(Project(kind, left=3, fresh=False) for kind in kinds)
    fields = {"coins": 9, "wood": 0, "iron": 0, "food": food(display), **fields}
    return in_season(with_player(commissioning(seats=3), A, projects=projects, **fields), season)


# Go on as planned (VHAL-COM-4)


def test_going_on_pays_and_feeds() -> None:
    """VHAL-FOOD-3: in winter both spaces; the cost is known before."""
    state = working(Kind.LONGBOAT, Kind.WARRIORS, display="-t--")
    found = plan(state, A)
    assert found is not None
    assert found.cost == (("coins", 3),)
    after = played(valhal, state, "A continues")
    assert after.players[A].coins == 6
    assert after.players[A].food == food("-tc-")
    assert [each.pay for each in after.players[A].projects] == [(Pay.COIN,)] * 2
    assert [each.what for each in after.notes] == [Happening.LAID_DOWN]
    assert rules(after, "A agrees") == []


def test_going_on_is_short_for_the_entries_it_stands_for() -> None:
    state = working(Kind.LONGBOAT, display="-t--")
    one = played(valhal, state, "A continues")
    each = played(valhal, state, "A pays longboat with coin", "A feeds winter-2")
    assert replace(one, notes=()) == replace(each, notes=())


def test_tokens_where_coins_run_out() -> None:
    """VHAL-BT-1: a token needs no food."""
    state = working(Kind.LONGBOAT, coins=1, wood=1)
    found = plan(state, A)
    assert found is not None
    assert found.cost == (("wood", 1),)
    blocked = with_player(working(Kind.WARRIORS, iron=1), A, blocked=(Season.WINTER,))
    found = plan(blocked, A)
    assert found is not None
    assert found.cost == (("iron", 1),)


def test_stored_food_first() -> None:
    """A-3"""
    state = working(Kind.LONGBOAT, season="spring", larder=2)
    state = played(valhal, state, "sheet longhouse.food usable")
    found = plan(state, A)
    assert found is not None
    assert found.cost == (("coins", 1), ("food", 1))
    assert played(valhal, state, "A continues").players[A].larder == 1


def test_everybody_goes_on_who_can() -> None:
    state = working(Kind.LONGBOAT, display="-tt-")
    boat = (Project(Kind.LONGBOAT, left=2, fresh=False),)
    state = with_player(state, B, projects=boat, coins=0, wood=0)
    state = with_player(state, C, projects=boat, coins=1, food=food("-tt-"), wood=0)
    after = played(valhal, state, "continue")
    assert [bool(player.projects[0].pay) for player in after.players] == [True, False, True]
    assert rules(after, "continue") == ["cannot-go-on [VHAL-COM-4] (seats=B)"]


def test_what_is_paid_or_unusable_is_left_alone() -> None:
    state = working(Kind.LONGBOAT, Kind.WARRIORS, display="-tt-")
    state = played(valhal, state, "A pays longboat with coin", "A resolves unusable:warriors")
    assert plan(state, A) is None
    assert plan(with_player(working(Kind.LONGBOAT), A, agreed=True), A) is None


def test_others_entries_do_not_make_going_on_late() -> None:
    assert valhal.regardless(valhal.parse("A continues"), valhal.parse("B continues"))
    assert not valhal.regardless(valhal.parse("continue"), valhal.parse("B continues"))
    assert not valhal.regardless(valhal.parse("A continues"), valhal.parse("continue"))


# Nothing to choose from (VHAL-BAT-4)


def alike(*units: str, version: int = valhal.VERSION, guest: bool = False) -> State:
    state = replace(sailing(seats=3), version=version)
    state = with_player(state, A, units=units, boats=len(units))
    sent = f"A attacks v1 with {' '.join(units)} on {len(units)}"
    lines = [f"{sent} inviting B", "B joins with warriors on 1"] if guest else [sent, "B stays"]
    state = played(valhal, state, *lines)
    while state.phase is Phase.CHOOSE:
        state = played(valhal, state, f"{state.queue[0]} stays")
    return state


def test_no_question_between_identical_units() -> None:
    assert alike("warriors", "warriors").phase is Phase.BATTLE
    assert alike("veterans", "warriors").phase is Phase.FRONT
    assert alike("warriors", "warriors", version=2).phase is Phase.FRONT


def test_whose_unit_is_lost_matters() -> None:
    """VHAL-JOIN-2"""
    assert alike("warriors", guest=True).phase is Phase.FRONT


def test_the_next_of_identical_units_steps_forward() -> None:
    state = alike("warriors", "warriors", "warriors")
    state = played(valhal, state, "sheet town.v1.rows 9/9/1", "A rolls 1 1 1", "town rolls 1")
    assert Happening.DEFEATED in [note.what for note in state.notes]
    assert state.phase is Phase.BATTLE


# A card that was not seen before, in one entry


def test_the_level_is_known_in_the_first_round() -> None:
    """VHAL-SET-5: only Villages are laid then."""
    state = played(valhal, fallow(), "first A", "lay v1", "lay mill")
    assert state.mainland == ("v1", "mill")
    assert state.sheet.town("mill").level is Level.VILLAGE
    before = replace(played(valhal, fallow(), "first A"), version=2)
    assert rules(before, "lay v1") == ["level-unknown [VHAL-SET-5] (path=town.v1.level)"]


def test_naming_and_laying_is_one_entry() -> None:
    state = replace(played(valhal, fallow(), "first A"), voyages=1)
    assert rules(state, "lay f1") == ["level-unknown [VHAL-SET-5] (path=town.f1.level)"]
    state = played(valhal, state, "lay f1 fortified-village")
    assert (state.mainland, state.sheet.town("f1").level) == (("f1",), Level.FORTIFIED_VILLAGE)


def test_a_whole_mainland_in_one_entry() -> None:
    state = played(valhal, fallow(), "first A")
    one = played(valhal, state, "lay new 2 village mill laid")
    each = played(valhal, state, "lay mill", "lay v1", "lay v2", "laid")
    assert one.mainland == ("mill", "v1", "v2")
    assert (one.phase, set(one.sheet.towns)) == (each.phase, set(each.sheet.towns))
    assert rules(state, "lay v1 v1") == ["town-on-table [VHAL-SET-5] (town=v1)"]
    assert rules(state, "lay v1 t1 town") == [
        "level-wrong [VHAL-SET-5] (town=t1, level=town, need=village)"
    ]
    assert rules(table("first A"), "lay v1 v2 laid") == [
        "mainland-short [VHAL-SET-5] (got=2, need=3)"
    ]


def test_all_dice_of_the_choice_in_one_entry() -> None:
    """VHAL-VF-1"""
    state = table("first B", "lay v1", "lay v2", "lay v3", "lay v4", seats=3)
    one = played(valhal, state, "rolls 2 6 4")
    each = played(valhal, state, "B rolls 2", "C rolls 6", "A rolls 4")
    assert (one, one.queue) == (each, (C, A, B))
    assert rules(state, "rolls 2 6") == ["dice-count [VHAL-VF-1] (got=2, need=3)"]
    again = played(valhal, state, "rolls 5 5 1")
    assert again.waiting == (B, C)


def test_a_round_in_one_entry() -> None:
    """VHAL-BAT-2"""
    state = sailing("A attacks v1 with warriors on 1", "B stays")
    one = played(valhal, state, "A rolls 3 against 2")
    two = played(valhal, state, "A rolls 3", "town rolls 2")
    assert replace(one, notes=()) == replace(two, notes=())
    assert rules(state, "A rolls 3 against 2 2") == ["dice-count [VHAL-BAT-2] (got=2, need=1)"]


def test_a_new_card_must_fit_the_table() -> None:
    first = played(valhal, fallow(), "first A")
    assert rules(first, "lay t1 town") == [
        "level-wrong [VHAL-SET-5] (town=t1, level=town, need=village)"
    ]
    assert rules(table("first A"), "lay v99") == [
        "sheet-contradicts [VHAL-CARD-2] (path=town, told=0..24, got=25)"
    ]


def test_a_drawn_card_says_what_it_does() -> None:
    state = played(valhal, commissioning(), "A resolves benevolence+1")
    after = played(valhal, state, "A draws b9 says coins+2 | glory+1")
    assert after.phase is Phase.OPTION
    card = after.sheet.card(Stack.BENEVOLENCE, "b9")
    assert card is not None
    assert len(card.choices) == 2
    two = played(valhal, state, "A draws b9", "sheet card.benevolence.b9 coins+2 | glory+1")
    assert replace(two, sheet=after.sheet) == after


def test_an_event_says_what_it_does() -> None:
    state = played(valhal, commissioning(), "agree", "event e9 says coins+3")
    assert [player.coins for player in state.players] == [7, 7]
    assert str(valhal.parse("event e9 says hourglass coins+3 text A storm")) == (
        "event e9 says hourglass coins+3 text A storm"
    )


@pytest.mark.parametrize(
    "line", ["A draws b1 says", "A draws b1 says flying", "lay v1 new 3 hamlet", "lay laid v1"]
)
def test_what_no_card_says(line: str) -> None:
    with pytest.raises(BadNotation):
        valhal.parse(line)


# A whole card in one answer


def test_a_whole_card() -> None:
    state = played(valhal, fallow(), "sheet town.v1 2/8/2 1/8/2* glory:2 loot:lesser loot:larger")
    town = state.sheet.town("v1")
    assert town.rows == (Row(2, 8, 2), Row(1, 8, 2, falls=True))
    assert (town.glory, town.loot) == (2, (Stack.LESSER, Stack.LARGER))
    state = played(valhal, state, "sheet unit.veterans 4/2/1 2/1/1", "sheet build.longboat 4 saw:3")
    assert state.sheet.unit("veterans").wounded == Side(2, 1, 1)
    back = state.sheet.back(Kind.LONGBOAT)
    assert (back.stages, back.saw, back.anvil) == (4, 3, None)


@pytest.mark.parametrize("path", ["town.v1", "unit.veterans", "build.warriors", "town.f1"])
def test_a_whole_card_reads_back(path: str) -> None:
    state = played(valhal, fallow(), f"sheet {path} {told(SHEET, path)}")
    assert told(state.sheet, path) == told(SHEET, path)


def test_nothing_is_told_of_what_nobody_told() -> None:
    assert [told(RULEBOOK, path) for path in ("town.v1", "unit.veterans", "dice", "x.y")] == [
        ""
    ] * 4


# Words that a form says in parts


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ("sheet town.v1 2 / 8 / 2 glory: 3 lesser: 2 larger: 0 greater: 1",
         "sheet town.v1 2/8/2 glory:3 loot:lesser loot:lesser loot:greater"),
        ("sheet town.v1 2 / 8 / 2 * 0 / 0 / 0 glory: 0 lesser: 0",
         "sheet town.v1 2/8/2* glory:0 loot:none"),
        ("sheet unit.veterans 4 / 2 / 1 2 / 1 / 1", "sheet unit.veterans 4/2/1 2/1/1"),
        ("sheet build.warriors 3 saw: 2 anvil: 0", "sheet build.warriors 3 saw:2 anvil:0"),
        ("sheet card.event.e1 coins 2 food -1 iron 0 text", "sheet card.event.e1 coins+2 food-1"),
        ("sheet card.event.e1 copies: 0 coins 0 | glory 0", "sheet card.event.e1 nothing"),
        ("A draws b9 says activated copies: 2 attack 0 reroll | later:spring food 1 coins 0",
         "A draws b9 says activated copies:2 reroll | later:spring:food+1"),
        ("event e9 says coins 1 battle town-dice -1 now glory 1 text A storm",
         "event e9 says coins+1 battle:town-dice-1 glory+1 text A storm"),
        ("A resolves coins 2 food 0 glory -1", "A resolves coins+2 glory-1"),
        ("sheet card.event.e1 text A raven / or two", "sheet card.event.e1 text A raven / or two"),
    ],
)  # fmt: skip
def test_parts_become_words(parts: str, line: str) -> None:
    assert str(valhal.parse(parts)) == line
    assert str(valhal.parse(line)) == line


# What the curves are drawn from


def test_the_chronicle() -> None:
    state = played(valhal, commissioning(), "A resolves glory+2", "agree", "event e1", "agree")
    assert [(mark.year, mark.season) for mark in state.chronicle] == [(1, "summer"), (1, "winter")]
    assert [mark.scores[A].glory for mark in state.chronicle] == [2, 2]
    assert [mark.scores[B].coins for mark in state.chronicle] == [3, 5]


def test_a_refused_card_leaves_the_sheet_alone() -> None:
    state = commissioning()
    assert isinstance(valhal.judge(state, valhal.parse("A draws b9 says coins+2")), Refused)
