"""What a second reading of the rulebook brought, by rule: each test failed before it was mended.
Games opened under the first version of these rules are judged as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.game import Refused
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.raid.battle import Tableau, fighters, tableau
from companion.games.valhal.rules.raid.odds import battle_odds
from companion.games.valhal.rules.settlement.achievements import owner_of
from companion.games.valhal.rules.settlement.clerk import warnings
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import (
    Happening,
    Held,
    Phase,
    Project,
    State,
    Unusable,
    boats_of,
    units_of,
)
from companion.games.valhal.rules.vocabulary import Kind, Pay, Season, Stack
from tests.games.valhal.rules.tables import (
    A,
    B,
    commissioning,
    food,
    fresh,
    in_season,
    rules,
    sailing,
    setup,
    with_player,
)
from tests.strategies import played

ATTACK = "A attacks v1 with warriors on 1"


def happened(state: State, what: Happening) -> list[tuple[Seat | None, str, int]]:
    return [(note.seat, note.thing, note.count) for note in state.notes if note.what is what]


def first_version(state: State) -> State:
    return replace(state, version=1)


def fleet(**fields: Any) -> State:
    """A sails for v1 with Warriors of two at home, and beats it."""
    state = with_player(sailing(), A, units=("warriors",) * 2, boats=2, **fields)
    return played(valhal, state, ATTACK, "B stays", "A stays")


def beaten(state: State) -> State:
    return played(valhal, state, "A rolls 6", "town rolls 1")


# VHAL-CARD-6: what has sailed can be lost and gained as well


def test_loot_upgrades_the_warriors_that_fought() -> None:
    state = sailing(ATTACK, "B stays", "A rolls 6", "town rolls 1")
    assert state.phase is Phase.DRAW
    state = played(valhal, state, "sheet card.lesser.l9 veterans+1", "A draws l9")
    assert units_of(state, A) == ("veterans",)
    assert happened(state, Happening.GAINED) == [(A, "veterans", 1)]
    assert happened(state, Happening.SPARED) == []


@pytest.mark.parametrize(
    ("effect", "left"),
    [
        ("warriors-1", ((), 1)),
        ("longboat-1", (("warriors",), 0)),
        ("hull-1 hull-1", (("warriors",), 0)),
    ],
)
def test_wrath_in_a_battle_reaches_the_town(effect: str, left: tuple[tuple[str, ...], int]) -> None:
    state = sailing(ATTACK, f"A resolves {effect}")
    assert (units_of(state, A), boats_of(state, A)) == left


def test_a_hull_hit_is_told() -> None:  # VHAL-BAT-14
    assert happened(sailing("A resolves hull-1"), Happening.HOLED) == [(A, "longboat", 0)]
    away = sailing(ATTACK, "A resolves hull-1")
    assert happened(away, Happening.HOLED) == [(A, "longboat", 0)]
    assert away.raids[0].forces[0].damaged == 1
    assert played(valhal, away, "A resolves hull+1").raids[0].forces[0].damaged == 0


def test_of_several_the_jarl_chooses() -> None:
    state = played(valhal, fleet(), "A resolves warriors-1")
    assert (state.phase, valhal.to_move(state)) == (Phase.GIVE, A)
    offered = ["A gives warriors", "A gives warriors at v1"]
    assert [str(each) for each in valhal.actions(state)] == offered
    at_home = played(valhal, state, "A gives warriors")
    assert (at_home.players[A].units, len(fighters(at_home.raids[0]))) == ((), 1)
    away = played(valhal, state, "A gives warriors at v1")
    assert away.players[A].units == ("warriors",)
    assert happened(away, Happening.BEATEN_OFF) == [(A, "v1", 0)]  # nobody was left to fight
    assert rules(state, "B gives warriors") == ["not-yours-to-do [VHAL-CARD-6] (seat=B)"]
    refused = ["not-to-give [VHAL-CARD-6] (seat=A, thing=veterans)"]
    assert rules(state, "A gives veterans") == refused
    assert rules(state, "agree") == ["settle-first [VHAL-CARD-1] (phase=give, seat=A)"]


def test_the_last_of_several_is_not_asked_for() -> None:
    state = played(valhal, fleet(), "A resolves warriors-2", "A gives warriors at v1")
    assert (state.phase, units_of(state, A)) == (Phase.LAYING, ())


def test_the_front_line_moves_up() -> None:
    state = with_player(sailing(), A, units=("veterans", "warriors"), boats=1)
    state = played(valhal, state, "A attacks v1 with veterans warriors on 1", "B stays")
    state = played(valhal, state, "A fronts warriors")
    state = played(valhal, state, "A resolves veterans-1")
    assert state.raid is not None
    assert state.raid.front is not None
    assert state.raid.front.at == 0
    assert state.phase is Phase.BATTLE
    state = played(valhal, state, "A resolves veterans+1")
    assert [fighter.name for _, fighter in fighters(state.raids[0])] == ["veterans"]


def test_what_a_jarl_has_not_is_said() -> None:
    state = commissioning("A resolves veterans-1")
    assert happened(state, Happening.SPARED) == [(A, "veterans", 0)]


# VHAL-ACH-4 and A-38: nobody gets the token with fewer than three cards


def blessed(**changes: str) -> State:
    """A has the token with three cards, B has two."""
    state = commissioning(seats=3, **changes)
    held = [Held(Stack.BENEVOLENCE, name) for name in ("b2", "b5", "b5", "b2")]
    state = with_player(state, B, kept=(held[1], held[1]))
    state = with_player(state, A, kept=tuple(held[:3]))
    return played(valhal, state, "A resolves coins+1")


def test_two_cards_take_nothing_over() -> None:  # VHAL-ACH-4, A-38
    state = blessed()
    assert (owner_of(state, "blessed"), state.players[A].favour) == (A, 1)
    state = played(valhal, state, "A uses b2", "A uses b5")
    assert (owner_of(state, "blessed"), state.players[B].favour) == (A, 0)


def test_three_cards_take_it_over() -> None:
    state = played(valhal, blessed(), "A uses b2")
    state = with_player(state, B, kept=(Held(Stack.BENEVOLENCE, "b5"),) * 3)
    state = played(valhal, state, "A resolves coins+1")
    assert (owner_of(state, "blessed"), state.players[A].favour) == (B, 0)


# VHAL-SAC-8: a step of favour that cannot be made any more


def sacrificing() -> State:
    """A plans seven glory for a step, and B's construction comes first."""
    state = with_player(commissioning(), A, buildings=(Kind.ALTAR,), glory=9, favour=4)
    return played(valhal, state, "A sacrifices glory for favour")


