"""Scans beside the books, by tables of cases: no picture is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.core.game import Accepted, Setup
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.games.odin import scanning as odin_scans
from companion.games.valhal import rules as valhal
from companion.games.valhal import scanning as valhal_scans
from companion.games.valhal.bots.invented_copy import SHEET
from companion.games.valhal.bots.phone_pictures import with_settlements
from companion.games.valhal.layout import ZONES
from companion.games.valhal.rules.state import Player, Project, State
from companion.games.valhal.rules.vocabulary import Fill, Kind, Pay
from companion.scanning.asked_card import answered, cards_shown
from companion.scanning.comparison import (
    SURE,
    BooksSay,
    ScanRow,
    compared,
    likelier_subject,
    to_take,
)
from companion.scanning.scanner import ScannedFact, ScannedView, Subject
from companion.tabletop.observations import Sighting
from companion.tabletop.readings import Question, Reading
from companion.tabletop.zones import centre
from companion.vision.boards.template import template

A, B = Seat(0), Seat(1)
HOME = template(ZONES, "A")
assert HOME is not None
PLACES = {place.name: place.outline for place in HOME.places}


def at(
    x: float, y: float, label: str, p: float = 0.99, *, turn: int = 0, side: float = 20
) -> Sighting:
    half = side / 2
    quad = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Sighting("card", label, p, quad, turn)


def on(place: str, label: str, p: float = 0.99, turn: int = 0, dx: float = 0.0) -> Sighting:
    x, y = centre(PLACES[place])
    return at(x + dx, y, label, p, turn=turn)


def books(**parts: object) -> State:
    """Four Jarls; what is said of A counts for A alone."""
    state = replace(valhal.start(Setup("valhal", ("Anna", "Ben", "Cleo", "Dag"))), sheet=SHEET)
    bare = replace(Player(), food=(Fill.EMPTY,) * 4)
    mine = replace(bare, **parts)  # type: ignore[arg-type]
    return replace(state, players=(mine, bare, bare, bare))


def lines(state: State, *seen: Sighting, unclear: tuple[str, ...] = ()) -> dict[str, ScanRow]:
    view = ScannedView(seen, PLACES, "A", unclear=frozenset(unclear))
    facts = valhal_scans.read(state, Subject("settlement", A, on_places=True), (view,))
    return {row.fact.line: row for row in compared(valhal, state, facts)}


LONGBOAT = Project(Kind.LONGBOAT, left=2, pay=(Pay.COIN,), fresh=False)
CASES = {
    "a token the books do not have": (
        books(), [on("food-winter-1", "food")], "A has food.winter-1 1", BooksSay.DIFFERS,
    ),
    "a token that lies as in the books": (
        books(food=(Fill.EMPTY, Fill.TOKEN, Fill.EMPTY, Fill.EMPTY)),
        [on("food-winter-1", "food")], "A has food.winter-1 1", BooksSay.AGREES,
    ),
    "a token that has gone": (
        books(food=(Fill.TOKEN, Fill.EMPTY, Fill.EMPTY, Fill.EMPTY)),
        [], "A has food.summer 0", BooksSay.DIFFERS,
    ),
    "a coin where food was": (
        books(food=(Fill.TOKEN, Fill.EMPTY, Fill.EMPTY, Fill.EMPTY)),
        [on("food-summer", "coin")], "A has coin.summer 1", BooksSay.DIFFERS,
    ),
    "a marker further on": (books(glory=3), [on("glory-5", "marker")], "A has glory 5",
                            BooksSay.DIFFERS),
    "the stage by how the card is turned": (
        books(projects=(LONGBOAT,)), [on("site-1", "longboat-back", turn=270)],
        "A has stage.longboat 2", BooksSay.AGREES,
    ),
    "a stage that differs": (
        books(projects=(LONGBOAT,)), [on("site-1", "longboat-back", turn=180)],
        "A has stage.longboat 1", BooksSay.DIFFERS,
    ),
    "the payment that lies on it": (
        books(projects=(LONGBOAT,)),
        [on("site-1", "longboat-back", turn=270), on("site-1", "coin", dx=9)],
        "A pays longboat with coin", BooksSay.AGREES,
    ),
    "coins beside the board": (books(coins=3), [at(-30, 40, "coin"), at(-30, 70, "coin")],
                               "A has coins 2", BooksSay.DIFFERS),
    "longboats beside the board": (books(boats=2), [at(-40, 40, "longboat")], "A has longboats 1",
                                   BooksSay.DIFFERS),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_settlement_is_held_against_the_books(case: str) -> None:
    state, seen, line, outcome = CASES[case]
    assert lines(state, *seen)[line].outcome is outcome


def test_what_is_unsure_is_never_taken_with_the_rest() -> None:
    rows = lines(books(), on("food-summer", "food", p=0.6), on("food-spring", "food"))
    taken = {row.fact.line for row in to_take(tuple(rows.values()))}
    assert "A has food.spring 1" in taken
    assert "A has food.summer 1" not in taken
    assert rows["A has food.summer 1"].unsure


def test_a_place_that_does_not_look_bare_is_not_surely_empty() -> None:
    state = books(food=(Fill.TOKEN, Fill.EMPTY, Fill.EMPTY, Fill.EMPTY))
    assert not lines(state)["A has food.summer 0"].unsure
    assert lines(state, unclear=("food-summer",))["A has food.summer 0"].unsure


def test_a_project_that_is_not_seen_is_marked_and_not_struck() -> None:
    row = lines(books(projects=(LONGBOAT,)))["A has stage.longboat 0"]
    assert row.outcome is BooksSay.DIFFERS
    assert row.unsure


# Whose board it is


def whose(state: State, view: ScannedView) -> Subject | None:
    subject = Subject("settlement", A, on_places=True)
    return likelier_subject(valhal_scans.SCANNER, valhal, state, subject, (view,))


def test_a_board_that_belongs_to_another_is_noticed() -> None:
    found = whose(books(), ScannedView((), PLACES, "B"))
    assert found is not None
    assert found.seat == B


def test_of_boards_alike_the_pieces_tell_whose_it_is() -> None:
    rng = np.random.default_rng(4)
    state = with_settlements(books(), rng)
    ben = replace(state.players[B], projects=(), food=(Fill.TOKEN, Fill.COIN) * 2, glory=9)
    anna = replace(ben, food=(Fill.COIN, Fill.TOKEN) * 2, glory=2)
    state = replace(state, players=(anna, ben, *state.players[2:]))
    seen = (
        on("food-summer", "food"), on("food-winter-1", "coin"), on("food-winter-2", "food"),
        on("food-spring", "coin"), on("glory-9", "marker"),
    )  # fmt: skip
    found = whose(state, ScannedView(seen, PLACES, "A", alike=("B", "C", "D")))
    assert found is not None
    assert found.seat == B


def test_a_few_differences_are_no_reason_to_ask() -> None:
    assert whose(books(), ScannedView((on("food-summer", "food"),), PLACES, "A", ("B",))) is None


# Hands of Odin


def counting(*sizes: int) -> odin.State:
    state = odin.start(Setup("odin", ("Anna", "Ben", "Cleo")[: len(sizes)]))
    verdict = odin.judge(state, odin.parse("deal A"))
    assert isinstance(verdict, Accepted)
    hand = verdict.state.hand
    assert hand is not None
    return replace(verdict.state, hand=replace(hand, sizes=sizes, out=A))


def fan(x: float, *labels: str) -> list[Sighting]:
    return [at(x + 25 * n, 0, label, side=88) for n, label in enumerate(labels)]


def test_hands_that_lie_apart_are_counted_and_shown() -> None:
    state = counting(0, 2, 3)
    view = ScannedView((*fan(0, "r1", "g2"), *fan(400, "b3", "p4", "k5")))
    facts = odin_scans.read(state, Subject("hands"), (view,))
    assert [each.line for each in facts] == [
        "B shows r1 g2", "C shows b3 p4 k5", "count 0 2 3",
    ]  # fmt: skip
    assert all(each.p >= SURE for each in facts)
    outcomes = [row.outcome for row in compared(odin, state, facts)]
    assert outcomes == [BooksSay.NEW, BooksSay.NEW, BooksSay.NEW]


def test_hands_of_one_size_are_counted_and_not_given_to_anybody() -> None:
    view = ScannedView((*fan(0, "r1", "g2"), *fan(400, "b3", "p4")))
    facts = odin_scans.read(counting(0, 2, 2), Subject("hands"), (view,))
    assert [each.line for each in facts] == ["count 0 2 2"]


def test_a_count_against_the_books_is_marked() -> None:
    state = counting(0, 2, 3)
    view = ScannedView((*fan(0, "r1", "g2"), *fan(400, "b3", "p4", "k5", "o6")))
    rows = compared(odin, state, odin_scans.read(state, Subject("hands"), (view,)))
    assert rows[-1].fact.line == "count 0 2 4"
    assert rows[-1].unsure
    assert to_take(rows)[-1].fact.line == "B shows r1 g2"


# Dice, and a card that is asked about


def die(pips: int, p: float = 0.99) -> Sighting:
    return replace(at(0, 0, "x", p), kind="die", label=pips)


def test_the_die_that_is_waited_for() -> None:
    state = valhal.start(Setup("valhal", ("Anna", "Ben")))
    for line in ("sheet town.v1.level village", "first A", "lay v1", "laid"):
        verdict = valhal.judge(state, valhal.parse(line))
        assert isinstance(verdict, Accepted)
        state = verdict.state
    subjects = valhal_scans.subjects(state)
    assert subjects[0] == Subject("die", A)
    facts = valhal_scans.read(state, subjects[0], (ScannedView((die(5),)),))
    assert facts == (ScannedFact("A rolls 5", 0.99),)
    two = valhal_scans.read(state, subjects[0], (ScannedView((die(5), die(2))),))
    assert two[0].p < SURE


def test_a_card_that_is_asked_about_is_told_by_its_picture() -> None:
    seven, one = Reading(("B r7",), 0.5), Reading(("B r1",), 0.4)
    shown = cards_shown((ScannedView((at(0, 0, "r1"), at(90, 0, "x", p=0.2))),))
    found = answered(Question((seven, one)), shown)
    assert found is not None
    assert found[0] is one
    assert answered(Question((seven, one)), {"g4": 0.99}) is None
    assert answered(Question((seven, one)), {"r1": 0.9, "r7": 0.9}) is None
