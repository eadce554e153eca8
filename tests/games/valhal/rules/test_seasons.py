"""A year at the table: what follows what, and the rules the worked examples leave out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.foundation.errors import BadSetup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.following import waited_for
from companion.games.valhal.rules.raid.battle import base_attack, town_roller
from companion.games.valhal.rules.settlement.achievements import owner_of
from companion.games.valhal.rules.settlement.favour import favoured
from companion.games.valhal.rules.sheet.sheet import DOUBLE
from companion.games.valhal.rules.state import (
    Fighter,
    Happening,
    Held,
    Phase,
    Project,
    State,
    Unusable,
)
from companion.games.valhal.rules.vocabulary import Effect, Fill, Kind, Pay, Season, Stack, Symbol
from tests.games.valhal.rules.tables import (
    LAID,
    A,
    B,
    C,
    D,
    codes,
    commissioning,
    food,
    fresh,
    in_season,
    sailing,
    setup,
    table,
    with_player,
)
from tests.games.valhal.rules.test_vectors import after_the_next_voyage, told
from tests.strategies import played

ATTACK = "A attacks v1 with warriors on 1"


def happenings(state: State) -> list[str]:
    return [note.what for note in state.notes]


# Set-up


def test_set_up() -> None:
    """VHAL-SET-1, -2, -3, -6 and -8."""
    state = fresh(3)
    player = state.players[A]
    assert (player.coins, player.iron, player.wood, player.larder) == (3, 2, 0, 3)
    assert (player.food, player.units, player.boats) == (food("t---"), ("warriors",), 1)
    assert (player.glory, player.favour, state.season, state.year) == (0, 0, Season.SUMMER, 1)
    assert state.stack == (5, 8, 5, 1)  # VHAL-SET-5
    assert fresh(2).stack == (4, 7, 3, 1)
    with pytest.raises(BadSetup, match="seat-count"):
        valhal.start(setup(5))


def test_the_first_summer_has_no_event() -> None:  # VHAL-SEA-3
    state = table(*LAID)
    assert (state.phase, state.voyages) == (Phase.ROLL, 1)


def test_a_year() -> None:
    """VHAL-SEA-1, -2, -4 and -5."""
    state = commissioning("agree")
    assert (state.season, state.first, state.phase) == (Season.WINTER, B, Phase.EVENT)
    assert [player.coins for player in state.players] == [4, 4]
    assert waited_for(state) == (B,)
    state = played(valhal, state, "event e1")
    assert state.phase is Phase.COMMISSION
    assert [player.coins for player in state.players] == [5, 5]
    state = played(valhal, state, "agree", "event e1", "agree")
    assert (state.season, state.year, state.first) == (Season.SUMMER, 2, B)
    assert played(valhal, state, "event e1").phase is Phase.ROLL


def test_an_event_hits_everybody_in_order() -> None:
    state = commissioning("A resolves food+1", "agree", "event e2")
    assert (state.phase, valhal.to_move(state)) == (Phase.OPTION, B)
    state = played(valhal, state, "B chooses 2", "A chooses 1")  # VHAL-CARD-4
    assert [player.coins for player in state.players] == [4, 3]
    assert state.players[A].food == food("----")


def test_income_of_a_later_season() -> None:  # VHAL-SEA-6
    state = commissioning("A resolves later:winter:coins+2 later:spring:iron+1", "agree")
    assert (state.players[A].coins, state.players[A].iron) == (6, 2)
    assert state.players[A].later == (Effect(Symbol.IRON, 1, Season.SPRING),)
    assert played(valhal, state, "event e1", "agree").players[A].iron == 3


# Food


def test_coins_on_and_off() -> None:  # VHAL-FOOD-4
    state = commissioning("A feeds spring")
    assert (state.players[A].coins, state.players[A].food) == (2, food("t--c"))
    assert played(valhal, state, "A unfeeds spring").players[A].coins == 3


def test_a_coin_makes_room_for_a_token() -> None:
    state = commissioning("A feeds winter-1", "A resolves food+1")
    assert (state.players[A].coins, state.players[A].food) == (3, food("tt--"))


def test_a_blocked_space_is_skipped() -> None:
    state = with_player(commissioning(), A, food=food("----"))
    state = played(valhal, state, "A resolves block", "A resolves food+1")
    assert state.players[A].food == food("-t--")
    state = played(valhal, state, "agree")
    assert state.players[A].blocked == ()


def test_winter_takes_both() -> None:
    state = with_player(in_season(commissioning(), "winter"), A, food=food("tcct"))
    assert played(valhal, state, "agree").players[A].food == food("t--t")


def test_the_granary() -> None:
    """VHAL-BLD-GRAN; A-5 and A-4: what lay there."""
    last = Project(Kind.GRANARY, left=1, pay=(Pay.WOOD,))
    for lay, coins in (("--t-", 4), ("--c-", 5)):
        state = with_player(commissioning(), A, projects=(last,), food=food(lay))
        state = played(valhal, state, "agree")
        assert (state.players[A].food, state.players[A].coins) == (food("--g-"), coins)
    state = played(valhal, state, "event e3")  # VHAL-FOOD-8
    assert [player.blocked for player in state.players] == [(), (Season.WINTER,)]
    assert Happening.WARDED in happenings(state)
    assert Fill.GRANARY in played(valhal, state, "agree").players[A].food


def test_food_a_card_takes() -> None:
    state = with_player(commissioning(), A, food=food("-tct"))
    state = played(valhal, state, "A resolves food-5")
    assert state.players[A].food == food("--c-")


# Projects


def rich(*lines: str, **fields: object) -> State:
    state = with_player(commissioning(), A, **{"coins": 9, "wood": 5, "iron": 5, **fields})
    return played(valhal, state, *lines)


def test_workshops() -> None:
    """VHAL-BLD-WARE and VHAL-BLD-SMITH, A-8, A-10, A-11."""
    begun = Project(Kind.LONGBOAT, left=3, fresh=False)
    state = rich(buildings=(Kind.WAREHOUSE, Kind.BLACKSMITH), projects=(begun,), boats=3)
    lines = ("A builds longboat with coin", "A builds warriors with coin")
    state = played(valhal, state, *lines, "A builds warriors with iron")
    lefts = {each.site: each.left for each in state.players[A].projects}
    assert lefts == {"longboat": 3, "longboat-2": 2, "warriors": 1, "warriors-2": 1}
    assert codes(state, "A builds longboat with coin") == ["site-taken"]
    state = played(valhal, state, "A builds veterans from warriors with iron")
    assert codes(state, "A builds veterans from warriors with iron") == [
        "site-taken",
        "no-unit-to-upgrade",
    ]


def test_an_upgrade() -> None:
    """VHAL-BT-3; A-28: the old unit is away at once."""
    state = rich("A has coins 9", buildings=(Kind.BLACKSMITH,))
    state = played(valhal, state, "A builds veterans from warriors with coin iron")
    assert state.players[A].units == ()
    back = played(valhal, state, "A withdraws veterans")
    assert (back.players[A].units, back.players[A].projects) == (("warriors",), ())
    assert played(valhal, state, "agree").players[A].units == ("veterans",)


def test_a_payment_is_withdrawn() -> None:
    running = Project(Kind.LONGBOAT, left=2, fresh=False)
    state = rich("A pays longboat with coin wood", projects=(running,))
    assert (state.players[A].coins, state.players[A].wood) == (8, 4)
    state = played(valhal, state, "A withdraws longboat")
    assert state.players[A].projects == (running,)
    assert (state.players[A].coins, state.players[A].wood) == (9, 5)


def test_tokens_where_food_is_blocked() -> None:
    """VHAL-BT-1, and VHAL-BT-4 for the other project."""
    state = rich("A resolves block", "A builds warriors with iron")
    assert codes(state, "A agrees") == []
    assert codes(played(valhal, state, "A builds longboat with coin"), "A agrees") == [
        "food-blocked"
    ]


def test_an_unusable_workshop() -> None:  # VHAL-CARD-5
    marker = (Unusable(Kind.WAREHOUSE, Season.SUMMER),)
    state = rich("A builds longboat with coin", buildings=(Kind.WAREHOUSE,), unusable=marker)
    assert state.players[A].projects[0].left == 3
    assert played(valhal, state, "agree").players[A].unusable == ()


def test_all_agree_one_by_one() -> None:
    state = commissioning("B agrees")
    assert waited_for(state) == (A,)
    assert valhal.expected(state) == valhal.parse("agree")
    state = played(valhal, state, "B disagrees", "B feeds spring", "B agrees", "A agrees")
    assert state.season is Season.WINTER


# Sacrifices


def test_the_runestone() -> None:
    """VHAL-SAC-1, -2 and -3: one a season, carried out later."""
    state = rich("A sacrifices glory for benevolence", glory=2)
    assert state.players[A].glory == 0
    state = played(valhal, state, "A withdraws sacrifice", "A sacrifices coins for benevolence")
    assert (state.players[A].glory, state.players[A].coins) == (2, 8)
    state = played(valhal, state, "agree")
    assert (state.phase, state.dues[0].stack) == (Phase.DRAW, Stack.BENEVOLENCE)
    assert state.season is Season.SUMMER  # construction waits for the card
    state = played(valhal, state, "A draws b2")
    assert state.players[A].kept == (Held(Stack.BENEVOLENCE, "b2"),)  # VHAL-CARD-3
    state = played(valhal, state, "A uses b2")
    assert (state.players[A].coins, state.players[A].kept) == (11, ())


def test_the_altar() -> None:
    """VHAL-BLD-ALTAR, VHAL-SAC-4, -5 and -6; A-27: the victim is named then."""
    state = rich("A sacrifices coins for benevolence", buildings=(Kind.ALTAR,))
    assert state.players[A].coins == 7
    state = rich("A sacrifices coins for wrath", "agree", buildings=(Kind.ALTAR,))
    assert state.phase is Phase.CURSE
    state = played(valhal, state, "A curses B", "B draws w1")
    assert state.players[B].coins == 2
    state = rich("A sacrifices glory for favour", "agree", buildings=(Kind.ALTAR,), glory=8)
    assert (state.players[A].favour, state.players[A].glory) == (1, 1)


def test_a_sacrifice_never_wins() -> None:
    """VHAL-SAC-6: an Achievement came in between."""
    boat = Project(Kind.LONGBOAT, left=1, pay=(Pay.WOOD,))
    state = rich(buildings=(Kind.ALTAR,), glory=7, favour=4, boats=2, projects=(boat,))
    state = played(valhal, state, "A sacrifices glory for favour", "agree")
    assert (state.players[A].favour, state.over) == (5, False)


# Favour, glory, Final Stage


def test_wrath_on_arrival() -> None:  # VHAL-FAV-3
    state = rich("A resolves favour+1", favour=2)
    assert (state.phase, state.dues[0].stack) == (Phase.DRAW, Stack.WRATH)


def test_the_last_space_wins_in_the_middle_of_loot() -> None:
    """VHAL-FAV-1 and -2; A-37."""
    state = told(with_player(sailing(), A, favour=5), "town.v1.loot larger lesser")
    state = played(valhal, state, ATTACK, "B stays", "A rolls 6", "town rolls 1", "A draws r1")
    assert (state.over, state.winner, state.dues) == (True, A, ())
    assert valhal.standing(state).winners == (A,)
    assert codes(state, "agree") == ["game-over"]


def test_the_final_stage_ends_after_the_next_vikingfahrt() -> None:
    """VHAL-FIN-1 to -3; A-22: glory lost later does not cancel it; A-23."""
    state = rich("A resolves glory+1", favour=5, glory=6)
    state = played(valhal, state, "A resolves glory-5")
    state = played(valhal, with_player(state, B, favour=5), "B resolves glory+9")
    assert state.final is not None
    assert (state.final.seat, state.over) == (A, False)
    assert after_the_next_voyage(state).winner is A


def test_somebody_else_wins_first() -> None:  # VHAL-FIN-2
    state = rich("A resolves glory+1", favour=5, glory=6)
    state = played(valhal, with_player(state, B, favour=5), "B resolves favour+1")
    assert (state.over, state.winner) == (True, B)


def test_glory_stays_on_the_last_space() -> None:
    """VHAL-GLO-1, A-36."""
    assert rich("A resolves glory+30").players[A].glory == 20
    assert rich("A resolves glory-30").players[A].glory == 0


def test_a_change_is_due_after_the_next_vikingfahrt_to_begin() -> None:
    state = favoured(favoured(sailing(), A, 2), B, 2)
    state = played(valhal, state, "A resolves glory+1")
    assert [change.after for change in state.changes] == [2]


def test_an_achievement_the_table_reads() -> None:
    """VHAL-ACH-1 and -5."""
    state = rich("A achieves fourth")
    assert (owner_of(state, "fourth"), state.players[A].favour) == (A, 1)


# Vikingfahrt


def test_the_choice_roll() -> None:
    """VHAL-VF-1; A-12: who is equal on top rolls again."""
    laid = (*LAID, "lay v4", "lay v5")
    state = table(*laid, "A rolls 2", "B rolls 5", "C rolls 1", "D rolls 5", seats=4)
    assert (state.phase, state.waiting) == (Phase.ROLL, (B, D))
    state = played(valhal, state, "B rolls 1", "D rolls 3")
    assert state.queue == (D, A, B, C)
    assert valhal.passing(state) == valhal.parse("D stays")


def test_several_attacks_in_choosing_order() -> None:
    """VHAL-VF-2, -3 and -5; A-13, A-34."""
    state = with_player(sailing(), A, units=("warriors",) * 2, boats=2)
    state = played(valhal, state, ATTACK, "B stays", "A attacks v2 with warriors on 1")
    assert [raid.town for raid in state.raids] == ["v1", "v2"]
    assert state.mainland == ("v3",)
    assert state.queue == (B, A)
    assert state.phase is Phase.CHOOSE
    state = played(valhal, state, "B attacks v3 with warriors on 1")
    assert [raid.town for raid in state.raids] == ["v1", "v2", "v3"]
    state = played(valhal, state, "A rolls 6", "town rolls 1", "A draws l1")
    assert [raid.town for raid in state.raids] == ["v2", "v3"]


def test_two_towns_in_one_vikingfahrt() -> None:
    """VHAL-ACH-3"""
    state = with_player(sailing(), A, units=("warriors",) * 2, boats=2)
    state = played(valhal, state, ATTACK, "B stays", "A attacks v2 with warriors on 1", "B stays")
    beaten = ("A rolls 6", "town rolls 1", "A draws l1")
    state = played(valhal, state, *beaten, *beaten)
    assert (owner_of(state, DOUBLE), state.players[A].favour) == (A, 1)


def test_a_joint_attack() -> None:
    """VHAL-JOIN-1 to -3; A-17, A-18, A-31."""
    state = with_player(sailing(seats=3), A, units=("veterans", "warriors"))
    state = played(valhal, state, f"{ATTACK} inviting B C")
    assert (state.phase, waited_for(state)) == (Phase.INVITE, (B, C))
    assert valhal.passing(state) == valhal.parse("B declines")
    state = played(valhal, state, "C declines", "B joins with warriors on 1")
    assert (state.phase, state.queue) == (Phase.CHOOSE, (C, A, B))
    state = played(valhal, state, "C stays")  # nobody else can sail
    assert state.raid is not None
    assert base_attack(state, state.raid) == 2
    assert town_roller(state) is C
    state = played(valhal, state, "A fronts warriors of B", "B rolls 6 6", "town rolls 1")
    assert [player.glory for player in state.players] == [2, 2, 0]
    assert state.dues[0].seats == (A, B)
    state = played(valhal, state, "B draws l1")
    assert state.players[B].coins == 5


def test_joiners_choose_after_the_others() -> None:
    state = sailing(seats=4)
    for seat in (A, B):
        state = with_player(state, seat, units=("warriors",) * 2, boats=2)
    state = played(valhal, state, f"{ATTACK} inviting B", "B joins with warriors on 1")
    assert state.queue == (C, D, A, B)


def test_nobody_left_to_roll_for_the_town() -> None:
    state = sailing(f"{ATTACK} inviting B", "B joins with warriors on 1")
    assert town_roller(state) is None
    assert town_roller(sailing(ATTACK, "B stays")) is B


def test_a_jarl_withdraws_from_a_joint_attack() -> None:
    state = sailing(f"{ATTACK} inviting B", "B joins with warriors on 1")
    state = played(valhal, state, "A fronts warriors", "A retreats")
    assert state.raid is not None
    assert state.raid.seats == (B,)
    assert state.raid.front is not None
    assert state.raid.front.seat is B
    assert state.players[A].units == ("warriors",)
    state = played(valhal, state, "B rolls 6", "town rolls 1")
    assert [player.glory for player in state.players] == [0, 2]


def test_who_lost_everything_in_it_has_won_too() -> None:  # VHAL-JOIN-3
    state = sailing(f"{ATTACK} inviting B", "B joins with warriors on 1")
    state = told(state, "town.v1.rows 3/5/1")
    state = played(valhal, state, "A fronts warriors of B", "A rolls 1 1", "town rolls 2")
    assert state.players[B].glory == 1
    assert state.raid is not None
    assert (state.raid.seats, state.raid.allies) == ((A,), (A, B))
    state = played(valhal, state, "A rolls 6", "town rolls 1", "A rolls 6", "town rolls 1")
    assert state.raid is not None
    assert state.raid.hurt == 2
    state = played(valhal, state, "A rolls 6", "town rolls 1")
    assert [player.glory for player in state.players] == [2, 3]
    assert state.dues[0].seats == (A, B)
    state = played(valhal, state, "B draws l1")
    assert (state.players[B].units, state.players[B].boats) == (("warriors",), 1)  # VHAL-BAT-13


# Battle


def test_equal_results() -> None:
    state = sailing(ATTACK, "B stays", "A rolls 1", "town rolls 2")
    assert state.raid is not None
    assert (state.raid.rounds, state.raid.hurt) == (1, 0)


def test_a_retreat() -> None:
    """VHAL-BAT-10; A-29: the town is out until the cards are shuffled."""
    state = sailing(ATTACK, "B stays", "A rolls 1", "town rolls 3", "A retreats")
    assert (state.players[A].units, state.players[A].boats) == (("warriors",), 1)
    assert state.phase is Phase.LAYING
    assert state.mainland == ()


def test_surplus_goes_to_the_next_in_the_line() -> None:
    """VHAL-BAT-4 to -6 and VHAL-BAT-11."""
    state = with_player(sailing(), A, units=("veterans", "warriors", "warriors"), boats=2)
    state = told(state, "town.v1.rows 9/9/1")
    state = played(valhal, state, "A attacks v1 with veterans warriors warriors on 2", "B stays")
    state = played(valhal, state, "A fronts warriors", "A rolls 1 1 1", "town rolls 3")
    assert (state.phase, state.players[A].glory) == (Phase.FRONT, 1)
    assert state.raid is not None
    assert state.raid.surplus == 2
    assert codes(state, "A retreats") == ["dice-lie"]
    state = played(valhal, state, "A fronts veterans")
    assert state.raid is not None
    assert [fighter.hurt for fighter in state.raid.forces[0].fighters] == [2, 0]
    assert base_attack(state, state.raid) == 3


def test_a_row_that_falls_by_itself() -> None:
    """VHAL-BAT-7, -8 and -9."""
    state = told(sailing(), "town.v1.rows 9/0/1* 3/0/1", "town.v1.text something")
    state = played(valhal, state, ATTACK, "B stays", "A rolls 1", "town rolls 2")
    assert state.raid is not None
    assert (state.raid.row, state.raid.hurt) == (1, 0)
    assert Happening.ROW_DOWN in happenings(state)


def test_stranded_boats() -> None:
    """VHAL-BAT-12 and -14: the damaged one is left behind first."""
    state = with_player(sailing(), A, units=("warriors",) * 2, boats=2, damaged=1)
    state = told(state, "town.v1.rows 9/5/1")
    state = played(valhal, state, "A attacks v1 with warriors warriors on 1+1", "B stays")
    state = played(valhal, state, "A rolls 1 1", "town rolls 2", "A retreats")
    assert (state.players[A].boats, state.players[A].damaged) == (1, 0)
    assert Happening.STRANDED in happenings(state)


def test_the_safety_net() -> None:
    """VHAL-BAT-13; A-32: a project is no longboat."""
    state = told(sailing(), "town.v1.rows 9/9/1")
    state = with_player(state, A, projects=(Project(Kind.LONGBOAT, left=1),))
    state = played(valhal, state, ATTACK, "B stays", "A rolls 1", "town rolls 6")
    assert (state.players[A].units, state.players[A].boats) == (("warriors",), 1)
    assert Happening.RESCUED in happenings(state)
    assert Happening.BEATEN_OFF in happenings(state)


def test_the_safety_net_is_no_trick() -> None:
    """A-32: giving the last unit away for an upgrade brings nothing while it can be taken back."""
    state = with_player(commissioning(), A, boats=0, buildings=(Kind.BLACKSMITH,))
    lent = played(valhal, state, "A builds veterans from warriors with iron")
    assert lent.players[A].units == ()
    assert Happening.RESCUED not in happenings(lent)
    assert played(valhal, lent, "A withdraws veterans").players == state.players
    turned = played(valhal, lent, "agree")
    assert (turned.players[A].units, turned.players[A].boats) == (("warriors",), 1)


def test_who_has_no_dice_does_not_roll() -> None:
    state = told(sailing(), "town.v1.rows 5/3/0", "unit.warriors.dice 1 0")
    state = played(valhal, state, ATTACK, "B stays")
    assert all(str(each) != "town rolls" for each in valhal.actions(state))
    state = played(valhal, state, "A rolls 1")  # 2 against 3
    assert state.raids[0].forces[0].fighters == (Fighter("warriors", hurt=1),)
    state = played(valhal, state, "A rolls 1")
    assert state.raids[0].forces[0].fighters == (Fighter("warriors", wounded=True),)
    assert [str(each) for each in valhal.actions(state)] == [
        "strike",
        "A retreats",
    ]  # neither has any
    state = told(state, "town.v1.rows 5/0/1")
    state = played(valhal, state, "town rolls 1")
    assert Happening.DEFEATED in happenings(state)


def test_hulls() -> None:
    """VHAL-BAT-14 and VHAL-VF-4; VHAL-CONC-1: whole again after the Vikingfahrt."""
    state = with_player(sailing(), A, boats=2, units=("warriors",) * 3)
    state = played(valhal, state, "A resolves hull-1")
    assert state.players[A].damaged == 1
    state = played(valhal, state, "A attacks v1 with warriors warriors warriors on 1+1", "B stays")
    state = played(valhal, state, "A retreats")
    assert (state.players[A].boats, state.players[A].damaged) == (2, 0)
    state = played(valhal, commissioning(), "A resolves hull-1", "A resolves hull-1")
    assert state.players[A].boats == 0


def test_loot_symbols() -> None:
    """VHAL-LOOT-1 and -2; VHAL-CARD-1: only the drawer."""
    state = rich("A resolves longboat+1 warriors+1 veterans+1 wood-9 benevolence+1", "A draws b4")
    player = state.players[A]
    assert (player.boats, player.wood, player.food) == (2, 0, food("ttt-"))
    assert player.units == ("veterans", "warriors", "warriors")
    assert played(valhal, state, "A resolves hull-1 hull+1").players[A].damaged == 0
    none = with_player(commissioning(), A, units=())
    assert played(valhal, none, "A resolves veterans+1 veterans-1").players[A].units == ()


def doubts(state: State, line: str) -> list[str]:
    verdict = valhal.judge(state, valhal.parse(line))
    assert isinstance(verdict, Accepted)
    return [str(each) for each in verdict.assumes]


def test_one_card_more_than_there_are_is_told() -> None:
    """Loot until it is shuffled back, cards that are kept while they lie there."""
    again = "card-again [VHAL-SET-7] (card=l1, copies=2)"
    state = told(sailing(), "card.lesser.l1 copies:2 coins+2", "town.v1.loot lesser lesser lesser")
    state = played(valhal, state, ATTACK, "B stays", "A rolls 6", "town rolls 1")
    state = played(valhal, state, "A draws l1")
    assert doubts(state, "A draws l1") == []
    state = played(valhal, state, "A draws l1")
    assert doubts(state, "A draws l1") == [again]
    assert doubts(state, "A draws l2") == []
    state = played(valhal, state, "A draws l1")
    assert state.drawn == ()  # the Vikingfahrt is over

    state = told(commissioning(), "card.benevolence.b5 activated copies:1 nothing")
    state = played(valhal, state, "A resolves benevolence+1", "A draws b5")
    state = played(valhal, state, "B resolves benevolence+1")
    assert doubts(state, "B draws b5") == ["card-again [VHAL-SET-7] (card=b5, copies=1)"]
    assert doubts(played(valhal, state, "A uses b5"), "B draws b5") == []


def test_a_reroll_outside_a_battle_does_nothing() -> None:
    state = rich("A resolves reroll")
    assert state.raids == ()


# Variants


def test_heidruns_teat() -> None:
    """VHAL-VAR-HEID: attacked by everybody, never shuffled back. A-30"""
    state = sailing("A stays", "B stays", "heidrun v1", variant_heidrun="true")
    assert (state.heidrun, state.stack[0]) == ("v1", 3)
    assert codes(state, "lay v1") == ["town-on-table"]
    state = after_the_next_voyage_begins(played(valhal, state, "lay v2", "lay v3", "lay f1"))
    first, second = state.queue
    for seat in (first, second):
        state = played(valhal, state, f"{seat} attacks v1 with warriors on 1")
    assert [raid.town for raid in state.raids] == ["v1", "v1"]
    state = replace(sailing("A stays", "B stays", variant_heidrun="true"), mainland=())
    assert codes(state, "heidrun v4") == []


def after_the_next_voyage_begins(state: State) -> State:
    while state.phase is not Phase.CHOOSE:
        match state.phase:
            case Phase.EVENT:
                line = "event e1"
            case Phase.ROLL:
                line = f"{state.waiting[0]} rolls {7 - len(state.waiting)}"
            case _:
                line = "agree"
        state = played(valhal, state, line)
    return state


def test_special_units() -> None:
    """VHAL-VAR-SPEC: they count as Warriors and can be upgraded, then they are gone."""
    state = fresh(special_units="true")
    state = played(valhal, state, "first A", "A takes berserkir", "B takes special-3", *LAID[1:])
    rolls = ("A rolls 6", "B rolls 1", "A stays", "B stays", "lay v1", "lay v2", "lay v3")
    state = with_player(played(valhal, state, *rolls), A, buildings=(Kind.BLACKSMITH,))
    state = played(valhal, state, "A builds veterans from berserkir with iron")
    assert state.players[A].units == ()


def test_the_fast_game() -> None:
    """VHAL-VAR-FAST and VHAL-FAV-4."""
    state = commissioning(variant_fast="true")
    state = with_player(state, A, favour=4)
    assert played(valhal, state, "A resolves favour+1").winner is A


def test_supply_that_runs_short_is_said() -> None:
    state = rich("A resolves longboat+24", wood=0)
    assert Happening.SHORT in happenings(state)
    assert state.players[A].boats == 25
    strict = with_player(commissioning(supply_limited="strict"), A, units=("warriors",) * 27)
    strict = played(valhal, strict, "A resolves warriors+1 coins+99")
    assert len(strict.players[A].units) == 27
    assert sum(player.coins for player in strict.players) == 80


def test_points_are_favour() -> None:
    state = with_player(with_player(commissioning(), A, glory=3), Seat.B, favour=1)
    standing = valhal.standing(state)
    assert (standing.points, standing.ranks, standing.over) == ((0, 1), (2, 1), False)
