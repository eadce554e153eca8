"""Every objection, with its rule: what is said, at which table, and why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.settlement.clerk import steps, warnings
from companion.games.valhal.rules.sheet.checking import contradictions
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.sheet.sheet import RULEBOOK
from companion.games.valhal.rules.state import Change, Held, Project, Stage, State, Unusable, Work
from companion.games.valhal.rules.vocabulary import Kind, Pay, Season, Stack
from tests.games.valhal.rules.tables import (
    LAID,
    A,
    B,
    C,
    commissioning,
    food,
    fresh,
    in_season,
    rules,
    sailing,
    table,
    with_player,
)
from tests.strategies import played

COIN, WOOD, IRON = Pay.COIN, Pay.WOOD, Pay.IRON
ATTACK = "A attacks v1 with warriors on 1"


def rich(**fields: Any) -> State:
    return with_player(commissioning(), A, **{"coins": 9, "wood": 3, "glory": 3, **fields})


def running(*projects: Project, **fields: Any) -> State:
    return rich(projects=projects, **fields)


def winter(text: str, **fields: Any) -> State:
    return in_season(rich(food=food(text), projects=(boat(COIN),), **fields), "winter")


def boat(*pay: Pay, left: int = 3, fresh: bool = False) -> Project:
    return Project(Kind.LONGBOAT, left=left, pay=pay, fresh=fresh)


def altar() -> Project:
    return Project(Kind.ALTAR, left=2, fresh=False)


def drawing(stack: str = "wrath") -> State:
    return played(valhal, commissioning(), f"A resolves {stack}+1")


def cursing() -> State:
    state = rich(buildings=(Kind.ALTAR,))
    return played(valhal, state, "A sacrifices coins for wrath", "agree")


def over() -> State:
    return played(valhal, with_player(rich(), A, favour=5), "A resolves favour+1")


def battle(*lines: str) -> State:
    return sailing(ATTACK, "B stays", *lines)


def holding(*lines: str) -> State:
    state = with_player(sailing(), B, kept=(Held(Stack.BENEVOLENCE, "b1"),))
    return played(valhal, state, ATTACK, "B stays", *lines)


def joint(*lines: str) -> State:
    return sailing(f"{ATTACK} inviting B", *lines, seats=3)


def fought_jointly() -> State:
    return joint("B joins with warriors on 1", "C stays")


def fleet() -> State:
    """Some sail, some stay."""
    state = with_player(sailing(), A, units=("warriors",) * 2, boats=2)
    return played(valhal, state, ATTACK, "B stays", "A stays")


def removing() -> State:
    state = replace(
        commissioning(mainland_removal="chosen"),
        stage=Stage.REMOVAL,
        mainland=(),
        changes=(Change(1, 1),),
    )
    return with_player(state, A, agreed=False)


def setting_aside() -> State:
    return sailing("A stays", "B stays", variant_heidrun="true")


def teat(*lines: str) -> State:
    """The second Vikingfahrt, with v1 set aside."""
    state = played(valhal, setting_aside(), "heidrun v1", "lay v2", "lay v3", "lay f1", "agree")
    state = played(valhal, state, "event e1", "agree", "event e1", "agree", "event e1")
    state = with_player(state, A, units=("warriors",) * 3, boats=3)
    rolls = (f"{seat} rolls {6 if seat is A else 1}" for seat in state.waiting)
    return played(valhal, state, *rolls, *lines)


def strict() -> State:
    state = with_player(commissioning(supply_limited="strict"), B, boats=23)
    return with_player(state, A, wood=2)


def unusable(thing: str, **fields: Any) -> State:
    return rich(unusable=(Unusable(thing, Season.SUMMER),), **fields)


def berserk() -> State:
    return played(valhal, fresh(special_units="true"), "first A", "A takes berserkir")


Case = tuple[Callable[[], State], str, list[str]]

CASES: list[Case] = [
    (over, "agree", ["game-over [VHAL-FAV-1]"]),
    (rich, "C agrees", ["not-seated [VHAL-SET-1] (seat=C)"]),
    (cursing, "A curses D", ["not-seated [VHAL-SAC-5] (seat=D)"]),
    (rich, "first A", ["not-now [VHAL-SET-10] (phase=commission)"]),
    (battle, "A agrees", ["not-now [VHAL-CON-3] (phase=battle)"]),
    (
        lambda: played(valhal, drawing(), "A draws w9"),
        "agree",
        ["asked-first [VHAL-CARD-2] (path=card.wrath.w9)"],
    ),
    (drawing, "agree", ["settle-first [VHAL-CARD-1] (phase=draw, seat=A)"]),
    (sailing, "B stays", ["not-your-turn [VHAL-VF-1] (seat=B, to_move=A)"]),
    (lambda: table(*LAID, "A rolls 3"), "A rolls 3", ["not-yours-to-do [VHAL-VF-1] (seat=A)"]),
    (drawing, "B draws w1", ["not-yours-to-do [VHAL-CARD-1] (seat=B)"]),
    (cursing, "B curses A", ["not-yours-to-do [VHAL-SAC-5] (seat=B)"]),
    (joint, "C declines", ["not-yours-to-do [VHAL-JOIN-1] (seat=C)"]),
    (battle, "B rolls 3", ["not-yours-to-do [VHAL-BAT-2] (seat=B)"]),
    (battle, "B retreats", ["not-yours-to-do [VHAL-BAT-10] (seat=B)"]),
    (fought_jointly, "C fronts warriors of A", ["not-yours-to-do [VHAL-BAT-4] (seat=C)"]),
    (fought_jointly, "B fronts warriors", ["not-your-turn [VHAL-JOIN-2] (seat=B, to_move=A)"]),
    (removing, "B removes v1 v2", ["not-yours-to-do [VHAL-CHG-1] (seat=B)"]),
    (berserk, "A takes special-2", ["not-yours-to-do [VHAL-VAR-SPEC] (seat=A)"]),
    (berserk, "B takes berserkir", ["special-taken [VHAL-VAR-SPEC] (unit=berserkir)"]),
    # the sheet and the books
    (
        rich,
        "sheet unit.warriors.hp 3 1",
        ["sheet-contradicts [VHAL-CARD-2] (path=unit.warriors.hp, told=2, got=3)"],
    ),
    (rich, "A has coins 8", ["count-differs [VHAL-SET-4] (seat=A, thing=coins, have=9)"]),
    (rich, "A has favour 6", ["count-differs [VHAL-SET-4] (seat=A, thing=favour, have=0)"]),
    # the Mainland
    (
        lambda: replace(table("first A"), version=2),
        "lay v77",
        ["level-unknown [VHAL-SET-5] (path=town.v77.level)"],
    ),
    (
        lambda: table("first A"),
        "lay f1",
        ["level-wrong [VHAL-SET-5] (town=f1, level=fortified-village, need=village)"],
    ),
    (
        removing,
        "A removes v1 f1",
        ["level-wrong [VHAL-CHG-1] (town=f1, level=fortified-village, need=village)"],
    ),
    (
        lambda: replace(table("first A"), stack=(1, 0, 0, 0), voyages=1, mainland=("v1",), asks=()),
        "lay t1",
        [
            "mainland-full [VHAL-SET-5] (most=1)",
            "level-used-up [VHAL-SET-5] (town=t1, level=town, most=0)",
        ],
    ),
    (lambda: table("first A", "lay v1"), "lay v1", ["town-on-table [VHAL-SET-5] (town=v1)"]),
    (
        lambda: replace(table("first A"), removed=("v1",)),
        "lay v1",
        ["town-out [VHAL-CHG-1] (town=v1)"],
    ),
    (lambda: table("first A"), "laid", ["mainland-short [VHAL-SET-5] (got=0, need=3)"]),
    (lambda: table("first A", "lay v1"), "laid", ["mainland-short [VHAL-SET-5] (got=1, need=3)"]),
    (removing, "A removes v1", ["remove-count [VHAL-CHG-1] (got=1, need=2)"]),
    # food
    (lambda: rich(agreed=True), "A feeds spring", ["agreed [VHAL-CON-3] (seat=A)"]),
    (lambda: rich(agreed=True), "A agrees", ["agreed [VHAL-CON-3] (seat=A)"]),
    (rich, "A feeds summer", ["space-taken [VHAL-FOOD-2] (seat=A, space=summer)"]),
    (
        lambda: rich(blocked=(Season.SPRING,)),
        "A feeds spring",
        ["food-blocked [VHAL-FOOD-9] (seat=A, season=spring)"],
    ),
    (
        lambda: running(boat(COIN), blocked=(Season.SUMMER,)),
        "A agrees",
        ["food-blocked [VHAL-FOOD-9] (seat=A, season=summer)"],
    ),
    (rich, "A feeds spring food", ["no-food-stored [VHAL-SET-1] (seat=A)"]),
    (
        lambda: rich(coins=0),
        "A feeds spring",
        ["cannot-pay [VHAL-FOOD-2] (seat=A, thing=coins, have=0, need=1)"],
    ),
    (rich, "A unfeeds summer", ["token-stays [VHAL-FOOD-4] (seat=A, space=summer)"]),
    (rich, "A unfeeds spring", ["nothing-there [VHAL-FOOD-4] (seat=A, space=spring)"]),
    (
        lambda: running(boat(COIN), food=food("----")),
        "A agrees",
        ["not-provided [VHAL-FOOD-1] (seat=A, season=summer, spaces=summer)"],
    ),
    (
        lambda: winter("-t--"),
        "A agrees",
        ["not-provided [VHAL-FOOD-3] (seat=A, season=winter, spaces=winter-2)"],
    ),
    # projects
    (
        lambda: rich(wood=0),
        "A builds longboat with wood",
        ["cannot-pay [VHAL-COM-4] (seat=A, thing=wood, have=0, need=1)"],
    ),
    (
        lambda: running(boat()),
        "A pays longboat with iron",
        ["wrong-token [VHAL-BT-3] (seat=A, site=longboat, got=iron, need=wood)"],
    ),
    (
        lambda: running(boat(COIN)),
        "A pays longboat with coin",
        ["too-much-paid [VHAL-BT-2] (seat=A, site=longboat)"],
    ),
    (
        rich,
        "A builds longboat with wood wood",
        ["too-much-paid [VHAL-BT-2] (seat=A, site=longboat)"],
    ),
    (
        lambda: rich(buildings=(Kind.WAREHOUSE,)),
        "A builds warehouse with coin",
        ["built-already [VHAL-COM-3] (seat=A, kind=warehouse)"],
    ),
    (
        lambda: running(boat()),
        "A builds longboat with coin",
        ["site-taken [VHAL-BLD-WARE] (seat=A, kind=longboat)"],
    ),
    (
        lambda: running(altar()),
        "A builds altar with coin",
        ["site-taken [VHAL-COM-3] (seat=A, kind=altar)"],
    ),
    (rich, "A pays longboat with coin", ["no-project [VHAL-COM-4] (seat=A, site=longboat)"]),
    (
        lambda: running(boat()),
        "A withdraws longboat",
        ["no-project [VHAL-COM-4] (seat=A, site=longboat)"],
    ),
    (
        rich,
        "A builds veterans from warriors with iron",
        ["no-blacksmith [VHAL-BLD-SMITH] (seat=A)"],
    ),
    (
        lambda: rich(buildings=(Kind.BLACKSMITH,)),
        "A builds veterans from berserkir with iron",
        ["no-unit-to-upgrade [VHAL-BLD-SMITH] (seat=A, unit=berserkir)"],
    ),
    (
        lambda: rich(buildings=(Kind.BLACKSMITH,)),
        "A builds veterans with iron",
        ["unit-unnamed [VHAL-BLD-SMITH] (seat=A)"],
    ),
    (rich, "A builds altar from warriors with coin", ["unit-needless [VHAL-COM-1] (seat=A)"]),
    (
        lambda: unusable("longboat"),
        "A builds longboat with coin",
        ["unusable [VHAL-CARD-5] (seat=A, thing=longboat)"],
    ),
    (
        lambda: unusable("longboat", projects=(boat(),)),
        "A pays longboat with coin",
        ["unusable [VHAL-CARD-5] (seat=A, thing=longboat)"],
    ),
    (
        lambda: unusable("runestone"),
        "A sacrifices coins for benevolence",
        ["unusable [VHAL-CARD-5] (seat=A, thing=runestone)"],
    ),
    (
        lambda: with_player(sailing(), A, unusable=(Unusable("warriors", Season.SUMMER),)),
        ATTACK,
        ["unusable [VHAL-CARD-5] (seat=A, thing=warriors)"],
    ),
    (
        strict,
        "A builds longboat with wood",
        ["supply-empty [VHAL-SET-4] (seat=A, thing=longboat)"],
    ),
    (rich, "A disagrees", ["agreed-not [VHAL-CON-3] (seat=A)"]),
    # sacrifices
    (
        lambda: played(valhal, rich(), "A sacrifices coins for benevolence"),
        "A sacrifices coins for benevolence",
        ["sacrifice-planned [VHAL-SAC-1] (seat=A)"],
    ),
    (
        lambda: played(valhal, rich(), "A sacrifices coins for benevolence"),
        "A builds altar with coin",
        ["sacrifice-planned [VHAL-BLD-ALTAR] (seat=A)"],
    ),
    (rich, "A continues", ["nothing-under-way [VHAL-COM-4]"]),
    (rich, "continue", ["nothing-under-way [VHAL-COM-4]"]),
    (lambda: running(boat(), agreed=True), "A continues", ["agreed [VHAL-CON-3] (seat=A)"]),
    (
        lambda: running(boat(), coins=0, wood=0),
        "A continues",
        ["cannot-go-on [VHAL-COM-4] (seats=A)"],
    ),
    (rich, "A withdraws sacrifice", ["nothing-there [VHAL-SAC-1] (seat=A)"]),
    (
        lambda: running(altar()),
        "A sacrifices coins for benevolence",
        ["altar-under-way [VHAL-BLD-ALTAR] (seat=A)"],
    ),
    (rich, "A sacrifices coins for wrath", ["altar-missing [VHAL-SAC-5] (seat=A)"]),
    (
        lambda: rich(glory=9),
        "A sacrifices glory for favour",
        ["altar-missing [VHAL-SAC-6] (seat=A)"],
    ),
    (
        lambda: rich(buildings=(Kind.ALTAR,)),
        "A sacrifices glory for benevolence",
        ["runestone-closed [VHAL-SAC-7] (seat=A)"],
    ),
    (
        lambda: rich(buildings=(Kind.ALTAR,), favour=5, glory=7),
        "A sacrifices glory for favour",
        ["last-space [VHAL-SAC-6] (seat=A)"],
    ),
    (
        lambda: rich(glory=1),
        "A sacrifices glory for benevolence",
        ["cannot-pay [VHAL-SAC-3] (seat=A, thing=glory, have=1, need=2)"],
    ),
    (
        lambda: rich(coins=1, buildings=(Kind.ALTAR,)),
        "A sacrifices coins for benevolence",
        ["cannot-pay [VHAL-SAC-4] (seat=A, thing=coins, have=1, need=2)"],
    ),
    (
        lambda: rich(coins=0),
        "A sacrifices coins for benevolence",
        ["cannot-pay [VHAL-SAC-2] (seat=A, thing=coins, have=0, need=1)"],
    ),
    # cards
    (rich, "A uses b1", ["not-kept [VHAL-CARD-3] (seat=A, card=b1)"]),
    (
        lambda: replace(table(variant_fast="true"), stage=Stage.EVENT),
        "event e6",
        ["hourglass [VHAL-VAR-FAST] (card=e6)"],
    ),
    (
        lambda: played(valhal, drawing(), "A draws w2"),
        "A chooses 3",
        ["no-such-lot [VHAL-CARD-4] (card=w2, got=3, most=2)"],
    ),
    (
        lambda: played(valhal, with_player(drawing(), A, boats=0), "A draws w2"),
        "A chooses 2",
        ["not-carried-out [VHAL-CARD-7] (seat=A, card=w2, lot=2, thing=longboat, have=0, need=1)"],
    ),
    (
        lambda: rich(kept=(Held(Stack.BENEVOLENCE, "b1"),)),
        "A uses b1",
        ["changes-nothing [VHAL-CARD-8] (seat=A, card=b1)"],
    ),
    (drawing, "A draws larger r1", ["stack-not-due [VHAL-LOOT-1] (stack=larger)"]),
    (
        lambda: played(valhal, fleet(), "A resolves warriors-1"),
        "A gives veterans",
        ["not-to-give [VHAL-CARD-6] (seat=A, thing=veterans)"],
    ),
    (
        lambda: played(valhal, drawing(), "A draws w2"),
        "B chooses 1",
        ["not-yours-to-do [VHAL-CARD-4] (seat=B)"],
    ),
    (rich, "A achieves sixth", ["token-out [VHAL-SET-9] (token=sixth)"]),
    (
        lambda: played(valhal, rich(), "B achieves fourth"),
        "A achieves fourth",
        ["token-owned [VHAL-ACH-1] (token=fourth, owner=B)"],
    ),
    (rich, "A achieves longboats", ["condition-seen [VHAL-ACH-1] (seat=A, token=longboats)"]),
    (
        lambda: replace(rich(), sheet=RULEBOOK),
        "A achieves fourth",
        ["number-asked [VHAL-SET-9] (path=achievement.fourth.group)"],
    ),
    # Vikingfahrt
    (lambda: table(*LAID), "A rolls 3 4", ["one-die [VHAL-VF-1] (got=2)"]),
    (lambda: table(*LAID), "A rolls 7", ["not-a-face [VHAL-VF-1] (got=7)"]),
    (sailing, "A attacks t1 with warriors on 1", ["not-on-mainland [VHAL-VF-2] (town=t1)"]),
    (setting_aside, "heidrun t1", ["not-on-mainland [VHAL-VAR-HEID] (town=t1)"]),
    (
        lambda: replace(setting_aside(), mainland=()),
        "heidrun t1",
        ["level-wrong [VHAL-VAR-HEID] (town=t1, level=town, need=village)"],
    ),
    (
        lambda: teat(ATTACK, "B stays"),
        ATTACK,
        ["heidrun-twice [VHAL-VAR-HEID] (seat=A, town=v1)"],
    ),
    (teat, f"{ATTACK} inviting B", ["heidrun-alone [VHAL-VAR-HEID] (seat=A)"]),
    (
        sailing,
        "A attacks v1 with veterans on 1",
        ["unit-not-home [VHAL-VF-3] (seat=A, unit=veterans, have=0)"],
    ),
    (
        lambda: with_player(sailing(), A, units=("warriors",) * 2),
        "A attacks v1 with warriors warriors on 2",
        ["boats-not-home [VHAL-VF-2] (seat=A, have=1)"],
    ),
    (
        lambda: with_player(sailing(), A, boats=2),
        "A attacks v1 with warriors on 2",
        ["boat-empty [VHAL-VF-4] (seat=A, boats=2, units=1)"],
    ),
    (
        lambda: with_player(sailing(), A, units=("warriors",) * 3),
        "A attacks v1 with warriors warriors warriors on 1",
        ["boats-full [VHAL-VF-4] (seat=A, room=2, units=3)"],
    ),
    (
        lambda: with_player(sailing(), A, units=("warriors",) * 2, damaged=1),
        "A attacks v1 with warriors warriors on 0+1",
        ["boats-full [VHAL-VF-4] (seat=A, room=1, units=2)"],
    ),
    (sailing, f"{ATTACK} inviting A", ["cannot-invite [VHAL-JOIN-1] (seat=A)"]),
    (lambda: sailing("A stays"), "A stays", ["not-your-turn [VHAL-VF-1] (seat=A, to_move=B)"]),
    (
        lambda: sailing("A stays", pass_in_choice_final="true"),
        "A stays",
        ["not-yours-to-do [VHAL-VF-3] (seat=A)"],
    ),
    # battle
    (
        fought_jointly,
        "A fronts veterans of B",
        ["no-such-fighter [VHAL-BAT-4] (seat=B, unit=veterans)"],
    ),
    (battle, "A rolls 3 4", ["dice-count [VHAL-BAT-2] (got=2, need=1)"]),
    (lambda: battle("A rolls 3"), "A rolls 3", ["dice-lie [VHAL-BAT-2] (dice=3)"]),
    (lambda: battle("town rolls 3"), "town rolls 3", ["dice-lie [VHAL-BAT-2] (dice=3)"]),
    (lambda: battle("A rolls 3"), "A retreats", ["dice-lie [VHAL-BAT-10] (dice=3)"]),
    (
        lambda: holding("A rolls 3", "town rolls 4"),
        "town rolls 3",
        ["dice-lie [VHAL-BAT-2] (dice=4)"],
    ),
]


@pytest.mark.parametrize(("start", "line", "reasons"), CASES, ids=[case[1] for case in CASES])
def test_refused(start: Callable[[], State], line: str, reasons: list[str]) -> None:
    assert rules(start(), line) == reasons


# The clerk


def clerk(state: State) -> list[str]:
    return [str(each) for each in warnings(state)]


WARNED: list[tuple[Callable[[], State], str]] = [
    (lambda: running(boat(COIN, WOOD, left=1)), "overpaid [VHAL-CON-2] (seat=A, site=longboat)"),
    (lambda: running(boat()), "rests [VHAL-COM-4] (seat=A, site=longboat)"),
    (rich, "food-goes [VHAL-FOOD-6] (seat=A, space=summer)"),
    (
        lambda: running(boat(IRON)),
        "wrong-token [VHAL-BT-3] (seat=A, site=longboat, got=iron, need=wood)",
    ),
    (lambda: running(altar()), "altar-under-way [VHAL-BLD-ALTAR] (seat=A)"),
    (
        lambda: with_player(
            commissioning(end_of_turn_gift="food"), A, food=food("tttt"), projects=(boat(COIN),)
        ),
        "display-full [VHAL-FOOD-5] (seat=A)",
    ),
    (lambda: rich(wood=17), "supply-short [VHAL-SET-4] (thing=wood, left=-1)"),
    (
        lambda: replace(running(Project(Kind.ALTAR)), sheet=RULEBOOK),
        "number-asked [VHAL-COM-2] (seat=A, path=build.altar.stages)",
    ),
    (lambda: rich(glory=20), "glory-full [VHAL-GLO-1] (seat=A)"),
    (
        lambda: winter("-t--"),
        "not-provided [VHAL-FOOD-3] (seat=A, season=winter, spaces=winter-2)",
    ),
]


@pytest.mark.parametrize(("start", "warning"), WARNED, ids=[case[1] for case in WARNED])
def test_the_clerk_warns(start: Callable[[], State], warning: str) -> None:
    assert warning in clerk(start())


def test_the_clerk_is_content() -> None:
    state = running(boat(COIN))
    assert clerk(with_player(state, B, food=food("----"))) == []


def test_the_steps_of_construction() -> None:  # VHAL-CON-4
    state = replace(running(boat(COIN), altar()), first=B)
    state = played(valhal, state, "B sacrifices coins for benevolence")
    assert [(step.seat, step.what, step.thing) for step in steps(state)] == [
        (B, Work.SACRIFICE, "coins for benevolence"),
        (B, Work.CLEAR, ""),
        (A, Work.TURN, "longboat"),
        (A, Work.CLEAR, ""),
    ]


def test_every_code_is_exercised() -> None:
    said = [reason for _, _, reasons in CASES for reason in reasons]
    said += [warning for _, warning in WARNED]
    doubted = {Code.CARD_AGAIN}  # told with what is accepted
    assert {text.split(" ", 1)[0] for text in said} == set(Code) - doubted


def test_contradictions_are_reasons() -> None:
    sheet = filled(RULEBOOK, "box.village", ("4",))
    assert [each.code for each in contradictions(sheet)] == [Code.SHEET_CONTRADICTS]
    assert C not in fresh().seats
