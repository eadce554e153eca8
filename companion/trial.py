"""One simulated game, followed by the real loop from the first picture to the score.

Bots play on a virtual table, off the clock. People who know the truth sit at it: they enter what
no camera can see, answer what they are asked, and put right what was read wrong, so that every
play is measured on its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion.errors import BadInput
from companion.events import Source
from companion.evidence import Evidence, Play
from companion.eyes import Eyes
from companion.frames import Frame
from companion.guests import Guests
from companion.journal import Journal
from companion.loop import Eye, Parts, TableLoop
from companion.referee import Referee
from companion.rules.catalog import game_named
from companion.rules.core import Accepted, Refused, Setup
from companion.sim.players import Lying, Playing, Step, play
from companion.sim.tabletop import Seen, Shot, Tabletop
from companion.sim.tracking import (
    Refusal,
    Tally,
    due_of,
    heard_of,
    one_spelling,
    tally,
)
from companion.table import Quad, Question, Reading, Sighting
from companion.vision.gate import Motion
from companion.vision.observing import Observation

_ANSWER_SECONDS = 1.0
_PATIENCE_SECONDS = 9.0
_SEEN = 0.25
"""The share of a card that perfect eyes need."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried. With perfect eyes only what comes after seeing is measured."""

    playing: Playing
    light: str = "good"
    eyes: str = "real"
    bumps: float = 0.0
    size: tuple[int, int] = (1280, 720)


@dataclass(frozen=True, slots=True)
class Outcome:
    trial: Trial
    tally: Tally
    raw_right: int
    """Of the camera's entries: those whose cards the pixels alone would have named right."""
    raw_of: int
    frames: int
    seconds: float
    trouble: tuple[str, ...] = ()
    """What had to be put right by hand, for whoever looks for the reason."""


def run(trial: Trial) -> Outcome:
    with TemporaryDirectory(prefix="companion-trial-") as name:
        folder = Path(name)
        with Journal(folder / "journal.db") as journal:
            return _Game(trial, journal, folder).run()


class _Game:
    def __init__(self, trial: Trial, journal: Journal, folder: Path) -> None:
        self._trial = trial
        self._journal = journal
        self._referee = Referee(journal)
        script = play(trial.playing)
        self._setup = script.setup
        seen = Seen(trial.size, trial.light, trial.playing.seed, bumps=trial.bumps)
        self._table = Tabletop(script, seen, self._go_on)
        self._noting = _Noting(folder)
        self._eye = _PerfectEye(self._table) if trial.eyes == "perfect" else None
        eyes = Eyes(folder, lambda _notice: None) if self._eye is None else self._told_eye
        self._loop = TableLoop(Parts(_NoCamera(), eyes, self._referee, self._noting))
        self._people = _People(self._referee, script.setup, self._loop.wave)
        self._steps: list[Step] = []
        self._frames = 0

    def _told_eye(self, _setup: Setup, _frame: Frame) -> Eye | None:
        return self._eye

    def run(self) -> Outcome:
        begun = time.monotonic()
        self._people.begin()
        for shot in self._table.shots():
            self._frames += 1
            self._shown(shot)
        session = self._people.session
        if session is None:
            raise BadInput("the game has gone")
        heard = heard_of(
            self._journal.events(session.number), self._people.refusals, self._people.asked
        )
        points = self._points(), session.game.standing(session.state).points
        return Outcome(
            self._trial,
            tally(self._trial.playing.game, due_of(self._steps), heard, points),
            *self._noting.counted(),
            self._frames,
            time.monotonic() - begun,
            tuple(self._people.trouble),
        )

    def _shown(self, shot: Shot) -> None:
        if shot.done is not None:
            self._steps.append(shot.done)
            self._people.did(shot.done)
        if self._eye is not None:
            self._eye.shot = shot
        self._loop.step(Frame(shot.image, shot.at, self._frames))
        if shot.press:
            self._people.press(shot.press)
        self._people.look(shot.at)

    def _go_on(self, step: Step, rested: float) -> bool:
        return self._people.go_on(step, rested)

    def _points(self) -> tuple[int, ...]:
        """As they would be if every line were entered."""
        game = game_named(self._trial.playing.game)
        state = game.start(self._setup)
        for line in self._people.truth:
            verdict = game.judge(state, game.parse(line))
            if not isinstance(verdict, Accepted):
                raise BadInput(f"the bots' own line {line!r} is refused")
            state = verdict.state
        return game.standing(state).points


