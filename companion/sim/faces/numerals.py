"""Large angular numerals for the indices of cards. None of them looks like another one upside
down: 6 leans, 9 stands straight, and both are underlined."""

from __future__ import annotations

from companion.sim.faces.canvas import Colour, Shape, moved, path, stroke

# The middles of the strokes, in a box one unit tall and 0.66 wide.
_CUT = {
    "0": "M.2,0 L.46,0 L.66,.22 L.66,.78 L.46,1 L.2,1 L0,.78 L0,.22 Z",
    "1": "M.1,.2 L.36,0 L.36,1 M.1,1 L.62,1",
    "2": "M0,.24 L.2,0 L.48,0 L.66,.2 L.66,.36 L0,1 L.68,1",
    "3": "M0,0 L.64,0 L.28,.4 L.46,.4 L.66,.6 L.66,.8 L.46,1 L.18,1 L0,.84",
    "4": "M.5,1 L.5,0 L0,.68 L.7,.68",
    "5": "M.62,0 L.08,0 L.04,.44 L.18,.38 L.46,.38 L.66,.58 L.66,.8 L.46,1 L.18,1 L0,.84",
    "6": "M.52,0 L.14,.34 L0,.58 L0,.82 L.18,1 L.48,1 L.66,.82 L.66,.62 L.48,.45 L.18,.45 L.02,.62",
    "7": "M0,0 L.66,0 L.26,1 M.2,.5 L.62,.5",
    "8": "M.2,.45 L.04,.3 L.04,.14 L.2,0 L.46,0 L.62,.14 L.62,.3 L.46,.45 L.2,.45 L0,.62 L0,.82"
    " L.2,1 L.46,1 L.66,.82 L.66,.62 L.46,.45",
    "9": "M.64,.52 L.18,.52 L0,.36 L0,.16 L.18,0 L.46,0 L.64,.16 L.64,1",
}
WIDTH = 0.66
"""Of the box, its height being 1."""
_PEN = 0.19
"""The width of the strokes."""


def numeral(digit: int, x: float, y: float, height: float, colour: Colour) -> tuple[Shape, ...]:
    """A digit `height` tall, the top left corner of its ink at (x, y)."""
    tall = height / (1 + _PEN)
    edge = tall * _PEN / 2
    lines = [stroke(line, _PEN, colour) for line in path(_CUT[str(digit)])]
    return moved(lines, x + edge, y + edge, tall)


def width(height: float) -> float:
    return height * (WIDTH + _PEN) / (1 + _PEN)


def needs_line(digit: int) -> bool:
    """Whether the digit is underlined, so that nobody reads it upside down."""
    return digit in (6, 9)
