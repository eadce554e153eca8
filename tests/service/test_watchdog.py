"""The watchdog is fed by work done, never by time passing."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from companion.foundation.errors import JournalFull
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.watchdog import Pulse, Watchdog


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_only_when_every_part_has_reported() -> None:
    fed: list[int] = []
    watchdog = Watchdog(lambda: fed.append(1), pause=0)
    loop, writer = watchdog.register("table loop"), watchdog.register("journal writer")
    for _ in range(5):
        loop()
    assert fed == []
    assert watchdog.late == frozenset({"journal writer"})
    writer()
    assert fed == [1]
    writer()  # the loop hangs
    writer()
    assert fed == [1]
    assert watchdog.late == frozenset({"table loop"})
    loop()
    assert fed == [1, 1]


def test_no_oftener_than_need_be() -> None:
    fed: list[float] = []
    clock = Clock()
    watchdog = Watchdog(lambda: fed.append(clock.now), pause=5, clock=clock)
    loop = watchdog.register("table loop")
    for _ in range(100):
        loop()
        clock.now += 0.5
    assert fed == [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]


def test_time_alone_feeds_nobody() -> None:
    fed: list[int] = []
    Watchdog(lambda: fed.append(1), pause=0).register("table loop")
    time.sleep(0.05)
    assert fed == []


def test_everybody_who_is_fed_is_told() -> None:
    fed: list[str] = []
    Watchdog(lambda: fed.append("a"), lambda: fed.append("b"), pause=0).register("x")()
    assert fed == ["a", "b"]


# The pulse


def test_a_pulse_goes_the_way_of_an_entry(journal: Journal) -> None:
    referee = Referee(journal)
    beats = threading.Semaphore(0)
    with Pulse([lambda: referee.wait(-1, 0), journal.prove], beats.release, 0.01):
        assert all(beats.acquire(timeout=5) for _ in range(3))


def test_a_hanging_referee_has_no_pulse(journal: Journal) -> None:
    referee = Referee(journal)
    beats = threading.Semaphore(0)
    with Pulse([lambda: referee.wait(-1, 0), journal.prove], beats.release, 0.01):
        assert beats.acquire(timeout=5)
        with referee._changed:
            while beats.acquire(timeout=0.1):  # those on their way
                pass
            assert not beats.acquire(timeout=0.2)
        assert beats.acquire(timeout=5)


def test_a_failing_journal_has_no_pulse_and_is_asked_again() -> None:
    beats = threading.Semaphore(0)
    answers = iter(
        [JournalFull("full", "the disk is full"), JournalFull("full", "the disk is full"), None]
    )

    def write() -> None:
        if (trouble := next(answers, None)) is not None:
            raise trouble

    with Pulse([write], beats.release, 0.01):
        assert beats.acquire(timeout=5)
    assert next(answers, "used up") == "used up"


def test_proving_writes_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.prove()
        before = {each.name: each.stat().st_size for each in tmp_path.iterdir()}
        for _ in range(100):
            journal.prove()
        assert {each.name: each.stat().st_size for each in tmp_path.iterdir()} == before
