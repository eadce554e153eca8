"""Drawings in millimetres: filled areas and strokes, so one face prints and renders at any size.

x runs right, y runs down, the origin is the face's top left corner. Colours are RGB.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[Any]
Colour = tuple[int, int, int]
Image = npt.NDArray[Any]

_SHIFT = 4
"""Binary places of the sub-pixel positions given to OpenCV's drawing calls."""
_FINER = 4
"""How many times larger than asked a face is drawn before it is shrunk: OpenCV draws strokes in
whole pixels, so fine ones need the room."""


def points(of: Iterable[Sequence[float]] | Points) -> Points:
    return np.asarray(of if isinstance(of, np.ndarray) else list(of), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """Rings filled by the even-odd rule: a second ring inside the first is a hole."""

    rings: tuple[Points, ...]
    colour: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A line with round ends and joins."""

    line: Points
    width: float
    colour: Colour
    closed: bool = False


Shape = Area | Stroke


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """What is printed on one side of a card, tile or token."""

    label: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    paper: Colour = (252, 251, 247)
    corner: float = 3.0
    same_upside_down: bool = False


def area(of: Iterable[Sequence[float]] | Points, colour: Colour) -> Area:
    return Area((points(of),), colour)


def stroke(
    of: Iterable[Sequence[float]] | Points,
    width: float,
    colour: Colour,
    *,
    closed: bool = False,
) -> Stroke:
    return Stroke(points(of), width, colour, closed)


# -- outlines ---------------------------------------------------------------------------


def ellipse(
    x: float, y: float, rx: float, ry: float | None = None, start: float = 0.0, end: float = 360.0
) -> Points:
    """Points round an ellipse; the angles run clockwise from the right."""
    full = abs(end - start) >= 360.0
    turns = np.radians(np.linspace(start, end, 49, endpoint=not full))
    return np.stack([x + rx * np.cos(turns), y + (rx if ry is None else ry) * np.sin(turns)], 1)


def rectangle(x: float, y: float, width: float, height: float, corner: float = 0.0) -> Points:
    """A rectangle from its top left corner; `corner` is the radius its corners are rounded by."""
    if corner <= 0:
        return points([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    ring = [
        ellipse(cx, cy, corner, corner, at, at + 90)[::4]
        for cx, cy, at in (
            (x + width - corner, y + height - corner, 0),
            (x + corner, y + height - corner, 90),
            (x + corner, y + corner, 180),
            (x + width - corner, y + corner, 270),
        )
    ]
    return np.concatenate(ring)


def star(x: float, y: float, outer: float, inner: float, tips: int, turn: float = -90) -> Points:
    at = np.radians(turn + np.arange(2 * tips) * 180.0 / tips)
    far = np.where(np.arange(2 * tips) % 2 == 0, outer, inner)
    return np.stack([x + far * np.cos(at), y + far * np.sin(at)], 1)


def regular(x: float, y: float, radius: float, sides: int, turn: float = -90) -> Points:
    at = np.radians(turn + np.arange(sides) * 360.0 / sides)
    return np.stack([x + radius * np.cos(at), y + radius * np.sin(at)], 1)


@lru_cache(maxsize=1024)
def path(code: str) -> tuple[Points, ...]:
    """The lines of an outline such as "M0,1 L.5,0 Q1,0 1,.5 C.. Z": M, L, Q, C and Z only."""
    words = code.replace("Z", " Z ").replace("M", " M").split("M")
    return tuple(points(_subpath(word)) for word in words if word.strip())


_POINTS_NEEDED = {"L": 1, "Q": 2, "C": 3}
"""How many points follow each command of a path."""


def _subpath(code: str) -> list[tuple[float, float]]:
    """One line of a path: what stands between two M."""
    line: list[tuple[float, float]] = []
    steps = code.replace("L", " L ").replace("Q", " Q ").replace("C", " C ").split()
    at, command = 0, "L"
    while at < len(steps):
        if steps[at] in "LQCZ":
            command = steps[at]
            at += 1
            if command == "Z":
                line.append(line[0])
            continue
        need = _POINTS_NEEDED[command]
        new = [_pair(step) for step in steps[at : at + need]]
        at += need
        line.extend(new if command == "L" else _curve([line[-1], *new]))
    return line


def _pair(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def _curve(control: list[tuple[float, float]]) -> list[tuple[float, float]]:
    t = np.linspace(0, 1, 13)[1:, None]
    row = [np.asarray(c) for c in control]
    while len(row) > 1:
        row = [(1 - t) * a + t * b for a, b in pairwise(row)]
    return [(float(x), float(y)) for x, y in row[0]]


# -- moving shapes ----------------------------------------------------------------------


def moved(
    shapes: Iterable[Shape], x: float = 0, y: float = 0, size: float = 1, turn: float = 0
) -> tuple[Shape, ...]:
    """The shapes made `size` times as large, turned clockwise by `turn` degrees about the origin,
    then moved."""
    a = np.radians(turn)
    spin = size * np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    out: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Area):
            out.append(replace(shape, rings=tuple(r @ spin + (x, y) for r in shape.rings)))
        else:
            out.append(replace(shape, line=shape.line @ spin + (x, y), width=shape.width * size))
    return tuple(out)


def mirrored(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes mirrored about x = 0: left becomes right."""
    flip = np.array([-1.0, 1.0])
    return tuple(
        replace(shape, rings=tuple(ring * flip for ring in shape.rings))
        if isinstance(shape, Area)
        else replace(shape, line=shape.line * flip)
        for shape in shapes
    )


def upside_down(shapes: Iterable[Shape], width: float, height: float) -> tuple[Shape, ...]:
    return moved(shapes, width, height, turn=180)


# -- pixels -----------------------------------------------------------------------------


def raster(face: Face, px_per_mm: float, finer: int = _FINER) -> Image:
    """The face as BGR pixels. Its paper fills the whole rectangle; whoever lays the card down
    rounds its corners."""
    width, height = round(face.width * px_per_mm), round(face.height * px_per_mm)
    if width * height > 1_000_000:
        finer = min(finer, 2)
    sheet = np.empty((height * finer, width * finer, 3), np.uint8)
    cv2.rectangle(sheet, (0, 0), (width * finer, height * finer), face.paper[::-1], -1)
    scale_x = width * finer / face.width
    scale_y = height * finer / face.height
    scale = np.array([scale_x, scale_y]) * (1 << _SHIFT)
    half = (1 << _SHIFT) / 2
    for shape in face.shapes:
        colour = shape.colour[::-1]
        if isinstance(shape, Area):
            rings = [np.round(ring * scale - half).astype(np.int32) for ring in shape.rings]
            cv2.fillPoly(sheet, rings, colour, cv2.LINE_8, _SHIFT)
        else:
            line = [np.round(shape.line * scale - half).astype(np.int32)]
            thick = max(1, round(shape.width * (scale_x + scale_y) / 2))
            cv2.polylines(sheet, line, shape.closed, colour, thick, cv2.LINE_8, _SHIFT)
    small = cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)
