"""Where things lie on the mats, in millimetres: x to the right, y towards the near edge.

A mat is one A2 sheet with a marker in each corner. Whoever lays out the four markers without a
mat has the same table: only the zones are not drawn on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.tabletop import polygons

Outline = polygons.Outline
"""The corners of a zone, clockwise from its top left."""

MAT = (594.0, 420.0)
CARD = (63.0, 88.0)

# The markers: black square and all its cells, without the white border it needs about it.
MARKER_DICTIONARY = "DICT_4X4_50"
MARKER = 40.0
MARKER_BORDER = 8.0
_NEAR = 12.0  # from the mat's edge: room for the white border, and more
_FAR_X = MAT[0] - 12.0 - MARKER
_FAR_Y = MAT[1] - 12.0 - MARKER
MARKERS: Mapping[int, tuple[float, float]] = MappingProxyType(
    {0: (_NEAR, _NEAR), 1: (_FAR_X, _NEAR), 2: (_FAR_X, _FAR_Y), 3: (_NEAR, _FAR_Y)}
)
"""Top left corner of each marker by its id, clockwise from the mat's top left."""
# Below the first one: which sheet this is, and of which version.
SHEET_MARK = 24.0
SHEET_MARK_AT = (_NEAR + 8.0, _NEAR + 56.0)

# The calibration sheet. Another dictionary, so that no square of it is taken for a corner mark.
CHARUCO_DICTIONARY = "DICT_5X5_100"
CHARUCO_SQUARES = (7, 9)
CHARUCO_SQUARE = 25.0
CHARUCO_MARKER = 17.5


def _box(x: float, y: float, width: float, height: float) -> Outline:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def centre(outline: Outline) -> tuple[float, float]:
    """The middle of a zone's box."""
    left, top, right, bottom = polygons.box_about(outline)
    return (left + right) / 2, (top + bottom) / 2


def size(outline: Outline) -> tuple[float, float]:
    """Width and height of a zone's box."""
    left, top, right, bottom = polygons.box_about(outline)
    return right - left, bottom - top


# -- Odin: the set to beat lies in one lane, the set that beats it comes into the other ------

_ODIN = {
    "middle-1": _box(112, 62, 370, 142),
    "middle-2": _box(112, 216, 370, 142),
    "deck": _box(20, 158, 76, 104),
    "discard": _box(498, 158, 76, 104),
}


# -- Valhalla: seats clockwise from the top left; the fifth sits at the left edge -------------


def _seat(letter: str, x: float, y: float, way: str) -> dict[str, Outline]:
    """Main, Support and the discard pile at the right hand of whoever sits there."""
    wide, high, gap = 68.0, 92.0, 3.0
    names = [f"{letter}.main", f"{letter}.support", f"{letter}.discard"]
    if way == "down":  # the far edge: their right hand is at our left
        names.reverse()
    places = range(3)
    if way == "right":  # the left edge: cards lie on their sides
        return {
            name: _box(x, y + place * (wide + gap), high, wide)
            for place, name in zip(places, names, strict=True)
        }
    return {
        name: _box(x + place * (wide + gap), y, wide, high)
        for place, name in zip(places, names, strict=True)
    }


_VALHALLA = {
    **_seat("A", 76, 6, "down"),
    **_seat("B", 308, 6, "down"),
    **_seat("C", 308, 322, "up"),
    **_seat("D", 76, 322, "up"),
    **_seat("E", 6, 105, "right"),
    "deck": _box(106, 106, 70, 98),
    "reveal": _box(180, 106, 190, 98),
    "armory-2": _box(374, 106, 136, 98),
    "graveyard": _box(514, 106, 74, 98),
    "armory": _box(106, 214, 482, 98),
}


# -- Valhal: what all share in the middle, and each Jarl's places along the edge -----------------

TRACKS: Mapping[str, range] = MappingProxyType(
    {
        "enemy": range(14),
        "attack": range(1, 22),
        "front": range(7),
        "favour": range(7),
        "glory": range(21),
    }
)
"""The battle tableau: hit points of the town, summed base attack, the front line's hit points.
And each Jarl's: steps of favour, glory."""
SITES = 4
"""Places for projects each Jarl has: a card's back says what is being built there."""


def _turned(outline: Outline) -> Outline:
    """The same on the opposite side of the mat."""
    return tuple((MAT[0] - x, MAT[1] - y) for x, y in (*outline[2:], *outline[:2]))


def _settlement(*, right: bool) -> dict[str, Outline]:
    """Of a Jarl at the near edge: glory, then food, altar and favour, then the sites."""
    wide, inner = (299.0, 299.0) if right else (6.0, 64.0)
    spaces = ("summer", "winter-1", "winter-2", "spring")
    return {
        **{f"glory-{n}": _box(wide + n * 13.8, 302, 13.2, 20) for n in TRACKS["glory"]},
        **{f"food-{each}": _box(inner + at * 25.5, 327, 25, 27) for at, each in enumerate(spaces)},
        "altar": _box(inner + 103, 327, 27, 27),
        **{f"favour-{n}": _box(inner + 131 + n * 14.6, 327, 14, 27) for n in TRACKS["favour"]},
        **{f"site-{n + 1}": _box(inner + n * 58.2, 358, 57.6, 58) for n in range(SITES)},
    }


def _settlements() -> dict[str, Outline]:
    """Clockwise from the near left corner; those at the far edge look the other way."""
    near = {"A": _settlement(right=False), "D": _settlement(right=True)}
    own = {
        **near,
        "B": {name: _turned(each) for name, each in near["D"].items()},
        "C": {name: _turned(each) for name, each in near["A"].items()},
    }
    return {f"{seat}.{name}": each for seat in "ABCD" for name, each in own[seat].items()}


def _tableau(x: float, y: float) -> dict[str, Outline]:
    """A space for every number: `enemy-0` to `front-6`."""
    steps = {"enemy": 21.7, "attack": 14.5, "front": 21.7}
    return {
        f"{track}-{number}": _box(x + place * step, y + row * 26.0, step - 1, 24)
        for row, (track, step) in enumerate(steps.items())
        for place, number in enumerate(TRACKS[track])
    }


_VALHAL = {
    **_tableau(158, 124),
    "attackers": _box(6, 124, 122, 172),
    "town": _box(466, 124, 122, 172),
    "season-summer": _box(158, 226, 62, 62),
    "season-winter": _box(224, 226, 62, 62),
    "season-spring": _box(290, 226, 62, 62),
    "reading": _box(368, 180, 94, 114),
    **_settlements(),
}
FAR_SEATS = ("B", "C")
"""Jarls whose things lie the other way up on the mat of Valhal."""


ZONES: Mapping[str, Mapping[str, Outline]] = MappingProxyType(
    {
        "odin": MappingProxyType(_ODIN),
        "valhalla": MappingProxyType(_VALHALLA),
        "valhal": MappingProxyType(_VALHAL),
    }
)


def zone_at(zones: Mapping[str, Outline], point: tuple[float, float]) -> str | None:
    """The zone the point lies in."""
    return next((name for name, outline in zones.items() if polygons.inside(outline, point)), None)
