"""Lines of play counted by `actions()` and, one step deep, by trying all there is to say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.core.game import Accepted
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.state import State
from tests.games.valhal.rules.tables import fresh
from tests.games.valhal.rules.universe import universe
from tests.strategies import accepted, played

TABLES = Path("tests/perft/valhal.txt")


@dataclass(frozen=True)
class Case:
    text: str
    start: State
    depth: int
    count: int


def cases() -> list[Case]:
    lines = TABLES.read_text().splitlines()
    return [_case(line) for line in lines if line and not line.startswith("#")]


def _case(line: str) -> Case:
    *words, count = line.split()
    said = dict(word.split("=", 1) for word in words)
    after = said.pop("after", "")
    seats, depth = int(said.pop("seats")), int(said.pop("depth"))
    start = fresh(seats, **said)
    lines = [each.replace("_", " ") for each in after.split(";") if each]
    return Case(line, played(valhal, start, *lines), depth, int(count))


def split(state: State, depth: int) -> Counter[str]:
    """How many lines each first step leads to."""
    found: Counter[str] = Counter()
    for action in valhal.actions(state):
        after = accepted(valhal.judge(state, action))
        found[str(action)] = 1 if depth == 1 else split(after, depth - 1).total()
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.text[-60:])
def test_counted(case: Case) -> None:
    found = split(case.start, case.depth)
    assert found.total() == case.count, dict(found)


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.depth == 1], ids=lambda case: case.text[-60:]
)
def test_by_brute_force(case: Case) -> None:
    said = {
        str(action)
        for action in universe(case.start)
        if isinstance(valhal.judge(case.start, action), Accepted)
    }
    assert said == set(map(str, valhal.actions(case.start)))