def test_glory_for_a_step_that_cannot_be_made_comes_back() -> None:  # VHAL-SAC-8
    state = played(valhal, sacrificing(), "A resolves favour+1")
    assert (state.players[A].favour, state.players[A].glory) == (5, 2)
    state = played(valhal, state, "agree")
    assert (state.players[A].favour, state.players[A].glory) == (5, 9)
    assert happened(state, Happening.GIVEN_BACK) == [(A, "glory", 7)]
    assert state.final is not None  # VHAL-FIN-1 is looked at again
    assert state.final.seat is A
    old = played(valhal, first_version(sacrificing()), "A resolves favour+1", "agree")
    assert (old.players[A].glory, old.final) == (2, None)


# VHAL-VAR-SPEC: may be chosen, and counts as Warriors


def specialists() -> State:
    state = played(valhal, fresh(special_units="true"), "first A", "A takes berserkir")
    return played(valhal, state, "B takes warriors")


def test_warriors_may_be_kept() -> None:
    state = specialists()
    assert [player.units for player in state.players] == [("berserkir",), ("warriors",)]
    both = played(valhal, fresh(special_units="true"), "first A", "A takes warriors")
    assert played(valhal, both, "B takes warriors").phase is Phase.LAYING


def test_a_special_unit_counts_as_warriors() -> None:
    state = specialists()
    lost = played(valhal, state, "A resolves warriors-1")
    assert units_of(lost, A) == ()
    better = played(valhal, state, "A resolves veterans+1")
    assert units_of(better, A) == ("veterans",)
    both = played(valhal, state, "A resolves warriors+1", "A resolves warriors-1")
    assert [str(each) for each in valhal.actions(both)] == [
        "A gives berserkir",
        "A gives warriors",
    ]
    old = played(valhal, first_version(state), "A resolves warriors-1")
    assert units_of(old, A) == ("berserkir",)


