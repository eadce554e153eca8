"""Where the table is: three ways held against the truth, the lens, and another camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.onboarding.camera_choice import CameraChoice
from companion.onboarding.desk import Desk
from companion.onboarding.lens_desk import WANTED
from companion.onboarding.table_files import FILE, LENS_FILE, keep_place, plane_in
from companion.onboarding.table_place import Spot, TablePlace, standard_size
from companion.service.chosen_settings import SettingsStore
from companion.sim.players import Playing, play
from companion.tabletop.mat import MAT
from companion.vision.calibrating.lens import Lens, Points, load_lens
from companion.vision.calibration import Plane, Way, from_corners
from companion.vision.crops import corners
from companion.watch.eyes import Eyes
from tests.onboarding.table import SIZE, WORDS, PaintedCamera, painted, painter
from tests.vision.test_calibration import lens_sheet
from tests.vision.test_without_markers import off_mm

MOST_MM = {Way.MARKERS: 1.0, Way.CORNERS: 1.0, Way.CARDS: 8.0}
"""How far a corner of the mat may come out wrong. Corners are as good as the finger."""


@pytest.fixture
def camera() -> PaintedCamera:
    camera = PaintedCamera()
    camera.lay(*WORDS[:6])
    return camera


@pytest.fixture
def place(tmp_path: Path, camera: PaintedCamera) -> TablePlace:
    return TablePlace(tmp_path, camera)


def true_corners() -> list[Spot]:
    mat = painter().view.pixels(corners(*MAT).astype(np.float64))
    return [(float(x) / SIZE[0], float(y) / SIZE[1]) for x, y in mat]


@pytest.mark.parametrize("way", Way)
def test_each_way_finds_the_table_within_its_millimetres_and_it_is_watched_with(
    place: TablePlace, camera: PaintedCamera, tmp_path: Path, way: Way
) -> None:
    place.keep(way, true_corners() if way is Way.CORNERS else ())
    frame = camera()
    assert frame is not None
    for plane in (place.plane(frame), Eyes(tmp_path, lambda _: None).plane(frame)):
        assert plane is not None
        assert plane.found_by is way
        assert off_mm(plane, painter().view.matrix) < MOST_MM[way]


def test_the_cards_say_how_far_off_the_table_may_be(place: TablePlace) -> None:
    found = place.look(Way.CARDS)
    assert found.error_mm is not None
    assert found.error_mm < 12.0
    plane = place.keep(Way.CARDS)
    assert off_mm(plane, painter().view.matrix) < 3 * found.error_mm


def test_a_game_is_watched_without_markers(place: TablePlace, tmp_path: Path) -> None:
    """Cards are found where they lie, on a table that has nothing printed on it."""
    camera = PaintedCamera()
    image = painted(*WORDS[:9]).copy()
    for marker in cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ).detectMarkers(image)[0]:
        cv2.fillConvexPoly(image, marker.astype(np.int32), (120, 120, 120))
    camera.show(image)
    bare = TablePlace(tmp_path, camera)
    assert bare.look(Way.MARKERS).problem is not None
    bare.keep(Way.CARDS)
    frame = camera()
    assert frame is not None
    setup = play(Playing("odin")).setup
    assert Eyes(tmp_path, lambda _: None)(setup, frame) is not None


def test_a_hand_in_the_way_at_the_tap_takes_what_was_seen_a_moment_ago(
    place: TablePlace, camera: PaintedCamera
) -> None:
    assert place.look(Way.MARKERS).outline
    camera.show(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    assert place.keep(Way.MARKERS).found_by is Way.MARKERS


def test_without_a_picture_each_way_says_so_and_keeps_nothing(
    place: TablePlace, camera: PaintedCamera, tmp_path: Path
) -> None:
    camera.unplug()
    for way in Way:
        with pytest.raises(BadInput, match="No picture comes from the camera"):
            place.keep(way, true_corners())
    assert not (tmp_path / FILE).exists()
    assert not place.fits


def test_a_measured_size_is_that_of_the_standard_it_is_nearest_to() -> None:
    assert standard_size((62.4, 88.9)) == "63x88"
    assert standard_size((70.5, 119.0)) == "70x120"
    assert standard_size((50.0, 50.0)) == ""


# -- the lens -------------------------------------------------------------------------------------


SLANTS = ((0.0, 0.0), (18.0, 0.0), (0.0, 18.0), (-15.0, 12.0), (12.0, -16.0), (-18.0, -8.0))


def test_the_lens_is_measured_slant_by_slant_from_live_pictures(
    tmp_path: Path, camera: PaintedCamera
) -> None:
    desk = Desk(tmp_path, camera)
    camera.show(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    assert desk.lens.look().spots == ()
    with pytest.raises(BadInput, match="seen in 0 pictures"):
        desk.lens.keep()
    for step, slant in enumerate(SLANTS):
        image = lens_sheet(slant, -0.08)
        camera.show(image)
        moving = desk.lens.look()
        assert not moving.fresh  # it is not known yet whether it is held still
        camera.show(image)
        assert desk.lens.look().taken == step + 1
        camera.show(image)
        assert desk.lens.look().taken == step + 1  # one slant counts once
    assert desk.lens.look().enough
    lens = desk.lens.keep()
    assert WANTED >= 6
    assert desk.place.lens_known
    camera.lay(*WORDS[:4])
    assert desk.place.keep(Way.MARKERS).lens is not None
    assert load_lens(tmp_path / LENS_FILE) is not None
    assert lens.size == SIZE


def _lens() -> Lens:
    matrix = np.array([(900.0, 0, 630.0), (0, 905.0, 350.0), (0, 0, 1)])
    return Lens(matrix, np.array([-0.2, 0.05, 0.002, -0.003, 0.01]), SIZE)


def test_a_lens_turned_with_the_picture_is_still_that_lens() -> None:
    lens = _lens()
    spots = np.array([(40.0, 60.0), (1200.0, 80.0), (640.0, 360.0), (300.0, 650.0)])

    def turned(px: Points) -> Points:
        return np.stack([SIZE[1] - 1 - px[:, 1], px[:, 0]], 1)

    again = lens.turned()
    assert again.size == (720, 1280)
    assert np.abs(again.straight(turned(spots)) - turned(lens.straight(spots))).max() < 0.01
    assert np.abs(again.bent(turned(spots)) - turned(lens.bent(spots))).max() < 0.01


def test_a_table_shown_by_hand_stays_where_it_is_when_the_lens_is_measured(
    place: TablePlace,
) -> None:
    place.keep(Way.CORNERS, true_corners())
    before = place.kept
    place.keep_lens(_lens())
    after = place.kept
    assert before is not None
    assert after is not None
    assert after.lens is not None
    assert after.found_by is Way.CORNERS
    mat = corners(*MAT).astype(np.float64)
    assert np.abs(before.pixels(mat) - after.pixels(mat)).max() < 0.5


# -- another camera, or another way up ------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SettingsStore:
    monkeypatch.chdir(tmp_path)
    return SettingsStore(None, {"data": str(tmp_path / "data")})


def shown_table(folder: Path) -> Plane:
    px = [(x * SIZE[0], y * SIZE[1]) for x, y in true_corners()]
    plane = from_corners(px, SIZE, _lens())
    keep_place(plane, folder)
    return plane


def test_another_camera_forgets_the_table_and_the_lens(store: SettingsStore) -> None:
    anew: list[int] = []
    choice = CameraChoice(store, store.folder, lambda: anew.append(1))
    choice.choose("usb:one")
    shown_table(store.folder)
    choice.choose("usb:one")
    assert (store.folder / FILE).exists()
    choice.choose("usb:other")
    assert not (store.folder / FILE).exists()
    assert not (store.folder / LENS_FILE).exists()
    assert len(anew) == 3


@pytest.mark.parametrize("between", ["none", "simulated"])
def test_who_comes_back_from_a_demo_finds_the_table_where_it_was(
    store: SettingsStore, between: str
) -> None:
    choice = CameraChoice(store, store.folder, lambda: None)
    choice.choose("usb:one")
    shown_table(store.folder)
    choice.choose(between)
    choice.choose("usb:one")
    assert (store.folder / FILE).exists()
    choice.choose(between)
    choice.choose("usb:other")
    assert not (store.folder / FILE).exists()


def test_a_turned_picture_forgets_which_corner_is_which_and_keeps_the_lens(
    store: SettingsStore,
) -> None:
    choice = CameraChoice(store, store.folder, lambda: None)
    choice.choose("usb:one")
    shown_table(store.folder)
    choice.turn()
    assert store.read().settings.camera_turn == 90
    assert not (store.folder / FILE).exists()
    lens = load_lens(store.folder / LENS_FILE)
    assert lens is not None
    assert lens.size == (720, 1280)
    for _ in range(3):
        choice.turn()
    assert store.read().settings.camera_turn == 0
    back = load_lens(store.folder / LENS_FILE)
    assert back is not None
    assert np.allclose(back.matrix, _lens().matrix)


def test_a_setting_that_cannot_be_changes_nothing(store: SettingsStore) -> None:
    choice = CameraChoice(store, store.folder, lambda: None)
    choice.choose("usb:one")
    shown_table(store.folder)
    with pytest.raises(BadInput):
        choice.choose("toaster")
    assert store.read().settings.camera == "usb:one"
    assert (store.folder / FILE).exists()


def test_a_damaged_lens_is_no_reason_not_to_find_the_table(
    tmp_path: Path, camera: PaintedCamera
) -> None:
    (tmp_path / LENS_FILE).write_text("[" * 1000)
    frame = camera()
    assert frame is not None
    assert plane_in(tmp_path, frame).lens is None
