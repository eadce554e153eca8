"""Valhal's two dear calculations: a construction process, and the odds of a large battle."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.bench.figure import Figure
from companion.bench.games import NAMES
from companion.core.game import Accepted, Setup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.raid.solver import Battle, Unit, best_front
from companion.games.valhal.rules.sheet.sheet import Row

WARRIORS = Unit("warriors", (2, 1), (1, 0), (1, 1))
VETERANS = Unit("veterans", (4, 2), (2, 1), (1, 1))
# The tracks of the battle tableau at their ends: 13 hit points, base attack 21.
LARGEST = Battle((WARRIORS, VETERANS), (5, 8), (Row(13, 21, 4),), 13, (1, 2, 3, 4, 5, 6))
SUMMER = (
    *("sheet town.v1.level village", "sheet gift.turn coins", "first A", "lay v1", "laid"),
    *(f"{seat} rolls {pips}" for seat, pips in zip("ABCD", (5, 4, 3, 2), strict=True)),
    *(f"{seat} stays" for seat in "ABCD"),
    *("lay v1", "laid"),
    *(f"{seat} builds warriors with coin" for seat in "ABCD"),
    *(f"{seat} agrees" for seat in "ABC"),
)


def figures(*, quick: bool) -> Iterator[Figure]:
    state = valhal.start(Setup("valhal", NAMES[:4]))
    for line in SUMMER:
        state = _after(state, line)
    rounds = 20 if quick else 200
    before = time.perf_counter()
    for _ in range(rounds):
        _after(state, "D agrees")
    spent = time.perf_counter() - before
    yield Figure("construction process of four Jarls", 1000 * spent / rounds, "ms")
    before = time.perf_counter()
    best_front(LARGEST)
    yield Figure("odds of the largest battle", 1000 * (time.perf_counter() - before), "ms")


def _after(state: valhal.State, line: str) -> valhal.State:
    verdict = valhal.judge(state, valhal.parse(line))
    if not isinstance(verdict, Accepted):
        raise RuntimeError(f"{line}: {verdict}")
    return verdict.state
