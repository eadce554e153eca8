"""Lines of play counted twice: by `actions`, and by asking `judge` about every conceivable move.

Agreement shows that the two say the same, not that both read the rules right, so four of the
tables in tests/perft/odin.txt were counted by hand. Where the first
step is the deal, the counts below are for one starter and the file has the double.

**Two cards, hands of one** (deck r1 r2, one_hand)

    1  the deal
    2  A leads r1 or r2, the only card of the hand, and is out: 2
    3  the hand is counted, 0 and 1: 2
    4  the game is over: 0

**Four cards, hands of two** (deck r1 r2 r3 b1, one_hand)

    2  A leads any one card, 4, or both of a set: r1 r2, r1 r3, r2 r3, r1 b1, 4: together 8
    3  each whole hand led is counted: 4
       on r1  B passes, r2, r3, r2 r3                           4
       on r2  B passes, r3, r1 r3, r1 b1                        4
       on r3  B passes, r1 r2, r1 b1                            3
       on b1  B passes, r2, r3, r1 r2, r1 r3, r2 r3             6: together 4 + 17 = 21
    4  counted hands are over: 0
       B passed: A leads the one card left, any of the 3 unseen: 4 * 3 = 12
       B laid two and is out, which is counted: 1 + 2 + 2 + 3 = 8
       B laid one and took the lead up; A holds one of the two unseen cards, and passes or lays it
         r1 r2: pass, r3     r1 r3: pass     r2 r3: pass     b1 r2: pass, r3     b1 r3: pass: 7
       together 27

**The goat, hands of two** (deck r5 b5 r3 goat, one_hand)

    2  A leads any one card, 4, or both of r5 b5, r5 r3, r5 goat, b5 goat, r3 goat, 5: together 9
    3  whole hands: with the goat among them nobody else has it, 3; without it B must hold it,
       for all four cards are dealt, 2: together 5
       on goat  B passes, r5, b5, r3, r5 b5, r5 r3              6
       on r3    B passes, r5, b5, r5 b5, r5 goat, b5 goat       6
       on r5    B passes, b5 goat, r3 goat                      3
       on b5    B passes, r5 r3, r5 goat, r3 goat               4: together 5 + 19 = 24

**A take** (deck r1 to r4 and b1 to b4, hands of four; A led r1, B laid r2 b2 and took r1 up)

A holds three cards of r3 r4 b1 b3 b4, all unseen; B holds r1 and two of them.

    1  A passes, r3 r4, b1 b3, b1 b4, b3 b4, r3 b3, r4 b4, or all three of b1 b3 b4: 8
    2  A passed: B leads r1 or any of the five, or the whole hand if it is r1 r3 r4: 7
       A laid two and takes r2 or b2: 6 * 2
       A laid three and is out, which is counted: 1: together 20
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import TypeAlias

import pytest

from companion.core.game import Accepted
from companion.core.notation import Seat, Word, seats
from companion.games.odin import rules as odin
from companion.games.odin.rules.actions import Count, Deal, Pass, Play, Take
from companion.games.odin.rules.cards import Card
from tests.strategies import accepted, odin_setup, played

FILE = Path(__file__).parents[3] / "perft" / "odin.txt"

Moves: TypeAlias = Callable[[odin.State], Iterable[odin.Action]]

BY_HAND = {
    "seats=2 deck=r1,r2 hand=1 limit=one_hand": (2, 4, 4, 0),
    "seats=2 deck=r1,r2,r3,b1 hand=2 limit=one_hand": (2, 16, 42, 54),
    "seats=2 deck=r5,b5,r3,goat hand=2 limit=one_hand": (2, 18, 48),
    "seats=2 deck=r1,r2,r3,r4,b1,b2,b3,b4 hand=4 after=deal_A;A_r1;B_r2_b2": (8, 20),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file: a table, how deep to look, how many lines of play there are."""

    table: str
    depth: int
    count: int

    @classmethod
    def read(cls, text: str) -> Line:
        table, deep, count = text.rsplit(maxsplit=2)
        return cls(table, int(deep.removeprefix("depth=")), int(count))

    def start(self) -> odin.State:
        texts = dict(word.split("=", maxsplit=1) for word in self.table.split())
        count, size = int(texts.pop("seats")), texts.pop("hand")
        deck = frozenset(Card.parse(Word(card, 1)) for card in texts.pop("deck").split(","))
        assert count * int(size) <= len(deck)
        before = [line.replace("_", " ") for line in texts.pop("after", "").split(";") if line]
        setup = odin_setup(count, "en", hand_size=size, **texts)
        return played(odin, replace(odin.start(setup), deck=deck), *before)


