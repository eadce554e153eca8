"""Boards and tables as people photograph them: every picture in its own light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.sim.faces.board_prints import BoardPrint, board_pixels
from companion.vision.boards.board import Board, enrol_board
from companion.vision.crops import Image, corners

PRINT = BoardPrint("landscape", 5, (200.0, 120.0))


def photograph_of(what: BoardPrint, seed: int, size: tuple[int, int] = (800, 600)) -> Image:
    """A board by itself, held a little askew; its corners are `QUAD` and some pixels off it."""
    rng = np.random.default_rng(seed)
    return _lit(_pasted(what, _QUAD * size, _ground(size)), rng)


_QUAD = np.array([(0.1, 0.15), (0.86, 0.1), (0.9, 0.82), (0.08, 0.85)])


def enrolled(name: str, what: BoardPrint = PRINT, seed: int = 1, owner: str = "") -> Board:
    """From a photograph of its own: corners shown by hand, a millimetre or so off."""
    rng = np.random.default_rng(seed)
    a, b, c, d = (tuple(map(float, at)) for at in _QUAD * (800, 600) + rng.normal(0, 1.2, (4, 2)))
    wide, high = what.size_mm
    size = (wide + seed % 2, high)  # measured with a ruler, by another person
    board = enrol_board(photograph_of(what, seed), (a, b, c, d), size, name)  # type: ignore[arg-type]
    return replace(board, owner=owner)


@dataclass(frozen=True)
class At:
    """Where a board lies on the table: its middle in pixels, and its turn in degrees."""

    x: float
    y: float
    turn: float = 0.0


def table_picture(
    boards: Sequence[tuple[BoardPrint, At]],
    seed: int = 0,
    size: tuple[int, int] = (1280, 720),
    px_per_mm: float = 1.6,
) -> Image:
    picture = _ground(size)
    for what, at in boards:
        picture = _pasted(what, quad_of(what, at, px_per_mm), picture)
    return _lit(picture, np.random.default_rng([seed, 3]))


def quad_of(what: BoardPrint, at: At, px_per_mm: float = 1.6) -> np.ndarray:
    wide, high = (side * px_per_mm for side in what.size_mm)
    a = np.radians(at.turn)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return (corners(wide, high) - (wide / 2, high / 2)) @ turn.T + (at.x, at.y)


def _ground(size: tuple[int, int]) -> Image:
    rng = np.random.default_rng(9)
    coarse = rng.uniform(70, 110, (size[1] // 40, size[0] // 40, 3)).astype(np.float32)
    return cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC).astype(np.uint8)


def _pasted(what: BoardPrint, quad: np.ndarray, ground: Image) -> Image:
    pixels = board_pixels(what)
    way = cv2.getPerspectiveTransform(
        corners(pixels.shape[1], pixels.shape[0]), quad.astype(np.float32)
    )
    out = ground.copy()
    cv2.warpPerspective(
        pixels, way, (ground.shape[1], ground.shape[0]), out, borderMode=cv2.BORDER_TRANSPARENT
    )
    return out


def _lit(picture: Image, rng: np.random.Generator) -> Image:
    """Brighter at one side, tinted, a little blurred, grainy, and packed as JPEG."""
    height, width = picture.shape[:2]
    left, right = rng.uniform(0.7, 1.15, 2).tolist()
    slope = np.linspace(left, right, width)[None, :, None]
    lit = picture.astype(np.float32) * slope * rng.uniform(0.85, 1.0, 3)
    lit = cv2.GaussianBlur(lit, (0, 0), 0.7) + rng.normal(0, 3, (height, width, 1))
    _, data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8))
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
