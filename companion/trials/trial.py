"""One simulated game, followed by the real table loop from the first picture to the score.

Bots play on a virtual table, as fast as the machine can. People who know the truth sit at it: they
enter what no camera can see, answer questions, and correct what was read wrong, so that one error
does not spoil the plays after it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion.core.catalog import game_named
from companion.core.game import Accepted, Refused, Setup
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import Ruling
from companion.sim.boards import BoardsOnTable
from companion.sim.faces.board_prints import FITTED, HELD_OUT
from companion.sim.players import By, Lying, Playing, Step, play
from companion.sim.render.scene import Truth
from companion.sim.simulated_people import SimulatedPeople
from companion.sim.spelling import one_spelling
from companion.sim.virtual_table import Shot, ViewSettings, VirtualTable
from companion.tabletop.layout import layout_of
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Observed, Quad
from companion.tabletop.readings import CameraOpinion, Question, Reading
from companion.tabletop.zones import Outline
from companion.trials.bars import JUDGE_SEEDS
from companion.trials.ground_truth_eye import GroundTruthEye, UnpaintedTable, noise_named
from companion.trials.reliability import ReliabilitySample
from companion.trials.scoring import (
    FirstLookTally,
    RefusedPlay,
    Tally,
    expected_lines,
    first_look_is_right,
    reported_lines,
    tally,
)
from companion.vision import decks
from companion.vision.boards.kept import boards_file
from companion.watch.board_eye import BoardEye
from companion.watch.evidence import Evidence
from companion.watch.eye import Eye, OwnPlaces
from companion.watch.eyes import Eyes
from companion.watch.loop import LoopParts, TableLoop

EyeFor = Callable[[Setup, Frame], Eye | None]
_ANSWER_SECONDS = 1.0
"""How long a question is open before people answer it."""
PUSHES = 0.08
"""How often a board is pushed between two steps, where there are boards."""
_PATIENCE_SECONDS = 9.0
"""How long people wait for the camera before they correct the books."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Which game is played, and how it is seen."""

    playing: Playing
    light: str = "good"
    eyes: str = "real"
    """`real`, `perfect`, `noisy` or `noisy:2`; perfect ones measure only what comes after
    seeing."""
    bumps: float = 0.0
    size: tuple[int, int] = (1280, 720)
    boards: bool = False
    """On boards that lie apart and are pushed about, not on the mat."""


@dataclass(frozen=True, slots=True)
class Outcome:
    trial: Trial
    tally: Tally
    raw: FirstLookTally
    """What the first looks alone would have got right, without votes and rules."""
    frames: int
    seconds: float
    """How long it took to compute."""
    samples: tuple[ReliabilitySample, ...] = ()
    """How sure it was of each thing it said, and whether that was right."""
    trouble: tuple[str, ...] = ()
    """What had to be corrected by hand, to find out why."""


def run(trial: Trial) -> Outcome:
    with TemporaryDirectory(prefix="companion-trial-") as name:
        folder = Path(name)
        with Journal(folder / "journal.db") as journal:
            return _Game(trial, journal, folder).run()


class _Game:
    def __init__(self, trial: Trial, journal: Journal, folder: Path) -> None:
        self._trial = trial
        self._journal = journal
        self._referee = _RecordingReferee(journal)
        script = play(trial.playing)
        self._setup = script.setup
        seen = ViewSettings(trial.size, trial.light, trial.playing.seed, bumps=trial.bumps)
        if trial.boards:
            seen = replace(
                seen, boards=_enrolled_boards(script.setup, trial, folder), pushes=PUSHES
            )
        noise = noise_named(trial.eyes)
        table = VirtualTable if noise is None else UnpaintedTable
        self._table = table(script, seen, self._go_on)
        self._eye: GroundTruthEye | None = None
        eyes: EyeFor = Eyes(folder, lambda _notice: None)
        if noise is None:
            decks.named(script.deck)  # raises if there is no such deck
        else:
            seed, word_of = trial.playing.seed, _word_of(script.setup)
            self._eye = GroundTruthEye(self._table.painter, noise, seed, word_of)
            eyes = self._told_eye
        self._raw = _FirstLooks(self._table, eyes)
        parts = LoopParts(_NoCamera(), self._raw.eye_for, self._referee, _NoPictures(folder))
        self._loop = TableLoop(parts)
        self._people = _People(self._referee, script.setup, self._loop.reject)
        self._referee.right = self._people.is_right
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
            raise BadInput("game-has-gone", N_("the game has gone"))
        heard = reported_lines(
            self._journal.events(session.number), self._people.refusals, self._people.asked
        )
        points = self._points(), session.game.standing(session.state).points
        return Outcome(
            self._trial,
            tally(self._trial.playing.game, expected_lines(self._steps), heard, points),
            self._raw.whole(),
            self._frames,
            time.monotonic() - begun,
            tuple(self._referee.samples),
            tuple(self._people.trouble),
        )

    def _shown(self, shot: Shot) -> None:
        if shot.done is not None:
            self._steps.append(shot.done)
            self._people.did(shot.done)
            self._raw.did(shot.done)
        if self._eye is not None:
            self._eye.shot = shot
        self._loop.step(Frame(shot.image, shot.at, self._frames))
        if shot.press:
            self._people.press(shot.press)
        self._people.look(shot.at)

    def _go_on(self, step: Step, rested: float) -> bool:
        return self._people.go_on(step, rested)

    def _points(self) -> tuple[int, ...]:
        """The true points: as if every line had been entered."""
        game = game_named(self._trial.playing.game)
        state = game.start(self._setup)
        for line in self._people.truth:
            verdict = game.judge(state, game.parse(line))
            if not isinstance(verdict, Accepted):
                raise BadInput(
                    "bots-own-line-refused",
                    N_("the bots' own line %(line)s is refused"),
                    line=repr(line),
                )
            state = verdict.state
        return game.standing(state).points


