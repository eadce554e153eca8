"""The corner index: rank and suit, as people hold their cards by."""

from __future__ import annotations

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Points,
    Shape,
    area,
    moved,
    rectangle,
    upside_down,
)
from companion.sim.faces.glyphs import Pen, lettering
from companion.sim.faces.glyphs import width as stroke_width
from companion.sim.faces.playing import outlines, suits
from companion.sim.faces.playing.style import SUITS, Lettering, Printing


def written(
    text: str, pen: Lettering, height: float, most: float, colour: Colour
) -> tuple[Shape, ...]:
    """The word about x = 0, from y = 0 down to `height`, no wider than `most`."""
    if pen.typeface is None:
        return _stroked(text, pen, height, most, colour)
    spacing = 0.02 if len(text) > 1 else 0.0
    wide = outlines.width(text, pen.typeface, spacing) * pen.stretch * height
    stretch = pen.stretch * min(1.0, most / wide) * height
    word = outlines.word(text, pen.typeface, (stretch, height), colour, spacing)
    areas = [shape for shape in word if isinstance(shape, Area)]
    top = min(float(ring[:, 1].min()) for shape in areas for ring in shape.rings)
    foot = max(float(ring[:, 1].max()) for shape in areas for ring in shape.rings)
    # Old-style figures hang and rise: of an index all stand on one line and are as high.
    grow = height / max(foot - top, height * 0.5)
    return tuple(
        Area(tuple((ring - (min(wide, most) / 2, top)) * (1.0, grow) for ring in s.rings), colour)
        for s in areas
    )


def _stroked(
    text: str, pen: Lettering, height: float, most: float, colour: Colour
) -> tuple[Shape, ...]:
    double = len(text) > 1
    narrow = pen.stretch * (0.72 if double else 1.0)
    with_pen = Pen(colour, pen.weight, narrow, 0, 0.1 if double else 0.2, pen.feet)
    wide = stroke_width(text, height, with_pen)
    if wide > most:
        spacing = with_pen.spacing * 0.8
        with_pen = Pen(colour, pen.weight, narrow * most / wide, 0, spacing, pen.feet)
    return lettering(text, 0, 0, height, with_pen, anchor="middle")


def sign(
    suit: str, size: float, style: Printing, colour: Colour | None = None, finish: str | None = None
) -> tuple[Shape, ...]:
    """A suit's sign about the origin, as this house draws it."""
    ink = style.ink(suit) if colour is None else colour
    rings = style.pips.outlines[SUITS.index(suit)]
    how = style.pips.finish if finish is None else finish
    return suits.shapes(rings, (size * style.pips.wide, size), ink, how, style.paper)


def corner(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    """Rank and suit in the top left corner."""
    index = style.index
    ink = style.ink(suit)
    text = index.letters.get(rank, rank)
    most = _most(style)
    out: list[Shape] = []
    high = index.height + (1.2 + index.sign if index.sign and index.sign_at == "below" else 0)
    if index.boxed is not None:
        box = rectangle(index.x - most / 2 - 0.6, index.y - 1, most + 1.2, high + 2, 1)
        out.append(area(box, index.boxed))
    y = index.y + (index.sign + 1.2 if index.sign_at == "above" else 0)
    out += moved(written(text, index.pen, index.height, most, ink), index.x, y)
    if index.sign:
        finish = "plain" if style.pips.finish in ("cored", "starred", "split") else None
        out += moved(sign(suit, index.sign, style, finish=finish), *_sign_at(style))
    return tuple(out)


def boxes(style: Printing) -> tuple[Points, Points | None]:
    """Where in the top left corner the rank stands, and the suit's sign if there is one."""
    index = style.index
    y = index.y + (index.sign + 1.2 if index.sign_at == "above" else 0)
    half = index.height * 0.4
    rank = rectangle(index.x - half, y, 2 * half, index.height)
    if not index.sign:
        return rank, None
    x, y = _sign_at(style)
    return rank, rectangle(x - index.sign / 2, y - index.sign / 2, index.sign, index.sign)


def _sign_at(style: Printing) -> tuple[float, float]:
    index = style.index
    match index.sign_at:
        case "above":
            return index.x, index.y + index.sign / 2
        case "beside":
            aside = _most(style) / 2 + index.sign * 0.6
            return index.x + aside, index.y + index.height * 0.5
        case _:
            return index.x, index.y + index.height + 1.2 + index.sign / 2


def _most(style: Printing) -> float:
    """How wide a rank may be."""
    return 2 * (style.index.x - style.edge.wide) - (1.0 if style.edge.wide else 2.0)


def indices(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    """Those in all the corners that have one."""
    left = corner(rank, suit, style)
    if style.index.corners == "one":
        return left
    if style.index.corners == "four":
        away = style.width - 2 * style.index.x
        if style.index.sign_at == "beside":
            away -= style.index.sign * 1.2
        left = (*left, *moved(left, away, 0))
    return (*left, *upside_down(left, style.width, style.height))


def word(text: str, style: Printing, height: float, colour: Colour) -> tuple[Shape, ...]:
    """Any word in the house's letters, about x = 0."""
    return written(text, style.index.pen, height, style.width * 0.8, colour)


def random_word(rng: np.random.Generator, shortest: int = 4, longest: int = 9) -> str:
    return "".join(rng.choice(list("ABCDEFGHILMNOPRSTUVY"), int(rng.integers(shortest, longest))))
