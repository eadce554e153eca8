"""One contract for every camera, and what each adapter adds of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.devices.camera import pi as camera_pi
from companion.devices.camera import usb as camera_usb
from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import asked_size, camera_maker
from companion.devices.camera.film import FileCamera
from companion.devices.camera.pi import PiCamera
from companion.devices.camera.simulated import Showing, SimulatedCamera, simulation
from companion.devices.camera.usb import UsbCamera, find_device
from companion.foundation.errors import CameraLost, CameraMissing, FilmOver
from companion.foundation.frames import Frame
from companion.service.settings import Settings
from companion.sim.boards import BoardsOnTable
from tests.catalogue import PLAYED
from tests.devices.stand_ins import (
    AfModeEnum,
    FakeCapture,
    FakePicamera2,
    Sensor,
    install_picamera2,
)

SIZE = (64, 48)
PATIENCE_SECONDS = 5.0


def first(camera: Camera) -> Frame:
    return newer(camera, 0)


def newer(camera: Camera, number: int) -> Frame:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        frame = camera.newest()
        if frame is not None and frame.number > number:
            return frame
        time.sleep(0.002)
    raise AssertionError(f"no picture after number {number}")


def to_the_end(camera: Camera, pause: float = 0.0) -> list[int]:
    """Every picture until no more come, by its shade."""
    shades = []
    for _ in range(3000):
        frame = camera.newest()
        if frame is not None:
            shades.append(int(frame.pixels[0, 0, 0]))
        time.sleep(pause)
    return shades


def film(folder: Path, pictures: int = 40, rate: float = 20.0) -> Path:
    """A grey film that grows brighter, so that each picture is known by its light."""
    file = folder / "film.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"FFV1"), rate, SIZE)
    for at in range(pictures):
        writer.write(np.full((SIZE[1], SIZE[0], 3), (20 + 5 * at) % 256, np.uint8))
    writer.release()
    return file


def folder_of_pictures(folder: Path, *shades: int) -> Path:
    folder.mkdir(exist_ok=True)
    for at, shade in enumerate(shades):
        cv2.imwrite(str(folder / f"{at:03}.png"), np.full((SIZE[1], SIZE[0], 3), shade, np.uint8))
    (folder / "notes.txt").write_text("not a picture")
    return folder


class Paced:
    """OpenCV itself on a film, which it would otherwise read in no time."""

    def __init__(self, file: Path) -> None:
        self._capture = cv2.VideoCapture(str(file))
        self.isOpened, self.release = self._capture.isOpened, self._capture.release
        self.set, self.get = self._capture.set, self._capture.get

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.005)
        return self._capture.read()


@dataclass
class Kind:
    """One kind of camera: how to make it, and how to take it away."""

    make: Callable[[], Camera]
    sensor: Sensor


KINDS = [
    "pi",
    "usb",
    "usb on OpenCV itself",
    "film",
    "folder",
    "film one by one",
    "simulated",
    "simulated off the clock",
]


@pytest.fixture(params=KINDS)
def kind(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Kind]:
    sensor = Sensor()
    monkeypatch.setattr(camera_pi, "READ_SECONDS", 0.3)
    make: Callable[[], Camera]
    match request.param:
        case "pi":
            install_picamera2(monkeypatch, sensor)
            make = lambda: PiCamera(0, SIZE)  # noqa: E731
        case "usb":
            make = lambda: usb(sensor)  # noqa: E731
        case "usb on OpenCV itself":
            shown = film(tmp_path, 200, 100)
            make = lambda: UsbCamera(  # noqa: E731
                "",
                SIZE,
                find=lambda _: shown,
                open_capture=Paced,
                settle_seconds=0.05,
            )
        case "folder":
            shown = folder_of_pictures(tmp_path / "pictures", *range(30, 60))
            make = lambda: FileCamera(shown)  # noqa: E731
        case "simulated" | "simulated off the clock":
            real = request.param == "simulated"
            make = lambda: SimulatedCamera(  # noqa: E731
                simulation("odin,seed=3,seats=2,speed=4"), SIZE, real_speed=real
            )
        case speed:
            shown = film(tmp_path)
            make = lambda: FileCamera(shown, real_speed=speed == "film")  # noqa: E731
    yield Kind(make, sensor)
    assert not FakePicamera2.in_use


def usb(sensor: Sensor, *sizes: tuple[int, int]) -> UsbCamera:
    return UsbCamera(
        "",
        SIZE,
        find=Path,
        open_capture=lambda _: FakeCapture(sensor, sizes),
        settle_seconds=0.05,
    )


# The contract


def test_pictures_come_and_are_numbered(kind: Kind) -> None:
    with kind.make() as camera:
        one = first(camera)
        other = newer(camera, one.number)
        assert one.size == other.size == SIZE
        assert one.pixels.dtype == np.uint8
        assert other.taken_at >= one.taken_at
        assert abs(other.taken_at - time.monotonic()) < PATIENCE_SECONDS
        assert camera.name


def test_nobody_waits_and_nobody_writes(kind: Kind) -> None:
    with kind.make() as camera:
        frame = first(camera)
        began = time.monotonic()
        camera.newest()
        assert time.monotonic() - began < 0.2
        with pytest.raises(ValueError, match="read-only"):
            frame.pixels[0, 0] = 0


def test_pictures_go_on_after_settling(kind: Kind) -> None:
    with kind.make() as camera:
        before = first(camera)
        camera.settle()
        assert newer(camera, before.number).size == SIZE


def test_it_can_be_opened_again(kind: Kind) -> None:
    for _ in range(2):
        with kind.make() as camera:
            first(camera)


def test_before_it_is_open_there_is_nothing(kind: Kind) -> None:
    camera = kind.make()
    assert camera.newest() is None
    camera.settle()


@pytest.mark.parametrize("kind", ["pi", "usb"], indirect=True)
def test_one_that_is_unplugged_says_so_and_can_be_opened_later(kind: Kind) -> None:
    with kind.make() as camera:
        first(camera)
        kind.sensor.plugged_in = False
        with pytest.raises(CameraLost, match="sends no pictures"):
            to_the_end(camera, 0.002)
        with pytest.raises(CameraLost):
            camera.settle()
    with pytest.raises(CameraMissing), kind.make():
        pass
    kind.sensor.plugged_in = True
    with kind.make() as camera:
        first(camera)


@pytest.mark.parametrize("kind", ["pi", "usb"], indirect=True)
def test_only_the_newest_picture_is_kept(kind: Kind) -> None:
    with kind.make() as camera:
        one = first(camera)
        time.sleep(0.15)
        other = camera.newest()
        assert other is not None
        assert other.number > one.number + 3


# picamera2


def test_exposure_colours_and_focus_are_found_then_held(monkeypatch: pytest.MonkeyPatch) -> None:
    install_picamera2(monkeypatch, Sensor())
    with PiCamera(0, SIZE) as camera:
        first(camera)
        camera.settle()
        *_, held = FakePicamera2.said_last
    assert held.pop("ExposureTime") > 19_000  # not the 100 it began with
    assert held == {
        "AeEnable": False,
        "AwbEnable": False,
        "AnalogueGain": 8.0,
        "ColourGains": (2.1, 1.6),
        "AfMode": AfModeEnum.Manual,
        "LensPosition": 1.4,
    }


def test_a_camera_module_with_a_fixed_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    install_picamera2(monkeypatch, Sensor(can_focus=False))
    with PiCamera(0, SIZE) as camera:
        first(camera)
        camera.settle()
        assert "LensPosition" not in FakePicamera2.said_last[-1]


def test_a_driver_that_fails_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but a lost camera reaches the table."""
    install_picamera2(monkeypatch, Sensor())

    def fails(*_: object, **__: object) -> None:
        raise KeyError("ColourGains")

    with PiCamera(0, SIZE) as camera:
        frame = first(camera)
        monkeypatch.setattr(FakePicamera2, "capture_metadata", fails)
        with pytest.raises(CameraLost, match=r"driver has failed \('ColourGains'\)"):
            camera.settle()
        newer(camera, frame.number)
        monkeypatch.setattr(FakePicamera2, "capture_array", fails)
        with pytest.raises(CameraLost, match="driver has failed"):
            to_the_end(camera, 0.002)
    monkeypatch.setattr(FakePicamera2, "start", fails)
    with pytest.raises(CameraMissing, match="cannot be started"), PiCamera(0, SIZE):
        pass


