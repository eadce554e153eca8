"""Stand-ins for cameras: a Pi camera module behind picamera2's calls, and a USB camera behind
OpenCV's. They keep the same order of calls and fail in the same ways as the real ones."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from enum import IntEnum
from types import ModuleType
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

PICTURE_SECONDS = 0.005


@dataclass
class Sensor:
    """What is in front of either driver; it can be made to misbehave."""

    plugged_in: bool = True
    frozen: bool = False
    brightness: int = 120
    can_focus: bool = True
    noise: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))
    taken: int = 0
    last: NDArray[np.uint8] | None = None

    def take(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        time.sleep(PICTURE_SECONDS)
        if self.frozen and self.last is not None:
            return self.last.copy()
        width, height = size
        low = max(self.brightness - 3, 0)
        self.last = self.noise.integers(low, self.brightness + 3, (height, width, 3), np.uint8)
        self.taken += 1
        return self.last.copy()


# picamera2


class AfModeEnum(IntEnum):
    Manual = 0
    Auto = 1
    Continuous = 2


class FakePicamera2:
    """As picamera2: one user at a time, configured before started, started before pictures."""

    sensors: ClassVar[list[Sensor]] = []  # what is attached; set by the test
    in_use: ClassVar[set[int]] = set()
    said_last: ClassVar[list[dict[str, Any]]] = []  # by whichever spoke last

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        attached = [each for each in FakePicamera2.sensors if each.plugged_in]
        return [{"Model": "imx708", "Id": f"/i2c/{at}", "Num": at} for at, _ in enumerate(attached)]

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num in FakePicamera2.in_use:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        FakePicamera2.in_use.add(camera_num)
        self._number = camera_num
        self._sensor = FakePicamera2.sensors[camera_num]
        self._size: tuple[int, int] | None = None
        self._started = False
        self.said: list[dict[str, Any]] = []
        self._found = {"ExposureTime": 100, "AnalogueGain": 8.0, "ColourGains": (1.0, 1.0)}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        known = {"AeEnable": (False, True, True), "ExposureTime": (1, 66666, 20000)}
        return known | ({"AfMode": (0, 2, 0)} if self._sensor.can_focus else {})

    def create_video_configuration(
        self, main: dict[str, Any] | None = None, *, buffer_count: int = 6, queue: bool = True
    ) -> dict[str, Any]:
        main = main or {}
        assert buffer_count >= 1
        assert set(main) <= {"size", "format"}
        if main["format"] != "RGB888":
            raise RuntimeError(f"not our order of colours: {main['format']}")
        return {"main": main, "queue": queue}

    def configure(self, camera_config: dict[str, Any] | None = None) -> None:
        assert camera_config is not None
        if camera_config["main"]["size"][0] > 4608:
            raise RuntimeError("Requested size larger than sensor")
        self._size = camera_config["main"]["size"]

    def start(self, config: Any = None, show_preview: bool = False) -> None:
        assert self._size is not None, "not configured"
        self._started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        if "AfMode" in controls and not self._sensor.can_focus:
            raise RuntimeError("Control AfMode is not advertised by libcamera")
        self.said.append(controls)
        FakePicamera2.said_last = self.said

    def capture_array(
        self, name: str = "main", wait: float | None = None, signal_function: Any = None
    ) -> NDArray[np.uint8]:
        assert name == "main"
        self._alive(wait)
        assert self._size is not None
        return self._sensor.take(self._size)

    def capture_metadata(
        self, wait: float | None = None, signal_function: Any = None
    ) -> dict[str, Any]:
        """Exposure creeps up on its aim, as the real one does."""
        self._alive(wait)
        exposure, aim = self._found["ExposureTime"], 20_000
        assert isinstance(exposure, int)
        gains = (2.1, 1.6) if exposure > 5000 else (1.5, 1.5)
        self._found |= {"ExposureTime": exposure + (aim - exposure) // 2, "ColourGains": gains}
        return self._found | ({"LensPosition": 1.4} if self._sensor.can_focus else {})

    def autofocus_cycle(self, wait: float | None = None, signal_function: Any = None) -> bool:
        self._alive(wait)
        self.set_controls({"AfMode": AfModeEnum.Auto})
        return True

    def close(self) -> None:
        self._started = False
        FakePicamera2.in_use.discard(self._number)

    def _alive(self, wait: float | None) -> None:
        """Without a time the real one would wait for ever."""
        assert wait is not None
        assert self._started, "not started"
        if not self._sensor.plugged_in:
            time.sleep(wait)
            raise TimeoutError


def install_picamera2(monkeypatch: pytest.MonkeyPatch, *sensors: Sensor) -> None:
    """As if Raspberry Pi OS had its packages here."""
    camera, lib = ModuleType("picamera2"), ModuleType("libcamera")
    camera.__dict__["Picamera2"] = FakePicamera2
    lib.__dict__["controls"] = type("controls", (), {"AfModeEnum": AfModeEnum})
    monkeypatch.setitem(sys.modules, "picamera2", camera)
    monkeypatch.setitem(sys.modules, "libcamera", lib)
    monkeypatch.setattr(FakePicamera2, "sensors", list(sensors))
    monkeypatch.setattr(FakePicamera2, "in_use", set())


# OpenCV


class FakeCapture:
    """As `cv2.VideoCapture` on V4L2: refusals are False, never exceptions."""

    def __init__(self, sensor: Sensor, sizes: tuple[tuple[int, int], ...] = ()) -> None:
        self._sensor = sensor
        self._open = sensor.plugged_in
        self._sizes = sizes  # it can only do these, if any are named
        self.values: dict[int, float] = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_FOCUS: -1.0,  # fixed focus
            cv2.CAP_PROP_FRAME_WIDTH: 640.0,
            cv2.CAP_PROP_FRAME_HEIGHT: 480.0,
        }
        self.said: list[tuple[int, float]] = []

    def isOpened(self) -> bool:  # noqa: N802
        return self._open

    def read(self) -> tuple[bool, Any]:
        if not self._open or not self._sensor.plugged_in:
            return False, None
        wanted = tuple(
            int(self.values[each]) for each in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        size = wanted if not self._sizes or wanted in self._sizes else self._sizes[0]
        return True, self._sensor.take((size[0], size[1]))

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.said.append((propId, value))
        if propId == cv2.CAP_PROP_AUTOFOCUS:
            return False
        self.values[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.values.get(propId, 0.0)

    def release(self) -> None:
        self._open = False
