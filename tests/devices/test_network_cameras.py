"""Cameras by their address, turned ones, and the list to choose from."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from companion.devices.camera import listing
from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import (
    asked_size,
    camera_maker,
    chosen_camera,
    open_camera,
)
from companion.devices.camera.listing import (
    CAMERA_BUSY,
    CameraGlances,
    listed_as,
    one_picture,
    seen_cameras,
)
from companion.devices.camera.simulated import SimulatedCamera, simulation
from companion.devices.camera.stream import StreamCamera, told_address
from companion.devices.camera.turned import TurnedCamera
from companion.foundation.errors import CameraError, CameraMissing
from companion.foundation.frames import Frame
from companion.foundation.messages import Message
from companion.foundation.notices import Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.settings import Settings
from tests.devices.mjpeg import NetworkCamera, network_camera
from tests.devices.test_cameras import first, newer

PATIENCE_SECONDS = 10.0


def shade(level: int, size: tuple[int, int] = (160, 120)) -> npt.NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), level, np.uint8)


def until_it_breaks(camera: Camera) -> None:
    until = time.monotonic() + 2 * PATIENCE_SECONDS
    while time.monotonic() < until:
        camera.newest()
        time.sleep(0.01)


@pytest.fixture
def sender() -> Iterator[NetworkCamera]:
    with network_camera(shade(40)) as camera:
        yield camera


# -- by its address -------------------------------------------------------------------------------


def test_a_stream_is_watched_and_shows_what_is_there_now(sender: NetworkCamera) -> None:
    with camera_maker(f"stream:{sender.address}", (1, 1))() as camera:
        frame = first(camera)
        assert frame.size == (160, 120)  # as it sends them
        sender.show(shade(200))
        until = time.monotonic() + PATIENCE_SECONDS
        while frame.pixels.mean() < 190 and time.monotonic() < until:
            frame = newer(camera, frame.number)
        assert abs(float(frame.pixels.mean()) - 200) < 5


def test_a_stream_that_ends_is_lost_and_says_which(sender: NetworkCamera) -> None:
    with camera_maker(f"stream:{sender.address}", (1, 1))() as camera:
        first(camera)
        sender.switch_off()
        with pytest.raises(CameraError, match=r"127\.0\.0\.1"):
            until_it_breaks(camera)


def test_an_address_where_nobody_is_cannot_be_opened(sender: NetworkCamera) -> None:
    nothing = sender.address.replace("/video", "/elsewhere")
    with pytest.raises(CameraMissing, match="check the address"):
        StreamCamera(nothing).__enter__()


def test_a_password_in_an_address_is_never_said() -> None:
    assert told_address("rtsp://anna:secret@10.0.0.7/live") == "rtsp://10.0.0.7/live"
    camera = StreamCamera("rtsp://anna:secret@10.0.0.7/live")
    assert "secret" not in camera.name


def test_pictures_that_would_fill_the_memory_are_refused() -> None:
    class Huge:
        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return True

        def read(self) -> tuple[bool, npt.NDArray[np.uint8]]:
            return True, np.broadcast_to(np.uint8(0), (6000, 6000, 3))

        def release(self) -> None:
            """Nothing to release."""

    lost = pytest.raises(CameraError, match="no more pictures")
    with StreamCamera("http://x/", lambda _: Huge()) as camera, lost:
        until_it_breaks(camera)


# -- turned ---------------------------------------------------------------------------------------


class Corner:
    """A camera whose picture is white in one corner only."""

    name = "corner"

    def __init__(self) -> None:
        self.open = False
        self.settled = 0
        pixels = np.zeros((3, 5, 3), np.uint8)
        pixels[0, 0] = 255
        self.frame: Frame | None = Frame(pixels, 1.0, 1)

    def __enter__(self) -> Corner:
        self.open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.open = False

    def newest(self) -> Frame | None:
        return self.frame

    def settle(self) -> None:
        self.settled += 1


@pytest.mark.parametrize(
    ("degrees", "size", "white"),
    [(90, (3, 5), (2, 0)), (180, (5, 3), (4, 2)), (270, (3, 5), (0, 4)), (360, (5, 3), (0, 0))],
)
def test_a_picture_is_turned_clockwise(
    degrees: int, size: tuple[int, int], white: tuple[int, int]
) -> None:
    inner = Corner()
    with TurnedCamera(inner, degrees) as camera:
        assert inner.open
        frame = camera.newest()
        assert frame is not None
        assert (frame.size, frame.number) == (size, 1)
        assert frame.pixels[white[1], white[0]].tolist() == [255, 255, 255]
        assert camera.newest() is frame  # the same picture is turned once
        camera.settle()
        inner.frame = None
        assert camera.newest() is None
    assert (inner.open, inner.settled) == (False, 1)


@pytest.mark.parametrize("turn", [0, 90])
def test_a_turned_camera_has_the_size_that_is_asked_of_it(turn: int) -> None:
    settings = Settings(camera="simulated:odin", camera_size="320x180", camera_turn=turn)
    with chosen_camera(settings)() as camera:
        assert first(camera).size == asked_size(settings)


def test_the_demo_is_turned_like_any_other_table(tmp_path: Path) -> None:
    settings = Settings(camera="simulated:odin", camera_size="320x180", camera_turn=90)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(tmp_path / "journal.db"))
        notices = Notices(lambda: None)
        camera, showing = open_camera(settings, Referee(journal), notices, stack)
        assert showing is not None
        until = time.monotonic() + PATIENCE_SECONDS
        frame = None
        while frame is None and time.monotonic() < until:
            frame = camera.newest()
            time.sleep(0.01)
        assert frame is not None
        assert frame.size == (180, 320)
        assert notices.standing == ()


# -- the list -------------------------------------------------------------------------------------


@pytest.fixture
def plugged(tmp_path: Path) -> tuple[Path, Path]:
    """/dev and its names by which cameras last."""
    devices, by_id = tmp_path / "dev", tmp_path / "dev" / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    for number in range(4):
        (devices / f"video{number}").touch()
    for name, number in (
        ("usb-Logi_C920-video-index0", 0),
        ("usb-Logi_C920-video-index1", 1),
        ("usb-Other_Cam-video-index0", 2),
    ):
        (by_id / name).symlink_to(devices / f"video{number}")
    return devices, by_id


def test_cameras_are_listed_by_names_that_last_and_once_each(plugged: tuple[Path, Path]) -> None:
    assert seen_cameras(*plugged) == ("usb:usb-Logi_C920", "usb:usb-Other_Cam")


def test_without_names_they_are_listed_by_number(tmp_path: Path) -> None:
    for number in (0, 2):
        (tmp_path / f"video{number}").touch()
    assert seen_cameras(tmp_path, tmp_path / "none") == ("usb:0", "usb:2")


@pytest.mark.parametrize(
    ("setting", "listed"),
    [
        ("usb", "usb:usb-Logi_C920"),
        ("usb:other", "usb:usb-Other_Cam"),
        ("usb:2", "usb:usb-Other_Cam"),
        ("usb:usb-Logi_C920", "usb:usb-Logi_C920"),
        ("usb:nobody", "usb:nobody"),
        ("stream:http://x/", "stream:http://x/"),
    ],
)
def test_a_setting_is_found_in_the_list(
    plugged: tuple[Path, Path], setting: str, listed: str
) -> None:
    assert listed_as(setting, seen_cameras(*plugged), *plugged) == listed


def test_a_glance_takes_one_picture_and_closes_the_camera() -> None:
    opened: list[SimulatedCamera] = []

    def maker(_: str, size: tuple[int, int]):  # type: ignore[no-untyped-def]
        def make() -> SimulatedCamera:
            opened.append(SimulatedCamera(simulation("odin"), size))
            return opened[-1]

        return make

    got = one_picture("simulated", (320, 180), maker)
    assert isinstance(got, Frame)
    assert got.size == (320, 180)


def test_a_camera_that_is_not_there_says_why() -> None:
    got = one_picture("usb:nobody has such a camera", (320, 180))
    assert isinstance(got, Message)
    assert "no USB camera is called" in str(got)


def test_two_phones_open_a_camera_once_and_nobody_waits_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing, "BUSY_SECONDS", 0.01)
    opened: list[str] = []
    opens, go_on = threading.Event(), threading.Event()

    def look(camera: str, _: tuple[int, int]) -> Frame | Message:
        opened.append(camera)
        opens.set()
        go_on.wait(PATIENCE_SECONDS)
        return Frame(shade(9), 0.0, 1)

    glances = CameraGlances((160, 120), lambda: ("usb:0",), look)
    got: list[Frame | Message] = []
    phone = threading.Thread(target=lambda: got.append(glances.picture("usb:0")))
    phone.start()
    assert opens.wait(PATIENCE_SECONDS)
    assert glances.picture("usb:0") == CAMERA_BUSY
    go_on.set()
    phone.join()
    assert glances.picture("usb:0") is got[0]  # soon after, the same picture serves
    assert opened == ["usb:0"]