def _enrolled_boards(setup: Setup, trial: Trial, folder: Path) -> BoardsOnTable:
    """Boards for this game, enrolled as an owner would have."""
    layout = layout_of(setup.game)
    seats = [seat.name for seat in game_named(setup.game).start(setup).seats]
    seed = trial.playing.seed
    styles = tuple(HELD_OUT if seed in JUDGE_SEEDS else FITTED)
    boards = BoardsOnTable({} if layout is None else layout.zones, seats, seed, styles)
    file = boards_file(folder, setup.game)
    file.parent.mkdir(parents=True, exist_ok=True)
    boards.enrolled().save(file)
    return boards


class _People(SimulatedPeople):
    """They also answer questions, and remember what the page said."""

    def __init__(self, referee: Referee, setup: Setup, reject: Callable[[int], None]) -> None:
        super().__init__(referee, setup, patience_seconds=_PATIENCE_SECONDS)
        self.refusals: list[RefusedPlay] = []
        self.asked: dict[int, tuple[str, ...]] = {}
        self.trouble: list[str] = []
        self._reject = reject
        self._referee = referee
        self._told = one_spelling(setup.game)
        self._since: float | None = None  # when the open question was first seen
        self._refusal = (0, "")  # the open refusal: seq and line
        self._refusals_before = 0  # how many there were before this step
        self._wrong = ""  # the line of this step, if it is against the rules

    def did(self, step: Step) -> None:
        self._refusals_before, self._wrong = len(self.refusals), step.refused
        super().did(step)

    def go_on(self, step: Step, rested: float) -> bool:
        if step.refused and rested < _PATIENCE_SECONDS:
            return len(self.refusals) > self._refusals_before
        if step.refused:
            shown = self._referee.moment.opinion
            self.trouble.append(f"no objection to {step.refused}; shown: {shown}")
        return super().go_on(step, rested)

    def put_right(self) -> None:
        same, ahead = self.ahead()
        self.trouble.append(f"books {self.written[same:]}, truth {ahead}")
        super().put_right()

    def look(self, now: float) -> None:
        """Read the page, after every picture."""
        session = self.session
        if session is None:
            return
        refused = session.refusal
        refusal = (session.seq, refused.action) if refused is not None else (0, "")
        if refusal != self._refusal and refusal[1]:
            self.refusals.append(RefusedPlay(*refusal))
        self._refusal = refusal
        question = self._referee.moment.opinion
        if not isinstance(question, Question):
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= _ANSWER_SECONDS:
            self._since = None
            self._answer(question, session.seq)

    def _answer(self, question: Question, seq: int) -> None:
        """Choose the right reading; if it is not offered, say so and enter the truth by hand."""
        same, ahead = self.ahead()
        offered = tuple(line for each in question.readings for line in each.lines)
        self.trouble.append(f"asked {[(e.lines, round(e.p, 3)) for e in question.readings]}")
        right = [each for each in question.readings if self.is_right(each)]
        if right:
            reading = max(right, key=lambda each: len(each.lines))
            if not isinstance(self._referee.adopt(reading, seq, Source.PAGE), Refused):
                for at in range(len(reading.lines)):
                    self.asked[seq + 1 + at + bool(reading.undo)] = offered
            return
        self._reject(seq)
        if ahead:
            self.asked[seq + 1 + (len(self.written) > same)] = offered
            super().put_right()

    def is_right(self, reading: Reading) -> bool:
        """Whether the reading is what happened, or the first part of it."""
        same, ahead = self.ahead()
        lines = [self._told(line) for line in reading.lines]
        if self._wrong and not ahead:  # people say honestly that they laid something wrong
            return lines == [self._told(self._wrong)]
        wanted = [self._told(line) for line in ahead[: len(lines)]]
        return bool(lines) and lines == wanted and reading.undo == len(self.written) - same


