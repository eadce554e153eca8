"""Odin's cards: a number, a colour with its sign, and a picture for each number.

Every corner has the whole index, and both long edges show the number as a row of small signs, so
that a fanned or half-covered card can still be read.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.sim.faces import BoxPart, Faces, emblems, numerals
from companion.sim.faces.canvas import (
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    moved,
    rectangle,
    stroke,
    upside_down,
)
from companion.sim.faces.emblems import Emblem, Tones, fitted
from companion.sim.faces.mat_art import USUAL_PICTURES, MatArt
from companion.sim.faces.signs import PAPER, SIGNS, sign

# Lengths are in millimetres, as in every drawing.
WIDTH = 63.0
HEIGHT = 88.0
BACK = "odin-back"
_MIDDLE = (WIDTH / 2, HEIGHT / 2)

PICTURES: dict[int, Emblem] = {
    0: emblems.goat,
    1: emblems.horn,
    2: emblems.ravens,
    3: emblems.knot,
    4: emblems.longship,
    5: emblems.hammer,
    6: emblems.axes,
    7: emblems.shield,
    8: emblems.serpent,
    9: emblems.allfather,
}

_STONE = Tones((118, 122, 128), (52, 56, 64), PAPER)
_INDEX_HIGH = 12.5
_MIDDLE_OF_INDEX = 7.2
"""From the edge of the card."""
_PANEL = (13.8, 4.0, WIDTH - 2 * 13.8, HEIGHT - 8.0)
"""The field of the picture: left, top, width, height."""


@cache
def faces() -> tuple[Face, ...]:
    cards = [_card(colour, number) for colour in SIGNS for number in range(1, 10)]
    return (*cards, _goat(), back())


def _card(colour: str, number: int) -> Face:
    found = SIGNS[colour]
    shapes = (
        *_panel(found.tones),
        *fitted(PICTURES[number](found.tones), *_MIDDLE, 32, 41),
        *_four_corners(_index(number, found.ink, moved(sign(colour, rim=1.4), size=0.35))),
        *_edges([sign(colour)] * number),
    )
    return Face(f"{colour}{number}", WIDTH, HEIGHT, shapes, PAPER)


def _goat() -> Face:
    shapes = (
        *_panel(_STONE),
        *fitted(emblems.goat(_STONE), *_MIDDLE, 32, 41),
        *_four_corners(_index(0, _STONE.deep, moved(emblems.goat_mark(_STONE.deep), size=0.42))),
        *_edges([sign(colour) for colour in SIGNS]),
    )
    return Face("goat", WIDTH, HEIGHT, shapes, PAPER)


def _index(number: int, ink: Colour, mark: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The top left index, shared by all four corners."""
    wide = numerals.width(_INDEX_HIGH)
    left = _MIDDLE_OF_INDEX - wide / 2
    shapes = [*numerals.numeral(number, left, 3.7, _INDEX_HIGH, ink)]
    if numerals.needs_line(number):
        y = 3.7 + _INDEX_HIGH + 1.4
        shapes.append(stroke([(left + 0.8, y), (left + wide - 0.8, y)], 1.4, ink))
    return (*shapes, *moved(mark, _MIDDLE_OF_INDEX, 23.7))


def _four_corners(index: tuple[Shape, ...]) -> tuple[Shape, ...]:
    top = (*index, *moved(index, WIDTH - 2 * _MIDDLE_OF_INDEX))
    return (*top, *upside_down(top, WIDTH, HEIGHT))


def _edges(marks: list[tuple[Shape, ...]]) -> tuple[Shape, ...]:
    """A column of small signs on the left edge, and the same upside down on the right."""
    step = min(4.2, 31.0 / len(marks))
    column: list[Shape] = []
    for place, mark in enumerate(marks):
        y = HEIGHT / 2 + (place - (len(marks) - 1) / 2) * step
        column.extend(moved(mark, _MIDDLE_OF_INDEX, y, 0.148))
    return (*column, *upside_down(column, WIDTH, HEIGHT))