class _People(Guests):
    """They also answer what they are asked, at once, and remember what the page said."""

    def __init__(self, referee: Referee, setup: Setup, wave: Callable[[], None]) -> None:
        super().__init__(referee, setup, patience_seconds=_PATIENCE_SECONDS)
        self.refusals: list[Refusal] = []
        self.asked: dict[int, tuple[str, ...]] = {}
        self.trouble: list[str] = []
        self._wave = wave
        self._referee = referee
        self._told = one_spelling(setup.game)
        self._since: float | None = None  # when the open question was first seen
        self._red = (0, "")
        self._objected = 0
        self._wrong = ""

    def did(self, step: Step) -> None:
        self._objected, self._wrong = len(self.refusals), step.refused
        super().did(step)

    def go_on(self, step: Step, rested: float) -> bool:
        if step.refused and rested < _PATIENCE_SECONDS:
            return len(self.refusals) > self._objected
        if step.refused:
            shown = self._referee.moment.notion
            self.trouble.append(f"no objection to {step.refused}; shown: {shown}")
        return super().go_on(step, rested)

    def put_right(self) -> None:
        same, ahead = self.ahead()
        self.trouble.append(f"books {self.written[same:]}, truth {ahead}")
        super().put_right()

    def look(self, now: float) -> None:
        """At the page, after every picture."""
        session = self.session
        if session is None:
            return
        red = (session.seq, session.refusal.action) if session.refusal is not None else (0, "")
        if red != self._red and red[1]:
            self.refusals.append(Refusal(*red))
        self._red = red
        question = self._referee.moment.notion
        if not isinstance(question, Question):
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= _ANSWER_SECONDS:
            self._since = None
            self._answer(question, session.seq)

    def _answer(self, question: Question, seq: int) -> None:
        same, ahead = self.ahead()
        offered = tuple(line for each in question.readings for line in each.lines)
        self.trouble.append(f"asked {[(e.lines, round(e.p, 3)) for e in question.readings]}")
        right = [each for each in question.readings if self._is_right(each, same, ahead)]
        if right:
            reading = max(right, key=lambda each: len(each.lines))
            if not isinstance(self._referee.adopt(reading, seq, Source.PAGE), Refused):
                for at in range(len(reading.lines)):
                    self.asked[seq + 1 + at + bool(reading.undo)] = offered
            return
        self._wave()
        if ahead:
            self.asked[seq + 1 + (len(self.written) > same)] = offered
            super().put_right()

    def _is_right(self, reading: Reading, same: int, ahead: list[str]) -> bool:
        lines = [self._told(line) for line in reading.lines]
        if self._wrong and not ahead:  # asked, people say honestly what they have laid
            return lines == [self._told(self._wrong)]
        wanted = [self._told(line) for line in ahead[: len(lines)]]
        return bool(lines) and lines == wanted and reading.undo == len(self.written) - same


class _Noting(Evidence):
    """Keeps no pictures, but counts the entries the pixels alone would have got right."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._right = 0
        self._of = 0

    def saw(self, frame: Frame, *, full: bool) -> None:
        """Nobody disputes here."""

    def entered(self, play: Play) -> None:
        names = dict(play.reading.names)
        best = {number: str(odds[0][0]) for number, odds in play.odds if odds}
        self._of += 1
        self._right += all(best.get(number) == name for number, name in names.items())

    def counted(self) -> tuple[int, int]:
        return self._right, self._of


class _NoCamera:
    def newest(self) -> Frame | None:
        return None


class _PerfectEye:
    """Told what lies there; like the real one it looks at a still table that has changed."""

    def __init__(self, table: Tabletop) -> None:
        self._table = table
        self.shot: Shot | None = None
        self._still = 0
        self._last: tuple[Lying, ...] | None = None
        self._seen: tuple[Sighting, ...] = ()

    def observe(self, frame: Frame) -> Observation:
        shot = self.shot
        if shot is None or shot.hand:
            self._still = 0
            return Observation(frame.number, frame.taken_at, Motion.HANDS, self._seen, False)
        self._still += 1
        if self._still < 3:
            return Observation(frame.number, frame.taken_at, Motion.MOVING, self._seen, False)
        looked = shot.table != self._last
        if looked:
            self._last, self._seen = shot.table, self._sightings(shot.table)
        return Observation(frame.number, frame.taken_at, Motion.STILL, self._seen, looked)

    def _sightings(self, table: tuple[Lying, ...]) -> tuple[Sighting, ...]:
        out = []
        for truth in self._table.painter.truths(table):
            if truth.visible < _SEEN:
                continue
            a, b, c, d = ((float(x), float(y)) for x, y in truth.quad_mm)
            across = truth.quad_mm[1] - truth.quad_mm[0]
            turn = round(float(np.degrees(np.arctan2(across[1], across[0]))) / 90) % 4 * 90
            out.append(Sighting(truth.kind, truth.label, 0.999, (a, b, c, d), turn))
        return tuple(out)

    def forget(self) -> None:
        self._last = None

    def crop(self, _frame: Frame, _quad: Quad) -> bytes:
        return b""
