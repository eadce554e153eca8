"""How a table of Valhal is laid out on the mat: what all share in the middle, and each Jarl's own
places along the edge."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.tabletop.layout import Layout, LyingRules
from companion.tabletop.mat import MAT
from companion.tabletop.zones import Outline, box

TRACKS: Mapping[str, range] = MappingProxyType(
    {
        "enemy": range(14),
        "attack": range(1, 22),
        "front": range(7),
        "favour": range(7),
        "glory": range(21),
    }
)
"""The numbers on each track. On the battle tableau: hit points of the town, summed base attack, and
hit points of the front line. Before each Jarl: favour and glory."""
SITES = 4
"""How many sites each Jarl has for projects. A card's back says what is being built there."""


def _turned(outline: Outline) -> Outline:
    """The same place as seen from the opposite side of the mat."""
    return tuple((MAT[0] - x, MAT[1] - y) for x, y in (*outline[2:], *outline[:2]))


def _settlement(*, right: bool) -> dict[str, Outline]:
    """The zones of a Jarl at the near edge: glory, then food, altar and favour, then the sites."""
    wide, inner = (299.0, 299.0) if right else (6.0, 64.0)
    spaces = ("summer", "winter-1", "winter-2", "spring")
    return {
        **{f"glory-{n}": box(wide + n * 13.8, 302, 13.2, 20) for n in TRACKS["glory"]},
        **{f"food-{each}": box(inner + at * 25.5, 327, 25, 27) for at, each in enumerate(spaces)},
        "altar": box(inner + 103, 327, 27, 27),
        **{f"favour-{n}": box(inner + 131 + n * 14.6, 327, 14, 27) for n in TRACKS["favour"]},
        **{f"site-{n + 1}": box(inner + n * 58.2, 358, 57.6, 58) for n in range(SITES)},
    }


def _settlements() -> dict[str, Outline]:
    """All Jarls' zones, clockwise from the near left corner; those at the far edge are turned."""
    near = {"A": _settlement(right=False), "D": _settlement(right=True)}
    own = {
        **near,
        "B": {name: _turned(each) for name, each in near["D"].items()},
        "C": {name: _turned(each) for name, each in near["A"].items()},
    }
    return {f"{seat}.{name}": each for seat in "ABCD" for name, each in own[seat].items()}


def _tableau(x: float, y: float) -> dict[str, Outline]:
    """The battle tableau: a zone for every number, from `enemy-0` to `front-6`."""
    steps = {"enemy": 21.7, "attack": 14.5, "front": 21.7}
    return {
        f"{track}-{number}": box(x + place * step, y + row * 26.0, step - 1, 24)
        for row, (track, step) in enumerate(steps.items())
        for place, number in enumerate(TRACKS[track])
    }


ZONES = MappingProxyType(
    {
        **_tableau(158, 124),
        "attackers": box(6, 124, 122, 172),
        "town": box(466, 124, 122, 172),
        "season-summer": box(158, 226, 62, 62),
        "season-winter": box(224, 226, 62, 62),
        "season-spring": box(290, 226, 62, 62),
        "reading": box(368, 180, 94, 114),
        **_settlements(),
    }
)
FAR_SEATS = ("B", "C")
"""Jarls whose things lie the other way up on the mat."""

LAYOUT = Layout(
    zones=ZONES,
    deck="valhal",
    lying=LyingRules(copies=True, side_by_side=True, paid_on_backs=True),
    named_by_owner=True,
)