def test_pi_cameras_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    install_picamera2(monkeypatch, Sensor())
    with pytest.raises(CameraMissing, match=r"no Pi camera 1; .*ribbon"), PiCamera(1, SIZE):
        pass
    with (
        PiCamera(0, SIZE),
        pytest.raises(CameraMissing, match="another program may be using it"),
        PiCamera(0, SIZE),
    ):
        pass
    with pytest.raises(CameraMissing, match="try another camera_size"), PiCamera(0, (9000, 10)):
        pass
    assert not FakePicamera2.in_use


def test_without_picamera2_it_is_said_what_to_install() -> None:
    with pytest.raises(CameraMissing, match="brings python3-picamera2"), PiCamera(0, SIZE):
        pass


# USB


def test_automatics_are_let_go_and_then_held() -> None:
    capture = FakeCapture(Sensor())
    with UsbCamera(
        "", SIZE, find=Path, open_capture=lambda _: capture, settle_seconds=0.01
    ) as camera:
        first(camera)
        capture.said.clear()
        camera.settle()
    auto = [value for prop, value in capture.said if prop == cv2.CAP_PROP_AUTO_EXPOSURE]
    assert auto == [camera_usb.V4L2_AUTO, camera_usb.V4L2_MANUAL]
    assert (cv2.CAP_PROP_EXPOSURE, 157.0) in capture.said
    assert (cv2.CAP_PROP_WB_TEMPERATURE, 4600.0) in capture.said
    assert not any(prop == cv2.CAP_PROP_FOCUS for prop, _ in capture.said)  # it has none


