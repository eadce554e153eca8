"""Games to measure with: random but legal, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.core.catalog import game_named, packs
from companion.core.game import Accepted, Setup

NAMES = ("Anna", "Ben", "Cleo", "Dag", "Edda", "Finn")
LOOK_AHEAD = 24  # of the possible actions; enough for varied games, cheap enough to make many


def measured_game() -> str:
    """The game the generic parts are measured with: the first of the page."""
    return next(iter(packs()))


def setup(seats: int = 4) -> Setup:
    return Setup(measured_game(), NAMES[:seats])


def random_game(opened: Setup, seed: int) -> Iterator[tuple[Any, Any]]:
    """Each state with the action that was taken in it, until the game is over."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark, not a lottery
    game = game_named(opened.game)
    state = game.start(opened)
    while True:
        following = list(islice(game.actions(state), LOOK_AHEAD))
        if not following:
            return
        action = chance.choice(following)
        yield state, action
        verdict = game.judge(state, action)
        if not isinstance(verdict, Accepted):
            raise ValueError(f"{action} was offered and then refused")
        state = verdict.state
