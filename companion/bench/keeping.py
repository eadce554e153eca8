"""How fast the journal writes, and how fast games are read back from it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from companion.bench.figure import Figure
from companion.bench.games import random_game, setup
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal, now
from companion.ledger.referee import Referee
from companion.ledger.session import replayed


def measure_appends(folder: Path, *, quick: bool) -> Iterator[Figure]:
    """Entries one after the other, each on the disk before the next."""
    count = 200 if quick else 1000
    with Journal(folder / "appends.db") as journal:
        last = journal.open_game(_opened(setup()), Source.RECORD)
        before = time.perf_counter()
        for _ in range(count):
            last = journal.append(last.game, Did("A pass"), last.seq, Source.RECORD)
        spent = time.perf_counter() - before
    yield Figure("appends per second, full sync", count / spent, "/s")


def measure_replay(folder: Path, *, quick: bool) -> Iterator[Figure]:
    """The time to replay whole games from the file, scaled to 10,000 events."""
    with Journal(folder / "replay.db") as journal:
        seeds = range(3 if quick else 30)
        games = [journal.import_game(facts_of(setup(6), seed))[0].game for seed in seeds]
        before = time.perf_counter()
        count = 0
        for game in games:
            events = journal.events(game)
            replayed(events)
            count += len(events)
        spent = time.perf_counter() - before
    yield Figure("replay of 10,000 events", 1000 * spent * 10_000 / count, "ms")


def measure_resume(folder: Path, *, quick: bool) -> Iterator[Figure]:
    """The time from opening a file with many games to the state of the last one."""
    games = 100 if quick else 1000
    path = folder / "resume.db"
    finished = [facts_of(setup(), seed) for seed in range(5)]
    with Journal(path) as journal:
        for number in range(games):
            journal.import_game(finished[number % len(finished)])
    before = time.perf_counter()
    with Journal(path) as journal:
        Referee(journal).resume()
    yield Figure(
        f"resume with {games:,} games in the file", 1000 * (time.perf_counter() - before), "ms"
    )


def facts_of(opened: Setup, seed: int) -> list[tuple[Fact, str, str]]:
    at = now()
    facts: list[Fact] = [_opened(opened)]
    spelt = game_named(opened.game).format
    facts += [Did(spelt(action)) for _, action in random_game(opened, seed)]
    return [(fact, at, Source.RECORD) for fact in facts]


def _opened(setup: Setup) -> Opened:
    return Opened(setup, game_named(setup.game).VERSION)
