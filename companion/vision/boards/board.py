"""Boards as their owner enrolled them: a straight picture, the size, the places, whose it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.tabletop.polygons import Outline, Quad, area
from companion.vision.crops import Floats, Image, corners
from companion.vision.pictures import small_picture

SIDES_MM = (30.0, 1200.0)
"""The least and the greatest side of a board."""
PX_PER_MM = 2.5
"""How finely a board's picture is kept, if the photograph shows as much."""
MOST_PX = 1200
"""The longest side of that picture."""
LEAST_PX = 48
"""The least side: with fewer pixels nothing of the print can be seen."""
MOST_PLACES = 400
MOST_NAME = 60
_QUALITY = 92


@dataclass(frozen=True, slots=True)
class Place:
    """A spot of the board that means something. Its outline is in millimetres from the board's
    top left corner."""

    name: str
    outline: Outline

    def __post_init__(self) -> None:
        if not _named(self.name):
            raise ValueError(f"a place has a name of 1 to {MOST_NAME} signs, got {self.name!r}")
        if not 3 <= len(self.outline) <= 12 or not all(
            isfinite(v) for at in self.outline for v in at
        ):
            raise ValueError(f"a place has 3 to 12 corners, got {self.outline}")


@dataclass(frozen=True, eq=False)
class Board:
    """One board of an owner's copy."""

    name: str
    size_mm: tuple[float, float]
    """Width and height as the picture shows it."""
    jpeg: bytes
    """The bare board, cut out and straight."""
    places: tuple[Place, ...] = ()
    owner: str = ""
    """The seat it belongs to, if it is not everybody's."""
    template: str = ""
    """Which of the game's templates its places came from."""

    def __post_init__(self) -> None:
        if not _named(self.name):
            raise ValueError(f"a board has a name of 1 to {MOST_NAME} signs, got {self.name!r}")
        low, high = SIDES_MM
        if not all(isfinite(side) and low <= side <= high for side in self.size_mm):
            raise ValueError(f"a board's side is {low} to {high} mm, got {self.size_mm}")
        if len(self.places) > MOST_PLACES:
            raise ValueError(f"a board has at most {MOST_PLACES} places, got {len(self.places)}")
        if len({place.name for place in self.places}) < len(self.places):
            raise ValueError("two places of a board have one name")

    @property
    def print_px(self) -> tuple[int, int]:
        """Width and height of its picture, in pixels."""
        return print_px(self.size_mm)

    @cached_property
    def pixels(self) -> Image:
        """Its picture. Raises `BadInput` if that is damaged."""
        found = small_picture(self.jpeg, self.print_px)
        if found is None:
            raise BadInput(
                "board-picture-damaged",
                N_("The picture of the board %(name)s is damaged; enrol it again."),
                name=self.name,
            )
        return found

    @property
    def px_per_mm(self) -> float:
        """Of its picture."""
        return self.print_px[0] / self.size_mm[0]

    def place(self, name: str) -> Place | None:
        return next((each for each in self.places if each.name == name), None)


def print_px(size_mm: tuple[float, float]) -> tuple[int, int]:
    """The size of the picture that a board of that size is kept with."""
    scale = min(PX_PER_MM, MOST_PX / max(size_mm))
    width, height = (max(LEAST_PX, round(side * scale)) for side in size_mm)
    return width, height


def enrol_board(photograph: Image, outline: Quad, size_mm: tuple[float, float], name: str) -> Board:
    """A board cut out of one photograph. `outline` are its corners there, clockwise from the
    board's own top left. Raises `BadInput` in words for the owner."""
    quad = np.array(outline, np.float64)
    _check_outline(photograph, quad)
    low, high = SIDES_MM
    if not all(isfinite(side) and low <= side <= high for side in size_mm):
        raise BadInput(
            "board-size-out-of-range",
            N_("A board is %(low)s to %(high)s mm wide and high; measure it with a ruler."),
            low=round(low),
            high=round(high),
        )
    flat = straightened(photograph, quad, print_px(size_mm))
    _, data = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return Board(name.strip()[:MOST_NAME] or "board", size_mm, data.tobytes())


def straightened(photograph: Image, quad: Floats, size: tuple[int, int]) -> Image:
    """That part of the picture from straight above, in so many pixels."""
    wide = np.linalg.norm([quad[1] - quad[0], quad[2] - quad[3]], axis=1).max()
    shrink = float(wide) / size[0]
    if shrink > 1.5:  # else fine print would turn into noise
        photograph = cv2.GaussianBlur(photograph, (0, 0), 0.4 * shrink)
    way = cv2.getPerspectiveTransform(quad.astype(np.float32) - 0.5, corners(*size) - 0.5)
    flat = cv2.warpPerspective(photograph, way, size, flags=cv2.INTER_LINEAR)
    return np.asarray(flat, np.uint8)


def _named(name: str) -> bool:
    return 0 < len(name) <= MOST_NAME and name.isprintable()


def _check_outline(photograph: Image, quad: Floats) -> None:
    """An outline that a board can have: four corners about it in order, within the picture."""
    height, width = photograph.shape[:2]
    bounds = np.array([width, height])
    inside = np.isfinite(quad).all() and (quad >= -2).all() and (quad <= bounds + 2).all()
    ordered = inside and cv2.isContourConvex(quad.astype(np.float32).reshape(-1, 1, 2))
    turned = ordered and cv2.contourArea(quad.astype(np.float32), oriented=True) > 0
    if not turned or area(tuple(map(tuple, quad.tolist()))) < LEAST_PX**2 / 4:
        raise BadInput(
            "board-outline-wrong",
            N_(
                "That is no outline of a board: show its four corners clockwise from its top "
                "left, all of them in the picture."
            ),
        )
