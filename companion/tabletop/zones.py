"""Zones: the places of a table that mean something, in millimetres on the mat."""

from __future__ import annotations

from collections.abc import Mapping

from companion.tabletop import polygons

Outline = polygons.Outline
"""The corners of a zone, clockwise from its top left."""


def box(x: float, y: float, width: float, height: float) -> Outline:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def centre(outline: Outline) -> tuple[float, float]:
    """The middle of a zone's box."""
    left, top, right, bottom = polygons.box_about(outline)
    return (left + right) / 2, (top + bottom) / 2


def size(outline: Outline) -> tuple[float, float]:
    """Width and height of a zone's box."""
    left, top, right, bottom = polygons.box_about(outline)
    return right - left, bottom - top


def zone_at(zones: Mapping[str, Outline], point: tuple[float, float]) -> str | None:
    """The zone the point lies in."""
    return next((name for name, outline in zones.items() if polygons.inside(outline, point)), None)