@pytest.fixture
def plugged_in(tmp_path: Path) -> Path:
    """/dev with two cameras, each with a stream that carries no pictures."""
    by_id = tmp_path / "v4l"
    by_id.mkdir()
    for number, name in enumerate(("usb-Acme_HD_Pro-video", "usb-Zeta_Cam_99-video")):
        for stream in (0, 1):
            device = tmp_path / f"video{2 * number + stream}"
            device.touch()
            (by_id / f"{name}-index{stream}").symlink_to(device)
    return tmp_path


@pytest.mark.parametrize(
    ("which", "device"),
    [("", "video0"), ("2", "video2"), ("zeta", "video2"), ("HD_Pro", "video0"), ("99", None)],
)
def test_by_number_or_by_name(plugged_in: Path, which: str, device: str | None) -> None:
    if device is None:
        with pytest.raises(CameraMissing, match="there is no USB camera number 99; plugged in: "):
            find_device(which, plugged_in, plugged_in / "v4l")
    else:
        assert find_device(which, plugged_in, plugged_in / "v4l") == plugged_in / device


def test_a_name_nobody_has(plugged_in: Path, tmp_path: Path) -> None:
    with pytest.raises(CameraMissing) as missing:
        find_device("Logi", plugged_in, plugged_in / "v4l")
    assert str(missing.value) == (
        "no USB camera is called 'Logi'; plugged in: usb-Acme_HD_Pro-video-index0, "
        "usb-Zeta_Cam_99-video-index0"
    )
    with pytest.raises(CameraMissing, match="none is plugged in"):
        find_device("", plugged_in, tmp_path / "nowhere")


