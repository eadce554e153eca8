"""A sign for each of six colours, the same as on the page, in a box of -12 to 12."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Points,
    Shape,
    area,
    ellipse,
    path,
    rectangle,
    stroke,
)
from companion.sim.faces.emblems import Tones

PAPER: Colour = (252, 251, 247)
INK: Colour = (38, 34, 36)


@dataclass(frozen=True, slots=True)
class Sign:
    """A colour of the deck: its tones and the outline that stands for it."""

    tones: Tones
    ink: Colour
    outline: Points


def _flower() -> Points:
    """Five petals: circles of radius 4.6, their middles 6.2 from the middle of the flower."""
    at = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    off = (at + np.pi / 5) % (2 * np.pi / 5) - np.pi / 5
    far = 6.2 * np.cos(off) + np.sqrt(4.6**2 - (6.2 * np.sin(off)) ** 2)
    return np.stack([far * np.sin(at), -far * np.cos(at)], 1)


def _sign(main: Colour, deep: Colour, outline: Points, ink: Colour | None = None) -> Sign:
    return Sign(Tones(main, deep, PAPER), ink or deep, outline)


_DIAMOND = path("M0,-12 L10,0 L0,12 L-10,0")[0]
_TRIANGLE = path("M0,-10.5 L11.5,10 L-11.5,10")[0]
_STAR = path(
    "M0,-12 L3.2,-4 L12,-3.2 L5.1,2.4 L7.3,11 L0,6.2 L-7.3,11 L-5.1,2.4 L-12,-3.2 L-3.2,-4"
)[0]

SIGNS = {
    "b": _sign((47, 118, 200), (16, 54, 110), ellipse(0, 0, 10)),
    "r": _sign((206, 36, 62), (106, 8, 28), _DIAMOND),
    "p": _sign((244, 134, 184), (158, 30, 96), _flower()),
    "g": _sign((58, 166, 96), (10, 78, 42), _TRIANGLE),
    # The deep tone of black is silver: a deeper black could not be seen.
    "k": _sign((58, 48, 46), (158, 146, 136), rectangle(-9.5, -9.5, 19, 19), (30, 24, 24)),
    "o": _sign((242, 140, 40), (150, 66, 0), _STAR),
}


def sign(colour: str, *, rim: float = 0.0) -> tuple[Shape, ...]:
    """The sign of a colour; `rim` is the width of a rim in its ink, 0 for none."""
    found = SIGNS[colour]
    shape: Area = area(found.outline, found.tones.main)
    if not rim:
        return (shape,)
    return (shape, stroke(found.outline, rim, found.ink, closed=True))
