"""How fast actions are judged."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from companion.bench.figure import Figure
from companion.bench.games import NAMES, random_game, setup
from companion.core.catalog import GAMES
from companion.core.game import Setup
from companion.games.odin.rules.actions import Play


def measure_rules(*, quick: bool) -> Iterator[Figure]:
    """Of Odin the plays only: what a table does most, and the dearest thing to judge."""
    seeds = range(3 if quick else 10)
    plays = [
        case for seed in seeds for case in random_game(setup(), seed) if isinstance(case[1], Play)
    ]
    yield Figure("plays of Odin judged per second and core", _rate("odin", plays, quick), "/s")
    fights = [case for seed in seeds for case in random_game(Setup("valhalla", NAMES[:3]), seed)]
    yield Figure("moves of Valhalla judged per second", _rate("valhalla", fights, quick), "/s")


def _rate(game: str, cases: list[tuple[Any, Any]], quick: bool) -> float:
    judge = GAMES[game].judge
    rounds = 20 if quick else 100
    before = time.perf_counter()
    for _ in range(rounds):
        for state, action in cases:
            judge(state, action)
    return rounds * len(cases) / (time.perf_counter() - before)
