"""Rounds in which everybody meets everybody, at boards of more than two. Pure; people are numbers
from 0.

Only for some numbers is there a plan in which every two meet exactly once (nine people at three
seats: four rounds). For the others this finds one in which every two meet at least once, in few
rounds: each round is mixed at random and improved by exchanging two people while that brings more
new meetings. The same numbers always give the same plan."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

MOST_PEOPLE = 24
"""Beyond this a round robin would take more evenings than anybody has."""
PLANS = 4
"""Tried; the shortest counts."""
MIXES = 8
"""Rounds that are improved before the best of them is taken."""

Boards = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def all_meet(sizes: tuple[int, ...]) -> tuple[Boards, ...]:
    """The rounds; each has boards of these sizes."""
    people = sum(sizes)
    fewest = -(-(people - 1) // (max(sizes) - 1))
    best: tuple[Boards, ...] = ()
    for plan in range(PLANS):
        found = _plan(sizes, random.Random(plan))  # noqa: S311 - a plan, not a secret
        if not best or len(found) < len(best):
            best = found
        if len(best) == fewest:
            break
    return best


def _plan(sizes: Sequence[int], chance: random.Random) -> tuple[Boards, ...]:
    people = list(range(sum(sizes)))
    missing = {frozenset(pair) for pair in combinations(people, 2)}
    rounds: list[Boards] = []
    while missing:
        boards = max(
            (_improved(_mixed(people, sizes, chance), missing) for _ in range(MIXES)),
            key=lambda each: sum(_new(board, missing) for board in each),
        )
        boards = boards if _brings(boards, missing) else _for_one_pair(boards, missing)
        missing -= {frozenset(pair) for board in boards for pair in combinations(board, 2)}
        rounds.append(tuple(tuple(sorted(board)) for board in boards))
    return tuple(rounds)


def _mixed(people: list[int], sizes: Sequence[int], chance: random.Random) -> list[list[int]]:
    left = list(people)
    chance.shuffle(left)
    return [[left.pop() for _ in range(size)] for size in sizes]


def _improved(boards: list[list[int]], missing: set[frozenset[int]]) -> list[list[int]]:
    """Exchanges two people of two boards as long as that brings more new meetings."""
    improved = True
    while improved:
        improved = False
        for one, other in combinations(boards, 2):
            for at in range(len(one)):
                improved |= _exchanged(one, other, at, missing)
    return boards


def _exchanged(one: list[int], other: list[int], at: int, missing: set[frozenset[int]]) -> bool:
    """Exchanges the person at one place for whoever of the other board fits better, if any."""
    before = _new(one, missing) + _new(other, missing)
    for there in range(len(other)):
        one[at], other[there] = other[there], one[at]
        if _new(one, missing) + _new(other, missing) > before:
            return True
        one[at], other[there] = other[there], one[at]
    return False


def _new(board: Sequence[int], missing: set[frozenset[int]]) -> int:
    return sum(frozenset(pair) in missing for pair in combinations(board, 2))


def _brings(boards: list[list[int]], missing: set[frozenset[int]]) -> bool:
    return any(_new(board, missing) for board in boards)


def _for_one_pair(boards: list[list[int]], missing: set[frozenset[int]]) -> list[list[int]]:
    """Seats two who have not met at one board, whatever else that means: every round must bring
    something."""
    one, other = min(map(sorted, missing))
    home = next(board for board in boards if one in board)
    away = next(board for board in boards if other in board)
    guest = next(at for at, each in enumerate(home) if each != one)
    home[guest], away[away.index(other)] = other, home[guest]
    return boards
