"""The Pi's own camera module, through picamera2.

picamera2 is imported here and nowhere else, and only when the camera is opened: it exists only on a
Pi, and importing it already looks for hardware.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from companion.devices.camera.frame_buffer import FrameBuffer
from companion.foundation.errors import CameraLost, CameraMissing
from companion.foundation.frames import Frame
from companion.foundation.messages import N_

READ_SECONDS = 5.0  # no picture for so long: the ribbon cable is out, or the driver hangs
FOCUS_SECONDS = 10.0  # the longest that focusing may take
SETTLE_SECONDS = 30.0  # the longest that `settle` may take as a whole
SETTLE_PICTURES = 90  # most pictures until exposure and colours stand still
STEADY_PICTURES = 5  # they stand still if so many pictures in a row are alike
STEADY_SHARE = 0.02  # values that differ by no more than this share are alike
BUFFERS = 3  # fewer than a recorder needs: only the newest picture counts


class PiCamera:
    """A camera on the Pi's ribbon cable."""

    def __init__(self, number: int, size: tuple[int, int]) -> None:
        self._number = number
        self._size = size
        self._newest: FrameBuffer | None = None

    @property
    def name(self) -> str:
        return f"Pi camera {self._number}"

    def __enter__(self) -> Self:
        self._source = _PiSource(self._number, self._size)
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
        if self._newest is not None:
            self._newest.between(self._source.settle, SETTLE_SECONDS)


class _PiSource:
    def __init__(self, number: int, size: tuple[int, int]) -> None:
        try:
            from libcamera import controls
            from picamera2 import Picamera2
        except Exception as missing:  # also if one of its libraries was built for another numpy
            raise CameraMissing(
                "pi-camera-needs-picamera",
                N_(
                    "the Pi camera needs picamera2 (%(missing)s); on a Pi `sudo make install` "
                    "brings python3-picamera2 and sees it; else set camera to a USB camera"
                ),
                missing=missing,
            ) from None
        self._by_hand = controls.AfModeEnum.Manual
        if number >= len(Picamera2.global_camera_info()):
            raise CameraMissing(
                "no-pi-camera-switch",
                N_(
                    "there is no Pi camera %(number)s; switch the Pi off and check the ribbon "
                    "cable, then `rpicam-hello --list-cameras`"
                ),
                number=number,
            )
        try:
            self._camera = Picamera2(number)
        except Exception as busy:  # libcamera's own errors come in many kinds
            raise CameraMissing(
                "pi-camera-cannot-opened",
                N_(
                    "the Pi camera %(number)s cannot be opened (%(busy)s); another program may "
                    "be using it"
                ),
                number=number,
                busy=busy,
            ) from None
        try:
            # picamera2's RGB888 is blue, green, red in memory, which is what OpenCV wants.
            # queue=False: no picture was taken before it was asked for.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"}, buffer_count=BUFFERS, queue=False
                )
            )
            self._camera.start()
        except Exception as refused:
            self._camera.close()
            raise CameraMissing(
                "pi-camera-cannot-started",
                N_(
                    "the Pi camera %(number)s cannot be started (%(refused)s); try another "
                    "camera_size"
                ),
                number=number,
                refused=refused,
            ) from None

    def read(self) -> NDArray[np.uint8]:
        try:
            pixels = self._camera.capture_array("main", wait=READ_SECONDS)
        except TimeoutError:
            raise CameraLost(
                "pi-camera-sends-no",
                N_("the Pi camera sends no pictures; switch the Pi off and check the ribbon cable"),
            ) from None
        return np.asarray(pixels, np.uint8)

    def settle(self) -> None:
        """Let the automatics find their values, then hold those."""
        can_focus = "AfMode" in self._camera.camera_controls
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
        if can_focus:
            self._camera.autofocus_cycle(wait=FOCUS_SECONDS)
        found = self._steady()
        held: dict[str, Any] = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": found["ExposureTime"],
            "AnalogueGain": found["AnalogueGain"],
            "ColourGains": found["ColourGains"],
        }
        if can_focus and "LensPosition" in found:
            held |= {"AfMode": self._by_hand, "LensPosition": found["LensPosition"]}
        self._camera.set_controls(held)

    def _steady(self) -> dict[str, Any]:
        """The values the camera has found, once they stand still or the patience is over."""
        before = self._camera.capture_metadata(wait=READ_SECONDS)
        alike = 0
        for _ in range(SETTLE_PICTURES):
            found = self._camera.capture_metadata(wait=READ_SECONDS)
            alike = alike + 1 if _alike(before, found) else 0
            before = found
            if alike >= STEADY_PICTURES:
                break
        return before

    def close(self) -> None:
        self._camera.close()


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    pairs = [
        (one["ExposureTime"], other["ExposureTime"]),
        (one["AnalogueGain"], other["AnalogueGain"]),
        *zip(one["ColourGains"], other["ColourGains"], strict=True),
    ]
    return all(abs(a - b) <= STEADY_SHARE * max(abs(a), abs(b)) for a, b in pairs)
