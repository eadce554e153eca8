"""How fast plays of Odin are judged: what a table does most, and the dearest thing to judge."""

from __future__ import annotations

from collections.abc import Iterator

from companion.bench.figure import Figure
from companion.bench.games import NAMES, random_game
from companion.bench.rules import judged_per_second
from companion.core.game import Setup
from companion.games.odin import rules
from companion.games.odin.rules.actions import Play


def figures(*, quick: bool) -> Iterator[Figure]:
    plays = [
        case
        for seed in range(3 if quick else 10)
        for case in random_game(Setup(rules.NAME, NAMES[:4]), seed)
        if isinstance(case[1], Play)
    ]
    rate = judged_per_second(rules, plays, quick=quick)
    yield Figure("plays of Odin judged per second and core", rate, "/s")
