"""The worked examples of the rulebook and the specification, by id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.raid.battle import Tableau, front_fighter, tableau
from companion.games.valhal.rules.settlement.achievements import owner_of
from companion.games.valhal.rules.settlement.favour import favoured
from companion.games.valhal.rules.settlement.food import provided, received
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.sheet.sheet import BLESSED, LONGBOATS
from companion.games.valhal.rules.state import (
    Fighter,
    Happening,
    Held,
    Phase,
    Project,
    Stage,
    State,
)
from companion.games.valhal.rules.vocabulary import Fill, Kind, Pay, Stack
from tests.games.valhal.rules.tables import (
    SHEET,
    A,
    B,
    C,
    codes,
    commissioning,
    fresh,
    in_season,
    sailing,
    table,
    with_player,
)
from tests.games.valhal.rules.tables import food as laid
from tests.strategies import played


def told(state: State, *entries: str) -> State:
    """The sheet of the example: what it says there is true here."""
    for entry in entries:
        path, *value = entry.split()
        state = replace(state, sheet=filled(state.sheet, path, tuple(value)))
    return state


# Battles


def village(*lines: str) -> State:
    state = told(sailing(), "town.v1.rows 5/0/2", "town.v1.glory 2", "town.v1.loot lesser")
    return played(valhal, state, "A attacks v1 with warriors on 1", "B stays", *lines)


def test_b1() -> None:
    state = village("A rolls 3", "town rolls 1 1")
    board = tableau(state)
    assert board is not None
    assert board.enemy_hp == 5 - 2


def test_b2() -> None:
    state = told(sailing(), "town.v1.rows 5/1/1")
    state = played(valhal, state, "A attacks v1 with warriors on 1", "B stays")
    state = played(valhal, state, "A rolls 1", "town rolls 3")
    assert state.raid is not None
    assert front_fighter(state.raid) == Fighter("warriors", wounded=True)
    board = tableau(state)
    assert board is not None
    assert (board.front_hp, board.base) == (1, 0)
    assert [note.what for note in state.notes] == [Happening.WOUNDED, Happening.MARKED]


def example() -> State:
    """Veterans and Warriors on one boat, the Berserkir on another, against two rows."""
    state = with_player(sailing(), A, units=("berserkir", "veterans", "warriors"), boats=2)
    state = with_player(state, A, kept=(Held(Stack.BENEVOLENCE, "b1"),))
    state = told(
        state,
        "unit.veterans.dice 2 2",
        "town.v1.rows 2/8/1 1/8/1",
        "town.v1.glory 2",
        "town.v1.loot lesser",
    )
    lines = ("A attacks v1 with veterans warriors berserkir on 2", "B stays", "A fronts veterans")
    return played(valhal, state, *lines)


B31 = ("A rolls 1 1 3 2 1", "town rolls 3", "strike")
B32 = ("A rolls 1 1 1 1 1", "town rolls 5", "strike")
B33 = ("A rolls 1 2 2 2 2", "town rolls 2", "strike")
B34 = ("A rolls 1 2 2 2 2", "town rolls 6")


def board(state: State) -> tuple[int, int, int]:
    found = tableau(state)
    assert found is not None
    return found.enemy_hp, found.base, found.front_hp


def test_b3() -> None:
    state = example()
    assert tableau(state) == Tableau(2, 4, 4, 5, 8, 1)
    assert state.phase is Phase.BATTLE


def test_b3_1() -> None:
    assert board(played(valhal, example(), *B31)) == (1, 4, 4)


def test_b3_2() -> None:
    state = played(valhal, example(), *B31, *B32)
    assert board(state) == (1, 3, 2)
    assert state.raid is not None
    assert front_fighter(state.raid) == Fighter("veterans", wounded=True)


def test_b3_3() -> None:
    state = played(valhal, example(), *B31, *B32, *B33)
    assert board(state) == (1, 3, 2)
    assert state.raid is not None
    assert (state.raid.row, state.raid.hurt) == (1, 0)  # the surplus is lost


def test_b3_4a() -> None:
    """A-16: the book names the Warriors; by VHAL-BAT-4 it is the front line that falls."""
    state = played(valhal, example(), *B31, *B32, *B33, *B34)
    assert state.phase is Phase.STRIKE
    assert valhal.expected(state) == valhal.parse("strike")
    state = played(valhal, state, "strike")
    assert next((n.what, n.thing) for n in state.notes) == (Happening.DEFEATED, "veterans")
    assert state.raid is not None
    assert [f.name for f in state.raid.forces[0].fighters] == ["warriors", "berserkir"]
    assert state.players[A].glory == 1  # VHAL-BAT-11
    assert state.phase is Phase.FRONT


def won() -> State:
    state = played(valhal, example(), *B31, *B32, *B33, *B34, "A uses b1")
    assert state.phase is Phase.BATTLE
    assert codes(state, "A rolls 1 1 1 1 1") == ["dice-lie"]
    return played(valhal, state, "town rolls 3")


def test_b3_4b_and_b4() -> None:
    state = won()  # the card is gone, so nothing can change the dice any more
    assert state.players[A].glory == 2
    assert state.phase is Phase.DRAW
    assert [due.stack for due in state.dues] == [Stack.LESSER]
    state = played(valhal, state, "A draws l1")
    assert state.players[A].coins == 5


def test_b3_5() -> None:
    state = played(valhal, won(), "A draws l1")
    assert state.players[A].units == ("berserkir", "veterans", "warriors")
    assert (state.players[A].boats, state.raids) == (2, ())


# Food


def test_f1() -> None:
    state = received(fresh(), A, 1)
    assert state.players[A].food == laid("tt--")


def test_f2() -> None:
    state = received(with_player(fresh(), A, food=laid("tttt")), A, 1)
    assert state.players[A].food == laid("tttt")
    assert [note.what for note in state.notes] == [Happening.FOOD_LOST]


def winter(food: str, **fields: object) -> State:
    state = in_season(commissioning(), "winter")
    state = with_player(state, A, food=laid(food), **fields)
    return played(valhal, state, "A builds warriors with coin")


def test_f3() -> None:
    state = winter("-t--")
    assert not provided(state.players[A], state.season)
    assert codes(state, "A agrees") == codes(state, "agree") == ["not-provided"]


def test_f4() -> None:
    state = winter("-tg-", buildings=(Kind.GRANARY,))
    assert provided(state.players[A], state.season)
    assert codes(state, "A agrees") == []


def test_f5() -> None:
    state = received(with_player(in_season(fresh(), "spring"), A, food=laid("----")), A, 3)
    assert state.players[A].food == laid("tt-t")


# Construction


def project(left: int, *pay: Pay, food: str = "t---") -> State:
    running = Project(Kind.WARRIORS, left=left, pay=pay, fresh=False)
    state = with_player(commissioning(), A, projects=(running,), food=laid(food))
    return played(valhal, state, "agree")


def test_c1() -> None:
    state = project(3, Pay.COIN)
    (running,) = state.players[A].projects
    assert (running.left, running.pay) == (2, ())
    assert state.players[A].food == laid("----")


def test_c2() -> None:
    state = project(2, Pay.COIN, Pay.IRON)
    assert state.players[A].projects == ()
    assert state.players[A].units == ("warriors", "warriors")


def test_c3() -> None:
    state = project(1, Pay.COIN)
    assert state.players[A].units == ("warriors", "warriors")
    assert Happening.FINISHED in [note.what for note in state.notes]


def test_c4() -> None:
    (running,) = project(3, Pay.IRON, food="----").players[A].projects
    assert running.left == 2


def test_c5() -> None:
    assert codes(commissioning(), "A builds longboat with iron") == ["wrong-token"]


# Achievements


def test_y1() -> None:
    boat = Project(Kind.LONGBOAT, left=1, pay=(Pay.COIN,))
    state = with_player(commissioning(), A, boats=2, projects=(boat,))
    state = with_player(state, B, boats=2, projects=(boat,))
    state = played(valhal, state, "agree")
    assert owner_of(state, LONGBOATS) is A
    assert [player.favour for player in state.players] == [1, 0]
    notes = [(note.what, note.seat) for note in state.notes]
    assert notes.index((Happening.ACHIEVED, A)) < notes.index((Happening.FINISHED, B))


def blessed(*counts: int) -> State:
    state = commissioning(seats=3)
    for seat, count in zip(Seat, counts, strict=False):
        kept = tuple(Held(Stack.BENEVOLENCE, f"b{n}") for n in (5,) * count)
        state = with_player(state, seat, kept=kept)
    return played(valhal, state, "A resolves glory+1")


def test_y2() -> None:
    state = blessed(3, 0, 0)
    assert (owner_of(state, BLESSED), state.players[A].favour) == (A, 1)
    state = with_player(state, B, kept=(Held(Stack.BENEVOLENCE, "b5"),) * 3)
    state = played(valhal, state, "B resolves benevolence+1")
    assert owner_of(state, BLESSED) is A
    state = played(valhal, state, "B draws b5")
    assert owner_of(state, BLESSED) is B
    assert [player.favour for player in state.players] == [0, 1, 0]


def test_y3() -> None:
    state = blessed(3, 0, 0)
    for seat in (B, C):
        state = with_player(state, seat, kept=(Held(Stack.BENEVOLENCE, "b5"),) * 3)
    state = played(valhal, state, "A uses b5")
    assert owner_of(state, BLESSED) is None
    assert [player.favour for player in state.players] == [0, 0, 0]
    assert Happening.RETURNED in [note.what for note in state.notes]
    state = played(valhal, state, "B uses b5", "C resolves glory+1")
    assert owner_of(state, BLESSED) is C  # now C has the most


# Final Stage


@pytest.mark.parametrize(("favour", "fast"), [(5, "false"), (4, "true")])
def test_p1(favour: int, fast: str) -> None:
    state = with_player(commissioning(variant_fast=fast), A, favour=favour, glory=6)
    assert state.final is None
    state = played(valhal, state, "A resolves glory+1")
    assert state.final is not None
    assert (state.final.seat, state.final.after, state.players[A].glory) == (A, 2, 7)
    assert not state.over


def test_p2() -> None:
    state = with_player(commissioning(), A, favour=5, glory=7, buildings=(Kind.ALTAR,))
    assert codes(state, "A sacrifices glory for favour") == ["last-space"]


# The Mainland


def after_the_next_voyage(state: State) -> State:
    """A change is ahead; nobody sails."""
    while state.stage is not Stage.CHOOSE:
        match state.phase:
            case Phase.EVENT:
                line = "event e1"
            case Phase.ROLL:
                line = f"{state.waiting[0]} rolls {7 - len(state.waiting)}"
            case Phase.DRAW:
                line = f"{state.dues[0].seats[0]} draws w4"
            case _:
                line = "agree"
        state = played(valhal, state, line)
    while state.phase is Phase.CHOOSE:
        state = played(valhal, state, f"{state.queue[0]} stays")
    return state


def test_m1() -> None:
    state = commissioning()
    state = favoured(favoured(state, A, 2), B, 1)
    assert played(valhal, state, "A resolves glory+1").changes == ()
    state = played(valhal, favoured(state, B, 1), "A resolves glory+1")
    assert state.stack == (4, 7, 3, 1)
    state = after_the_next_voyage(state)
    assert state.stack == (2, 7, 3, 1)
    assert Happening.TAKEN_OUT in [note.what for note in state.notes]
    assert after_the_next_voyage(played(valhal, state, "lay v1", "lay f1", "lay t1")).stack == (
        2, 7, 3, 1,
    )  # fmt: skip


def test_m2() -> None:
    state = favoured(commissioning(seats=4), A, 4)
    state = after_the_next_voyage(played(valhal, state, "A resolves glory+1"))
    assert state.stack == (0, 6, 6, 1)
    assert codes(state, "lay v1") == ["level-used-up"]


@pytest.mark.parametrize(("seats", "left"), [(2, (0, 3, 3, 1)), (3, (0, 4, 5, 1))])
def test_both_changes(seats: int, left: tuple[int, ...]) -> None:
    state = commissioning(seats=seats)
    for seat in state.seats:
        state = favoured(state, seat, 4)
    state = after_the_next_voyage(played(valhal, state, "A resolves glory+1"))
    assert state.stack == left
    assert state.changes == ()


def test_the_copy_of_these_tests_is_whole() -> None:
    assert SHEET.town("v1").level == "village"
    assert table("first A").phase is Phase.LAYING
    assert Fill.TOKEN in fresh().players[A].food
