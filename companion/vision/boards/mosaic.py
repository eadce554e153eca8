"""One picture made of every board on the table, side by side and upright: the mosaic.

Boards lie anywhere and are pushed about; in the mosaic each has a place of its own, for good. So
whoever reads the mosaic as it reads the mat sees nothing of a pushed board but what stands on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.tabletop.zones import Outline, centre
from companion.vision.boards.board import Board
from companion.vision.boards.kept import zone_name
from companion.vision.boards.plane import FoundBoard
from companion.vision.calibration import Plane, Way
from companion.vision.crops import Floats, Image

RIM_MM = 14.0
"""How much of the table about each board is shown: things lie over its edge."""
SCALES = (0.8, 2.2)
"""The least and the greatest scale of a mosaic, in pixels to a millimetre."""
MOST_PX = 1900
"""Its longest side."""
_GROUND = 96
"""How bright it is where there is no board."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A board's part of the mosaic."""

    board: Board
    matrix: Floats
    """From the board's millimetres to the mosaic's."""
    at: tuple[float, float]
    """The left top corner of the part, in the mosaic's millimetres."""
    size: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Mosaic:
    """How the boards lie in it. Widths and heights are in millimetres."""

    tiles: tuple[Tile, ...]
    extent: tuple[float, float]
    px_per_mm: float

    @classmethod
    def of(cls, boards: Sequence[Board], zones: Mapping[str, Outline], px_per_mm: float) -> Mosaic:
        """A mosaic of these boards, in rows. Each is turned by quarters as the zones of its
        places are on the game's mat: what lies upside down there does so here as well."""
        rows = max(1, round(float(np.sqrt(len(boards) * 0.6))))
        quarters = [_quarters(board, zones) for board in boards]
        sizes = [_tile_size(board, turns) for board, turns in zip(boards, quarters, strict=True)]
        order = sorted(range(len(boards)), key=lambda i: -sizes[i][1])
        across = sum(width for width, _ in sizes) / rows
        tiles: dict[int, Tile] = {}
        x = y = high = wide = 0.0
        for i in order:
            if x > 0 and x + sizes[i][0] / 2 > across:
                x, y, high = 0.0, y + high, 0.0
            tiles[i] = _tile(boards[i], quarters[i], (x, y))
            x, high = x + sizes[i][0], max(high, sizes[i][1])
            wide = max(wide, x)
        extent = (max(wide, 1.0), max(y + high, 1.0))
        scale = min(max(px_per_mm, SCALES[0]), SCALES[1], MOST_PX / max(extent))
        return cls(tuple(tiles[i] for i in range(len(boards))), extent, scale)

    @property
    def size(self) -> tuple[int, int]:
        """Of its picture, in pixels."""
        width, height = (max(1, round(side * self.px_per_mm)) for side in self.extent)
        return width, height

    @cached_property
    def plane(self) -> Plane:
        """Between its millimetres and its pixels."""
        scale = np.diag([self.px_per_mm, self.px_per_mm, 1.0])
        return Plane(scale, self.size, found_by=Way.CORNERS, extent=self.extent)

    @cached_property
    def zones(self) -> dict[str, Outline]:
        """Where the places of its boards are, by the names the game has for them."""
        return {
            zone_name(tile.board, place.name): _moved(place.outline, tile.matrix)
            for tile in self.tiles
            for place in tile.board.places
        }

    def bare(self) -> Image:
        """The boards as they were enrolled."""
        picture: Image = np.full((self.size[1], self.size[0], 3), _GROUND, np.uint8)
        for tile in self.tiles:
            to_mm = np.linalg.inv(np.diag([*_scale(tile.board), 1.0]))
            self._lay(picture, tile, tile.board.pixels, np.linalg.inv(to_mm))
        return picture

    def show(self, picture: Image, photograph: Image, found: Sequence[FoundBoard]) -> None:
        """Lays what a photograph shows of these boards into the mosaic's picture. The others stay
        as they were seen last."""
        tiles = {id(tile.board): tile for tile in self.tiles}
        for each in found:
            self._lay(picture, tiles[id(each.board)], photograph, each.matrix)

    def _lay(self, picture: Image, tile: Tile, source: Image, matrix: Floats) -> None:
        """`matrix` goes from the board's millimetres to the source's pixels."""
        px = self.px_per_mm
        x, y = (round(v * px) for v in tile.at)
        edges = (tile.at, tile.size)
        width, height = (round((a + b) * px) - round(a * px) for a, b in zip(*edges, strict=True))
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        shift = np.array([[1 / px, 0, x / px], [0, 1 / px, y / px], [0, 0, 1]])
        back = np.linalg.inv(half) @ matrix @ np.linalg.inv(tile.matrix) @ shift @ half
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        part = cv2.warpPerspective(
            source, back, (width, height), flags=flags, borderMode=cv2.BORDER_CONSTANT,
            borderValue=(_GROUND, _GROUND, _GROUND),
        )  # fmt: skip
        room = picture[y : y + height, x : x + width]
        room[:] = part[: room.shape[0], : room.shape[1]]


def _quarters(board: Board, zones: Mapping[str, Outline]) -> int:
    """By how many quarters the board must be turned clockwise, so that its places lie about each
    other as their zones do on the mat."""
    pairs = [
        (centre(place.outline), centre(zones[name]))
        for place in board.places
        if (name := zone_name(board, place.name)) in zones
    ]
    if len(pairs) < 2:
        return 0
    here, there = (np.array(each) - np.mean(each, axis=0) for each in zip(*pairs, strict=True))
    across = complex(*np.array([
        (here * there).sum(), (here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]).sum()
    ]))  # fmt: skip
    return round(float(np.degrees(np.angle(across))) / 90) % 4


def _tile_size(board: Board, quarters: int) -> tuple[float, float]:
    width, height = (side + 2 * RIM_MM for side in board.size_mm)
    return (height, width) if quarters % 2 else (width, height)


def _tile(board: Board, quarters: int, at: tuple[float, float]) -> Tile:
    size = _tile_size(board, quarters)
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
    turn = np.array([[cos, -sin], [sin, cos]], np.float64)
    own = np.array(board.size_mm) / 2
    shift = np.array(at) + np.array(size) / 2 - turn @ own
    return Tile(board, np.vstack([np.c_[turn, shift], (0, 0, 1)]), at, size)


def _moved(outline: Outline, matrix: Floats) -> Outline:
    rows = np.array(outline, np.float64).reshape(-1, 1, 2)
    mm = cv2.perspectiveTransform(rows, matrix).reshape(-1, 2)
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in mm)


def _scale(board: Board) -> tuple[float, float]:
    (width, height), (wide, high) = board.print_px, board.size_mm
    return width / wide, height / high