def test_a_marker_on_warriors_lies_on_special_units() -> None:  # VHAL-CARD-5
    state = with_player(
        sailing(), A, units=("berserkir",), unusable=(Unusable("warriors", Season.SUMMER),)
    )
    refused = ["unusable [VHAL-CARD-5] (seat=A, thing=berserkir)"]
    assert rules(state, "A attacks v1 with berserkir on 1") == refused


# VHAL-FAV-5: Wrath on the way of several steps


def test_a_move_stops_on_every_wrath_space_on_its_way() -> None:  # VHAL-FAV-5
    state = with_player(commissioning(), A, favour=2)
    state = played(valhal, state, "A resolves favour+2")
    assert (state.phase, state.players[A].favour) == (Phase.DRAW, 3)
    pushed = played(valhal, state, "A draws w3")  # a step back, and then the other one
    assert pushed.phase is Phase.DRAW  # again on the third space
    assert played(valhal, state, "A draws w4").players[A].favour == 4


def test_the_last_space_is_not_reached_before_the_wrath_of_another() -> None:
    state = with_player(commissioning(), A, favour=4)
    state = played(valhal, state, "sheet favour.wrath 5", "A resolves favour+2")
    assert (state.winner, state.players[A].favour) == (None, 5)
    assert played(valhal, state, "A draws w4").winner is A


# VHAL-CHG-1: reached once is reached for good


def test_a_change_space_counts_although_a_jarl_was_pushed_back() -> None:
    state = commissioning("A resolves favour+2", "A resolves favour-1", "B resolves favour+2")
    assert state.changed == (1,)
    lines = ("A resolves favour+2", "A resolves favour-1", "B resolves favour+2")
    assert played(valhal, first_version(commissioning()), *lines).changed == ()


# VHAL-BAT-4: dice before the front line is chosen


@pytest.mark.parametrize("line", ["A rolls 3 4", "town rolls 3"])
def test_before_the_front_line_is_chosen_nobody_rolls(line: str) -> None:
    state = with_player(sailing(), A, units=("veterans", "warriors"))
    state = played(valhal, state, "A attacks v1 with veterans warriors on 1", "B stays")
    assert rules(state, line) == ["not-now [VHAL-BAT-4] (phase=front)"]


# VHAL-SEA-5, VHAL-BAT-11 and A-3: symbols are asked for, not guessed


def untold(state: State) -> State:
    sheet = replace(state.sheet, turn_gift=None, defeat_gift=None, longhouse_food=None)
    return replace(state, sheet=sheet)


def test_the_gift_of_a_turn_is_asked_for() -> None:  # VHAL-SEA-5
    state = played(valhal, untold(commissioning()), "agree")
    assert (state.phase, state.asks) == (Phase.ASK, ("gift.turn",))
    state = played(valhal, state, "sheet gift.turn wood")
    assert [(player.coins, player.wood) for player in state.players] == [(3, 1), (3, 1)]
    old = replace(valhal.start(replace(setup(), rules=1)).options)
    assert old.end_of_turn_gift == "coins"  # the first version did not ask


def test_the_gift_for_a_defeated_unit_is_asked_for() -> None:  # VHAL-BAT-11
    state = played(valhal, untold(sailing()), "sheet town.v1.rows 9/9/1", ATTACK, "B stays")
    state = played(valhal, state, "A rolls 1", "town rolls 6")
    assert state.asks == ("gift.defeat",)
    assert played(valhal, state, "sheet gift.defeat iron").players[A].iron == 3


def test_a_gift_told_wrong_is_put_right_for_the_whole_game() -> None:
    state = commissioning("agree", "event e1", "agree", "event e1")
    before = [(player.coins, player.iron) for player in state.players]
    state = played(valhal, state, "sheet gift.turn iron")
    after = [(player.coins, player.iron) for player in state.players]
    assert after == [(coins - 2, iron + 2) for coins, iron in before]
    assert happened(state, Happening.PUT_RIGHT) == [(A, "turn", 2), (B, "turn", 2)]


