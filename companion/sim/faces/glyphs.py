"""A stroke font of our own: letters and digits as lines, drawn with any pen.

A glyph is a box of height 1, its width and the path of its strokes. A pen gives the weight, the
stretch, the slant and the feet (serifs).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import Colour, Points, Shape, Stroke, path, points

_GLYPHS: dict[str, tuple[float, str]] = {
    "0": (0.6, "M.3,0 C.05,0 0,.25 0,.5 C0,.75 .05,1 .3,1 C.55,1 .6,.75 .6,.5 C.6,.25 .55,0 .3,0"),
    "1": (0.3, "M0,.22 L.2,0 L.2,1"),
    "2": (0.6, "M.02,.28 C.02,.08 .15,0 .3,0 C.48,0 .6,.1 .6,.27 C.6,.5 .15,.7 0,1 L.6,1"),
    "3": (
        0.58,
        (
            "M.02,.2 C.05,.05 .17,0 .28,0 C.45,0 .55,.1 .55,.25 C.55,.4 .42,.47 .22,.47"
            " M.22,.47 C.45,.47 .58,.57 .58,.73 C.58,.9 .45,1 .28,1 C.12,1 .03,.92 0,.78"
        ),
    ),
    "4": (0.62, "M.46,1 L.46,0 L0,.7 L.62,.7"),
    "5": (
        0.58,
        (
            "M.53,0 L.1,0 L.05,.45 C.12,.38 .2,.35 .29,.35 C.47,.35 .58,.48 .58,.67"
            " C.58,.87 .45,1 .28,1 C.13,1 .03,.93 0,.8"
        ),
    ),
    "6": (
        0.58,
        (
            "M.5,.12 C.44,.04 .38,0 .3,0 C.1,0 0,.22 0,.55 C0,.85 .1,1 .3,1"
            " C.47,1 .58,.88 .58,.69 C.58,.5 .47,.38 .3,.38 C.12,.38 .02,.52 0,.65"
        ),
    ),
    "7": (0.56, "M0,0 L.56,0 C.38,.3 .24,.62 .2,1"),
    "8": (
        0.58,
        (
            "M.29,.46 C.12,.46 .04,.36 .04,.24 C.04,.09 .15,0 .29,0 C.43,0 .54,.09 .54,.24"
            " C.54,.36 .46,.46 .29,.46 C.1,.46 0,.58 0,.73 C0,.9 .12,1 .29,1"
            " C.46,1 .58,.9 .58,.73 C.58,.58 .48,.46 .29,.46"
        ),
    ),
    "9": (
        0.58,
        (
            "M.08,.88 C.14,.96 .2,1 .28,1 C.48,1 .58,.78 .58,.45 C.58,.15 .48,0 .28,0"
            " C.11,0 0,.12 0,.31 C0,.5 .11,.62 .28,.62 C.46,.62 .56,.48 .58,.35"
        ),
    ),
    "A": (0.7, "M0,1 L.35,0 L.7,1 M.12,.66 L.58,.66"),
    "B": (
        0.58,
        (
            "M0,0 L0,1 M0,0 L.3,0 C.45,0 .53,.1 .53,.23 C.53,.37 .45,.47 .3,.47 L0,.47"
            " M.3,.47 C.48,.47 .58,.58 .58,.73 C.58,.9 .48,1 .3,1 L0,1"
        ),
    ),
    "C": (
        0.62,
        "M.6,.22 C.55,.07 .45,0 .33,0 C.1,0 0,.22 0,.5 C0,.78 .1,1 .33,1 C.46,1 .56,.93 .6,.78",
    ),
    "D": (0.62, "M0,0 L0,1 L.25,1 C.5,1 .62,.8 .62,.5 C.62,.2 .5,0 .25,0 L0,0"),
    "E": (0.54, "M.54,0 L0,0 L0,1 L.54,1 M0,.48 L.44,.48"),
    "F": (0.52, "M.52,0 L0,0 L0,1 M0,.48 L.42,.48"),
    "G": (
        0.64,
        (
            "M.6,.2 C.54,.06 .45,0 .33,0 C.1,0 0,.22 0,.5 C0,.78 .1,1 .33,1"
            " C.5,1 .6,.92 .62,.8 L.62,.55 L.38,.55"
        ),
    ),
    "H": (0.62, "M0,0 L0,1 M.62,0 L.62,1 M0,.48 L.62,.48"),
    "I": (0.1, "M.05,0 L.05,1"),
    "J": (0.46, "M.44,0 L.44,.72 C.44,.9 .36,1 .22,1 C.08,1 0,.9 0,.75"),
    "K": (0.62, "M0,0 L0,1 M.58,0 L0,.62 M.2,.42 L.62,1"),
    "L": (0.5, "M0,0 L0,1 L.5,1"),
    "M": (0.78, "M0,1 L0,0 L.39,.7 L.78,0 L.78,1"),
    "N": (0.64, "M0,1 L0,0 L.64,1 L.64,0"),
    "O": (0.7, "M.35,0 C.1,0 0,.22 0,.5 C0,.78 .1,1 .35,1 C.6,1 .7,.78 .7,.5 C.7,.22 .6,0 .35,0"),
    "P": (0.56, "M0,1 L0,0 L.3,0 C.47,0 .56,.1 .56,.27 C.56,.44 .47,.54 .3,.54 L0,.54"),
    "Q": (
        0.7,
        (
            "M.35,0 C.1,0 0,.22 0,.47 C0,.75 .1,.95 .35,.95"
            " C.6,.95 .7,.75 .7,.47 C.7,.22 .6,0 .35,0 M.4,.68 L.68,1.06"
        ),
    ),
    "R": (
        0.58,
        "M0,1 L0,0 L.3,0 C.46,0 .54,.1 .54,.26 C.54,.42 .46,.52 .3,.52 L0,.52 M.3,.52 L.58,1",
    ),
    "S": (
        0.56,
        (
            "M.52,.18 C.47,.05 .38,0 .27,0 C.12,0 .03,.1 .03,.24"
            " C.03,.55 .56,.42 .56,.75 C.56,.9 .44,1 .28,1 C.13,1 .04,.93 0,.8"
        ),
    ),
    "T": (0.6, "M0,0 L.6,0 M.3,0 L.3,1"),
    "U": (0.62, "M0,0 L0,.68 C0,.9 .12,1 .31,1 C.5,1 .62,.9 .62,.68 L.62,0"),
    "V": (0.66, "M0,0 L.33,1 L.66,0"),
    "W": (0.94, "M0,0 L.23,1 L.47,.2 L.71,1 L.94,0"),
    "X": (0.62, "M0,0 L.62,1 M.62,0 L0,1"),
    "Y": (0.62, "M0,0 L.31,.5 L.62,0 M.31,.5 L.31,1"),
    "Z": (0.58, "M0,0 L.58,0 L0,1 L.58,1"),
    "-": (0.4, "M0,.55 L.4,.55"),
    "'": (0.1, "M.05,0 L.05,.22"),
    ".": (0.1, "M.05,.97 L.05,1"),
    "+": (0.5, "M0,.55 L.5,.55 M.25,.3 L.25,.8"),
    "?": (
        0.5,
        "M0,.22 C.02,.05 .12,0 .25,0 C.4,0 .5,.1 .5,.25 C.5,.45 .25,.45 .25,.7 M.25,.97 L.25,1",
    ),
    " ": (0.35, ""),
}
_FEET = {  # where a serif pen sets its short cross strokes: (x, y) in the glyph's box
    "1": ((0.2, 1),), "4": ((0.46, 1),), "7": ((0.2, 1),), "A": ((0, 1), (0.7, 1)),
    "F": ((0, 1),), "H": ((0, 0), (0.62, 0), (0, 1), (0.62, 1)), "I": ((0.05, 0), (0.05, 1)),
    "J": ((0.44, 0),), "K": ((0, 0), (0, 1), (0.6, 0), (0.62, 1)), "N": ((0, 1), (0.64, 0)),
    "M": ((0, 1), (0.78, 1)), "P": ((0, 1),), "R": ((0, 1),), "T": ((0.3, 1),),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pen:
    colour: Colour
    weight: float = 0.16
    """Stroke width as a share of the height."""
    stretch: float = 1.0
    slant: float = 0.0
    spacing: float = 0.2
    feet: bool = False


def width(text: str, height: float, pen: Pen) -> float:
    """How wide the words come out, from ink to ink."""
    boxes = [_GLYPHS[letter][0] * pen.stretch for letter in text.upper()]
    return height * (sum(boxes) + (pen.spacing + pen.weight) * (len(boxes) - 1) + pen.weight)


def lettering(
    text: str, x: float, y: float, height: float, pen: Pen, *, anchor: str = "left"
) -> tuple[Shape, ...]:
    """Words with the top of their ink at y; x is the left end, the middle or the right end of
    their ink, as `anchor` says."""
    at = x - {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * width(text, height, pen)
    inner = height * (1 - pen.weight)
    shapes: list[Shape] = []
    at += height * pen.weight / 2
    for letter in text.upper():
        wide, code = _GLYPHS[letter]
        for line in (*path(code), *(_foot(letter, pen) if pen.feet else ())):
            placed = line * (inner * pen.stretch, inner)
            placed[:, 0] += at + (1 - line[:, 1]) * inner * pen.slant
            placed[:, 1] += y + height * pen.weight / 2
            shapes.append(Stroke(placed, height * pen.weight, pen.colour))
        at += height * (wide * pen.stretch + pen.spacing + pen.weight)
    return tuple(shapes)


def _foot(letter: str, pen: Pen) -> tuple[Points, ...]:
    half = 0.13 / pen.stretch
    return tuple(points([(x - half, y), (x + half, y)]) for x, y in _FEET.get(letter, ()))


def known(text: str) -> str:
    """The words without the letters this font does not have."""
    return "".join(letter for letter in text if letter.upper() in _GLYPHS)


def box(shapes: tuple[Shape, ...]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the shapes' points, stroke widths left out."""
    every = np.concatenate(
        [s.line if isinstance(s, Stroke) else np.concatenate(s.rings) for s in shapes]
    )
    (left, top), (right, bottom) = every.min(0), every.max(0)
    return float(left), float(top), float(right), float(bottom)
