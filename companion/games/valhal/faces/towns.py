"""Valhal's town cards: each with a coat of arms, and fields for what the rulebook does not tell.

No two towns have the same arms, and towns of one colour also differ in the border and in the shape
of the field behind the arms.
"""

from __future__ import annotations

from companion.games.valhal.faces import places
from companion.games.valhal.rules.vocabulary import LEVELS
from companion.sim.faces import beings, emblems, numerals, patterns
from companion.sim.faces.canvas import (
    Area,
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    moved,
    path,
    rectangle,
    stroke,
)
from companion.sim.faces.emblems import Emblem, Tones, fitted
from companion.sim.faces.signs import INK, PAPER

SIDE = 56.0
"""Of a square card, in millimetres as in every drawing."""
TOWNS = 24
"""VHAL-COMP: town cards in the box, of all levels."""

_FIELD: Colour = (236, 230, 214)
_PALE_LINE: Colour = (176, 166, 146)
_COLOURS: tuple[Colour, ...] = (
    (36, 96, 168),
    (214, 108, 36),
    (38, 128, 74),
    (122, 66, 146),
    (222, 172, 40),
    (82, 88, 100),
    (182, 42, 58),
    (32, 142, 150),
)
_ARMS: tuple[Emblem, ...] = (
    beings.sun,
    beings.stag,
    beings.harp,
    places.tower,
    beings.tree,
    emblems.horn,
    emblems.knot,
    emblems.hammer,
    places.moon,
    emblems.goat,
    places.stave_church,
    beings.hand,
    beings.apple,
    beings.salmon,
    places.key,
    emblems.raven,
    beings.sword,
    emblems.axes,
    beings.snow,
    places.crown,
    places.bridge,
    beings.cat,
    emblems.serpent,
    places.mill,
)
ARMS = 41.0
"""The side of the square with the arms. Right of it is a column for number and glory, below it are
the strengths."""
_THICK = 6.0
"""The width of the border about the arms."""


def field(x: float, y: float, wide: float, high: float) -> tuple[Shape, ...]:
    """A pale field to write in."""
    box = rectangle(x, y, wide, high, 1.2)
    return (area(box, _FIELD), stroke(box, 0.35, _PALE_LINE, closed=True))


def deeper(colour: Colour) -> Colour:
    red, green, blue = (round(part * 0.42) for part in colour)
    return red, green, blue


def towns() -> tuple[Face, ...]:
    """Every town card of the box."""
    return tuple(_town(number, arms) for number, arms in enumerate(_ARMS, 1))


def _town(number: int, arms: Emblem) -> Face:
    group = number // len(_COLOURS)
    colour = _COLOURS[number % len(_COLOURS)]
    tones = Tones(colour, deeper(colour), PAPER)
    border = list(patterns.BANDS)[(number + 3 * group) % len(patterns.BANDS)]
    ground, ink = ((PAPER, tones.deep), (tones.deep, PAPER), (colour, PAPER))[group % 3]
    middle = ARMS / 2
    inner = ARMS - 2 * _THICK
    shapes = (
        *patterns.frame(border, 0, 0, ARMS, _THICK, ground, ink),
        area(rectangle(_THICK, _THICK, inner, inner), tones.deep),
        patterns.panel(number + 5 * group, middle, middle, inner - 0.6, colour),
        *fitted(arms(tones), middle, middle, inner * 0.78, inner * 0.78),
        *_column(number, tones),
        *_strengths(),
        *_levels(),
    )
    return Face(f"town-{number}", SIDE, SIDE, shapes, PAPER)


_STAR = "M0,-12 L3.2,-4 L12,-3.2 L5.1,2.4 L7.3,11 L0,6.2 L-7.3,11 L-5.1,2.4 L-12,-3.2 L-3.2,-4 Z"


def _column(number: int, tones: Tones) -> tuple[Shape, ...]:
    """The number of the card, on a banner so that nobody takes it for a strength; below it a star
    and a field for its glory."""
    left, wide = ARMS, SIDE - ARMS
    middle = left + wide / 2
    cloth = [(left, 0), (SIDE, 0), (SIDE, 19), (middle, 15), (left, 19)]
    high, digits = 8.8, str(number)
    step = numerals.width(high) + 0.5
    at = middle - (step * len(digits) - 0.5) / 2
    return (
        area(rectangle(left, 0, wide, ARMS), tones.main),
        area(cloth, tones.deep),
        *(
            shape
            for place, digit in enumerate(digits)
            for shape in numerals.numeral(int(digit), at + place * step, 2.6, high, PAPER)
        ),
        *moved([emblems.filled(_STAR, PAPER)], middle, 24.4, 0.36),
        *field(left + 2.5, 29.5, wide - 5, 9),
    )


def _strengths() -> tuple[Shape, ...]:
    """Two fortifications: hit points, base attack, dice, each with two fields."""
    shapes: list[Shape] = []
    marks: tuple[tuple[Shape, ...], ...] = (
        (emblems.filled(SHIELD, INK),),
        (emblems.filled(BLADE, INK),),
        die(INK, PAPER),
    )
    for place, mark in enumerate(marks):
        x = 2.2 + place * 17.6
        shapes.extend(moved(mark, x + 2.2, 45.8, 0.2))
        shapes.extend(field(x + 5.0, 42.6, 5.7, 6.4))
        shapes.extend(field(x + 11.1, 42.6, 5.7, 6.4))
    return tuple(shapes)


SHIELD = "M-9,-10 L9,-10 L9,0 Q8,8 0,12 Q-8,8 -9,0 Z"
BLADE = "M0,-12 L3,-8 L3,4 L8,4 L8,7 L2,7 L2,12 L-2,12 L-2,7 L-8,7 L-8,4 L-3,4 L-3,-8 Z"
_HUT = "M-8,0 L-8,-7 L-10,-7 L0,-16 L10,-7 L8,-7 L8,0 Z M-2,0 L-2,-5 L2,-5 L2,0 Z"


def die(ink: Colour, pip: Colour) -> tuple[Shape, ...]:
    spots = [area(ellipse(x, y, 2.2), pip) for x, y in ((-4.5, -4.5), (0, 0), (4.5, 4.5))]
    return (area(rectangle(-10, -10, 20, 20, 4), ink), *spots)


def _levels() -> tuple[Shape, ...]:
    """Four signs of which the owner ticks one: village and town, each also fortified."""
    shapes: list[Shape] = []
    for place, level in enumerate(LEVELS):
        x = 4.5 + place * 12.6
        shapes.append(stroke(ellipse(x + 1.2, 52.4, 1.6), 0.4, INK, closed=True))
        house = places.STAVE if "town" in level else _HUT
        size = 0.17 if "town" in level else 0.24
        shapes.extend(moved([Area(path(house), INK)], x + 6, 54.2, size))
        if level.startswith("fortified"):
            shapes.append(stroke([(x + 3.4, 54.6), (x + 8.6, 54.6)], 0.9, INK))
            shapes += [
                stroke([(x + 3.4 + i * 1.3, 54.4), (x + 3.4 + i * 1.3, 53)], 0.5, INK)
                for i in range(5)
            ]
    return tuple(shapes)