@pytest.mark.parametrize(
    ("wrong", "left", "told"),
    [
        ("coins", {"coins": 1}, [(A, "coins", 1)]),
        ("coins", {"coins": 0}, [(A, "coins", 2)]),
        ("coins", {"coins": 9}, []),
        ("glory", {"glory": 1}, [(A, "glory", 1)]),
        ("food", {"food": food("c---")}, [(A, "food", 2)]),
    ],
)
def test_a_wrong_gift_that_is_spent_is_told(
    wrong: str, left: dict[str, Any], told: list[tuple[Seat, str, int]]
) -> None:
    """A-1: nobody may keep both without a word."""
    state = played(valhal, commissioning(), f"sheet gift.turn {wrong}")
    state = with_player(state, A, gifts=("turn", "turn"), **left)
    state = played(valhal, state, "sheet gift.turn wood")
    assert happened(state, Happening.OWES) == told
    assert state.players[A].wood == 2


def test_the_food_of_the_longhouse_is_asked_for_when_it_matters() -> None:
    state = with_player(untold(commissioning()), A, food=food("----"))
    asked = "number-asked [VHAL-SET-1] (seat=A, path=longhouse.food)"
    assert rules(state, "A feeds summer food") == [asked]
    assert asked not in [str(each) for each in warnings(state)]
    state = played(valhal, state, "A builds altar with coin")
    assert asked in [str(each) for each in warnings(state)]
    usable = played(valhal, state, "sheet longhouse.food usable", "A feeds summer food")
    assert (usable.players[A].food, usable.players[A].larder) == (food("t---"), 2)
    stock = played(valhal, state, "sheet longhouse.food stock")
    assert rules(stock, "A feeds summer food") == ["no-food-stored [VHAL-SET-1] (seat=A)"]


# VHAL-BAT-15: cards and abilities in a battle


def fight(*lines: str) -> State:
    state = played(valhal, sailing(), "sheet town.v1.rows 4/1/1 2/1/1")
    return played(valhal, state, ATTACK, "B stays", *lines)


def board(state: State) -> Tableau:
    found = tableau(state)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("effect", "field", "by"),
    [
        ("attack+2", "base", 2),
        ("attack-5", "base", -1),  # never below nothing
        ("dice+1", "dice", 1),
        ("town-attack+1", "town_base", 1),
        ("town-dice-1", "town_dice", -1),
        ("town-hp-2", "enemy_hp", -2),
        ("hp-1", "front_hp", -1),
    ],
)
def test_an_effect_changes_a_battle(effect: str, field: str, by: int) -> None:
    state = fight()
    after = played(valhal, state, f"A resolves {effect}")
    assert getattr(board(after), field) == getattr(board(state), field) + by


def test_for_a_round_or_for_the_battle() -> None:
    state = fight("A resolves attack+1 battle:town-attack+1")
    assert (board(state).base, board(state).town_base) == (2, 2)
    state = played(valhal, state, "A rolls 1", "town rolls 1")
    assert (board(state).base, board(state).town_base) == (1, 2)


def test_damage_is_done_by_who_wins_the_round() -> None:
    won = fight("A resolves damage+1 town-damage+1", "A rolls 3", "town rolls 2")
    assert board(won).enemy_hp == 2  # one more than the difference
    lost = fight("A resolves town-damage+1", "A rolls 2", "town rolls 3")
    assert happened(lost, Happening.WOUNDED) == [(A, "warriors", 0)]
    equal = fight("A resolves damage+1", "A rolls 2", "town rolls 2")
    assert board(equal).enemy_hp == 4


def test_hit_points_at_once() -> None:
    state = fight("A resolves town-hp-4")
    assert happened(state, Happening.ROW_DOWN) == [(None, "v1", 1)]
    hurt = fight("A resolves hp-1")
    assert board(played(valhal, hurt, "A resolves hp+1")).front_hp == 2
    assert happened(fight("A resolves hp-3"), Happening.DEFEATED) == [(A, "warriors", 0)]


