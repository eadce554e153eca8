"""Judging is quick: a page asks for hundreds of verdicts to know which buttons to offer."""

from __future__ import annotations

import time

from companion.rules import valhalla
from tests.rules.valhalla.tables import random_game, setup

FLOOR = 5_000  # actions a second even on a busy machine; an idle one does five times that


def test_judging_is_quick() -> None:
    steps = [
        (before, action)
        for seed in range(4)
        for before, action, _ in random_game(valhalla.start(setup(3)), seed)
    ]
    best = 0.0
    for _ in range(3):
        begin = time.process_time()
        for before, action in steps:
            valhalla.judge(before, action)
        best = max(best, len(steps) / (time.process_time() - begin))
    assert best > FLOOR
