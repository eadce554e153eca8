"""Which camera the settings name. Each adapter is imported only when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.devices.camera import Camera


def camera_maker(camera: str, size: tuple[int, int]) -> Callable[[], Camera]:
    """Makes the camera that `camera` names ("pi", "usb:1", "file:evening.mp4"); not yet open."""
    kind, _, which = camera.partition(":")
    match kind:
        case "pi":
            from companion.devices.camera_pi import PiCamera

            return lambda: PiCamera(int(which or 0), size)
        case "usb":
            from companion.devices.camera_usb import UsbCamera

            return lambda: UsbCamera(which, size)
        case "file":
            from companion.devices.camera_file import FileCamera

            return lambda: FileCamera(Path(which).expanduser())
        case _:
            raise ValueError(f"no camera is called {camera!r}")


def asked_size(camera: str, size: tuple[int, int]) -> tuple[int, int] | None:
    """What its pictures have to measure; a film is as large as it is."""
    return None if camera.startswith("file:") else size