def test_the_attackers_may_have_to_roll_again() -> None:
    state = with_player(fight(), A, kept=(Held(Stack.BENEVOLENCE, "b1"),))
    state = played(valhal, state, "A rolls 1", "town rolls 6", "A resolves reroll-own")
    assert state.phase is Phase.BATTLE
    assert played(valhal, state, "A rolls 6").phase is Phase.STRIKE


def test_abilities_of_towns_and_special_units_are_applied() -> None:  # VHAL-BAT-9
    state = fight("sheet town.v1.ability town-dice+1", "sheet unit.warriors.ability attack+1")
    assert (board(state).town_dice, board(state).base) == (2, 2)
    told = dict(entries(state.sheet))
    assert told["town.v1.ability"] == "town-dice+1"
    assert rules(state, "town rolls 3") == ["dice-count [VHAL-BAT-2] (got=1, need=2)"]


def test_the_odds_know_of_it() -> None:
    plain = battle_odds(fight())
    assert plain is not None
    for better in ("battle:attack+2", "battle:damage+1", "battle:town-attack-1", "battle:dice+1"):
        odds = battle_odds(fight(f"A resolves {better}"))
        assert odds is not None
        assert odds.win > plain.win, better
    worse = battle_odds(fight("A resolves battle:town-damage+2"))
    assert worse is not None
    assert worse.win < plain.win
    alike = [
        battle_odds(fight("A resolves battle:attack+1")),
        battle_odds(fight("sheet unit.warriors.ability attack+1")),
        battle_odds(fight("sheet town.v1.ability attack+1")),
    ]
    assert alike[0] == alike[1] == alike[2]


def test_without_dice_on_either_side_a_round_is_struck() -> None:  # VHAL-BAT-3
    state = fight("A resolves dice-1 town-dice-1")
    assert [str(each) for each in valhal.actions(state)] == ["strike", "A retreats"]
    assert played(valhal, state, "strike").phase is Phase.BATTLE  # as strong as each other: nothing
    stronger = played(valhal, state, "A resolves attack+1", "strike")
    assert board(stronger).enemy_hp == 3
    assert rules(fight(), "strike") == ["not-now [VHAL-BAT-3] (phase=battle)"]


def test_dice_that_come_while_they_lie_are_told_again() -> None:
    state = played(valhal, fight(), "sheet card.benevolence.b9 activated dice+1")
    state = with_player(state, A, kept=(Held(Stack.BENEVOLENCE, "b9"),))
    state = played(valhal, state, "A rolls 1", "town rolls 3")
    assert state.phase is Phase.STRIKE
    state = played(valhal, state, "A uses b9")
    assert (state.phase, board(state).dice) == (Phase.BATTLE, 2)
    assert rules(state, "strike") == ["not-now [VHAL-BAT-3] (phase=battle)"]
    assert board(played(valhal, state, "A rolls 1 3")).enemy_hp == 3  # 5 against 4


def test_in_the_third_version_dice_lay_as_they_were() -> None:
    state = played(
        valhal, replace(fight(), version=3), "sheet card.benevolence.b9 activated dice+1"
    )
    state = with_player(state, A, kept=(Held(Stack.BENEVOLENCE, "b9"),))
    state = played(valhal, state, "A rolls 4", "town rolls 3", "A uses b9")
    assert board(state).enemy_hp == 3  # 5 against 4


@pytest.mark.parametrize(
    ("effect", "field", "value"),
    [
        ("battle:hp+2", "front_hp", 4),
        ("hp+2", "front_hp", 2),  # heals no more than is printed
        ("battle:town-hp+2", "enemy_hp", 6),
        ("town-hp+2", "enemy_hp", 4),
        ("battle:town-hp+2 town-hp+1", "enemy_hp", 6),
        ("battle:hp+2 hp+1", "front_hp", 4),
    ],
)
def test_hit_points_over_what_is_printed(effect: str, field: str, value: int) -> None:
    state = fight(f"A resolves {effect}")
    assert getattr(board(state), field) == value


