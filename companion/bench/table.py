"""The watched table: how long it takes from a still table to the verdict on the page, what an idle
table costs, and how much memory it takes. The time to paint the pictures is not counted."""

from __future__ import annotations

import http.client
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from companion.bench.figure import Figure
from companion.bench.games import measured_game
from companion.bench.page import memory_mb, serving
from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.dashboard.fragments import Fragments
from companion.foundation.frames import Frame
from companion.ledger.journal import Journal
from companion.ledger.referee import Moment, Referee
from companion.sim.players import By, Playing, Script, play
from companion.sim.simulated_people import SimulatedPeople
from companion.sim.virtual_table import FPS, Shot, ViewSettings, VirtualTable
from companion.tabletop.observations import Motion, Observed, Quad
from companion.tabletop.readings import Desync, Question
from companion.watch.evidence import Evidence
from companion.watch.eye import Eye
from companion.watch.eyes import Eyes
from companion.watch.loop import LoopParts, TableLoop

SEED = 77
SIZE = (1280, 720)
WATCHED_SECONDS = 20
"""How long a companion watches before its memory is measured."""
PATIENCE_SECONDS = 6.0
"""How long the people wait for the camera before they correct the books."""


class _RecordingEye:
    """An eye around the real one that remembers whether it saw motion."""

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self.motion: Motion | None = None

    def observe(self, frame: Frame) -> Observed:
        seen = self._eye.observe(frame)
        self.motion = seen.motion
        return seen

    def again(self, *, everywhere: bool = False) -> None:
        self._eye.again(everywhere=everywhere)

    def forget(self) -> None:
        self._eye.forget()

    def crop(self, frame: Frame, quad: Quad) -> bytes:
        return self._eye.crop(frame, quad)


@dataclass(eq=False)
class _Stopwatch:
    """Measures the seconds from the first still picture after a play to what the page says."""

    shown: list[float] = field(default_factory=list)
    """Of plays that were read without a question."""
    asked: list[float] = field(default_factory=list)
    """Of plays people were asked about: these are looked at once more before that."""
    waiting: list[float] = field(default_factory=list)
    """The part of `shown` that was spent waiting for further pictures."""
    computing: list[float] = field(default_factory=list)
    """Processor seconds for the last picture of each play."""
    _seq: int = 0
    _since: int | None = None
    _armed: bool = False

    def did(self, seq: int) -> None:
        """A play was made that the camera has to read."""
        self._seq, self._since, self._armed = seq, None, True

    def looked(
        self, number: int, motion: Motion | None, spent: tuple[float, float], moment: Moment
    ) -> None:
        """`spent`: seconds of the clock, and of a core."""
        if not self._armed:
            return
        if self._since is None and motion is Motion.STILL:
            self._since = number
        seq = 0 if moment.session is None else moment.session.seq
        if self._since is None or (moment.opinion is None and seq == self._seq):
            return
        asked = isinstance(moment.opinion, Question | Desync)
        waited = (number - self._since) / FPS
        (self.asked if asked else self.shown).append(waited + spent[0])
        self.waiting += [] if asked else [waited]
        self.computing.append(spent[1])
        self._armed = False


class _Table:
    """Bots that play before the real table loop, the real eyes and the real page."""

    def __init__(self, folder: Path, stack: ExitStack, script: Script) -> None:
        journal = stack.enter_context(Journal(folder / "journal.db"))
        self.referee = Referee(journal)
        self.people = SimulatedPeople(self.referee, script.setup, patience_seconds=PATIENCE_SECONDS)
        self.table = VirtualTable(script, ViewSettings(SIZE, seed=SEED), self.people.go_on)
        self._eyes = Eyes(folder, lambda _notice: None)
        self._eye: _RecordingEye | None = None
        self.loop = TableLoop(LoopParts(_NoCamera(), self._eye_for, self.referee, Evidence(folder)))
        parts = Parts(self.referee, journal)
        self._page = Fragments(create_app(parts), parts)
        self._number = 0
        self.stopwatch = _Stopwatch()

    def _eye_for(self, setup: Setup, frame: Frame) -> Eye | None:
        eye = self._eyes(setup, frame)
        self._eye = None if eye is None else _RecordingEye(eye)
        return self._eye

    def show(self, shot: Shot) -> float:
        """Process one picture up to the page. Returns the processor seconds it took."""
        self._number += 1
        frame = Frame(shot.image, shot.at, self._number)
        before, busy = time.perf_counter(), time.process_time()
        self.loop.step(frame)
        self._page.table(self.referee.moment, "en")
        spent = time.perf_counter() - before, time.process_time() - busy
        motion = None if self._eye is None else self._eye.motion
        self.stopwatch.looked(self._number, motion, spent, self.referee.moment)
        return spent[1]

    def done(self, shot: Shot) -> None:
        if shot.done is not None:
            self.people.did(shot.done)
            session = self.people.session
            if shot.done.lines and shot.done.by is By.CAMERA and session is not None:
                self.stopwatch.did(session.seq)
        if shot.press:
            self.people.press(shot.press)


class _NoCamera:
    def newest(self) -> Frame | None:
        return None


def measure_table(folder: Path, *, quick: bool) -> Iterator[Figure]:
    plays = 6 if quick else 40
    with ExitStack() as stack:
        table = _Table(folder, stack, play(Playing(measured_game(), 3, SEED)))
        table.people.begin()
        for shot in table.table.shots():
            table.done(shot)
            table.show(shot)
            if len(table.stopwatch.computing) >= plays:
                break
        yield from _latency(table.stopwatch)
        idle = [table.show(table.table.idle()) for _ in range(30 if quick else 200)]
        still = statistics.median(idle)
        yield Figure("a picture of an idle table, 720p", 1000 * still, "ms")
        yield Figure(f"idle table at {FPS:g} pictures a second, of a core", 100 * FPS * still, "%")
    yield from _memory(folder, 5 if quick else WATCHED_SECONDS)


def _latency(stopwatch: _Stopwatch) -> Iterator[Figure]:
    yield Figure("plays read without a question", float(len(stopwatch.shown)), "")
    yield Figure("plays asked", float(len(stopwatch.asked)), "")
    if stopwatch.shown:
        yield Figure(
            "still to verdict on the page, median", 1000 * _share(stopwatch.shown, 0.5), "ms"
        )
        yield Figure(
            "still to verdict on the page, 95 %", 1000 * _share(stopwatch.shown, 0.95), "ms"
        )
        yield Figure(
            "of it waiting for pictures, 95 %", 1000 * _share(stopwatch.waiting, 0.95), "ms"
        )
    if stopwatch.asked:
        yield Figure(
            "still to question on the page, 95 %", 1000 * _share(stopwatch.asked, 0.95), "ms"
        )
    yield Figure(
        "computing of the last picture, of a core, 95 %",
        1000 * _share(stopwatch.computing, 0.95),
        "ms",
    )


def _share(values: list[float], share: float) -> float:
    """This share of the values is at most the returned one."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _memory(folder: Path, seconds: int) -> Iterator[Figure]:
    with serving(folder / "watched", "--camera", f"simulated:{measured_game()},speed=10") as (
        port,
        pid,
    ):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds + 30)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            connection.request("GET", "/table.jpg")
            connection.getresponse().read()
            time.sleep(1)
        connection.close()
        yield Figure("memory while watching, painter included", memory_mb(pid), "MB")
