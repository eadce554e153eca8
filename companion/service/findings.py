"""What an examination says of one part of the box, and the examination itself, in a thread of its
own: the page shows each finding as it comes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from companion.foundation.messages import N_, Message
from companion.service.settings import Settings

if TYPE_CHECKING:  # it brings the picture libraries with it
    from companion.foundation.frames import Frame

log = logging.getLogger(__name__)

FRESH_SECONDS = 10.0
"""So long what was found of what changes quickly is not looked at again."""


class State(StrEnum):
    """How a part is."""

    GOOD = "good"
    POOR = "poor"  # it works, but not as it should
    BAD = "bad"
    SKIPPED = "skipped"  # not there, or not wanted


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one part, and what a person can do about it."""

    part: str
    """Its name, still to be translated."""
    state: State
    what: Message
    todo: Message | None = None
    """Must be given for whatever is poor or bad."""

    def __post_init__(self) -> None:
        if self.state in (State.POOR, State.BAD) and not self.todo:
            raise ValueError(f"{self.part}: whoever finds fault says what to do")


def finding(part: str, state: State, what: str, todo: str = "", /, **facts: object) -> Finding:
    """With sentences still to be translated, and the facts for the blanks of both."""
    told = tuple(facts.items())
    return Finding(
        part, state, Message(part, what, told), Message(part, todo, told) if todo else None
    )


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined. Where the companion runs, it holds its camera and pins itself."""

    settings: Settings
    running: bool = False
    picture: Callable[[], Frame | None] = lambda: None
    """The newest picture of the camera that the companion holds."""


Check: TypeAlias = Callable[[Patient], Iterator[Finding]]


Examiner: TypeAlias = Callable[[Patient, bool], Iterator[Finding]]
"""Examines a patient: what can change at any time and is looked at quickly (False), or what lasts
and takes longer to look at (True)."""


class Examination:
    """One at a time; whoever asks meanwhile sees the same one. Any thread may call."""

    def __init__(
        self, examine: Callable[[bool], Iterator[Finding]], clock: Callable[[], float] = monotonic
    ) -> None:
        """`examine` as an `Examiner` does, of this patient."""
        self._examine = examine
        self._clock = clock
        self._lock = threading.Lock()
        self._passing: tuple[Finding, ...] = ()
        self._lasting: tuple[Finding, ...] = ()
        self._running = False
        self._refreshing = False
        self._looked_at = float("-inf")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the last examination, or of this one so far."""
        return (*self._passing, *self._lasting)

    @property
    def running(self) -> bool:
        return self._running

    def begin(self) -> None:
        """Looks at everything anew."""
        with self._lock:
            if self._running or self._refreshing:
                return
            self._running, self._passing, self._lasting = True, (), ()
        threading.Thread(target=self._run, name="examination", daemon=True).start()

    def refresh(self) -> None:
        """Looks once more at what changes quickly, if the last look was a while ago. What was found
        then stands until the new look is over."""
        with self._lock:
            old = self._clock() - self._looked_at >= FRESH_SECONDS
            if self._running or self._refreshing or not old:
                return
            self._refreshing = True
        threading.Thread(target=self._look_once_more, name="examination", daemon=True).start()

    def _run(self) -> None:
        try:
            for each in self._found(lasting=False):
                self._passing = (*self._passing, each)
            for each in self._found(lasting=True):
                self._lasting = (*self._lasting, each)
        finally:
            self._looked_at = self._clock()
            self._running = False

    def _look_once_more(self) -> None:
        try:
            self._passing = tuple(self._found(lasting=False))
        finally:
            self._looked_at = self._clock()
            self._refreshing = False

    def _found(self, *, lasting: bool) -> Iterator[Finding]:
        """What is found; a check that fails is a finding, not the end of the box."""
        try:
            yield from self._examine(lasting)
        except Exception as failed:
            log.exception("the examination stopped")
            yield finding(
                N_("examination"),
                State.BAD,
                N_("it stopped: %(why)s"),
                N_("send the support file to whoever helps you"),
                why=failed,
            )