def test_more_hit_points_are_lost_first_and_the_odds_know_them() -> None:
    state = fight("A resolves battle:hp+2")
    plain, better = battle_odds(fight()), battle_odds(state)
    assert plain is not None
    assert better is not None
    assert better.win > plain.win
    worse = battle_odds(fight("A resolves battle:town-hp+2"))
    assert worse is not None
    assert worse.win < plain.win
    hurt = played(valhal, state, "A rolls 1", "town rolls 4")
    assert (board(hurt).front_hp, happened(hurt, Happening.WOUNDED)) == (1, [])


@pytest.mark.parametrize("effect", ["attack+1", "reroll"])
def test_what_changes_nothing_is_told(effect: str) -> None:
    for state in (commissioning(), fight("A resolves coins+1")):
        after = played(valhal, state, f"A resolves {effect}")
        idle = effect == "reroll" or state.phase is Phase.COMMISSION
        assert bool(happened(after, Happening.IDLE)) is idle


def test_outside_a_battle_nothing_changes() -> None:
    state = commissioning()
    assert replace(played(valhal, state, "A resolves attack+1 hp-1"), notes=()) == state


@pytest.mark.parametrize(
    ("card", "asked"),
    [("b2", False), ("b3", False), ("b1", True), ("b5", True)],  # coins, favour; reroll, words
)
def test_strike_is_asked_only_where_a_card_could_change_the_round(card: str, asked: bool) -> None:
    state = with_player(fight(), B, kept=(Held(Stack.BENEVOLENCE, card),))
    assert (played(valhal, state, "A rolls 3", "town rolls 3").phase is Phase.STRIKE) is asked
    old = played(valhal, first_version(state), "A rolls 3", "town rolls 3")
    assert old.phase is Phase.STRIKE


# VHAL-SET-4: the books can be wrong about everything


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("A has food.winter-1 1", "food", food("tt--")),
        ("A has food.summer 0", "food", food("----")),
        ("A has coin.spring 1", "food", food("t--c")),
        ("A has berserkir 1", "units", ("berserkir", "warriors")),
        ("A has damaged 1", "damaged", 1),
        ("A has benevolence.b7 2", "kept", (Held(Stack.BENEVOLENCE, "b7"),) * 2),
        ("A has block.winter 1", "blocked", (Season.WINTER,)),
        ("A has unusable.altar.spring 1", "unusable", (Unusable("altar", Season.SPRING),)),
        (
            "A has stage.longboat-2 2",
            "projects",
            (Project(Kind.LONGBOAT, 2, 2, fresh=False),),
        ),
    ],
)
def test_the_books_can_be_put_right(line: str, field: str, value: object) -> None:
    state = commissioning()
    assert rules(state, line)[0].startswith("count-differs [VHAL-SET-4]")
    after = played(valhal, state, f"!{line}")
    assert getattr(after.players[A], field) == value
    assert rules(after, line) == []
    back = line.rsplit(" ", 1)[0] + (" 1" if "summer" in line else " 0")
    assert played(valhal, after, f"!{back}").players[A] == state.players[A]


def test_the_food_of_the_longhouse_can_be_put_right() -> None:
    assert played(valhal, commissioning(), "!A has larder 2").players[A].larder == 2


def test_the_number_of_a_running_project_can_be_put_right() -> None:
    state = commissioning("A builds longboat with coin")
    after = played(valhal, state, "!A has stage.longboat 1")
    assert [(p.left, p.pay, p.fresh) for p in after.players[A].projects] == [(1, (Pay.COIN,), True)]
    finished = with_player(state, A, buildings=(Kind.ALTAR,), projects=())
    verdict = valhal.let_stand(finished, valhal.parse("A has stage.altar 2"))
    assert isinstance(verdict, Refused)


def test_a_corrected_raven_head_was_never_further() -> None:
    state = played(valhal, commissioning("A resolves favour+2"), "!A has favour 1")
    assert state.players[A].reached == 1
    pushed = commissioning("A resolves favour+2", "A resolves favour-1", "!A has favour 0")
    assert pushed.players[A].reached == 2


# VHAL-LOOT-1: the stacks of a Town card in any order


