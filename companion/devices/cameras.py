"""Makes the camera that the settings name. Each kind is imported only when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.devices.camera import Camera

if TYPE_CHECKING:  # it brings the picture libraries with it
    from companion.devices.camera_simulated import Players


def camera_maker(
    camera: str, size: tuple[int, int], players: Players | None = None
) -> Callable[[], Camera]:
    """Makes the camera that `camera` names ("pi", "usb:1", "file:evening.mp4", "simulated");
    not yet open. A simulated table may have `players` who use the buttons and the page."""
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
        case "simulated":
            from companion.devices.camera_simulated import SimulatedCamera, simulation

            how = simulation(which)
            return lambda: SimulatedCamera(how, size, players=players)
        case _:
            raise ValueError(f"no camera is called {camera!r}")


def asked_size(camera: str, size: tuple[int, int]) -> tuple[int, int] | None:
    """The size its pictures must have; None for a film, which may have any."""
    return None if camera.startswith("file:") else size