def lines() -> Iterator[Line]:
    for text in FILE.read_text(encoding="utf-8").splitlines():
        if text and not text.startswith("#"):
            yield Line.read(text)


def conceivable(state: odin.State) -> Iterator[odin.Action]:
    """Every move there could be at this table, and the seat that is not there."""
    deck = sorted(state.deck, key=str)
    size = state.options.hand_size
    for seat in seats(len(state.seats) + 1):
        yield Deal(seat)
        yield Pass(seat)
        yield from (Take(seat, card) for card in deck)
        for count in range(1, len(deck) + 1):
            yield from (Play(seat, cards) for cards in combinations(deck, count))
    for left in product(range(size + 1), repeat=len(state.seats)):
        yield from (Count(left, goat) for goat in (None, *state.seats))


def judged(state: odin.State) -> Iterator[odin.Action]:
    return (move for move in conceivable(state) if isinstance(odin.judge(state, move), Accepted))


def perft(state: odin.State, depth: int, moves: Moves) -> int:
    if depth == 0:
        return 1
    return sum(split(state, depth, moves).values())


def split(state: odin.State, depth: int, moves: Moves) -> dict[str, int]:
    """Lines of play below each move; a set is named in one order."""
    return {
        _named(move): perft(accepted(odin.judge(state, move)), depth - 1, moves)
        for move in moves(state)
    }


def _named(move: odin.Action) -> str:
    if isinstance(move, Play):
        move = replace(move, cards=tuple(sorted(move.cards, key=str)))
    return odin.format(move)


def differing(state: odin.State, depth: int) -> list[str]:
    """The way to the first table on which the two counts part, and both counts there."""
    by_actions, by_judge = split(state, depth, odin.actions), split(state, depth, judged)
    table = [
        f"{move}: {by_actions.get(move)} by actions, {by_judge.get(move)} by judge"
        for move in sorted({*by_actions, *by_judge})
    ]
    for move in by_actions:
        if depth > 1 and move in by_judge and by_actions[move] != by_judge[move]:
            below = accepted(odin.judge(state, odin.parse(move)))
            return [f"after {move}", *differing(below, depth - 1)]
    return table


@pytest.mark.parametrize("line", [*lines()], ids=lambda line: f"{line.table} depth={line.depth}")
def test_perft(line: Line) -> None:
    start = line.start()
    by_actions = perft(start, line.depth, odin.actions)
    by_judge = perft(start, line.depth, judged)
    assert by_actions == by_judge, "\n".join(differing(start, line.depth))
    assert by_actions == line.count, split(start, line.depth, odin.actions)


@pytest.mark.parametrize("table", BY_HAND)
def test_the_file_has_what_was_counted_by_hand(table: str) -> None:
    filed = {line.depth: line.count for line in lines() if line.table == table}
    assert filed == dict(enumerate(BY_HAND[table], start=1))


def test_the_goat_and_a_seat_more_than_two_are_in_the_file() -> None:
    tables = [line.start() for line in lines()]
    assert any(len(table.seats) > 2 for table in tables)
    assert any(Card(0, None) in table.deck for table in tables)


def test_a_mismatch_shows_where_the_counts_part(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Line("seats=2 deck=r1,r2,r3,b1 hand=2 limit=one_hand", 3, 42).start()
    honest = odin.actions

    def forgetful(state: odin.State) -> Iterator[odin.Action]:
        return (move for move in honest(state) if move != Pass(Seat.B))

    monkeypatch.setattr(odin, "actions", forgetful)
    shown = differing(state, 3)
    assert shown[:2] == ["after deal A", "after A r3"]
    assert "B pass: None by actions, 1 by judge" in shown
    assert "B b1 r1: 1 by actions, 1 by judge" in shown
