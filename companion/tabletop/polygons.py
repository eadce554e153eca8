"""Polygons on the table, in the mat's millimetres: area, box, what lies in what. Pure geometry of
plain tuples; where vision weighs thousands of points at once it keeps to arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Corner = tuple[float, float]
Outline = tuple[Corner, ...]
"""The corners of any polygon, in their order about it."""
Quad = tuple[Corner, Corner, Corner, Corner]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in millimetres."""

_OVERLAP_STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Shares of a quad's sides at which it is probed for what covers it: 25 points tell enough."""
_REMEMBERED_QUADS = 1024
"""Several tables full: everything that lies there is compared again and again."""


def middle_of(quad: Quad) -> Corner:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


@lru_cache(maxsize=_REMEMBERED_QUADS)
def box_about(outline: Outline) -> Box:
    """The upright box around it."""
    across, down = zip(*outline, strict=True)
    return min(across), min(down), max(across), max(down)


def boxes_meet(one: Outline, other: Outline) -> bool:
    """Whether the boxes around them do: most things on a table are nowhere near each other."""
    left, top, right, bottom = box_about(one)
    other_left, other_top, other_right, other_bottom = box_about(other)
    return left < other_right and other_left < right and top < other_bottom and other_top < bottom


@lru_cache(maxsize=_REMEMBERED_QUADS)
def area(outline: Outline) -> float:
    """Of a polygon whose sides do not cross, in square millimetres."""
    ends = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


def inside(outline: Outline, point: Corner) -> bool:
    """Whether the point lies in the outline, which may have any shape."""
    x, y = point
    found = False
    before_x, before_y = outline[-1]
    for at_x, at_y in outline:
        if (at_y > y) != (before_y > y):
            crossing = at_x + (y - at_y) * (before_x - at_x) / (before_y - at_y)
            found ^= x < crossing
        before_x, before_y = at_x, at_y
    return found


def overlap(quad: Quad, over: Sequence[Outline]) -> float:
    """How much of the quad lies in any of the others, 0 to 1."""
    near = [each for each in over if boxes_meet(quad, each)]
    if not near:
        return 0.0
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    points = [
        (
            (1 - v) * ((1 - u) * ax + u * bx) + v * ((1 - u) * dx + u * cx),
            (1 - v) * ((1 - u) * ay + u * by) + v * ((1 - u) * dy + u * cy),
        )
        for u in _OVERLAP_STEPS
        for v in _OVERLAP_STEPS
    ]
    under = sum(any(inside(each, point) for each in near) for point in points)
    return under / len(points)
