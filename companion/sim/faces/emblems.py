"""The pictures on our cards, each drawn about the origin and about 100 units tall.

A picture has three flat tones: `light` for what stands on the ground, `main` where the ground
itself shines through, `deep` for shadows and details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Points,
    Shape,
    area,
    ellipse,
    mirrored,
    moved,
    path,
    rectangle,
    stroke,
)


@dataclass(frozen=True, slots=True)
class Tones:
    main: Colour
    deep: Colour
    light: Colour


Emblem = Callable[[Tones], tuple[Shape, ...]]


def filled(code: str, colour: Colour) -> Area:
    """The lines of a path filled as one area; a line inside another one is a hole."""
    return Area(path(code), colour)


def drawn(code: str, width: float, colour: Colour) -> tuple[Shape, ...]:
    return tuple(stroke(line, width, colour) for line in path(code))


def both(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes and their mirror images."""
    shapes = tuple(shapes)
    return (*shapes, *mirrored(shapes))


def disc(x: float, y: float, radius: float, colour: Colour) -> Area:
    return area(ellipse(x, y, radius), colour)


def ring(x: float, y: float, outer: float, inner: float, colour: Colour) -> Area:
    return Area((ellipse(x, y, outer), ellipse(x, y, inner)), colour)


def fitted(
    shapes: tuple[Shape, ...], x: float, y: float, wide: float, high: float
) -> tuple[Shape, ...]:
    """The shapes as large as they fit into a box about (x, y), in its middle."""
    left, top, right, bottom = _extent(shapes)
    size = min(wide / (right - left), high / (bottom - top))
    return moved(shapes, x - size * (left + right) / 2, y - size * (top + bottom) / 2, size)


def _extent(shapes: tuple[Shape, ...]) -> tuple[float, float, float, float]:
    lows, highs = [], []
    for shape in shapes:
        pen = 0.0 if isinstance(shape, Area) else shape.width / 2
        every = np.concatenate(shape.rings) if isinstance(shape, Area) else shape.line
        lows.append(every.min(0) - pen)
        highs.append(every.max(0) + pen)
    (left, top), (right, bottom) = np.min(lows, 0), np.max(highs, 0)
    return float(left), float(top), float(right), float(bottom)


# -- things -----------------------------------------------------------------------------


def horn(t: Tones) -> tuple[Shape, ...]:
    body = "M-40,-30 C-40,20 -6,50 32,36 Q45,29 46,6 Q37,21 25,18 C6,13 -5,-6 -6,-30 Z"
    shade = "M-23,-30 C-22,10 2,36 30,29 Q42,24 46,6 Q37,21 25,18 C6,13 -5,-6 -6,-30 Z"
    return (
        disc(-35, -40, 7, t.light),
        disc(-24, -45, 9, t.light),
        disc(-11, -41, 7, t.light),
        filled(body, t.light),
        filled(shade, t.deep),
        *drawn("M-37,-8 Q-20,2 -1,-9", 4, t.main),
        *drawn("M-29,14 Q-11,16 6,4", 4, t.main),
        *drawn("M-12,33 Q1,26 11,12", 4, t.main),
        area(rectangle(-46, -36, 46, 11, 4), t.light),
        area(rectangle(-46, -29, 46, 4, 2), t.deep),
        disc(46, 5, 4.5, t.light),
    )


def raven(t: Tones) -> tuple[Shape, ...]:
    """Looking right, about 90 wide and 60 tall."""
    body = (
        "M48,-17 Q38,-23 30,-22 C24,-33 8,-33 3,-20 C-4,-8 -22,4 -46,17 L-50,25 L-28,21"
        " L-32,27 C-8,28 22,20 29,-4 Q31,-10 32,-13 Z"
    )
    wing = "M-2,-9 C10,0 9,12 -6,17 L-34,19 L-20,13 L-30,10 L-14,6 Z"
    return (
        *drawn("M2,20 L-2,31 L8,31 M12,17 L11,31 L21,31", 3.4, t.light),
        filled(body, t.light),
        filled(wing, t.deep),
        disc(19, -20, 3.2, t.deep),
    )


