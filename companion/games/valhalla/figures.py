"""How fast moves of Valhalla are judged."""

from __future__ import annotations

from collections.abc import Iterator

from companion.bench.figure import Figure
from companion.bench.games import NAMES, random_game
from companion.bench.rules import judged_per_second
from companion.core.game import Setup
from companion.games.valhalla import rules


def figures(*, quick: bool) -> Iterator[Figure]:
    seeds = range(3 if quick else 10)
    moves = [case for seed in seeds for case in random_game(Setup(rules.NAME, NAMES[:3]), seed)]
    rate = judged_per_second(rules, moves, quick=quick)
    yield Figure("moves of Valhalla judged per second", rate, "/s")
