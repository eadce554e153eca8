"""The table loop: picture, look, track, read, decide, referee. It holds the memories of the pure
parts and nothing else; whatever goes wrong in one turn of it is logged, and the next one comes."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from companion.core.catalog import pack_named
from companion.core.game import Setup
from companion.deciding import decide as deciding
from companion.deciding.memory import (
    Decision,
    EnteredReading,
    Limits,
    Memory,
    Sight,
)
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, message
from companion.foundation.notices import Notice
from companion.ledger.events import Source
from companion.ledger.referee import Referee
from companion.ledger.session import Session
from companion.tabletop.layout import Layout, layout_of, zones_by_game
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Motion, Observed, TableChange, Thing, What
from companion.tabletop.polygons import boxes_meet
from companion.tabletop.readings import Reading
from companion.tabletop.zones import Outline
from companion.tracking import tracker
from companion.watch.books import books_of
from companion.watch.evidence import ConfirmedLook, Evidence, Play, cited, confirmed
from companion.watch.eye import Eye, MayBeLost, OwnPlaces
from companion.watch.question_wish import QuestionWish

log = logging.getLogger(__name__)

PERIOD_SECONDS = 0.1
TROUBLE_SECONDS = 2.0
REST_SECONDS = 9.0
"""So long cards that are shown to be learnt are no moves, after the last time somebody said so."""
AT_ONCE = 2
"""Looks that follow the first one at what has moved, without waiting."""
LOOK_AGAIN_SECONDS = 0.4
MOST_LOOKS_AGAIN = 6
"""In a row; a table that stays unclear is not looked at for ever."""
NO_PICTURES = message("no-pictures-2", N_("There are no pictures of that entry any more."))


class TableCamera(Protocol):
    def newest(self) -> Frame | None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What the loop saw last, for whoever looks over its shoulder."""

    frame: Frame
    eye: Eye
    table: tuple[Thing, ...]
    setup: Setup


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What the loop is given to work with. `eye_for` makes the eye for a game, once a picture
    shows enough of the table; until then it gives None. `looked` is told of every turn, `tell`
    what people must know about reading, and None when that is over; `gather` is given how cards
    looked in plays that stood."""

    camera: TableCamera
    eye_for: Callable[[Setup, Frame], Eye | None]
    referee: Referee
    evidence: Evidence
    looked: Callable[[], None] = lambda: None
    tell: Callable[[Notice | None], None] = lambda _: None
    gather: Callable[[Setup, ConfirmedLook, bytes], None] = lambda _setup, _look, _picture: None


class TableLoop:
    def __init__(
        self,
        parts: LoopParts,
        limits: Limits | None = None,
        zones: Mapping[str, Mapping[str, Outline]] | None = None,
        period_seconds: float = PERIOD_SECONDS,
    ) -> None:
        self._camera = parts.camera
        self._eye_for = parts.eye_for
        self._referee = parts.referee
        self._evidence = parts.evidence
        self._looked = parts.looked
        self._tell = parts.tell
        self._gather = parts.gather
        self._limits = limits or Limits()
        self._zones = zones_by_game() if zones is None else zones
        self._period_seconds = period_seconds
        self._eye: Eye | None = None
        self._game = (0, "")
        self._frame = -1
        self._newest: Frame | None = None
        self._rests_until = 0.0
        self._extent = MAT
        self._tracking = tracker.TrackerMemory()
        self._deciding = Memory()
        self._rejected: deque[int] = deque(maxlen=1)
        self._reopen = threading.Event()
        self.question = QuestionWish()
        self._glimpse: Glimpse | None = None
        self._again_at = float("-inf")
        self._agains = 0
        self._stirred = False
        self._at_once = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table loop", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            begun = time.monotonic()
            try:
                frame = self._newest = self._camera.newest()
                if frame is None:
                    self._unseen()
                elif frame.number != self._frame:
                    self.step(frame)
            except Exception:  # the game goes on by hand, and the loop with the next picture
                log.exception("the table could not be read")
                self._eye = None
                self._unseen()
                self._looked()
                self._stopping.wait(TROUBLE_SECONDS)
            self._looked()
            self._stopping.wait(max(0.0, begun + self._period_seconds - time.monotonic()))

    # -- what people say to it -----------------------------------------------------------------

    def reject(self, based_on: int) -> None:
        """What is shown or asked is not so; or: the books are right, not the table. Said by
        somebody who had seen the log up to `based_on`."""
        self._referee.reject(based_on)
        self._rejected.append(based_on)

    def dispute(self, seq: int) -> str:
        """Keeps the pictures of an entry; the name of the folder they are in."""
        entry = cited(self._referee.moment.session, seq)
        folder = None if entry is None else self._evidence.keep(entry)
        if folder is None:
            raise BadInput.saying(NO_PICTURES)
        return folder.name

    def look_anew(self) -> None:
        """The eye is made anew: the deck or the place of the table is another."""
        self._reopen.set()

    def rest(self) -> None:
        """For a while nothing that lies there is taken for a move: cards are shown to be learnt."""
        self._rests_until = time.monotonic() + REST_SECONDS

    @property
    def frame(self) -> Frame | None:
        """The newest picture of the camera, whatever is made of it; None while there is none."""
        return self._newest

    @property
    def glimpse(self) -> Glimpse | None:
        """None until the table has been seen."""
        return self._glimpse

    def crop(self, thing: int) -> bytes:
        """How a thing that is asked about looks, as JPEG; empty if it has gone."""
        return self._evidence.picture_of(thing)

    # -- one turn ------------------------------------------------------------------------------

    def step(self, frame: Frame) -> None:
        """One picture, through to the referee."""
        self._frame = frame.number
        session = self._referee.moment.session
        if session is None:
            self._tell(None)
            return
        if time.monotonic() < self._rests_until:
            self._unseen()
            return
        game = session.setup.game
        layout = layout_of(game) if pack_named(game).watchable else None
        if layout is None:
            self._tell(Notice("game-by-hand"))
            self._unseen()
            return
        eye = self._opened_eye(session, frame)
        if eye is None:
            self._unseen()
            return
        seen = eye.observe(frame)
        if seen.looked or seen.motion is not Motion.STILL:  # a still table costs nothing
            self._evidence.saw(frame, full=seen.looked)
        changes = self._track(layout, seen)
        self._glimpse = Glimpse(frame, eye, self._tracking.table, session.setup)
        self._crop(eye, frame, changes)
        decision = self._decide(session, seen, changes)
        self._carry_out(decision, session.seq)
        self._look_again(eye, seen, wanted=decision.look_again)

    def _track(self, layout: Layout, seen: Observed) -> tuple[TableChange, ...]:
        """What the look changes in what lies there."""
        patience = tracker.Patience(copies=layout.lying.copies)
        self._tracking, changes = tracker.track(self._tracking, seen, patience)
        return changes

    def _decide(
        self, session: Session, seen: Observed, changes: tuple[TableChange, ...]
    ) -> Decision:
        """What to do about it, beside the books. The referee is told what is read, whether people
        are or not: an entry they make by hand may be just that."""
        sight = Sight(
            now=seen.taken_at,
            table=self._tracking.table,
            zones=self._places(session.setup.game),
            changes=changes,
            settled=self._tracking.settled and seen.motion is Motion.STILL,
            stirred_at=self._tracking.stirred_at,
        )
        rejected = bool(self._rejected) and self._rejected.popleft() == self._deciding.seq
        entered = self._deciding.entered
        limits = self.question.limits(self._limits, len(self._deciding.readings))
        self._deciding, decision = deciding.decide(
            self._deciding, books_of(session), sight, limits, rejected=rejected
        )
        self.question.follow(decision, session.seq)
        self._referee.sees(self._deciding.known, session.seq)
        believed = deciding.believed(self._deciding, self._limits)
        self._tell(None if believed else Notice("table-misread"))
        self._answered(session, entered)
        return decision

    def _places(self, game: str) -> Mapping[str, Outline]:
        """Where things mean something: as the eye's own boards say, or the mat."""
        if isinstance(self._eye, OwnPlaces):
            return self._eye.zones
        return self._zones.get(game, {})

    def _unseen(self) -> None:
        """Nothing is promised or asked of a table that is out of sight."""
        self._glimpse = None
        moment = self._referee.moment
        if moment.opinion is not None and moment.session is not None:
            self._referee.notice(None, moment.session.seq)

    def _opened_eye(self, session: Session, frame: Frame) -> Eye | None:
        game = (session.number, session.setup.game)
        if game != self._game:
            if game[1] != self._game[1]:  # else what was learnt of the light goes on
                self._eye, self._deciding = None, Memory()
            self._game = game
            self._tracking = tracker.TrackerMemory()
            self._evidence.forget()
            if self._eye is not None:
                self._eye.forget()
        if self._reopen.is_set():
            self._reopen.clear()
            self._eye = None
        if isinstance(self._eye, MayBeLost) and self._eye.lost:
            self._eye = None
        if self._eye is None:
            self._eye = self._eye_for(session.setup, frame)
            self._measured_by(self._eye)
        return self._eye

    def _measured_by(self, eye: Eye | None) -> None:
        """Boards and mat have different millimetres: what lay by the others is forgotten."""
        if eye is None:
            return
        extent = eye.extent if isinstance(eye, OwnPlaces) else MAT
        if extent != self._extent:
            self._extent, self._tracking = extent, tracker.TrackerMemory()

    def _crop(self, eye: Eye, frame: Frame, changes: tuple[TableChange, ...]) -> None:
        for change in changes:
            if change.what not in (What.VANISHED, What.WITHDRAWN):
                picture = eye.crop(frame, change.thing.quad)
                self._evidence.pictured(change.thing.number, picture)

    def _carry_out(self, decision: Decision, seq: int) -> None:
        """`seq` is where the log stood when it was decided."""
        if decision.dismiss:
            self._referee.dismiss(decision.dismiss)
        if decision.enter is None:
            self._referee.notice(decision.opinion, seq)
            return
        self._referee.adopt(decision.enter, seq, Source.CAMERA)
        session = self._referee.moment.session
        if session is not None and session.seq != seq:
            self._remember(session, decision.enter)

    def _answered(self, session: Session, before: tuple[EnteredReading, ...]) -> None:
        """What people have taken of what was shown or asked is evidence as well."""
        for each in self._deciding.entered:
            if each not in before and self._evidence.play_of(each.reading.id) is None:
                self._remember(session, each.reading)

    def _remember(self, session: Session, reading: Reading) -> None:
        """What a reading rested on, once all of its lines are entered."""
        told = list(session.entries)[::-1]
        refs = [entry.event.because for entry in told]
        its = [at for at, ref in enumerate(refs) if ref and ref.reading == reading.id]
        if not its or len(its) != len(reading.lines):
            return
        names = dict(reading.names)
        odds = tuple(
            (thing.number, thing.odds) for thing in self._tracking.table if thing.number in names
        )
        before = tuple(entry.action for entry in told[: its[0]])
        clear = tuple(each.number for each in self._tracking.table if self._lies_apart(each))
        self._evidence.entered(Play(session.number, reading, odds, session.setup, before, clear))
        stood = self._evidence.stood()
        for look in () if stood is None else confirmed(session, stood):
            self._gather(session.setup, look, self._evidence.picture_of(look.thing))
        self._referee.wake()  # the page shows what the entry was read from

    def _lies_apart(self, thing: Thing) -> bool:
        """Whether nothing lies over it, nor it over anything."""
        others = (each for each in self._tracking.table if each.number != thing.number)
        return not thing.covered and not any(boxes_meet(thing.quad, each.quad) for each in others)

    def _look_again(self, eye: Eye, seen: Observed, *, wanted: bool) -> None:
        """Twice at once whenever something has moved, a third time if it is unclear then, and
        every now and then as long as it stays so."""
        if seen.motion is not Motion.STILL:
            self._stirred = True
            return
        if self._stirred:
            self._stirred, self._agains, self._at_once = False, 0, AT_ONCE
            if not seen.looked:  # what moved looks like the table did before: see for sure
                self._at_once = 0
                self._again_at = seen.taken_at
                eye.again(everywhere=True)
                return
        first = self._at_once == AT_ONCE
        if self._at_once and (first or wanted):
            self._at_once -= 1
            eye.again()
            self._again_at = seen.taken_at
            return
        self._at_once = 0
        if not wanted:
            self._agains = 0
            return
        ripe = seen.taken_at - self._again_at >= LOOK_AGAIN_SECONDS
        if ripe and not seen.looked and self._agains < MOST_LOOKS_AGAIN:
            self._again_at = seen.taken_at
            self._agains += 1
            eye.again(everywhere=True)