def ravens(t: Tones) -> tuple[Shape, ...]:
    """Thought and Memory: one light, one dark."""
    dark = Tones(t.main, t.light, t.deep)
    return (*moved(raven(t), 0, -29, 0.97), *moved(mirrored(raven(dark)), 0, 31, 0.97))


def knot(t: Tones) -> tuple[Shape, ...]:
    """One strand in three loops that passes over and under itself."""
    at = np.linspace(0, 2 * np.pi, 181)
    x, y = np.sin(at) - 2 * np.sin(2 * at), np.cos(at) + 2 * np.cos(2 * at)
    line = np.stack([x, -y], 1)[:-1] * 17
    out: list[Shape] = [
        stroke(line, 15, t.deep, closed=True),
        stroke(line, 9, t.light, closed=True),
    ]
    for turn in range(3):  # the three places where it passes over
        bit = np.roll(line, -(60 * turn + _OVER), axis=0)[:25]
        out += [stroke(bit[7:-7], 15, t.deep), stroke(bit, 9, t.light)]
    return tuple(out)


_OVER = 11
"""The point of the knot's line where it first passes over itself."""


def longship(t: Tones) -> tuple[Shape, ...]:
    hull = (
        "M-50,-6 Q-44,-14 -38,-9 Q-34,-4 -39,0 C-36,16 -24,20 0,20 C24,20 36,16 38,-2"
        " Q38,-14 28,-16 Q42,-24 47,-10 Q50,4 44,20 Q38,38 20,38 L-20,38"
        " Q-42,38 -45,8 Q-46,0 -50,-6 Z"
    )
    sail = "M-27,-44 Q0,-50 27,-44 Q33,-20 27,2 Q0,10 -27,2 Q-21,-20 -27,-44 Z"
    stripes = (
        "M-13,-47 L-1,-47.5 Q5,-22 0,6 L-13,5 Q-6,-20 -13,-47 Z"
        " M14,-46.5 L27,-44 Q33,-20 27,2 L14,5 Q20,-20 14,-46.5 Z"
    )
    return (
        area(rectangle(-1.8, -50, 3.6, 72), t.deep),
        filled(sail, t.light),
        filled(stripes, t.deep),
        *drawn("M-29,-44 Q0,-51 29,-44", 3.6, t.light),
        filled(hull, t.light),
        *(disc(x, 19, 7.2, t.deep) for x in (-27, -9, 9, 27)),
        *(disc(x, 19, 2.4, t.light) for x in (-27, -9, 9, 27)),
        *drawn("M-33,30 Q0,36 33,30", 2, t.main),
        *drawn("M-46,46 Q-38,40 -30,46 Q-22,52 -15,46 Q-7,40 0,46 Q7,52 15,46 Q22,40 30,46"
               " Q38,52 46,46", 3.4, t.light),
    )  # fmt: skip


def hammer(t: Tones) -> tuple[Shape, ...]:
    return (
        area(rectangle(-6.5, -8, 13, 50, 2), t.light),
        area(rectangle(-6.5, 8, 13, 5), t.deep),
        area(rectangle(-6.5, 18, 13, 5), t.deep),
        area(rectangle(-6.5, 28, 13, 5), t.deep),
        ring(0, 44, 7.5, 3.2, t.light),
        filled("M-38,-44 L38,-44 L46,-36 L46,-16 L38,-8 L12,-8 L0,4 L-12,-8 L-38,-8"
               " L-46,-16 L-46,-36 Z", t.light),
        filled("M-46,-24 L46,-24 L46,-16 L38,-8 L12,-8 L0,4 L-12,-8 L-38,-8 L-46,-16 Z", t.deep),
        area(rectangle(-33, -44, 6, 36), t.main),
        area(rectangle(27, -44, 6, 36), t.main),
        filled("M0,-40 L12,-26 L0,-12 L-12,-26 Z M0,-34 L7,-26 L0,-18 L-7,-26 Z", t.light),
        filled("M0,-34 L7,-26 L0,-18 L-7,-26 Z", t.main),
    )  # fmt: skip