def looting() -> State:
    state = with_player(sailing(), A, units=("veterans",) * 2)
    state = played(valhal, state, "sheet town.v1.loot lesser larger")
    state = played(valhal, state, "A attacks v1 with veterans on 1", "B stays")
    return played(valhal, state, "A rolls 6", "town rolls 1")


def test_loot_is_drawn_in_any_order() -> None:
    state = looting()
    assert "A draws larger r2" in [str(each) for each in valhal.actions(state)]
    for line in ("A draws larger r2", "A draws r2"):  # r2 is known as a Larger Loot card
        after = played(valhal, state, line)
        assert [due.stack for due in after.dues] == [Stack.LESSER]
        assert boats_of(after, A) == 2
    new = played(valhal, state, "A draws larger r9")
    assert new.asks == ("card.larger.r9",)
    assert rules(state, "A draws greater g1") == ["stack-not-due [VHAL-LOOT-1] (stack=greater)"]
    old = played(valhal, first_version(state), "A draws r2")
    assert old.asks == ("card.lesser.r2",)


# VHAL-CARD-5: what an Unusable marker can lie on


def marked(thing: str, season: str = "summer", **fields: Any) -> State:
    marker = Unusable(thing, Season(season))
    state = with_player(commissioning(), A, coins=9, unusable=(marker,), **fields)
    return in_season(state, season)


def unusable(thing: str) -> list[str]:
    return [f"unusable [VHAL-CARD-5] (seat=A, thing={thing})"]


@pytest.mark.parametrize("thing", ["longboat", "vikingfahrt"])
def test_who_cannot_sail_is_not_asked_to(thing: str) -> None:
    marker = Unusable(thing, Season.SUMMER)
    state = with_player(sailing(), A, unusable=(marker,))
    assert rules(state, ATTACK) == unusable(thing)
    assert [str(each) for each in valhal.actions(state)] == ["A stays"]
    invited = with_player(sailing("A stays"), A, unusable=(marker,))
    assert rules(invited, "B attacks v1 with warriors on 1 inviting A") == [
        "cannot-invite [VHAL-JOIN-1] (seat=A)"
    ]
    assert rules(first_version(state), ATTACK) == []


def test_sacrifices_and_commissions_can_be_unusable() -> None:
    coins = "A sacrifices coins for benevolence"
    assert rules(marked("sacrifices"), coins) == unusable("sacrifices")
    build = "A builds longboat with coin"
    assert rules(marked("commission"), build) == unusable("commission")
    one = marked("commission-longboat")
    assert rules(one, build) == unusable("commission-longboat")
    assert rules(one, "A builds altar with coin") == []
    running = marked("commission", projects=(Project(Kind.LONGBOAT, left=3, fresh=False),))
    assert rules(running, "A pays longboat with coin") == []  # what runs goes on


@pytest.mark.parametrize(("thing", "season"), [("food", "summer"), ("summer", "summer")])
def test_food_and_its_spaces_can_be_unusable(thing: str, season: str) -> None:
    state = marked(thing, season, food=food("----"))
    assert rules(state, "A feeds summer") == unusable(thing)
    paid = played(valhal, marked(thing, season), "A builds altar with coin")
    assert rules(paid, "A agrees") == unusable(thing)
    got = played(valhal, marked("summer", food=food("----")), "A resolves food+1")
    assert got.players[A].food == food("-t--")


def test_the_space_of_an_unusable_granary_wants_food() -> None:
    state = marked("granary", "winter", food=food("-tg-"), buildings=(Kind.GRANARY,))
    state = played(valhal, state, "A builds altar with coin")
    assert rules(state, "A agrees") == [
        "not-provided [VHAL-FOOD-3] (seat=A, season=winter, spaces=winter-2)"
    ]
    assert rules(first_version(state), "A agrees") == []
    fed = played(valhal, state, "A feeds winter-2")
    assert rules(fed, "A agrees") == []
    assert played(valhal, fed, "A unfeeds winter-2").players[A].food == food("-tg-")
    turned = played(valhal, fed, "agree")
    assert turned.players[A].food == food("--g-")  # its own token stays
    free = marked("altar", "winter", food=food("-tg-"), buildings=(Kind.GRANARY,))
    refused = ["space-taken [VHAL-FOOD-2] (seat=A, space=winter-2)"]
    assert rules(free, "A feeds winter-2") == refused


