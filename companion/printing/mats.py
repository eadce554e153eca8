"""A table mat for each game, on as few pages as it takes, with its markers and zones.

The zones have pictures, no words: one mat for every language.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from companion.foundation.errors import BadInput
from companion.games.valhal.faces import places
from companion.games.valhalla.faces import DRAUGR_MARK
from companion.printing.marks import draw_mark, draw_marker
from companion.printing.paper import WHITE, Paper, Sheets
from companion.printing.versions import current
from companion.sim.faces import beings, emblems, numerals
from companion.sim.faces.canvas import (
    Colour,
    Points,
    Shape,
    area,
    ellipse,
    moved,
    points,
    rectangle,
    star,
    stroke,
)
from companion.sim.faces.emblems import Emblem, Tones, drawn, filled, fitted
from companion.tabletop import zones
from companion.tabletop.zones import MAT, ZONES, Outline, centre, size

_EDGE = 6.0  # what a printer may leave white at a page's side
_LINE = 0.9


def _pile(t: Tones) -> tuple[Shape, ...]:
    """A deck, face down."""
    return (
        *(stroke(rectangle(-28 + d, -42 - d, 56, 80, 6), 3, t.light, closed=True) for d in (8, 4)),
        area(rectangle(-28, -42, 56, 80, 6), t.light),
        area(star(0, -2, 18, 8, 8), t.main),
    )


def _heap(t: Tones) -> tuple[Shape, ...]:
    """Cards that are done with."""
    card = stroke(rectangle(-24, -36, 48, 72, 5), 4, t.light, closed=True)
    return (*moved([card], turn=-18), *moved([card], turn=9))


def _eye(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-50,0 Q0,-50 50,0 Q0,50 -50,0 Z", t.light),
        area(ellipse(0, 0, 18), t.main),
        area(ellipse(0, 0, 8), t.light),
    )


def _snow(t: Tones) -> tuple[Shape, ...]:
    arm = drawn("M0,0 L0,-48 M-12,-42 L0,-30 L12,-42", 6, t.light)
    return tuple(shape for turn in range(6) for shape in moved(arm, turn=60 * turn))


def _leaf(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M0,48 L-4,48 L-4,10 C-30,10 -44,-8 -44,-38 C-16,-36 -4,-20 0,-4"
               " C4,-20 16,-36 44,-38 C44,-8 30,10 4,10 L4,48 Z", t.light),
    )  # fmt: skip


def _blade(t: Tones) -> tuple[Shape, ...]:
    return beings.sword(Tones(t.main, t.light, t.light))


def _skull(t: Tones) -> tuple[Shape, ...]:
    return (filled(DRAUGR_MARK, t.light),)


def _lost(t: Tones) -> tuple[Shape, ...]:
    """What a Draugr takes is laid crosswise first."""
    return (
        stroke(rectangle(-44, -31, 88, 62, 7), 5, t.light, closed=True),
        *fitted(_skull(t), 0, 0, 44, 44),
    )


def _prow(t: Tones) -> tuple[Shape, ...]:
    return emblems.longship(Tones(t.main, t.main, t.light))


def _scaffold(t: Tones) -> tuple[Shape, ...]:
    """Something will be built here."""
    return (
        *drawn("M-40,50 L-40,-44 M40,50 L40,-44 M-50,-24 L50,-24 M-50,20 L50,20", 7, t.light),
        *drawn("M-40,20 L40,-24 M-40,50 L10,20", 6, t.light),
    )


def _walls(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-46,44 L-46,-30 L-30,-30 L-30,-18 L-16,-18 L-16,-30 L16,-30 L16,-18 L30,-18"
               " L30,-30 L46,-30 L46,44 L12,44 L12,18 Q0,4 -12,18 L-12,44 Z", t.light),
    )  # fmt: skip


_PICTURES: Mapping[str, Emblem] = MappingProxyType(
    {
        "middle-1": emblems.knot,
        "middle-2": emblems.knot,
        "deck": _pile,
        "discard": _heap,
        "reveal": _eye,
        "reading": _eye,
        "graveyard": _skull,
        "armory": emblems.shield,
        "armory-2": emblems.shield,
        "main": _blade,
        "support": emblems.shield,
        "attackers": _prow,
        "town": _walls,
        "season-summer": beings.sun,
        "season-winter": _snow,
        "season-spring": _leaf,
        "food-summer": beings.sun,
        "food-winter-1": _snow,
        "food-winter-2": _snow,
        "food-spring": _leaf,
        **{f"site-{number + 1}": _scaffold for number in range(zones.SITES)},
        "altar": places.altar,
    }
)
"""By the zone's name, whose ever it is; a zone without one is an outline alone."""
# Outline and picture: pale, so that whatever lies there stands out.
_GREY: tuple[Colour, Colour] = ((88, 94, 102), (229, 231, 234))
_INKS: Mapping[str, tuple[Colour, Colour]] = MappingProxyType(
    {
        "odin": ((46, 84, 138), (222, 231, 243)),
        "valhalla": ((140, 40, 46), (245, 226, 222)),
        "valhal": ((22, 100, 88), (216, 236, 230)),
    }
)