def axe(t: Tones) -> tuple[Shape, ...]:
    blade = "M4,-38 L-9,-38 Q-24,-40 -33,-50 Q-45,-24 -33,6 Q-26,-8 -9,-14 L4,-14 Z"
    edge = "M-33,-50 Q-45,-24 -33,6 Q-29,-2 -25,-5 Q-34,-24 -25,-43 Q-29,-46 -33,-50 Z"
    return (
        filled("M1,-48 L10,-48 L10,20 L13,58 L4,58 L1,20 Z", t.light),
        filled("M6,-10 L10,-10 L10,20 L13,58 L9,58 L6,20 Z", t.deep),
        filled(blade, t.light),
        filled(edge, t.deep),
        area(rectangle(-2, -40, 16, 28, 2), t.light),
        area(rectangle(-2, -31, 16, 3.4), t.deep),
        area(rectangle(-2, -24, 16, 3.4), t.deep),
        *drawn("M-17,-26 L-11,-26 M-14,-30 L-14,-22", 2.4, t.main),
    )


def axes(t: Tones) -> tuple[Shape, ...]:
    one = moved(axe(t), -3, -6)
    over = moved(_cased_shapes(one, t.main), 0, 0, 0.94, -27)
    return (*moved(mirrored(one), 0, 0, 0.94, 27), *over)


def _cased_shapes(shapes: tuple[Shape, ...], casing: Colour) -> tuple[Shape, ...]:
    """The shapes with a rim in the colour of the ground, to stand out from what they lie over."""
    rims = tuple(
        stroke(outline, 5, casing, closed=True)
        for shape in shapes
        if isinstance(shape, Area)
        for outline in shape.rings
    )
    return (*rims, *shapes)


def shield(t: Tones) -> tuple[Shape, ...]:
    """Seven blades about the boss."""
    out: list[Shape] = [disc(0, 0, 50, t.light), disc(0, 0, 44, t.deep)]
    for turn in range(7):
        blade = filled("M0,0 Q-8,-24 3,-43 Q13,-42 20,-37 Q8,-20 0,0 Z", t.light)
        out.extend(moved([blade], turn=turn * 360 / 7))
    for turn in range(7):
        out.extend(moved([disc(0, -47, 2.1, t.deep)], turn=(turn + 0.5) * 360 / 7))
    out += [disc(0, 0, 15, t.main), disc(0, 0, 12, t.light), disc(0, 0, 5, t.deep)]
    return tuple(out)


def serpent(t: Tones) -> tuple[Shape, ...]:
    """The world serpent, lying in the form of an 8."""
    at = np.linspace(0.36, 2 * np.pi - 0.12, 160)
    line = np.stack([34 * np.sin(2 * at) * (1 + 0.12 * np.cos(at)), -42 * np.cos(at) + 2], 1)
    spots = [disc(x, y, 2.3, t.deep) for x, y in line[18:-14:5] if abs(y - 2) > 12]
    over = line[112:128]
    head = (
        filled("M-13,-4 C-16,-16 -6,-24 4,-21 C16,-18 22,-8 25,3 Q14,6 8,2 L0,8 L-5,3 Z", t.light),
        disc(3, -10, 3.4, t.deep),
        *drawn("M24,3 Q12,1 6,-1", 2.2, t.main),
    )
    return (
        area(np.concatenate([_beside(line[:16], 1.0), _beside(line[:16], -1.0)[::-1]]), t.light),
        stroke(line[14:], 12, t.light),
        stroke(over[4:-4], 20, t.main),
        stroke(over, 12, t.light),
        *spots,
        *moved(head, -10, -35),
    )


def _beside(line: Points, side: float) -> Points:
    """A line beside another one, its distance growing from nearly nothing to six."""
    steps = np.gradient(line, axis=0)
    normal = np.stack([-steps[:, 1], steps[:, 0]], 1) / np.linalg.norm(steps, axis=1)[:, None]
    wide = np.linspace(0.5, 6, len(line))[:, None]
    edge: Points = line + side * wide * normal
    return edge


