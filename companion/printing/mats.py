"""A table mat for each game with its markers and zones, on as few pages as it takes.

The zones have pictures and no words, so that one mat serves every language.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.printing.marks import draw_mark, draw_marker
from companion.printing.paper import WHITE, Paper, Sheets
from companion.printing.versions import current
from companion.sim.faces import faces_of
from companion.sim.faces.canvas import Points, Shape, moved, points, rectangle, stroke
from companion.sim.faces.emblems import Tones, fitted
from companion.sim.faces.mat_art import MatArt
from companion.tabletop.layout import zones_by_game
from companion.tabletop.mat import MARKERS, MAT
from companion.tabletop.zones import Outline, centre, size

_EDGE_MM = 6.0
"""What a printer may leave white at either side of a page."""
_FOOT_MM = 14.0
"""What is left free at the top and at the foot, where the ruler is."""
_LINE_MM = 0.9
"""The width of outlines."""


def mat(game: str, paper: Paper) -> Sheets:
    known = zones_by_game()
    if game not in known:
        raise BadInput(
            "no-mat-choose",
            N_("there is no mat for %(game)s; choose %(known)s"),
            game=repr(game),
            known=", ".join(known),
        )
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
                for number, (at_x, at_y) in MARKERS.items():
                    draw_marker(sheets, number, left - x + at_x, top - y + at_y)
                draw_mark(sheets, printed, left - x, top - y)
            sheets.crops((left, left + wide), (top, top + high), _EDGE_MM - 2.0)
    return sheets


def tiles(paper: Paper) -> tuple[int, int]:
    """Into how many columns and rows of pages the mat is cut."""
    return (
        math.ceil(MAT[0] / (paper.width - 2 * _EDGE_MM)),
        math.ceil(MAT[1] / (paper.height - 2 * _FOOT_MM)),
    )


def drawing(game: str) -> Iterator[Shape]:
    """Everything on a game's mat but the markers."""
    faces = faces_of(game)
    art = MatArt() if faces is None else faces.mat
    yield stroke(rectangle(2, 2, MAT[0] - 4, MAT[1] - 4, 8), _LINE_MM, art.ink, closed=True)
    for name, outline in zones_by_game()[game].items():
        yield from zone_drawn(name, outline, art)


def zone_drawn(name: str, outline: Outline, art: MatArt) -> Iterator[Shape]:
    yield stroke(_rounded(outline), _LINE_MM, art.ink, closed=True)
    x, y = centre(outline)
    wide, high = size(outline)
    kind = name.rpartition(".")[2]
    facing = _facing(name, outline)
    space = art.space(kind, size(outline), art.ink)
    if space is not None:
        yield from moved(moved(space, -wide / 2, -high / 2), x, y, turn=facing)
        return
    picture = art.pictures.get(kind)
    if picture is None:
        return
    tones = Tones(WHITE, WHITE, art.pale)
    room = min(0.62 * min(wide, high), 70.0)
    shapes = (*fitted(picture(tones), 0, 0, room, room), *art.besides(kind, tones))
    yield from moved(shapes, x, y, turn=facing)


def _facing(name: str, outline: Outline) -> float:
    """The turn in degrees that makes a seat's zone upright for whoever sits there."""
    if "." not in name:
        return 0.0
    if size(outline)[0] > size(outline)[1]:
        return 90.0
    return 180.0 if centre(outline)[1] < MAT[1] / 2 else 0.0


def _rounded(outline: Outline, corner: float = 3.0) -> Points:
    """The outline, of any shape, with its corners cut off a little."""
    ring = points(outline)
    cut = []
    for before, here, after in zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True):
        for other in (before, after):
            way = other - here
            cut.append(here + way * corner / math.hypot(*way))
    return points(cut)
