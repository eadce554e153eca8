"""Valhal from the table to the books: dice, ships, and what every Jarl does at home."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.core.game import Refused, Setup
from companion.games.valhal.layout import FAR_SEATS, ZONES
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.tabletop.readings import Desync, Question, offered
from companion.tabletop.zones import centre
from tests.strategies import NAMES
from tests.watch.watched import Lying, Sees, WatchedTable, perfectly

PLACES = {name: centre(outline) for name, outline in ZONES.items()}
LEFT, RIGHT = PLACES["attackers"], PLACES["town"]


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    return opened(referee, tmp_path)


def opened(referee: Referee, folder: Path, sees: Sees = perfectly) -> WatchedTable:
    referee.open(Setup("valhal", NAMES[:2]), Source.PAGE)
    table = WatchedTable(referee, folder, sees=sees)
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


def refused(table: WatchedTable) -> str:
    refusal = table.session.refusal
    return "" if refusal is None else refusal.action


def in_battle(table: WatchedTable) -> None:
    enter(table, "A rolls 5", "B rolls 2", "A attacks v1 with warriors on 1")
    table.settle()


def in_commission(table: WatchedTable) -> None:
    enter(table, "sheet gift.turn coins")
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


def test_the_choice_rolled_at_once_is_told_by_where_the_dice_lie(table: WatchedTable) -> None:
    for seat, pips in (("B", 2), ("A", 5)):
        x, y = PLACES[f"{seat}.glory-9"]
        table.lay(pips, x, y, kind="die")
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
    enter(table, "A rolls 1", "town rolls 2 2")
    before = table.actions
    unit.turn = 180
    table.settle(12)
    assert table.actions == before
    assert table.opinion is None


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_coin_on_a_food_display_is_that_jarls(table: WatchedTable, seat: str) -> None:
    in_commission(table)
    coin = table.lay("coin", *PLACES[f"{seat}.food-winter-1"])
    table.settle()
    assert table.actions[-1] == f"{seat} feeds winter-1"
    table.take(coin)
    table.settle()
    assert table.actions[-1] == f"{seat} unfeeds winter-1"


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_project_on_any_site_with_its_payment_is_commissioned(
    table: WatchedTable, seat: str
) -> None:
    in_commission(table)
    build(table, seat, "longboat", 3, "coin")
    assert table.actions[-1] == f"{seat} builds longboat with coin"


def build(table: WatchedTable, seat: str, kind: str, site: int, *pay: str) -> list[Lying]:
    x, y = PLACES[f"{seat}.site-{site}"]
    laid = [table.lay(f"{kind}-back", x, y, 180 if seat in FAR_SEATS else 0)]
    for at, token in enumerate(pay):
        laid.append(table.lay(token, x - 13 + 26 * at, y + 13))
    table.settle()
    return laid


def test_a_project_without_payment_is_waited_for(table: WatchedTable) -> None:
    in_commission(table)
    before = table.actions
    build(table, "A", "longboat", 1)
    assert table.actions == before
    assert table.opinion is None


def test_a_card_waits_for_its_coin_while_others_go_on(table: WatchedTable) -> None:
    in_commission(table)
    card, *_ = build(table, "A", "longboat", 1)
    enter(table, "B feeds spring")
    table.settle()
    table.lay("coin", card.x - 13, card.y + 13)
    table.settle()
    assert table.actions[-1] == "A builds longboat with coin"


def test_two_jarls_at_once_are_two_entries(table: WatchedTable) -> None:
    in_commission(table)
    table.lay("coin", *PLACES["A.food-winter-1"])
    table.lay("coin", *PLACES["B.food-spring"])
    table.settle()
    assert table.actions[-2:] == ["A feeds winter-1", "B feeds spring"]


def test_what_is_begun_is_paid_for_and_taken_back(table: WatchedTable) -> None:
    in_commission(table)
    card, coin = build(table, "B", "warriors", 2, "coin")
    iron = table.lay("iron", card.x + 13, card.y + 13)
    table.settle()
    assert table.actions[-1] == "B pays warriors with iron"
    table.take(card, coin, iron)
    table.settle()
    assert table.actions[-1] == "B withdraws warriors"


def test_one_of_two_tokens_taken_back_leaves_the_other(table: WatchedTable) -> None:
    in_commission(table)
    _, _, iron = build(table, "A", "warriors", 1, "coin", "iron")
    assert table.actions[-1] == "A builds warriors with coin iron"
    table.take(iron)
    table.settle()
    assert table.actions[-2:] == ["A withdraws warriors", "A builds warriors with coin"]


@pytest.mark.parametrize(
    ("kind", "pay", "line"),
    [
        ("longboat", ("coin", "iron"), "A builds longboat with coin iron"),
        ("longboat", ("wood",), "A builds longboat with wood"),
        ("veterans", ("coin",), "A builds veterans from warriors with coin"),
    ],
)
def test_a_project_against_the_rules_is_objected_to(
    table: WatchedTable, kind: str, pay: tuple[str, ...], line: str
) -> None:
    """Paid with the wrong token, with wood nobody has, and without a Blacksmith."""
    in_commission(table)
    laid = build(table, "A", kind, 1, *pay)
    assert refused(table) == line
    table.take(*laid)
    table.settle(8)
    assert table.session.refusal is None


def test_what_is_right_counts_once_the_rest_is_put_right(table: WatchedTable) -> None:
    in_commission(table)
    table.lay("coin", *PLACES["B.food-spring"])
    laid = build(table, "A", "longboat", 1, "coin", "iron")
    assert refused(table) == "A builds longboat with coin iron"
    table.take(*laid)
    table.settle(8)
    assert table.actions[-1] == "B feeds spring"
    assert not any("longboat" in action for action in table.actions)


def test_food_that_was_taken_back_is_asked_about(table: WatchedTable) -> None:
    """It must stay; but what is not seen may have been overlooked, so nobody is blamed yet."""
    food = table.lay("food", *PLACES["B.food-summer"])
    in_commission(table)
    table.take(food)
    table.settle(8)
    assert table.session.refusal is None
    assert isinstance(table.opinion, Question)
    assert table.opinion.readings[0].lines == ("B unfeeds summer",)


def test_an_overlooked_token_accuses_nobody(table: WatchedTable) -> None:
    """It was not seen for a moment, while no hand was near."""
    food = table.lay("food", *PLACES["B.food-summer"])
    in_commission(table)
    table.take(food)
    table.look(0.2)
    table.eye.lying.append(food)
    table.settle(8)
    assert table.session.refusal is None
    assert table.opinion is None


def test_a_token_that_cannot_be_told_accuses_nobody(referee: Referee, tmp_path: Path) -> None:
    def sees(label: str, _rng: random.Random) -> tuple[str, float, tuple[tuple[str, float], ...]]:
        return ("iron", 0.8, (("wood", 0.15),)) if label == "wood" else (label, 0.999, ())

    table = opened(referee, tmp_path, sees)
    enter(table, "A resolves wood+1")
    in_commission(table)
    build(table, "A", "longboat", 1, "wood")
    table.look(6)
    assert table.session.refusal is None
    assert any(
        each.lines == ("A builds longboat with wood",)
        for opinion in table.asked
        for each in offered(opinion)
    )


# -- sacrifices and markers -----------------------------------------------------------------


def test_a_coin_on_the_runestone_is_a_sacrifice(table: WatchedTable) -> None:
    in_commission(table)
    coin = table.lay("coin", *PLACES["B.altar"])
    table.settle()
    assert table.actions[-1] == "B sacrifices coins for benevolence"
    table.take(coin)
    table.settle()
    assert table.actions[-1] == "B withdraws sacrifice"


def with_glory(table: WatchedTable, glory: int) -> Lying:
    enter(table, "sheet glory.max 20", f"A resolves glory+{glory}")
    marker = table.lay("marker", *PLACES[f"A.glory-{glory}"])
    in_commission(table)
    return marker


def test_glory_is_sacrificed_by_its_marker_and_the_token(table: WatchedTable) -> None:
    marker = with_glory(table, 5)
    marker.x, marker.y = PLACES["A.glory-3"]
    table.lay("sacrifice", *PLACES["A.altar"])
    table.settle()
    assert table.actions[-1] == "A sacrifices glory for benevolence"


def test_a_sacrifice_whose_marker_was_not_moved_is_asked_for(table: WatchedTable) -> None:
    with_glory(table, 5)
    before = table.actions
    table.lay("sacrifice", *PLACES["A.altar"])
    table.settle(8)
    assert table.actions == before
    assert isinstance(table.opinion, Question)
    assert table.opinion.readings[0].lines == ("A sacrifices glory for benevolence",)


def test_seven_glory_without_an_altar_are_objected_to(table: WatchedTable) -> None:
    marker = with_glory(table, 9)
    marker.x, marker.y = PLACES["A.glory-2"]
    table.lay("sacrifice", *PLACES["A.altar"])
    table.settle(8)
    assert refused(table) == "A sacrifices glory for favour"


def test_a_marker_where_the_books_have_it_is_nothing(table: WatchedTable) -> None:
    marker = with_glory(table, 2)
    enter(table, "A resolves glory+3")
    marker.x, marker.y = PLACES["A.glory-5"]
    table.settle(12)
    assert table.opinion is None


@pytest.mark.parametrize(("track", "face"), [("glory", "marker"), ("favour", "raven")])
def test_a_marker_moved_to_something_else_shows_both(
    table: WatchedTable, track: str, face: str
) -> None:
    marker = table.lay(face, *PLACES[f"B.{track}-0"])
    table.settle(12)
    assert table.opinion is None
    marker.x, marker.y = PLACES[f"B.{track}-1"]
    table.settle(12)
    opinion = table.opinion
    assert isinstance(opinion, Desync)
    assert (opinion.books, opinion.table) == ((f"B {track} 0",), (f"B {track} 1",))
    assert [each.lines for each in opinion.readings] == [(f"B has {track} 1",)]
    (adopted,) = opinion.readings
    table.referee.adopt(adopted, table.session.seq, Source.PAGE, stand=True)
    assert table.session.latest is not None
    assert table.session.latest.event.because == adopted.ref(0) is not None


def test_the_tableau_is_held_against_the_books(table: WatchedTable) -> None:
    in_battle(table)
    marker = table.lay("marker", *PLACES["enemy-5"])
    table.settle(12)
    assert table.opinion is None
    marker.x, marker.y = PLACES["enemy-4"]
    table.settle(12)
    assert isinstance(table.opinion, Desync)
    assert (table.opinion.books, table.opinion.table) == (("enemy 5",), ("enemy 4",))


def test_a_unit_turned_without_a_wound_shows_both(table: WatchedTable) -> None:
    in_battle(table)
    unit = table.lay("warriors", *LEFT)
    table.settle()
    unit.turn = 180
    table.settle(12)
    assert isinstance(table.opinion, Desync)
    assert table.opinion.table == ("warriors wounded",)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_project_turned_by_its_stage_is_no_entry(table: WatchedTable, seat: str) -> None:
    enter(table, "sheet build.warriors.stages 3")
    in_commission(table)
    card, coin = build(table, seat, "warriors", 1, "coin")
    enter(table, "agree")
    before = table.actions
    table.take(coin)
    card.turn = (card.turn - 90) % 360
    table.settle(12)
    assert table.actions == before
    assert table.opinion is None
    card.turn = (card.turn - 90) % 360
    table.settle(12)
    assert isinstance(table.opinion, Desync)
    assert (table.opinion.books, table.opinion.table) == (
        (f"{seat} warriors 2",),
        (f"{seat} warriors 1",),
    )


def test_a_project_turned_face_up_too_early_shows_both(table: WatchedTable) -> None:
    enter(table, "sheet build.warriors.stages 3")
    in_commission(table)
    card, coin = build(table, "A", "warriors", 1, "coin")
    enter(table, "agree")
    table.take(coin)
    table.settle()
    card.label = "warriors"
    table.settle(12)
    assert isinstance(table.opinion, Desync)
    assert (table.opinion.books, table.opinion.table) == (("A warriors 2",), ("A warriors 0",))


def test_a_finished_project_turned_face_up_is_no_entry(table: WatchedTable) -> None:
    enter(table, "sheet build.longboat.stages 1", "sheet build.longboat.saw 0")
    in_commission(table)
    card, coin = build(table, "B", "longboat", 2, "coin")
    enter(table, "agree")
    assert table.session.state.players[1].boats == 2
    before = table.actions
    table.take(coin)
    card.label = "longboat"
    table.settle(12)
    assert table.actions == before
    assert table.opinion is None


# -- ships ----------------------------------------------------------------------------------


def test_ships_before_a_town_are_an_attack(table: WatchedTable) -> None:
    enter(table, "A rolls 5", "B rolls 2")
    table.lay("town-1", RIGHT[0], RIGHT[1] - 40)
    table.lay("longboat", LEFT[0] - 28, LEFT[1])
    table.lay("warriors", LEFT[0] + 40, LEFT[1] + 30)
    table.settle(8)
    assert table.actions[-1] == "A attacks v1 with warriors on 1"


@pytest.mark.parametrize("seen", ["warriors", "longboat"])
def test_what_lies_hidden_on_a_boat_is_asked_for(table: WatchedTable, seen: str) -> None:
    enter(table, "A rolls 5", "B rolls 2")
    before = table.actions
    table.lay("town-1", RIGHT[0], RIGHT[1] - 40)
    table.lay(seen, *LEFT)
    table.settle(8)
    assert table.actions == before
    assert isinstance(table.opinion, Question)
    assert ("A attacks v1 with warriors on 1",) in [each.lines for each in table.opinion.readings]


def test_a_boat_too_many_is_objected_to(table: WatchedTable) -> None:
    enter(table, "A rolls 5", "B rolls 2")
    table.lay("town-1", RIGHT[0], RIGHT[1] - 40)
    for off in (-55, -20):
        table.lay("longboat", LEFT[0] + 55 + off, LEFT[1] + off)
    table.lay("warriors", LEFT[0] + 45, LEFT[1] + 60)
    table.settle(12)
    assert refused(table) == "A attacks v1 with warriors on 2"


def test_a_drawn_card_on_the_reading_spot_is_read(table: WatchedTable) -> None:
    enter(table, "sheet card.benevolence.b1 coins+1")
    in_commission(table)
    table.lay("coin", *PLACES["A.altar"])
    table.settle()
    enter(table, "agree")
    assert table.session.state.phase == "draw"
    table.lay("b1", *PLACES["reading"])
    table.settle()
    assert table.actions[-1] == "A draws b1"


def test_too_many_dice_are_objected_to(table: WatchedTable) -> None:
    in_battle(table)
    table.lay(3, *LEFT, kind="die")
    table.lay(4, LEFT[0], LEFT[1] + 40, kind="die")
    table.settle(8)
    assert refused(table) == "A rolls 3 4"


def test_a_die_of_the_last_round_is_not_one_too_many(table: WatchedTable) -> None:
    in_battle(table)
    table.lay(4, LEFT[0], LEFT[1] + 40, kind="die")
    die = table.lay(3, *LEFT, kind="die")
    table.settle(1.0)
    enter(table, "A rolls 4", "town rolls 2 2")
    table.settle()
    die.label, die.x = 5, die.x + 30
    table.settle()
    assert table.session.refusal is None
    assert table.actions[-1] == "A rolls 5"


def test_the_season_marker_going_on_means_that_all_agree(table: WatchedTable) -> None:
    marker = table.lay("season", *PLACES["season-summer"])
    in_commission(table)
    marker.x, marker.y = PLACES["season-winter"]
    table.settle()
    assert "agree" in table.actions


def test_the_season_marker_moved_back_in_time_means_nothing(table: WatchedTable) -> None:
    marker = table.lay("season", *PLACES["season-summer"])
    in_commission(table)
    marker.x, marker.y = PLACES["season-winter"]
    table.settle(0.8)
    marker.x, marker.y = PLACES["season-summer"]
    table.settle()
    table.lay("coin", *PLACES["A.food-winter-1"])
    table.settle()
    assert table.actions[-1] == "A feeds winter-1"
    assert "agree" not in table.actions
