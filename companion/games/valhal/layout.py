"""How a table of Valhal is laid out on the mat: what all share in the middle, and each Jarl's own
places along the edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from companion.tabletop.layout import BoardTemplate, Layout, LyingRules
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import Box
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
FOOD = ("summer", "winter-1", "winter-2", "spring")
MAINLAND = 12
"""Spaces for Town cards on the Mainland, at most."""


def _row(name: str, many: Iterable[object], at: Box, gap: float = 3.0) -> dict[str, Outline]:
    """Places beside each other in a box of left, top, width and height."""
    each = list(many)
    step = at[2] / len(each)
    return {
        f"{name}-{one}": box(at[0] + n * step, at[1], step - gap, at[3])
        for n, one in enumerate(each)
    }


def _tracks(track: str, wide: float) -> dict[str, Outline]:
    """A row of that track for each Jarl, below each other."""
    rows: dict[str, Outline] = {}
    for at, seat in enumerate("ABCD"):
        rows |= _row(f"{seat}.{track}", TRACKS[track], (8, 8 + 26 * at, wide - 16, 24), 1.0)
    return rows


BOARDS = (
    BoardTemplate(
        "settlement",
        (280.0, 200.0),
        {
            **_row("food", FOOD, (10, 10, 116, 28)),
            "altar": box(136, 10, 40, 28),
            "coins": box(182, 10, 88, 28),
            **_row("site", range(1, SITES + 1), (10, 48, 260, 66)),
            "units": box(10, 124, 160, 66),
            "boats": box(176, 124, 94, 66),
        },
        of_seat=True,
    ),
    BoardTemplate("food", (130.0, 60.0), _row("food", FOOD, (8, 8, 114, 44)), of_seat=True),
    BoardTemplate(
        "mainland",
        (420.0, 220.0),
        {
            **_row("mainland", range(1, MAINLAND // 2 + 1), (10, 10, 400, 96)),
            **_row("mainland", range(MAINLAND // 2 + 1, MAINLAND + 1), (10, 114, 400, 96)),
        },
    ),
    BoardTemplate("favour", (150.0, 118.0), _tracks("favour", 150)),
    BoardTemplate("yggdrasil", (330.0, 118.0), _tracks("glory", 330)),
    BoardTemplate(
        "season",
        (220.0, 80.0),
        _row("season", ("summer", "winter", "spring"), (10, 10, 200, 60)),
    ),
    BoardTemplate(
        "tableau",
        (570.0, 200.0),
        {
            **{
                f"{track}-{number}": box(136 + at * step, 14 + row * 60.0, step - 1, 50)
                for row, (track, step) in enumerate(
                    {"enemy": 21.2, "attack": 14.1, "front": 42.0}.items()
                )
                for at, number in enumerate(TRACKS[track])
            },
            "attackers": box(8, 14, 120, 172),
            "town": box(442, 14, 120, 172),
        },
    ),
    BoardTemplate("reading", (110.0, 130.0), {"reading": box(8, 8, 94, 114)}),
)
"""The boards in the game's box, as they usually are; owners nudge the places onto their own."""
FAR_SEATS = ("B", "C")
"""Jarls whose things lie the other way up on the mat."""

LAYOUT = Layout(
    zones=ZONES,
    deck="valhal",
    lying=LyingRules(copies=True, side_by_side=True, paid_on_backs=True),
    boards=BOARDS,
    named_by_owner=True,
)
