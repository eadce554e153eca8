"""Boards that are bent, cut off by the picture's edge, or shown on a screen: found rightly, or not
at all."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sim.faces.board_prints import BoardPrint
from companion.vision.boards.finding import BoardFinder
from companion.vision.crops import Image
from tests.vision.boards.photographs import PRINT, At, enrolled, quad_of, table_picture

BOARD = enrolled("Anna")
HERE = At(620, 380, 30)


def off(picture: Image, at: At) -> float | None:
    """How many pixels its middle is off; None if it is not found."""
    found = BoardFinder([BOARD]).find(picture)
    if not found:
        return None
    return float(np.abs(found[0].quad.mean(0) - quad_of(PRINT, at).mean(0)).max())


def test_a_board_half_beyond_the_edge_is_found_with_the_corners_that_cannot_be_seen() -> None:
    at = At(1180, 400, 75)
    picture = table_picture([(PRINT, at)])
    quad = quad_of(PRINT, at)
    assert quad[:, 0].max() > picture.shape[1] + 10
    (found,) = BoardFinder([BOARD]).find(picture)
    assert np.abs(found.quad - quad).max() < 4


def test_a_bent_board_is_found_about_where_it_lies() -> None:
    picture = table_picture([(PRINT, HERE)])
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float32)
    bow = 6 * np.sin(np.pi * (columns - 450) / 350)  # four millimetres up and down
    bent = np.asarray(cv2.remap(picture, columns, rows + bow, cv2.INTER_LINEAR), np.uint8)
    away = off(bent, HERE)
    assert away is not None
    assert away < 12


def test_a_board_on_a_screen_is_no_other_board() -> None:
    """Stripes, a blue tint and a glare: the print on it may be found, but only there."""
    picture = table_picture([(PRINT, HERE)]).astype(np.float32)
    rows = np.arange(picture.shape[0])[:, None, None]
    striped = picture * (0.85 + 0.15 * np.sin(rows * 2.1)) * np.array([1.15, 1.0, 0.8])
    striped[300:360] = 250
    screen = np.clip(striped, 0, 255).astype(np.uint8)
    away = off(screen, HERE)
    assert away is None or away < 4
    other = enrolled("Ben", BoardPrint("chart", 8, (180.0, 120.0)))
    assert BoardFinder([other]).find(screen) == ()
