"""Zones: the places of a table that mean something, in millimetres on the mat."""

from __future__ import annotations

from collections.abc import Mapping

Outline = tuple[tuple[float, float], ...]
"""The corners of a zone, clockwise from its top left."""


def box(x: float, y: float, width: float, height: float) -> Outline:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def centre(outline: Outline) -> tuple[float, float]:
    """The middle of a zone's box."""
    across, down = [x for x, _ in outline], [y for _, y in outline]
    return (min(across) + max(across)) / 2, (min(down) + max(down)) / 2


def size(outline: Outline) -> tuple[float, float]:
    """Width and height of a zone's box."""
    across, down = [x for x, _ in outline], [y for _, y in outline]
    return max(across) - min(across), max(down) - min(down)


def inside(outline: Outline, point: tuple[float, float]) -> bool:
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


def zone_at(zones: Mapping[str, Outline], point: tuple[float, float]) -> str | None:
    """The zone the point lies in."""
    return next((name for name, outline in zones.items() if inside(outline, point)), None)
