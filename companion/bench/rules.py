"""How fast the rules judge actions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from companion.core.game import Game


def judged_per_second(
    game: Game[Any, Any], cases: Sequence[tuple[Any, Any]], *, quick: bool
) -> float:
    """How many actions a second; `cases` are states, each with an action to judge in it."""
    rounds = 20 if quick else 100
    before = time.perf_counter()
    for _ in range(rounds):
        for state, action in cases:
            game.judge(state, action)
    return rounds * len(cases) / (time.perf_counter() - before)
