"""Which cameras this box can see, and one picture of each to choose by."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import camera_maker
from companion.devices.camera.usb import BY_ID, DEVICES
from companion.foundation.errors import CompanionError
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message

PATIENCE_SECONDS = 8.0
"""So long a camera has for its first picture."""
LOOK_UP_SECONDS = 0.05
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
