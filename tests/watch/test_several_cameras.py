"""Several cameras over one table: each sees some of the boards, and the books are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Setup
from companion.foundation.errors import BadSettings
from companion.foundation.frames import Frame
from companion.service.settings import settings_from
from companion.sim.boards import BoardsOnTable
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.layout import layout_of
from companion.tabletop.zones import centre, zone_at
from companion.vision.boards.kept import boards_file
from companion.vision.crops import Image
from companion.watch.board_eye import BoardEye
from companion.watch.eyes import Eyes
from companion.watch.several_cameras import SeveralCameras

SIZE = (1600, 900)
SURE = 0.9


@dataclass
class HeldCamera:
    """Shows what it is given; None: it is unplugged."""

    picture: Image | None = None
    number: int = 0

    def newest(self) -> Frame | None:
        if self.picture is None:
            return None
        self.number += 1
        return Frame(self.picture, 0.1 * self.number, self.number)


def halves(picture: Image) -> tuple[Image, Image]:
    """The near part of the table as one camera sees it, and the far part turned, as another."""
    near, far = picture.copy(), picture.copy()
    near[: SIZE[1] * 2 // 5] = 90
    far[SIZE[1] * 2 // 5 :] = 90
    return near, np.ascontiguousarray(far[::-1, ::-1])


def test_a_new_picture_of_any_camera_is_a_new_one_and_one_unplugged_does_not_end_it() -> None:
    grey = np.full((90, 160, 3), 90, np.uint8)
    first, second = HeldCamera(grey), HeldCamera()
    both = SeveralCameras((first, second))
    before = both.newest()
    assert before is not None
    assert [each is None for each in both.frames()] == [False, True]
    first.picture, second.picture = None, grey + 30
    after = both.newest()
    assert after is not None
    assert after.number > before.number
    assert after.pixels[0, 0, 0] == 120
    second.picture = None
    assert both.newest() is None


class TwoCameras:
    def __init__(self, folder: Path) -> None:
        layout = layout_of("valhal")
        assert layout is not None
        self.zones = layout.zones
        boards = BoardsOnTable(self.zones, ("A", "B"), 4)
        self.painter = Painter("valhal", ViewSettings(SIZE, seed=4, boards=boards))
        file = boards_file(folder, "valhal")
        file.parent.mkdir()
        boards.enrolled().save(file)
        self.cameras = (HeldCamera(), HeldCamera())
        self.both = SeveralCameras(self.cameras)
        self.shows(())
        frame = self.both.newest()
        assert frame is not None
        eyes = Eyes(folder, lambda _notice: None, self.both.frames, 2)
        eye = eyes(Setup("valhal", ("Anna", "Ben")), frame)
        assert isinstance(eye, BoardEye)
        self.eye = eye

    def shows(self, table: Sequence[Lying], *, only: int | None = None) -> None:
        pictures = halves(self.painter.still(tuple(table)))
        for at, (camera, picture) in enumerate(zip(self.cameras, pictures, strict=True)):
            camera.picture = picture if only in (None, at) else None

    def on(self, piece: str, face: str, zone: str, turn: float = 0.0) -> Lying:
        return Lying(piece, face, *centre(self.zones[zone]), turn)

    def seen(self) -> set[tuple[str, str | None]]:
        frames = [self.both.newest() for _ in range(29)]
        for frame in frames:
            assert frame is not None
            self.eye.observe(frame)
        last = self.both.newest()
        assert last is not None
        look = self.eye.observe(last)
        return {
            (str(each.label), zone_at(self.eye.zones, each.middle))
            for each in look.sightings
            if each.label is not None and each.p > SURE
        }


def test_each_board_is_read_by_the_camera_that_sees_it_and_the_rest_go_on_without_one(
    tmp_path: Path,
) -> None:
    table = TwoCameras(tmp_path)
    table.seen()
    lying = [
        table.on("coin-1", "coin", "A.food-winter-1"),
        table.on("granary-1", "granary-back", "B.site-1", 180.0),
    ]
    table.shows(lying)
    assert table.seen() == {("coin", "A.food-winter-1"), ("granary-back", "B.site-1")}
    lying.append(table.on("longboat-1", "longboat-back", "B.site-3", 180.0))
    table.shows(lying, only=1)  # the near camera is unplugged
    assert ("longboat-back", "B.site-3") in table.seen()
    assert ("coin", "A.food-winter-1") in table.seen()  # as it was seen last
    assert not table.eye.lost


def test_further_cameras_are_named_in_the_settings() -> None:
    good = settings_from(
        {"camera": "usb:0", "more_cameras": "usb:My camera | stream:rtsp://10.0.0.5/eye"}, "toml"
    )
    assert good.further_cameras == ("usb:My camera", "stream:rtsp://10.0.0.5/eye")
    for bad in ("usb:0", "none", "telescope", "usb:1 | usb:1"):
        with pytest.raises(BadSettings, match="more_cameras"):
            settings_from({"camera": "usb:0", "more_cameras": bad}, "toml")
    with pytest.raises(BadSettings, match="more_cameras"):
        settings_from({"more_cameras": "usb:1"}, "toml")
