"""Makes the camera that the settings name. Each kind is imported only when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.devices.camera.camera import Camera
from companion.foundation.notices import Notice, Notices
from companion.ledger.referee import Referee
from companion.service.settings import Settings

if TYPE_CHECKING:  # they bring the picture libraries with them
    from companion.devices.camera.simulated import Players, Showing
    from companion.devices.camera.watched import CameraFinding, WatchedCamera
    from companion.sim.boards import BoardsOnTable


def open_camera(
    settings: Settings, referee: Referee, notices: Notices, stack: ExitStack
) -> tuple[WatchedCamera, Showing | None]:
    """The camera, its faults told in the notices; and, if its table is simulated, what is shown
    there."""
    from companion.devices.camera.watched import WatchedCamera

    def report(finding: CameraFinding | None) -> None:
        facts = (("camera", settings.camera),)
        notice = None if finding is None else Notice(f"camera-{finding.fault}", facts)
        notices.put("camera", notice)

    make, showing = _maker(settings, referee)
    camera = WatchedCamera(make, report, size=asked_size(settings))
    return stack.enter_context(camera), showing


def open_further(settings: Settings, notices: Notices, stack: ExitStack) -> list[WatchedCamera]:
    """The other cameras over the table; each tells its own faults, and the rest go on."""
    from companion.devices.camera.watched import WatchedCamera

    def opened(name: str) -> WatchedCamera:
        def report(finding: CameraFinding | None) -> None:
            notice = None if finding is None else Notice("camera-beside", (("camera", name),))
            notices.put(f"camera {name}", notice)

        alone = replace(settings, camera=name, camera_turn=0)
        make = camera_maker(name, settings.camera_pixels)
        return stack.enter_context(WatchedCamera(make, report, size=asked_size(alone)))

    return [opened(name) for name in settings.further_cameras]


def _maker(settings: Settings, referee: Referee) -> tuple[Callable[[], Camera], Showing | None]:
    if not settings.simulated:
        return chosen_camera(settings), None
    from companion.devices.camera.simulated import Showing, SimulatedCamera, simulation
    from companion.sim.players import play
    from companion.sim.simulated_people import SimulatedPeople
    from companion.sim.visitors import Visitors

    how = simulation(settings.camera.partition(":")[2])
    showing = Showing(how, Visitors(referee.wake), partial(_enrolled, settings.data_folder))
    guests = SimulatedPeople(
        referee,
        play(how.playing).setup,
        speed=lambda: showing.how.speed,
        visits=showing.visitors.sits,
    )
    make = partial(SimulatedCamera, showing, settings.camera_pixels, players=guests)
    return _turned(make, settings.camera_turn), showing


def _enrolled(folder: Path, game: str, boards: BoardsOnTable | None) -> None:
    """The boards of a simulated table are known there, as an owner's are; on the mat none are."""
    from companion.vision.boards.kept import boards_file

    file = boards_file(folder, game)
    if boards is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    boards.enrolled().save(file)


def chosen_camera(settings: Settings) -> Callable[[], Camera]:
    """The camera of the settings, its pictures turned as they say."""
    return _turned(camera_maker(settings.camera, settings.camera_pixels), settings.camera_turn)


def _turned(make: Callable[[], Camera], degrees: int) -> Callable[[], Camera]:
    if not degrees:
        return make
    from companion.devices.camera.turned import TurnedCamera

    return lambda: TurnedCamera(make(), degrees)


def camera_maker(
    camera: str, size: tuple[int, int], players: Players | None = None
) -> Callable[[], Camera]:
    """Makes the camera that `camera` names ("pi", "usb:1", "file:evening.mp4",
    "stream:rtsp://...", "simulated"); not yet open. A simulated table may have `players`
    who use the buttons and the page."""
    kind, _, which = camera.partition(":")
    match kind:
        case "pi":
            from companion.devices.camera.pi import PiCamera

            return lambda: PiCamera(int(which or 0), size)
        case "usb":
            from companion.devices.camera.usb import UsbCamera

            return lambda: UsbCamera(which, size)
        case "file":
            from companion.devices.camera.film import FileCamera

            return lambda: FileCamera(Path(which).expanduser())
        case "stream":
            from companion.devices.camera.stream import StreamCamera

            return lambda: StreamCamera(which)
        case "simulated":
            from companion.devices.camera.simulated import SimulatedCamera, simulation

            how = simulation(which)
            return lambda: SimulatedCamera(how, size, players=players)
        case _:
            raise ValueError(f"no camera is called {camera!r}")


def asked_size(settings: Settings) -> tuple[int, int] | None:
    """The size its pictures must have; None for a film or a stream, which may have any."""
    if settings.camera.startswith(("file:", "stream:")):
        return None
    wide, high = settings.camera_pixels
    return (high, wide) if settings.camera_turn in (90, 270) else (wide, high)
