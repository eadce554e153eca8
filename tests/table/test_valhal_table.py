"""Valhal from the table to the books: dice, food, projects, the season's marker."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.events import Proposal, Source
from companion.referee import Referee
from companion.rules.core import Refused, Setup
from companion.zones import ZONES, centre
from tests.strategies import NAMES
from tests.table.watched import WatchedTable

PLACES = {name: centre(outline) for name, outline in ZONES["valhal"].items()}
LEFT, RIGHT = PLACES["attackers"], PLACES["town"]


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    referee.open(Setup("valhal", NAMES[:2]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    enter(
        table,
        "sheet town.v1.level village",
        "sheet town.v1.rows 5/0/2",
        "sheet unit.warriors.dice 1 1",
        "first A",
        "lay v1",
        "laid",
    )
    table.settle()
    return table


def enter(table: WatchedTable, *lines: str) -> None:
    for line in lines:
        ruling = table.referee.propose(Proposal(line, table.session.seq, Source.PAGE))
        assert not isinstance(ruling, Refused), (line, ruling)


def in_battle(table: WatchedTable) -> None:
    enter(table, "A rolls 5", "B rolls 2", "A attacks v1 with warriors on 1")
    table.settle()


def in_commission(table: WatchedTable) -> None:
    enter(table, "A rolls 5", "B rolls 2", "A stays", "B stays", "lay v1", "laid")
    table.settle()
    assert table.session.state.phase == "commission"


def test_the_choice_is_rolled_one_after_the_other(table: WatchedTable) -> None:
    die = table.lay(5, *LEFT, kind="die")
    table.settle()
    assert table.actions[-1] == "A rolls 5"
    die.label, die.x = 2, die.x + 30
    table.settle()
    assert table.actions[-2:] == ["A rolls 5", "B rolls 2"]


def test_dice_at_the_left_attack_and_at_the_right_defend(table: WatchedTable) -> None:
    in_battle(table)
    table.lay(3, *LEFT, kind="die")
    table.settle()
    table.lay(6, *RIGHT, kind="die")
    table.lay(2, RIGHT[0], RIGHT[1] + 40, kind="die")
    table.settle()
    assert table.actions[-2:] == ["A rolls 3", "town rolls 2 6"]


def test_both_sides_thrown_at_once_are_two_entries(table: WatchedTable) -> None:
    in_battle(table)
    table.lay(3, *LEFT, kind="die")
    table.lay(6, *RIGHT, kind="die")
    table.lay(2, RIGHT[0], RIGHT[1] + 40, kind="die")
    table.settle()
    assert table.actions[-2:] == ["A rolls 3", "town rolls 2 6"]


def test_too_few_dice_are_waited_for(table: WatchedTable) -> None:
    in_battle(table)
    before = table.actions
    table.lay(6, *RIGHT, kind="die")
    table.settle(8)
    assert table.actions == before


def test_a_unit_turned_for_its_wound_is_no_entry(table: WatchedTable) -> None:
    in_battle(table)
    unit = table.lay("warriors", *LEFT)
    table.settle()
    before = table.actions
    unit.turn = 180
    table.settle(8)
    assert table.actions == before
    assert table.notion is None


def test_a_coin_on_the_food_display_is_the_owners(table: WatchedTable) -> None:
    """The mat has the places of one settlement."""
    in_commission(table)
    table.lay("coin", *PLACES["food-winter-1"])
    table.settle()
    assert table.actions[-1] == "A feeds winter-1"


def test_a_project_on_its_site_with_its_payment_is_commissioned(table: WatchedTable) -> None:
    in_commission(table)
    x, y = PLACES["site-longboat"]
    table.lay("longboat-back", x, y)
    table.lay("coin", x - 12, y + 14)
    table.settle()
    assert table.actions[-1] == "A builds longboat with coin"


def test_too_many_dice_are_objected_to(table: WatchedTable) -> None:
    in_battle(table)
    table.lay(3, *LEFT, kind="die")
    table.lay(4, LEFT[0], LEFT[1] + 40, kind="die")
    table.settle(8)
    refusal = table.session.refusal
    assert refusal is not None
    assert refusal.action == "A rolls 3 4"


def test_the_season_marker_going_on_means_that_all_agree(table: WatchedTable) -> None:
    marker = table.lay("season", *PLACES["season-summer"])
    in_commission(table)
    marker.x, marker.y = PLACES["season-winter"]
    table.settle()
    assert "agree" in table.actions
