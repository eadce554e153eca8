"""Games to measure with: random legal moves, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.core.catalog import game_named, packs
from companion.core.game import Accepted, Setup

NAMES = ("Anna", "Ben", "Cleo", "Dag", "Edda", "Finn")
MOST_ACTIONS = 24
"""How many possible actions one is chosen from: enough for varied games, and quick."""


def measured_game() -> str:
    """The game that parts common to all games are measured with: the first in the catalogue."""
    return next(iter(packs()))


def setup(seats: int = 4) -> Setup:
    return Setup(measured_game(), NAMES[:seats])


def random_game(opened: Setup, seed: int) -> Iterator[tuple[Any, Any]]:
    """Each state with the action taken in it, until the game is over."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark, not a lottery
    game = game_named(opened.game)
    state = game.start(opened)
    while True:
        following = list(islice(game.actions(state), MOST_ACTIONS))
        if not following:
            return
        action = chance.choice(following)
        yield state, action
        verdict = game.judge(state, action)
        if not isinstance(verdict, Accepted):
            raise ValueError(f"{action} was offered and then refused")
        state = verdict.state
