"""How fast plays are judged."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.bench.figure import Figure
from companion.bench.games import random_game, setup
from companion.rules import odin
from companion.rules.odin.actions import Play


def measure_rules(*, quick: bool) -> Iterator[Figure]:
    """Plays only: what a table does most, and the dearest thing to judge."""
    cases = [
        (state, action)
        for seed in range(3 if quick else 10)
        for state, action in random_game(setup(), seed)
        if isinstance(action, Play)
    ]
    rounds = 20 if quick else 100
    before = time.perf_counter()
    for _ in range(rounds):
        for state, action in cases:
            odin.judge(state, action)
    spent = time.perf_counter() - before
    yield Figure("plays judged per second and core", rounds * len(cases) / spent, "/s")
