"""An hour at a simulated table that plays fast, game after game, with somebody who looks on: does
anything grow?

What counts is memory of the process's own making. Pages of program files are left out: the system
takes them back when it likes, and a share of them moves to whatever other program starts meanwhile.
Pictures in flight are megabytes that come and go by chance; what grows for good raises the least of
each minute too. So the line is drawn through those."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread

from companion.bench.games import measured_game
from companion.bench.trust.promise import Promise, Tested

MOST_KB_PER_MINUTE = 20.0
SETTLED_MINUTES = 10.0
"""Caches, models and the first games: until then it may grow."""
SAMPLE_SECONDS = 0.5
NEXT_GAME_SECONDS = 20.0
"""A journal that was silent for so long tells of a game that is over: the next one begins."""
START_SECONDS = 60.0
ANSWER_SECONDS = 30.0
SPEED = 4


_OWN = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")


def memory_kb(pid: int) -> float:
    """What the process has made for itself, wherever it lies now."""
    with Path(f"/proc/{pid}/smaps_rollup").open() as rollup:
        rows = (line.split() for line in rollup)
        return float(sum(int(row[1]) for row in rows if row[0] in _OWN))


@contextmanager
def simulated_table(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A companion as `companion run` starts it, with its page's address on its output."""
    camera = f"simulated:{measured_game()},seed=7,speed={SPEED},mistakes=3"
    command = (sys.executable, "-m", "companion", "run", "--port", "0", "--data", str(folder))
    with subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--camera", camera],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as running:
        try:
            yield running
        finally:
            running.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                running.wait(30)
            running.kill()


def slope(samples: list[tuple[float, float]]) -> float:
    """By how much the second number grows for each of the first: the line of least squares."""
    n = len(samples)
    mean_x, mean_y = sum(x for x, _ in samples) / n, sum(y for _, y in samples) / n
    spread = sum((x - mean_x) ** 2 for x, _ in samples)
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread if spread else 0.0


def address(running: subprocess.Popen[str]) -> tuple[str, int]:
    """Where its page is, as it says itself."""
    for line in running.stdout or ():
        if line.startswith("page: http://localhost:"):
            return "localhost", int(line.rstrip("/\n").rpartition(":")[2])
    raise ChildProcessError("it ended before it had a page")


def look_on(host: str, port: int) -> None:
    """Somebody's page: follows the table until it ends."""
    with suppress(OSError, HTTPException), closing(HTTPConnection(host, port)) as page:
        page.request("GET", "/stream")
        follow = page.getresponse()
        while follow.read1(1 << 16):
            pass


@dataclass
class GameSeries:
    """Games at a simulated table, one after the other."""

    page: tuple[str, int]
    journal: Path
    games: int = 1
    _written: float = 0.0
    _since: float = field(default_factory=time.monotonic)

    def goes_on(self) -> None:
        """Has the next game dealt when the present one is over."""
        ahead = self.journal.with_name(f"{self.journal.name}-wal")
        written = max(file.stat().st_mtime for file in (self.journal, ahead) if file.exists())
        now = time.monotonic()
        if written != self._written:
            self._written, self._since = written, now
        elif now - self._since >= NEXT_GAME_SECONDS:
            self._since = now
            # On a busy machine an answer may take too long: it is asked again later.
            with (
                suppress(OSError, HTTPException),
                closing(HTTPConnection(*self.page, timeout=ANSWER_SECONDS)) as page,
            ):
                origin = {"Origin": f"http://{self.page[0]}:{self.page[1]}"}
                page.request("POST", "/simulated/again", headers=origin)
                self.games += page.getresponse().status < HTTPStatus.BAD_REQUEST


def lows(samples: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The least of each minute."""
    minutes: dict[int, tuple[float, float]] = {}
    for at, kb in samples:
        minutes[int(at)] = min(minutes.get(int(at), (at, kb)), (at, kb), key=lambda each: each[1])
    return list(minutes.values())


def soak(folder: Path, *, long: bool) -> Tested:
    minutes, settled = (60.0, SETTLED_MINUTES) if long else (3.0, 1.0)
    samples: list[tuple[float, float]] = []
    with simulated_table(folder) as running:
        evening = GameSeries(address(running), folder / "simulated" / "journal.db")
        Thread(target=look_on, args=evening.page, daemon=True).start()
        began = time.monotonic()
        while (passed := (time.monotonic() - began) / 60) < minutes:
            time.sleep(SAMPLE_SECONDS)
            if running.poll() is not None:
                return Tested(met=False, found="it ended by itself", size=f"{passed:.0f} minutes")
            samples.append((passed, memory_kb(running.pid)))
            evening.goes_on()
    (folder / "memory.csv").write_text("".join(f"{at:.2f},{kb:.0f}\n" for at, kb in samples))
    late = lows([each for each in samples if each[0] >= settled])
    growth = slope(late)
    return Tested(
        met=growth <= MOST_KB_PER_MINUTE,
        found=f"{growth:+.1f} kB/min after {settled:.0f} minutes by the least of each minute, "
        f"{late[-1][1] / 1000:.0f} MB, {evening.games} games",
        size=f"{minutes:.0f} minutes at speed {SPEED}",
    )


PROMISE = Promise(
    "soak",
    "a box that plays for hours does not grow",
    f"{MOST_KB_PER_MINUTE:.0f} kB/min after {SETTLED_MINUTES:.0f} minutes, over one hour",
    soak,
)