def allfather(t: Tones) -> tuple[Shape, ...]:
    """A helmet, one eye, and a beard."""
    beard = (
        "M-32,-4 L-34,14 Q-32,30 -24,36 L-22,30 Q-18,42 -10,46 L-8,40 L0,58 L8,40 L10,46"
        " Q18,42 22,30 L24,36 Q32,30 34,14 L32,-4 Z"
    )
    half = (
        filled("M-31,-6 L-7,-6 L-7,12 Q-20,20 -31,8 Z", t.deep),
        *drawn("M-27,20 Q-25,27 -20,30 M-16,26 Q-14,36 -9,39", 2.4, t.deep),
        filled("M0,16 Q-8,12 -19,20 Q-15,27 -6,25 Q-1,24 0,20 Z", t.deep),
        filled("M-37,-18 L0,-12 L0,-2 L-37,-7 Z", t.light),
        *(disc(x, y, 1.8, t.deep) for x, y in ((-31, -12.4), (-20, -10.6), (-9, -8.8))),
    )
    return (
        filled(beard, t.light),
        filled("M-34,-16 C-34,-40 -14,-50 0,-60 C14,-50 34,-40 34,-16 L0,-10 Z", t.light),
        filled("M0,-60 C14,-50 34,-40 34,-16 L0,-10 Z", t.deep),
        filled("M-5,-54 Q0,-62 5,-54 L7,-10 L-7,-10 Z", t.light),
        *both(half),
        filled("M-6,-6 L6,-6 L7,13 L0,18 L-7,13 Z", t.light),
        filled("M-27,4 Q-19,-3 -10,4 Q-19,11 -27,4 Z", t.light),
        disc(-18, 4, 3, t.deep),
        *drawn("M11,4 Q19,8 26,3 M20,-3 L16,13", 2.6, t.light),
    )


def goat(t: Tones) -> tuple[Shape, ...]:
    """The Grumpy Goat."""
    half = (
        filled("M-7,-22 C-10,-44 -26,-52 -38,-42 C-50,-32 -46,-10 -34,-4 C-40,-16 -38,-28 -30,-31"
               " C-24,-33 -19,-26 -18,-14 Z", t.light),
        *drawn("M-38,-39 L-31,-31 M-45,-27 L-37,-24 M-43,-13 L-37,-14 M-26,-45 L-24,-34", 2.6,
               t.deep),
        filled("M-16,-14 Q-34,-14 -44,2 Q-28,8 -15,-1 Z", t.light),
        filled("M-19,-8 Q-30,-9 -37,-1 Q-28,2 -18,-3 Z", t.deep),
    )  # fmt: skip
    eyes = (
        disc(-10, -2, 5, t.deep),
        area(rectangle(-14, -3.2, 8, 2.4), t.light),
        filled("M-21,-14 L-3,-5 L-3,-1 L-21,-8 Z", t.deep),
        disc(-4.5, 22, 2.2, t.deep),
    )
    return (
        *both(half),
        filled("M-18,-18 Q0,-28 18,-18 L17,2 Q13,16 12,26 Q8,36 0,36 Q-8,36 -12,26 Q-13,16 -17,2 Z",
               t.light),
        filled("M-9,34 Q0,38 9,34 L5,46 L1,42 L0,54 L-3,43 L-6,46 Z", t.deep),
        *both(eyes),
        *drawn("M-8,31 Q0,25 8,31", 2.6, t.deep),
        *drawn("M-5,-22 L0,-14 L5,-22", 2.6, t.deep),
    )  # fmt: skip


def goat_mark(colour: Colour) -> tuple[Shape, ...]:
    """The goat as on the page, in a box of -12 to 12."""
    head = (
        "M-7,-10 C-6,-7 -4,-6 -2.5,-5.800 L2.5,-5.800 C4,-6 6,-7 7,-10 C9.5,-6 8,-3 5.5,-2"
        " C5.5,3 3,5.5 2,9 L0,10 L-2,9 C-3,5.5 -5.5,3 -5.5,-2 C-8,-3 -9.5,-6 -7,-10 Z"
    )
    return (filled(head, colour),)
