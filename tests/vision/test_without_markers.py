"""A table without markers: told by the cards on it, and a moved camera told by what stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.foundation.errors import BadInput
from companion.sim.render.scene import camera
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.layout import PLAYING_CARDS
from companion.tabletop.mat import CARD, MAT
from companion.vision.calibrating.card_plane import plane_from_cards
from companion.vision.calibrating.monitor import CalibrationMonitor, CalibrationState
from companion.vision.calibration import Plane, Way, from_corners, load
from companion.vision.crops import corners
from companion.vision.enrolment.laid_out import cards_in

Points = npt.NDArray[Any]
SIZE = (1280, 720)
SPOTS = ((110, 90, 10), (480, 110, -35), (300, 215, 80), (130, 320, 5), (470, 330, 25))


def _quad(x: float, y: float, turn: float) -> Points:
    a = np.radians(turn)
    spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return (corners(*CARD) - np.array(CARD) / 2) @ spin + (x, y)


def off_mm(plane: Plane, truth: Points) -> float:
    """By how much the corners of a mat come out wrong, wherever the mat is thought to be."""
    mat = corners(*MAT).astype(np.float64)
    found = plane.table(cv2.perspectiveTransform(mat[None], truth)[0])
    u, _, v = np.linalg.svd((found - found.mean(0)).T @ (mat - mat.mean(0)))
    laid = (mat - mat.mean(0)) @ (u @ v).T + found.mean(0)
    return float(np.linalg.norm(found - laid, axis=1).max())


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (4.0, -3.0), (18.0, 12.0)])
def test_cards_of_known_size_give_the_plane(tilt: tuple[float, float]) -> None:
    view = camera(*SIZE, 1.5, tilt=tilt, roll=7, middle=(297, 210))
    rng = np.random.default_rng(4)
    quads = np.stack([view.pixels(_quad(*spot)) for spot in SPOTS])
    exact = plane_from_cards(quads, CARD, SIZE)
    assert off_mm(exact.plane, view.matrix) < 0.05
    assert exact.plane.found_by is Way.CARDS
    seen = plane_from_cards(quads + rng.normal(0, 0.4, quads.shape), CARD, SIZE)
    off = off_mm(seen.plane, view.matrix)
    assert off < 6.0
    assert off < 3 * seen.error_mm  # what is said of the error holds


def test_a_thing_of_another_size_is_left_out() -> None:
    view = camera(*SIZE, 1.5, tilt=(4, 2), middle=(297, 210))
    quads = [view.pixels(_quad(*spot)) for spot in SPOTS]
    phone = view.pixels(_quad(300, 60, 20) * (1.0, 1.12))
    found = plane_from_cards(np.stack([*quads, phone]), CARD, SIZE)
    assert found.used == (0, 1, 2, 3, 4)
    assert off_mm(found.plane, view.matrix) < 0.2


def test_three_cards_are_too_few_and_another_size_is_told() -> None:
    view = camera(*SIZE, 1.5, middle=(297, 210))
    quads = np.stack([view.pixels(_quad(*spot)) for spot in SPOTS])
    with pytest.raises(BadInput, match="3 cards are seen"):
        plane_from_cards(quads[:3], CARD, SIZE)
    with pytest.raises(BadInput, match="44 x 88"):
        plane_from_cards(quads, (44.0, 88.0), SIZE)


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter(PLAYING_CARDS, ViewSettings(SIZE, seed=5))


def laid(*faces: str) -> tuple[Lying, ...]:
    return tuple(Lying(f, f, *spot) for f, spot in zip(faces, SPOTS, strict=False))


def test_rendered_cards_give_the_plane_to_a_few_millimetres(painter: Painter) -> None:
    image = painter.still(laid("7H", "KS", "2C", "9D", "QH"))
    found = plane_from_cards(cards_in(image), CARD, SIZE)
    assert len(found.used) == 5
    off = off_mm(found.plane, painter.view.matrix)
    assert off < 8.0
    assert found.error_mm < 12.0


def _by_hand(painter: Painter, image: npt.NDArray[Any]) -> Plane:
    mat = painter.view.pixels(corners(*MAT).astype(np.float64))
    return from_corners([(float(x), float(y)) for x, y in mat], SIZE).seen_in(image)


def test_a_moved_camera_is_told_without_markers(painter: Painter, tmp_path: Path) -> None:
    table = laid("7H", "KS")
    plane = _by_hand(painter, painter.still(table))
    plane.save(tmp_path / "table.json")
    monitor = CalibrationMonitor(load(tmp_path / "table.json"))
    other_cards = painter.still(laid("2C", "9D", "QH", "AS"))
    assert monitor.check(other_cards).state is CalibrationState.FINE
    turned = np.array([(0.999, -0.03, 45.0), (0.03, 0.999, -20.0), (0, 0, 1.0)])
    pushed = cv2.warpPerspective(other_cards, turned, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert monitor.check(np.asarray(pushed)).state is CalibrationState.MOVED


def test_a_nudge_is_taken_in(painter: Painter) -> None:
    image = painter.still(laid("7H", "KS"))
    monitor = CalibrationMonitor(_by_hand(painter, image))
    nudge = np.array([(1.0, 0.0, 6.0), (0.0, 1.0, 3.0), (0.0, 0.0, 1.0)])
    nudged = np.asarray(cv2.warpPerspective(image, nudge, SIZE, borderMode=cv2.BORDER_REPLICATE))
    assert monitor.check(nudged).state is CalibrationState.RESOLVED
    truth = replace(painter.view, matrix=nudge @ painter.view.matrix)
    probe = np.array([(100.0, 100.0), (500.0, 300.0)])
    assert np.abs(monitor.plane.table(truth.pixels(probe)) - probe).max() < 1.5
    assert monitor.check(nudged).state is CalibrationState.FINE


def test_an_empty_room_says_nothing(painter: Painter) -> None:
    monitor = CalibrationMonitor(_by_hand(painter, painter.still(())))
    dark = np.zeros((720, 1280, 3), np.uint8)
    assert monitor.check(dark).state is CalibrationState.FINE


def test_any_sheet_of_known_size_shows_the_table() -> None:
    view = camera(*SIZE, 1.5, tilt=(4, -3), middle=(297, 210))
    paper = corners(297, 210) + np.array((148.5, 105.0))
    px = [(float(x), float(y)) for x, y in view.pixels(paper.astype(np.float64))]
    plane = from_corners(px, SIZE, area_mm=(297.0, 210.0))
    assert off_mm(plane, view.matrix) < 0.01