# VHAL-CARD-7: of the parts of a card one is carried out


def hit_by(card: str, **fields: Any) -> State:
    state = with_player(commissioning(), A, **fields)
    return played(valhal, state, f"sheet card.wrath.w9 {card}", "A resolves wrath+1", "A draws w9")


def test_a_part_that_cannot_be_paid_is_not_free() -> None:
    state = hit_by("coins-2 | glory-1", coins=1, glory=1)
    assert rules(state, "A chooses 1") == [
        "not-carried-out [VHAL-CARD-7] (seat=A, card=w9, lot=1, thing=coins, have=1, need=2)"
    ]
    assert [str(each) for each in valhal.actions(state)] == ["A chooses 2"]
    assert played(valhal, state, "!A chooses 1").players[A].coins == 0  # if the table insists
    assert rules(first_version(state), "A chooses 1") == []


@pytest.mark.parametrize(
    ("part", "have"),
    [
        ("food-2", "thing=food, have=1, need=2"),
        ("warriors-2", "thing=warriors, have=1, need=2"),
        ("veterans-1", "thing=veterans, have=0, need=1"),
        ("veterans+2", "thing=warriors, have=1, need=2"),
        ("longboat-2", "thing=longboat, have=1, need=2"),
        ("hull-3", "thing=hull, have=2, need=3"),
        ("favour-1", "thing=favour, have=0, need=1"),
        ("coins-2 coins-2", "thing=coins, have=3, need=4"),
    ],
)
def test_what_cannot_be_carried_out(part: str, have: str) -> None:
    state = hit_by(f"{part} | coins-1")
    found = f"not-carried-out [VHAL-CARD-7] (seat=A, card=w9, lot=1, {have})"
    assert rules(state, "A chooses 1") == [found]


def test_if_no_part_can_be_carried_out_nothing_happens_and_it_is_told() -> None:
    state = hit_by("coins-2 | glory-1", coins=1)
    assert (state.phase, state.players[A].coins) == (Phase.COMMISSION, 1)
    assert happened(state, Happening.IN_VAIN) == [(A, "w9", 0)]


# VHAL-CARD-8: a kept card that would change nothing


def keeping(card: str, **fields: Any) -> State:
    kept = (Held(Stack.BENEVOLENCE, card),)
    return with_player(sailing(), A, kept=kept, **fields)


def test_a_reroll_is_questioned_where_nothing_lies_to_reroll() -> None:
    state = keeping("b1")
    found = ["changes-nothing [VHAL-CARD-8] (seat=A, card=b1)"]
    assert rules(state, "A uses b1") == found
    assert played(valhal, state, "!A uses b1").players[A].kept == ()  # the table insists
    assert rules(first_version(state), "A uses b1") == []
    battle = played(valhal, state, ATTACK, "B stays", "A rolls 1")
    assert rules(battle, "A uses b1") == found
    lying = played(valhal, battle, "town rolls 6")
    assert rules(lying, "A uses b1") == []


def test_other_cards_are_questioned_too() -> None:
    assert rules(keeping("b2"), "A uses b2") == []  # coins
    assert rules(keeping("b5"), "A uses b5") == []  # only words: the books cannot know
    mended = played(valhal, keeping("b9"), "sheet card.benevolence.b9 activated hull+1")
    found = ["changes-nothing [VHAL-CARD-8] (seat=A, card=b9)"]
    assert rules(mended, "A uses b9") == found


# Old logs


def test_a_game_of_the_first_version_is_judged_as_it_was() -> None:
    state = first_version(sailing(ATTACK, "B stays", "A rolls 6", "town rolls 1"))
    state = played(valhal, state, "sheet card.lesser.l9 veterans+1", "A draws l9")
    assert units_of(state, A) == ("warriors",)


def test_the_version_comes_with_the_opening() -> None:
    assert valhal.start(setup()).version == valhal.VERSION == 5
    assert valhal.start(replace(setup(), rules=1)).version == 1
    assert replace(setup(), rules=1) == setup()
