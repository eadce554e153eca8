"""Where a game's places are on a board nobody has described yet: as they lie about each other on
the game's mat. Their owner only nudges them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.tabletop.layout import BoardTemplate, Layout
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import Box, box_about
from companion.tabletop.zones import Outline, box, size
from companion.vision.boards.board import Place

EDGE_MM = 2.0
"""How much wider such a board is than its places."""


@dataclass(frozen=True, slots=True)
class Template:
    """Places on a board of that size, upright for whoever sits before it."""

    places: tuple[Place, ...]
    size_mm: tuple[float, float]
    on_mat: Box
    """The part of the mat they are on there."""
    upside_down: bool
    """On the mat they lie the other way up, for that seat is at its far edge."""

    def fitted(self, size_mm: tuple[float, float]) -> tuple[Place, ...]:
        """The places on a board of another size."""
        wide, high = (new / old for new, old in zip(size_mm, self.size_mm, strict=True))
        return tuple(
            Place(
                each.name, tuple((round(x * wide, 1), round(y * high, 1)) for x, y in each.outline)
            )
            for each in self.places
        )


def of_kind(kind: BoardTemplate) -> Template:
    """A board as the game describes it."""
    places = tuple(Place(name, outline) for name, outline in kind.places.items())
    return Template(places, kind.size_mm, (0.0, 0.0, *kind.size_mm), upside_down=False)


def usual_places(layout: Layout, owner: str) -> dict[str, tuple[float, float]]:
    """Every place that a board of that seat, or of everybody (no owner), may have, with its usual
    width and height."""
    found = {name: size(each) for name, each in _own(layout.zones, owner).items()}
    for kind in layout.boards:
        if kind.of_seat == bool(owner):
            found |= {name: size(each) for name, each in kind.places.items()}
    return found


def groups(zones: Mapping[str, Outline], owner: str) -> tuple[str, ...]:
    """The kinds of places a board of that seat may have, or one of everybody's (no owner)."""
    return tuple(dict.fromkeys(group_of(name) for name in _own(zones, owner)))


def group_of(place: str) -> str:
    return place.partition("-")[0]


def template(
    zones: Mapping[str, Outline], owner: str, wanted: Collection[str] | None = None
) -> Template | None:
    """Of a seat's board, or one of everybody's (no owner), with these groups of places or all;
    None if the game has no such places."""
    mine = {
        name: outline
        for name, outline in _own(zones, owner).items()
        if wanted is None or group_of(name) in wanted
    }
    if not mine:
        return None
    boxes = [box_about(outline) for outline in mine.values()]
    left, top = (min(each[at] for each in boxes) - EDGE_MM for at in (0, 1))
    right, bottom = (max(each[at] for each in boxes) + EDGE_MM for at in (2, 3))
    far = bool(owner) and (top + bottom) / 2 < MAT[1] / 2
    part = (left, top, right, bottom)
    places = tuple(Place(name, _upright(each, part, far)) for name, each in mine.items())
    return Template(places, (right - left, bottom - top), part, far)


def _own(zones: Mapping[str, Outline], owner: str) -> dict[str, Outline]:
    """The zones of that seat, or everybody's, without its letter."""
    if not owner:
        return {name: each for name, each in zones.items() if "." not in name}
    start = f"{owner}."
    return {n.removeprefix(start): each for n, each in zones.items() if n.startswith(start)}


def _upright(outline: Outline, part: Box, far: bool) -> Outline:
    left, top, right, bottom = box_about(outline)
    if far:
        return box(part[2] - right, part[3] - bottom, right - left, bottom - top)
    return box(left - part[0], top - part[1], right - left, bottom - top)
