"""Borders and fields that differ in their pattern, not only in their colour.

A coloured lamp changes colours, but stripes stay stripes and dots stay dots. Every mark is some
three millimetres across, so that a camera a metre above still sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from companion.sim.faces.canvas import (
    Colour,
    Points,
    Shape,
    area,
    ellipse,
    moved,
    path,
    points,
    rectangle,
    regular,
    star,
)

Band = Callable[[float, float], list[Points]]
"""Draws a pattern into a box of that length and height, its top left corner at the origin."""


def _steps(long: float, pitch: float) -> tuple[float, list[float]]:
    """A length cut into equal steps of about `pitch`: how long one is, and where each begins."""
    count = max(1, round(long / pitch))
    step = long / count
    return step, [step * at for at in range(count)]


def bars(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 6.4)
    return [rectangle(x + step / 4, 0, step / 2, high) for x in at]


def teeth(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 6.4)
    return [points([(x, high), (x + step / 2, 0), (x + step, high)]) for x in at]


def dots(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 6.0)
    return [ellipse(x + step / 2, high / 2, min(1.9, high * 0.38)) for x in at]


def checks(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 5.8)
    half = (step / 2, high / 2)
    return [
        rectangle(x + dx, dy, *half) for x in at for dx, dy in ((0.0, 0.0), half)
    ]  # fmt: skip


def lozenges(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 8.0)
    return [
        points([(x, high / 2), (x + step / 2, 0), (x + step, high / 2), (x + step / 2, high)])
        for x in at
    ]


def waves(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 7.4)
    return [ellipse(x + step / 2, high, step / 2, high * 0.86, 180, 360) for x in at]


def slants(long: float, high: float) -> list[Points]:
    step, at = _steps(long, 7.0)
    lean, wide = step / 2, step * 0.44
    return [points([(x + lean, 0), (x + lean + wide, 0), (x + wide, high), (x, high)]) for x in at]


def rails(long: float, high: float) -> list[Points]:
    return [rectangle(0, high * 0.36, long, high * 0.34)]


BANDS: MappingProxyType[str, Band] = MappingProxyType(
    {
        each.__name__: each
        for each in (bars, teeth, dots, checks, lozenges, waves, slants, rails)
    }
)  # fmt: skip


def band(
    kind: str, x: float, y: float, long: float, high: float, ink: Colour, turn: float = 0
) -> tuple[Shape, ...]:
    """A pattern along a line that begins at (x, y), turned about that point by `turn` degrees."""
    return moved([area(each, ink) for each in BANDS[kind](long, high)], x, y, turn=turn)


def frame(
    kind: str, x: float, y: float, side: float, thick: float, ground: Colour, ink: Colour
) -> tuple[Shape, ...]:
    """A square border with the pattern on all four sides; the corners stay plain."""
    long = side - 2 * thick
    end = side
    sides = ((thick, 0.0, 0), (end, thick, 90), (end - thick, end, 180), (0.0, end - thick, 270))
    return (
        area(rectangle(x, y, side, side), ground),
        *(
            shape
            for dx, dy, turn in sides
            for shape in band(kind, x + dx, y + dy, long, thick, ink, turn)
        ),
    )


_SHAPES: tuple[Points, ...] = (
    ellipse(0, 0, 50),
    regular(0, 0, 50, 4),
    path("M-42,-46 L42,-46 L42,6 Q36,38 0,50 Q-36,38 -42,6 Z")[0],
    rectangle(-44, -44, 88, 88, 4),
    regular(0, 0, 50, 6, 0),
    path("M-42,50 L-42,-6 Q-42,-50 0,-50 Q42,-50 42,-6 L42,50 Z")[0],
    star(0, 0, 50, 40, 8, -67.5),
    path("M-50,-26 L-26,-50 L26,-50 L50,-26 L50,26 L26,50 L-26,50 L-50,26 Z")[0],
)
PANELS = len(_SHAPES)


def panel(kind: int, x: float, y: float, size: float, colour: Colour) -> Shape:
    """A plain field about (x, y), `size` tall; each kind has another outline."""
    return area(_SHAPES[kind % PANELS] * (size / 100) + np.array([x, y]), colour)