def test_one_that_another_program_holds(tmp_path: Path) -> None:
    """OpenCV's own answer for something that is no camera."""
    (tmp_path / "video0").touch()
    camera = UsbCamera(
        "",
        SIZE,
        find=lambda _: tmp_path / "video0",
        open_capture=lambda f: cv2.VideoCapture(str(f)),
    )
    with pytest.raises(CameraMissing, match="cannot be opened; another program"), camera:
        pass


# Films and folders


def one_by_one(path: Path) -> list[int]:
    shades = []
    with FileCamera(path, real_speed=False) as camera:
        try:
            while (frame := camera.newest()) is not None:
                shades.append(int(frame.pixels[0, 0, 0]))
        except FilmOver:
            with pytest.raises(FilmOver, match="is over"):  # and so it stays
                camera.newest()
    return shades


def test_as_fast_as_possible_every_picture_comes_once(tmp_path: Path) -> None:
    assert one_by_one(film(tmp_path, 30)) == [20 + 5 * at for at in range(30)]


def test_at_real_speed_a_film_takes_its_time(tmp_path: Path) -> None:
    began = time.monotonic()
    with FileCamera(film(tmp_path, 10, rate=20)) as camera, pytest.raises(FilmOver):
        to_the_end(camera, 0.005)
    assert 0.45 <= time.monotonic() - began < 3


def test_a_folder_in_the_order_of_its_names(tmp_path: Path) -> None:
    assert one_by_one(folder_of_pictures(tmp_path / "p", 9, 7, 8)) == [9, 7, 8]


def test_films_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("hello")
    (tmp_path / "empty").mkdir()
    for name, why in {
        "nowhere.mp4": "there is no film or folder",
        "text.avi": "is no film that can be read",
        "empty": "has no pictures; .bmp, .jpeg, .jpg, .png, .webp are read",
    }.items():
        with pytest.raises(CameraMissing, match=why), FileCamera(tmp_path / name):
            pass
    broken = folder_of_pictures(tmp_path / "p", 5)
    (broken / "000.png").write_bytes(b"not a picture")
    with FileCamera(broken, real_speed=False) as camera, pytest.raises(CameraLost, match="000"):
        camera.newest()


# Which one


def test_the_settings_name_it(tmp_path: Path) -> None:
    for name, kind, called in (
        ("pi", PiCamera, "Pi camera 0"),
        ("pi:1", PiCamera, "Pi camera 1"),
        ("usb", UsbCamera, "USB camera"),
        ("usb:HD Pro", UsbCamera, "USB camera HD Pro"),
        ("file:x/evening.mp4", FileCamera, "file evening.mp4"),
        ("simulated:odin,seed=2", SimulatedCamera, "simulated table of odin"),
        ("simulated", SimulatedCamera, f"simulated table of {PLAYED[0]}"),
    ):
        camera = camera_maker(name, SIZE)()
        assert (type(camera), camera.name) == (kind, called)
    with pytest.raises(ValueError, match="no camera is called 'telescope'"):
        camera_maker("telescope", SIZE)
    text = f"{SIZE[0]}x{SIZE[1]}"
    assert asked_size(Settings(camera="usb", camera_size=text)) == SIZE
    assert asked_size(Settings(camera="usb", camera_size=text, camera_turn=90)) == SIZE[::-1]
    assert asked_size(Settings(camera="file:x")) is None
    assert asked_size(Settings(camera="stream:http://x/")) is None


def test_the_boards_of_a_simulated_table_are_known_to_the_eyes_that_look_at_it() -> None:
    told: list[tuple[str, int]] = []

    def enrol(game: str, boards: BoardsOnTable | None) -> None:
        told.append((game, 0 if boards is None else len(boards.enrolled().boards)))

    for text in ("valhal,seats=2,boards=yes", "valhal,seats=2", "odin,seats=2,boards=yes"):
        showing = Showing(simulation(text), enrol=enrol)
        assert str(simulation(showing.text)) == showing.text
        with SimulatedCamera(showing, (320, 180), real_speed=False) as camera:
            assert camera.newest() is not None
    assert told == [("valhal", 3), ("valhal", 0), ("odin", 0)]