def mat(game: str, paper: Paper) -> Sheets:
    if game not in ZONES:
        raise BadInput(f"there is no mat for {game!r}; choose {', '.join(ZONES)}")
    whole = tuple(drawing(game))
    printed = current(f"mat {game}")
    sheets = Sheets(paper, f"Table mat {game}", printed.version)
    columns, rows = tiles(paper)
    wide, high = MAT[0] / columns, MAT[1] / rows
    left, top = (paper.width - wide) / 2, (paper.height - high) / 2
    for row in range(rows):
        for column in range(columns):
            x, y = column * wide, row * high
            sheets.page(f"row {row + 1} of {rows}, {column + 1} of {columns}", ruler_at=10.0)
            with sheets.clipped(left, top, wide, high):
                sheets.shapes(whole, left - x, top - y)
                for number, (at_x, at_y) in zones.MARKERS.items():
                    draw_marker(sheets, number, left - x + at_x, top - y + at_y)
                draw_mark(sheets, printed, left - x, top - y)
            sheets.crops((left, left + wide), (top, top + high), _EDGE - 2.0)
    return sheets


def tiles(paper: Paper) -> tuple[int, int]:
    """Columns and rows of pages the mat is cut into."""
    return (
        math.ceil(MAT[0] / (paper.width - 2 * _EDGE)),
        math.ceil(MAT[1] / (paper.height - 2 * 14.0)),
    )


def drawing(game: str) -> Iterator[Shape]:
    """Everything on a game's mat but the markers."""
    ink, pale = _INKS.get(game, _GREY)
    yield stroke(rectangle(2, 2, MAT[0] - 4, MAT[1] - 4, 8), _LINE, ink, closed=True)
    for name, outline in ZONES[game].items():
        yield from _zone(name, outline, ink, pale)


def _zone(name: str, outline: Outline, ink: Colour, pale: Colour) -> Iterator[Shape]:
    yield stroke(_rounded(outline), _LINE, ink, closed=True)
    x, y = centre(outline)
    wide, high = size(outline)
    track, _, number = name.rpartition(".")[2].rpartition("-")
    if track in zones.TRACKS and number.isdigit():
        space = _space(track, int(number), size(outline), ink)
        middle = moved(space, -wide / 2, -high / 2)
        yield from moved(middle, x, y, turn=_facing(name, outline))
        return
    picture = _PICTURES.get(name.rpartition(".")[2])
    if picture is None:
        return
    room = min(0.62 * min(wide, high), 70.0)
    shapes = fitted(picture(Tones(WHITE, WHITE, pale)), 0, 0, room, room)
    if name.endswith((".main", ".support")):
        shapes = (*shapes, *fitted(_lost(Tones(WHITE, WHITE, pale)), 0, -34, 25, 18))
    yield from moved(shapes, x, y, turn=_facing(name, outline))


def _facing(name: str, outline: Outline) -> float:
    """A seat's zones are the right way up for whoever sits there."""
    if "." not in name:
        return 0.0
    if size(outline)[0] > size(outline)[1]:
        return 90.0
    return 180.0 if centre(outline)[1] < MAT[1] / 2 else 0.0


def _space(track: str, number: int, room: tuple[float, float], ink: Colour) -> Iterator[Shape]:
    """A space of a track: its number at the top, room for a marker below."""
    wide, tall = room
    first = number == zones.TRACKS[track][0]
    if first and track in _OWN_SIGNS:  # nothing yet: the sign says of what
        yield from fitted(_OWN_SIGNS[track](Tones(WHITE, WHITE, ink)), wide / 2, 6, wide - 3, 8.5)
        return
    high = 5.0
    digits = str(number)
    step = numerals.width(high) + 0.6
    left = wide / 2 - (step * len(digits) - 0.6) / 2
    for place, digit in enumerate(digits):
        yield from numerals.numeral(int(digit), left + place * step, 2, high, ink)
    if first and track in _ROW_SIGNS:  # to the left of the row
        yield from fitted(_ROW_SIGNS[track](Tones(WHITE, WHITE, ink)), -14, tall / 2, 16, 20)


def _glory(t: Tones) -> tuple[Shape, ...]:
    return (area(star(0, 0, 50, 20, 5), t.light),)


_OWN_SIGNS: Mapping[str, Emblem] = MappingProxyType({"favour": places.raven_head, "glory": _glory})
_ROW_SIGNS: Mapping[str, Emblem] = MappingProxyType(
    {"enemy": _walls, "attack": _blade, "front": places.warrior}
)


def _rounded(outline: Outline, corner: float = 3.0) -> Points:
    """The outline with its corners cut a little, whatever its shape."""
    ring = points(outline)
    cut = []
    for before, here, after in zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True):
        for other in (before, after):
            way = other - here
            cut.append(here + way * corner / math.hypot(*way))
    return points(cut)
