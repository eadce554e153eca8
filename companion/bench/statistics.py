"""How long the statistics of many games take: on a box that has just started, and from then on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.bench.figure import Figure
from companion.bench.games import setup
from companion.bench.keeping import facts_of
from companion.ledger.journal import Journal
from companion.people.register_file import RegisterFile
from companion.people.statistics import Statistics
from companion.people.summaries import Summaries


def measure_statistics(folder: Path, *, quick: bool) -> Iterator[Figure]:
    games = 100 if quick else 1000
    finished = [facts_of(setup(), seed) for seed in range(5)]
    with Journal(folder / "statistics.db") as journal:
        for number in range(games):
            journal.import_game(finished[number % len(finished)])
        kept = RegisterFile(folder)
        first = _milliseconds(lambda: _everything(Summaries(journal, folder), kept))
        yield Figure(f"statistics of {games:,} games, folded for the first time", first, "ms")
        started = Summaries(journal, folder)
        after = _milliseconds(lambda: _everything(started, kept))
        yield Figure(f"statistics of {games:,} games, after a start", after, "ms")
        journal.import_game(finished[0])
        again = _milliseconds(lambda: _everything(started, kept))
        yield Figure(f"statistics of {games:,} games, after one more", again, "ms")


def _everything(summaries: Summaries, kept: RegisterFile) -> None:
    """What the page of people asks for, and what one person's page asks for."""
    games = summaries.all()
    register = kept.remember(dict.fromkeys(name for each in games for name in each.names))
    statistics = Statistics(register, games)
    people = statistics.people
    statistics.leaderboard(month=statistics.months()[0])
    tuple(statistics.best_feats())
    statistics.companions(people[0].person)


def _milliseconds(do: Callable[[], None]) -> float:
    before = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - before)
