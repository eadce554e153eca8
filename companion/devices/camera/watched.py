"""Watches over any camera. One that is missing, unplugged, frozen, dark or sends pictures of the
wrong size is reported once, closed, and tried again after longer and longer pauses. Meanwhile the
game goes on by hand."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from types import TracebackType
from typing import Self

from companion.devices.camera.camera import Camera
from companion.foundation.errors import CameraError, CameraMissing, FilmOver
from companion.foundation.frames import Frame, light, same_picture

log = logging.getLogger(__name__)


class Fault(StrEnum):
    """What can be wrong with a camera."""

    MISSING = "missing"
    LOST = "lost"  # it was there
    FROZEN = "frozen"
    BLACK = "black"
    WRONG_SIZE = "wrong-size"
    OVER = "over"  # a film has ended


@dataclass(frozen=True, slots=True)
class CameraFinding:
    fault: Fault
    camera: str
    detail: str = ""  # for the log and for `companion doctor`


@dataclass(frozen=True, slots=True)
class CameraLimits:
    """How long, or how much, until something counts as wrong."""

    frozen_seconds: float = 10.0  # longer than the focus takes
    black_light: float = 6.0  # mean brightness, of 255
    black_seconds: float = 3.0  # a sleeve over the lens is no fault
    first_pause: float = 1.0  # seconds before a camera is tried again; doubles each time
    longest_pause: float = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class CameraSight:
    """What is remembered of an open camera. Each picture gives a new value."""

    since: float  # when the picture last changed, or the camera was opened
    last: Frame | None = None
    light_at: float = float("-inf")  # when there was light last
    moved: bool = False  # has any picture differed from the one before?


def look(
    sight: CameraSight,
    frame: Frame | None,
    now: float,
    limits: CameraLimits,
    size: tuple[int, int] | None,
) -> tuple[CameraSight, Fault | None]:
    """Take one more picture, if there is one, and say what is wrong, if anything.

    `size` is what the camera was asked for; None if any size will do that stays the same.
    """
    last = sight.last
    if frame is not None and (last is None or not same_picture(last, frame)):
        sight = replace(sight, since=now, last=frame, moved=last is not None)
    if now - sight.since >= limits.frozen_seconds:
        return sight, Fault.FROZEN
    if frame is None:
        return sight, None
    if frame.size != (size or (last or frame).size):
        return sight, Fault.WRONG_SIZE
    if last is None or light(frame) > limits.black_light:
        sight = replace(sight, light_at=now)
    dark = now - sight.light_at >= limits.black_seconds
    return sight, Fault.BLACK if dark else None


def pause_after(tries: int, limits: CameraLimits) -> float:
    """How many seconds to wait after so many failed tries in a row."""
    return min(limits.first_pause * 2.0 ** min(tries - 1, 30), limits.longest_pause)


class WatchedCamera:
    """A camera that never raises: `newest` is None while something is wrong.

    It does something only when it is asked, from one thread. `report` is called with each new
    finding once, and with None when all is well again.
    """

    def __init__(
        self,
        make: Callable[[], Camera],
        report: Callable[[CameraFinding | None], None],
        *,
        size: tuple[int, int] | None = None,
        limits: CameraLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._report = report
        self._size = size
        self._limits = limits or CameraLimits()
        self._clock = clock
        self._name = make().name
        self._stack = ExitStack()
        self._camera: Camera | None = None
        self._sight = CameraSight(clock())
        self._finding: CameraFinding | None = None
        self._tries = 0
        self._again_at = float("-inf")

    @property
    def name(self) -> str:
        return self._name

    @property
    def finding(self) -> CameraFinding | None:
        return self._finding

    @property
    def last(self) -> Frame | None:
        """The last picture it took, for whoever wants to see what it sees; None while it is away.
        Any thread may ask."""
        return None if self._camera is None else self._sight.last

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def newest(self) -> Frame | None:
        now = self._clock()
        try:
            if self._camera is None:
                if now < self._again_at:
                    return None
                self._open()
            return self._looked(now)
        except CameraError as trouble:
            self._give_up(_fault_of(trouble), str(trouble))
            return None

    def settle(self) -> None:
        """Settle the camera. Does nothing while it is away: it settles when it comes back."""
        if self._camera is None:
            return
        try:
            self._camera.settle()
        except CameraError as trouble:
            self._give_up(_fault_of(trouble), str(trouble))

    def _open(self) -> None:
        camera = self._stack.enter_context(self._make())
        camera.settle()
        self._camera = camera
        self._sight = CameraSight(self._clock())

    def _looked(self, now: float) -> Frame | None:
        assert self._camera is not None  # noqa: S101 - just opened
        frame = self._camera.newest()
        self._sight, fault = look(self._sight, frame, now, self._limits, self._size)
        if fault is Fault.BLACK:  # still open: the light may come back any moment
            self._find(CameraFinding(fault, self.name))
            return None
        if fault is not None:
            got = "" if frame is None else f"pictures of {frame.size[0]}x{frame.size[1]}"
            self._give_up(fault, got)
            return None
        if frame is None or (self._was(Fault.FROZEN) and not self._sight.moved):
            return None
        self._tries = 0
        self._find(None)
        return frame

    def _was(self, fault: Fault) -> bool:
        return self._finding is not None and self._finding.fault is fault

    def _give_up(self, fault: Fault, detail: str) -> None:
        """Close the camera and try it again after a while; a film is not shown twice."""
        self._close()
        self._tries += 1
        pause = pause_after(self._tries, self._limits)
        self._again_at = float("inf") if fault is Fault.OVER else self._clock() + pause
        if fault is Fault.MISSING and self._was(Fault.LOST):
            fault = Fault.LOST  # unplugged a while ago is still unplugged
        self._find(CameraFinding(fault, self.name, detail))

    def _close(self) -> None:
        self._camera = None
        self._stack.close()

    def _find(self, finding: CameraFinding | None) -> None:
        before, self._finding = self._finding, finding
        if (before and before.fault) != (finding and finding.fault):
            if finding is not None:
                log.warning("%s: %s. %s", finding.camera, finding.fault, finding.detail)
            self._report(finding)


def _fault_of(trouble: CameraError) -> Fault:
    match trouble:
        case FilmOver():
            return Fault.OVER
        case CameraMissing():
            return Fault.MISSING
        case _:
            return Fault.LOST
