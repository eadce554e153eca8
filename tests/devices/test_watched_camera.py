"""Whatever can be wrong with a camera is noticed, told once, and tried again; meanwhile nobody is
in the way of the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pytest

from companion.devices.camera.usb import UsbCamera
from companion.devices.camera.watched import (
    CameraFinding,
    CameraLimits,
    Fault,
    WatchedCamera,
    pause_after,
)
from companion.foundation.errors import CameraError, CameraLost, CameraMissing, FilmOver
from companion.foundation.frames import Frame
from tests.devices.stand_ins import FakeCapture, Sensor

SIZE = (64, 48)


class Scripted:
    """A camera on a string: it does what the test says, and remembers how often it was opened."""

    def __init__(self) -> None:
        self.name = "scripted"
        self.missing = False
        self.trouble: CameraError | None = None
        self.brightness = 100
        self.size = SIZE
        self.frozen = False
        self.silent = False
        self.number = 0
        self.opened: list[float] = []
        self.open = False
        self.settled = 0
        self.now = 0.0

    def __enter__(self) -> Self:
        self.opened.append(self.now)
        if self.missing:
            raise CameraMissing("test", "not there")
        self.open = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.open = False

    def newest(self) -> Frame | None:
        assert self.open
        if self.trouble is not None:
            raise self.trouble
        if self.silent:
            return None
        self.number += 1
        noise = 0 if self.frozen else self.number % 3
        shape = (self.size[1], self.size[0], 3)
        pixels = np.full(shape, self.brightness + noise, np.uint8)
        return Frame(pixels, self.now, self.number)

    def settle(self) -> None:
        self.settled += 1


class Evening:
    """A watched camera over an evening whose clock the test turns."""

    def __init__(self, camera: Scripted, size: tuple[int, int] | None = SIZE) -> None:
        self.camera = camera
        self.told: list[CameraFinding | None] = []
        self.watched = WatchedCamera(
            lambda: camera, self.told.append, size=size, clock=lambda: camera.now
        )

    def passes(self, seconds: float) -> list[Frame | None]:
        seen = []
        for _ in range(round(seconds * 2)):
            self.camera.now += 0.5
            seen.append(self.watched.newest())
        return seen

    @property
    def faults(self) -> list[Fault | None]:
        return [None if each is None else each.fault for each in self.told]


@pytest.fixture
def camera() -> Scripted:
    return Scripted()


@pytest.fixture
def evening(camera: Scripted) -> Evening:
    return Evening(camera)


def test_a_good_camera_is_opened_once_settled_and_nothing_is_told(
    evening: Evening, camera: Scripted
) -> None:
    assert None not in evening.passes(600)
    assert (len(camera.opened), camera.settled, evening.told) == (1, 1, [])


def test_missing_is_told_once_and_tried_later_and_later(evening: Evening, camera: Scripted) -> None:
    camera.missing = True
    assert evening.passes(300) == [None] * 600
    assert evening.told == [CameraFinding(Fault.MISSING, "scripted", "not there")]
    pauses = np.diff(camera.opened).tolist()
    assert pauses[:7] == [1, 2, 4, 8, 16, 32, 60]
    assert set(pauses[7:]) == {60}
    camera.missing = False
    assert evening.passes(61)[-1] is not None
    assert evening.faults == [Fault.MISSING, None]


def test_unplugged_in_mid_game_and_plugged_in_again(evening: Evening, camera: Scripted) -> None:
    evening.passes(5)
    camera.trouble, camera.missing = CameraLost("test", "gone"), True
    assert set(evening.passes(20)) == {None}
    assert not camera.open
    assert evening.faults == [Fault.LOST]  # and not, a second later, missing
    camera.trouble, camera.missing = None, False
    assert evening.passes(20)[-1] is not None
    assert evening.faults == [Fault.LOST, None]
    assert camera.settled == 2


@pytest.mark.parametrize("how", ["frozen", "silent"])
def test_frozen_is_noticed_and_stays_told_until_something_moves(
    evening: Evening, camera: Scripted, how: str
) -> None:
    evening.passes(5)
    setattr(camera, how, True)
    evening.passes(9)
    assert evening.told == []
    evening.passes(60)
    assert evening.faults == [Fault.FROZEN]
    assert len(camera.opened) > 2
    setattr(camera, how, False)
    assert evening.passes(30)[-1] is not None
    assert evening.faults == [Fault.FROZEN, None]


def test_a_camera_that_never_sends_a_first_picture(evening: Evening, camera: Scripted) -> None:
    camera.silent = True
    evening.passes(11)
    assert evening.faults == [Fault.FROZEN]


def test_black_is_told_after_a_while_and_over_when_the_light_is_back(
    evening: Evening, camera: Scripted
) -> None:
    evening.passes(5)
    camera.brightness = 1
    evening.passes(2.5)  # a sleeve
    camera.brightness = 100
    evening.passes(5)
    assert evening.told == []
    camera.brightness = 1
    assert evening.passes(30)[-1] is None
    assert evening.faults == [Fault.BLACK]
    assert len(camera.opened) == 1
    camera.brightness = 100
    assert evening.passes(0.5) != [None]
    assert evening.faults == [Fault.BLACK, None]


def test_wrongly_sized(evening: Evening, camera: Scripted) -> None:
    camera.size = (32, 24)
    assert set(evening.passes(10)) == {None}
    assert evening.told == [CameraFinding(Fault.WRONG_SIZE, "scripted", "pictures of 32x24")]
    camera.size = SIZE
    assert evening.passes(20)[-1] is not None
    assert evening.faults == [Fault.WRONG_SIZE, None]


def test_a_size_that_changes_is_wrong_even_if_none_was_asked_for(camera: Scripted) -> None:
    evening = Evening(camera, size=None)
    camera.size = (32, 24)
    assert None not in evening.passes(5)
    camera.size = (24, 32)
    assert evening.passes(0.5) == [None]
    assert evening.faults == [Fault.WRONG_SIZE]


def test_a_film_is_not_shown_twice(evening: Evening, camera: Scripted) -> None:
    evening.passes(5)
    camera.trouble = FilmOver("test", "over")
    evening.passes(500)
    assert evening.faults == [Fault.OVER]
    assert len(camera.opened) == 1


def test_settling_a_camera_that_is_away(evening: Evening, camera: Scripted) -> None:
    camera.missing = True
    evening.passes(1)
    evening.watched.settle()
    assert camera.settled == 0


def test_pauses_never_overflow() -> None:
    limits = CameraLimits()
    assert pause_after(1, limits) == 1
    assert pause_after(10_000, limits) == limits.longest_pause


def test_a_real_adapter_watched_by_a_thread_of_its_own() -> None:
    """USB, unplugged and plugged in again, by the wall clock."""
    sensor = Sensor()
    told: list[CameraFinding | None] = []
    looks: list[float] = []
    with ExitStack() as stack:
        watched = stack.enter_context(
            WatchedCamera(
                lambda: UsbCamera(
                    "",
                    SIZE,
                    find=Path,
                    open_capture=lambda _: FakeCapture(sensor),
                    settle_seconds=0.01,
                ),
                told.append,
                size=SIZE,
                limits=CameraLimits(first_pause=0.1),
            )
        )
        stack.enter_context(_looking(watched, looks))
        time.sleep(0.7)
        sensor.plugged_in = False
        assert _soon(lambda: len(told) == 1)
        sensor.plugged_in = True
        assert _soon(lambda: len(told) == 2)
    assert [each and each.fault for each in told] == [Fault.LOST, None]
    assert len(looks) > 3


@contextmanager
def _looking(watched: WatchedCamera, looks: list[float]) -> Iterator[None]:
    """A thread that asks for pictures, as the table loop does."""
    stopping = threading.Event()

    def run() -> None:
        while not stopping.wait(0.1):
            watched.newest()
            looks.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _soon(condition: object) -> bool:
    assert callable(condition)
    patience = time.monotonic() + 5
    while not condition() and time.monotonic() < patience:
        time.sleep(0.01)
    return bool(condition())
