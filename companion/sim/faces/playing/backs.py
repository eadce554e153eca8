"""Backs and jokers."""

from __future__ import annotations

import numpy as np

from companion.sim.faces.canvas import (
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    moved,
    rectangle,
    star,
    stroke,
    upside_down,
)
from companion.sim.faces.playing import indices
from companion.sim.faces.playing.sitters import scenery
from companion.sim.faces.playing.style import Printing

_INKS: tuple[Colour, ...] = ((170, 25, 40), (25, 50, 140), (20, 20, 25), (20, 95, 60))


def back(style: Printing) -> Face:
    """A pattern with or without a pale edge."""
    rng = np.random.default_rng([style.seed, 13])
    ink = _INKS[int(rng.integers(len(_INKS)))]
    if rng.random() < 0.25:
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))  # type: ignore[assignment]
    w, h = style.width, style.height
    edge = rng.uniform(0, 6) * (rng.random() < 0.8)
    step, kind = rng.uniform(2.5, 8), int(rng.integers(6))
    half: list[Shape] = []
    for x in np.arange(edge, w - edge, step):
        for y in np.arange(edge, h / 2, step):
            half.extend(_cell(kind, float(x), float(y), step, style.paper))
    ground = area(rectangle(edge, edge, w - 2 * edge, h - 2 * edge, 2), ink)
    shapes = [ground, *half, *upside_down(half, w, h)]
    if rng.random() < 0.4:
        r = rng.uniform(8, 18)
        shapes += [
            area(ellipse(w / 2, h / 2, r), style.paper),
            area(star(w / 2, h / 2, r * 0.8, r * 0.4, 8), ink),
        ]
    return Face("back", w, h, tuple(shapes), style.paper, style.corner, same_upside_down=True)


def _cell(kind: int, x: float, y: float, step: float, paper: Colour) -> list[Shape]:
    mid = (x + step / 2, y + step / 2)
    match kind:
        case 0:
            a = stroke([(x, y), (x + step, y + step)], step * 0.12, paper)
            return [a, stroke([(x + step, y), (x, y + step)], step * 0.12, paper)]
        case 1:
            return [area(ellipse(*mid, step * 0.3), paper)]
        case 2:
            return [stroke(ellipse(*mid, step * 0.42), step * 0.1, paper, closed=True)]
        case 3:
            return [area(star(*mid, step * 0.45, step * 0.2, 4), paper)]
        case 4:
            return [stroke([(x, y + step / 2), (x + step, y + step / 2)], step * 0.25, paper)]
        case _:
            wave = [(x, y), (x + step / 2, y + step / 3), (x + step, y)]
            return [stroke(wave, step * 0.15, paper)]


def joker(style: Printing) -> Face:
    rng = np.random.default_rng([style.seed, 11])
    colour = style.ink("H") if rng.random() < 0.5 else style.ink("S")
    size = rng.uniform(4, 6)
    corner: list[Shape] = []
    pen = style.index.pen
    if rng.random() < 0.7:
        for i, letter in enumerate("JOKER"):
            word = indices.written(letter, pen, size, size, colour)
            corner.extend(moved(word, 5.5, 4 + i * size * 1.35))
    else:
        word = indices.written("JOKER", pen, size, style.height * 0.4, colour)
        corner.extend(moved(word, 8.5, style.height * 0.27, turn=90))
    shapes = (*scenery(style, rng), *corner, *upside_down(corner, style.width, style.height))
    return Face("joker", style.width, style.height, shapes, style.paper, style.corner)
