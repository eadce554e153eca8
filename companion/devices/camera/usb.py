"""USB cameras, through OpenCV and V4L2. One is chosen by its number or by a part of its name."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.devices.camera.frame_buffer import FrameBuffer
from companion.foundation.errors import CameraLost, CameraMissing
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message

BY_ID = Path("/dev/v4l/by-id")
DEVICES = Path("/dev")
SETTLE_SECONDS = 2.0  # so long the camera's automatics take to find their values
ANSWER_SECONDS = 15.0  # longer than V4L2, which gives up after ten
MISSED_READS = 5  # so many failed reads in a row, and the camera is lost
V4L2_AUTO, V4L2_MANUAL = 3, 1  # V4L2's values for exposure
# For each automatic: its property, the values for on and off, and the property it controls.
HELD = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO, V4L2_MANUAL, cv2.CAP_PROP_EXPOSURE),
    (cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    (cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
)


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, Any]: ...
    def set(self, propId: int, value: float) -> bool: ...  # noqa: N803
    def get(self, propId: int) -> float: ...  # noqa: N803
    def release(self) -> None: ...


def open_v4l2(device: Path) -> Capture:
    return cv2.VideoCapture(str(device), cv2.CAP_V4L2)


def find_device(which: str, devices: Path = DEVICES, by_id: Path = BY_ID) -> Path:
    """The device of a camera: given its number, or a part of its name in /dev/v4l/by-id. For an
    empty text the first one. Raises `CameraMissing` if there is none."""
    if which.isascii() and which.isdigit():
        device = devices / f"video{int(which)}"
        if not device.exists():
            raise CameraMissing(
                "no-usb-camera-number",
                N_("there is no USB camera number %(which)s; %(plugged_in)s"),
                which=which,
                plugged_in=_plugged_in(by_id),
            )
        return device
    names = _names(by_id)
    fitting = [name for name in names if which.casefold() in name.casefold()]
    if not fitting:
        wanted = (
            message(
                "no-usb-camera-called", N_("no USB camera is called %(which)s"), which=repr(which)
            )
            if which
            else message("no-usb-camera", N_("there is no USB camera"))
        )
        raise CameraMissing(
            "usb-camera-missing",
            N_("%(wanted)s; %(plugged_in)s"),
            wanted=wanted,
            plugged_in=_plugged_in(by_id),
        )
    return (by_id / fitting[0]).resolve()


def _names(by_id: Path) -> list[str]:
    """The names of the cameras plugged in. Only first streams: a second one has no pictures."""
    return sorted(each.name for each in by_id.glob("*-video-index0"))


def _plugged_in(by_id: Path) -> Message:
    names = _names(by_id)
    if not names:
        return message("none-plugged-in", N_("none is plugged in: check its cable"))
    return message("plugged-in", N_("plugged in: %(names)s"), names=", ".join(names))


class UsbCamera:
    """A camera on a USB port."""

    def __init__(
        self,
        which: str,
        size: tuple[int, int],
        *,
        find: Callable[[str], Path] = find_device,
        open_capture: Callable[[Path], Capture] = open_v4l2,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        self._which = which
        self._size = size
        self._find = find
        self._open = open_capture
        self._settle_seconds = settle_seconds
        self._newest: FrameBuffer | None = None

    @property
    def name(self) -> str:
        return f"USB camera {self._which}".rstrip()

    def __enter__(self) -> Self:
        self._source = _UsbSource(self._find(self._which), self._open, self._size)
        self._newest = FrameBuffer(self._source, self.name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._newest is not None:
            self._newest.close()

    def newest(self) -> Frame | None:
        return None if self._newest is None else self._newest.frame()

    def settle(self) -> None:
        if self._newest is None:
            return
        self._newest.between(self._source.let_go, ANSWER_SECONDS)
        time.sleep(self._settle_seconds)
        self._newest.between(self._source.hold, ANSWER_SECONDS)


class _UsbSource:
    def __init__(
        self, device: Path, open_capture: Callable[[Path], Capture], size: tuple[int, int]
    ) -> None:
        self._device = device
        self._capture = open_capture(device)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraMissing(
                "usb-camera-cannot-opened",
                N_(
                    "the USB camera %(device)s cannot be opened; another program may be using "
                    "it, or this user is not in the group video"
                ),
                device=device,
            )
        # Without compression a USB 2 camera has no room for more than a few pictures a second.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> NDArray[np.uint8]:
        for _ in range(MISSED_READS):
            good, pixels = self._capture.read()
            if good:
                return np.asarray(pixels, np.uint8)
        raise CameraLost(
            "usb-camera-sends-no",
            N_("the USB camera %(device)s sends no pictures; check its cable"),
            device=self._device,
        )

    def let_go(self) -> None:
        """Switch the automatics on."""
        for automatic, on, _, _ in HELD:
            self._capture.set(automatic, on)

    def hold(self) -> None:
        """Switch the automatics off, and keep the values they found. A driver refuses properties
        that its camera does not have; that does no harm."""
        for automatic, _, off, value in HELD:
            found = self._capture.get(value)
            self._capture.set(automatic, off)
            if found > 0:
                self._capture.set(value, found)

    def close(self) -> None:
        self._capture.release()