def _panel(tones: Tones) -> tuple[Shape, ...]:
    """The ground of the picture: a standing stone with a braid at either end."""
    x, y, wide, high = _PANEL
    inner = rectangle(x + 1.2, y + 1.2, wide - 2.4, high - 2.4, 4.6)
    end = (
        *_braid(tones),
        stroke([(x + 3, 18.8), (WIDTH - x - 3, 18.8)], 0.7, tones.deep),
    )
    return (
        area(rectangle(x, y, wide, high, 5.5), tones.main),
        stroke(inner, 0.7, tones.deep, closed=True),
        *end,
        *upside_down(end, WIDTH, HEIGHT),
    )


def _braid(tones: Tones) -> tuple[Shape, ...]:
    """Two strands wound about each other, along the top of the stone."""
    left, right, middle = _PANEL[0] + 4.5, WIDTH - _PANEL[0] - 4.5, 12.8
    at = np.linspace(0, 1, 121)
    swing = 3.2 * np.cos(at * 6 * np.pi)
    strands = [np.stack([left + at * (right - left), middle + s * swing], 1) for s in (1, -1)]
    shapes: list[Shape] = [stroke(strand, 1.7, PAPER) for strand in strands]
    for crossing in range(6):
        middle_of = 10 + 20 * crossing
        over = strands[crossing % 2]
        shapes.append(stroke(over[middle_of - 4 : middle_of + 5], 2.9, tones.main))
        shapes.append(stroke(over[middle_of - 9 : middle_of + 10], 1.7, PAPER))
    return tuple(shapes)


def back() -> Face:
    """Two ravens on a sun wheel."""
    night: Colour = (28, 48, 84)
    gold: Colour = (226, 190, 110)
    raven = moved(emblems.raven(Tones(night, night, gold)), 0, -22.6, 0.43)
    half = (*raven, *_wedge(gold))
    shapes = (
        area(rectangle(3, 3, WIDTH - 6, HEIGHT - 6, 3), night),
        stroke(rectangle(5.2, 5.2, WIDTH - 10.4, HEIGHT - 10.4, 2.2), 0.9, gold, closed=True),
        *moved(half, *_MIDDLE),
        *moved(half, *_MIDDLE, turn=180),
        *moved(_wheel(gold, night), *_MIDDLE),
    )
    return Face(BACK, WIDTH, HEIGHT, shapes, PAPER, same_upside_down=True)


def _wheel(gold: Colour, night: Colour) -> tuple[Shape, ...]:
    rays = [
        shape
        for turn in range(8)
        for shape in moved([area([(-1.1, -4), (1.1, -4), (0, -7.4)], gold)], turn=45 * turn)
    ]
    return (
        area(ellipse(0, 0, 9.4), gold),
        area(ellipse(0, 0, 8.2), night),
        *rays,
        area(ellipse(0, 0, 4.2), gold),
        area(ellipse(0, 0, 1.8), night),
    )


def _wedge(gold: Colour) -> tuple[Shape, ...]:
    """Teeth beside the wheel and in two of the corners."""
    teeth = [
        area([(x, -2.6), (x + 3.4, 0), (x, 2.6), (x + 1.3, 0)], gold) for x in (11.5, 15.5, 19.5)
    ]
    corner = [
        area([(side * 24, -36.5), (side * 18, -36.5), (side * 24, -30.5)], gold)
        for side in (-1, 1)
    ]  # fmt: skip
    return (*teeth, *corner)


def _box() -> tuple[BoxPart, ...]:
    *fronts, under = faces()
    return tuple(BoxPart(front, under) for front in fronts)


FACES = Faces(
    deck="odin",
    faces=faces,
    box=_box,
    mat=MatArt(
        ink=(46, 84, 138),
        pale=(222, 231, 243),
        pictures={**USUAL_PICTURES, "middle-1": emblems.knot, "middle-2": emblems.knot},
        mark=1,
    ),
)
