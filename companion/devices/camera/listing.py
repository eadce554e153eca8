"""Which cameras this box can see, and one picture of each to choose by."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import camera_maker
from companion.devices.camera.usb import BY_ID, DEVICES, find_device
from companion.foundation.errors import CameraMissing, CompanionError
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message

PATIENCE_SECONDS = 8.0
"""So long a camera has for its first picture."""
LOOK_UP_SECONDS = 0.05
FRESH_SECONDS = 2.5
"""So long a picture serves everybody who asks."""
BUSY_SECONDS = 0.5
"""So long somebody waits while another camera is being opened."""
CAMERA_BUSY = message("camera-busy", N_("another camera is being looked at; one moment"))
NO_PICTURE = message("no-first-picture", N_("the camera is there, but sends no picture"))


def seen_cameras(devices: Path = DEVICES, by_id: Path = BY_ID) -> tuple[str, ...]:
    """The cameras that are plugged in, as the settings call them. What comes by the network has to
    be told by its address."""
    return (*_pi_cameras(), *_usb_cameras(devices, by_id))


def _usb_cameras(devices: Path, by_id: Path) -> Iterator[str]:
    """By their lasting names where the system has them, by their numbers where it has not."""
    named: set[Path] = set()
    for each in sorted(by_id.glob("*-video-index*")):
        named.add(each.resolve())
        if each.name.endswith("-video-index0"):
            yield f"usb:{each.name.removesuffix('-video-index0')}"
    if named:
        return
    numbers = (each.name.removeprefix("video") for each in devices.glob("video*"))
    for number in sorted(int(each) for each in numbers if each.isdigit() and len(each) < 4)[:6]:
        yield f"usb:{number}"


def _pi_cameras() -> Iterator[str]:
    try:
        from picamera2 import Picamera2

        found = Picamera2.global_camera_info()
    except Exception:  # off a Pi the library is not there, or stumbles over anything
        return
    # USB cameras are among them as well; those have their own way.
    for number, each in enumerate(found):
        if "usb" not in str(each.get("Id", "")).lower():
            yield "pi" if number == 0 else f"pi:{number}"


def listed_as(
    camera: str, seen: Sequence[str], devices: Path = DEVICES, by_id: Path = BY_ID
) -> str:
    """What the list calls the camera of a setting: `usb` is the first one, `usb:logi` one whose
    name has that in it. The setting itself, if it is none of them."""
    if camera in seen or camera.partition(":")[0] != "usb":
        return "pi" if camera == "pi:0" and "pi" in seen else camera

    def device(name: str) -> Path | None:
        try:
            return find_device(name.partition(":")[2], devices, by_id).resolve()
        except CameraMissing:
            return None

    mine = device(camera)
    return next((each for each in seen if mine is not None and device(each) == mine), camera)


class CameraGlances:
    """The cameras that can be chosen, with a picture of each. A camera opens slowly, and only once
    at a time: whoever asks meanwhile, or soon after, gets the same picture. Any thread may ask."""

    def __init__(
        self,
        size: tuple[int, int],
        seen: Callable[[], tuple[str, ...]] = seen_cameras,
        look: Callable[[str, tuple[int, int]], Frame | Message] | None = None,
    ) -> None:
        self._size = size
        self._seen = seen
        self._look = look or one_picture
        self._lock = threading.Lock()
        self._last: dict[str, tuple[float, Frame | Message]] = {}

    def seen(self) -> tuple[str, ...]:
        return self._seen()

    def named(self, camera: str) -> str:
        """What the list calls the camera of a setting."""
        return listed_as(camera, self.seen())

    def picture(self, camera: str) -> Frame | Message:
        """One picture of a camera that nobody uses at the moment, or why there is none."""
        if not self._lock.acquire(timeout=BUSY_SECONDS):
            return self._last.get(camera, (0.0, CAMERA_BUSY))[1]
        try:
            at, last = self._last.get(camera, (float("-inf"), NO_PICTURE))
            if time.monotonic() - at < FRESH_SECONDS:
                return last
            got = self._look(camera, self._size)
            self._last[camera] = (time.monotonic(), got)
            return got
        finally:
            self._lock.release()


def one_picture(
    camera: str,
    size: tuple[int, int],
    maker: Callable[[str, tuple[int, int]], Callable[[], Camera]] = camera_maker,
) -> Frame | Message:
    """A picture of a camera that nobody uses at the moment, or why there is none."""
    try:
        with maker(camera, size)() as opened:
            until = time.monotonic() + PATIENCE_SECONDS
            while (frame := opened.newest()) is None:
                if time.monotonic() > until:
                    return NO_PICTURE
                time.sleep(LOOK_UP_SECONDS)
            return frame
    except CompanionError as missing:
        return missing.message