class _RecordingReferee(Referee):
    """A referee that also records how sure the camera was, and whether it was right."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.samples: list[ReliabilitySample] = []
        self.right: Callable[[Reading], bool] = lambda _reading: False
        self._asked: CameraOpinion | None = None

    def adopt(
        self,
        reading: Reading,
        based_on: int,
        source: Source,
        *,
        stand: bool = False,
        by: str = "",
    ) -> Ruling | Refused | None:
        if source is Source.CAMERA:
            self.samples.append(ReliabilitySample(reading.p, self.right(reading)))
        return super().adopt(reading, based_on, source, stand=stand, by=by)

    def notice(self, opinion: CameraOpinion | None, based_on: int) -> None:
        if isinstance(opinion, Question) and not isinstance(self._asked, Question):
            best = opinion.readings[0]
            self.samples.append(ReliabilitySample(best.p, self.right(best)))
        self._asked = opinion
        super().notice(opinion, based_on)


class _FirstLooks:
    """An eye around the real one that compares the first look after each step with the truth."""

    def __init__(self, table: VirtualTable, eyes: EyeFor) -> None:
        self._table = table
        self._eyes = eyes
        self._before: tuple[Lying, ...] = ()
        self._open: tuple[Step, tuple[Lying, ...]] | None = None
        self._eye: Eye | None = None
        self._word_of: Callable[[str | int], str] = str
        self._sum = FirstLookTally()
        self._boards = table.painter.seen.boards
        self._setup: Setup | None = None

    @property
    def zones(self) -> Mapping[str, Outline]:
        """Where things mean something: as the eye says, else as on the mat."""
        if isinstance(self._eye, OwnPlaces):
            return self._eye.zones
        if self._setup is None:
            return {}
        layout = layout_of(self._setup.game)
        return {} if layout is None else layout.zones

    @property
    def extent(self) -> tuple[float, float]:
        if isinstance(self._eye, OwnPlaces):
            return self._eye.extent
        return MAT

    def _truths(self, table: tuple[Lying, ...]) -> list[Truth]:
        """In the game's words, as the eye's deck has them, and in its millimetres."""
        told = [
            each if each.kind != "card" else replace(each, label=self._word_of(each.label or ""))
            for each in self._table.painter.truths(table)
        ]
        if self._boards is None:
            return told
        placed = (self._on_boards(one, each) for one, each in zip(table, told, strict=True))
        return [each for each in placed if each is not None]

    def _on_boards(self, one: Lying, truth: Truth) -> Truth | None:
        """The same where the eye over boards shows it; None if it lies beside them."""
        on = None if self._boards is None else self._boards.on_board(one.x, one.y)
        if on is None or not isinstance(self._eye, BoardEye):
            return None
        middle = self._eye.spot(on[0].name, on[1])
        a = np.radians(one.turn)
        corner = 10 * np.array([np.cos(a), np.sin(a)])
        across = np.array([-corner[1], corner[0]])
        quad = np.array([-corner, -across, corner, across])  # however the board itself is turned
        return None if middle is None else replace(truth, quad_mm=quad + middle)

    def eye_for(self, setup: Setup, frame: Frame) -> Eye | None:
        self._word_of, self._setup = _word_of(setup), setup
        self._eye = self._eyes(setup, frame)
        return None if self._eye is None else self

    def did(self, step: Step) -> None:
        self._close(right=False)
        told = step.by is By.CAMERA and bool(step.lines or step.refused)
        self._open = (step, self._before) if told else None
        self._before = step.table

    def observe(self, frame: Frame) -> Observed:
        assert self._eye is not None  # noqa: S101 - nobody is given an eye that is not there
        seen = self._eye.observe(frame)
        if seen.looked and self._open is not None:
            step, before = self._open
            was, now = self._truths(before), self._truths(step.table)
            self._close(right=first_look_is_right(was, now, seen.sightings))
        return seen

    def again(self, *, everywhere: bool = False) -> None:
        if self._eye is not None:
            self._eye.again(everywhere=everywhere)

    def forget(self) -> None:
        if self._eye is not None:
            self._eye.forget()

    def crop(self, frame: Frame, quad: Quad) -> bytes:
        return b"" if self._eye is None else self._eye.crop(frame, quad)

    def whole(self) -> FirstLookTally:
        self._close(right=False)
        return self._sum.ended()

    def _close(self, *, right: bool) -> None:
        if self._open is not None:
            self._sum = self._sum.counted(legal=not self._open[0].refused, right=right)
        self._open = None


class _NoPictures(Evidence):
    def saw(self, frame: Frame, *, full: bool) -> None:
        """Keeps nothing: nobody disputes a play here."""


class _NoCamera:
    def newest(self) -> Frame | None:
        return None


def _word_of(setup: Setup) -> Callable[[str | int], str]:
    layout = layout_of(setup.game)
    return str if layout is None else layout.word_of
