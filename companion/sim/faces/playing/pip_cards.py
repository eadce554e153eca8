"""Aces to tens: pips in their places, ornamental aces, and what modern houses print instead."""

from __future__ import annotations

import numpy as np

from companion.sim.faces.canvas import Shape, ellipse, moved, star, stroke
from companion.sim.faces.playing import indices
from companion.sim.faces.playing.layouts import Spots, spots
from companion.sim.faces.playing.style import SUITS, Printing


def middle(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    if rank == "A":
        return _ace(suit, style)
    match style.pips.middle:
        case "sign":
            big = indices.sign(suit, style.height * 0.34, style)
            return moved(big, style.width / 2, style.height / 2)
        case "numeral":
            return _numeral(rank, suit, style)
        case "nothing":
            return ()
        case _:
            return _pips(rank, suit, style)


def _pips(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    pips = style.pips
    places = spots(rank, pips.layout)
    size = min(pips.size, 0.98 * _nearest(places, pips.column, pips.row))
    up = indices.sign(suit, size, style)
    out: list[Shape] = []
    for column, row in places:
        turn = 180 if row > 0 and not pips.all_up else 0
        turn += 90 if pips.sideways else 0
        x = style.width / 2 + column * pips.column
        out.extend(moved(up, x, style.height / 2 + row * pips.row, turn=turn))
    return tuple(out)


def _nearest(places: Spots, column: float, row: float) -> float:
    """How far the two nearest pips are from each other: none may be larger."""
    at = np.array(places) * (column, row)
    far = np.abs(at[:, None] - at[None]).max(2)
    return float((far + np.eye(len(at)) * 1e3).min())


def _numeral(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    size = style.height * 0.4
    text = style.index.letters.get(rank, rank)
    word = indices.written(text, style.index.pen, size, style.width * 0.55, style.ink(suit))
    return moved(word, style.width / 2, style.height / 2 - size / 2)


def _ace(suit: str, style: Printing) -> tuple[Shape, ...]:
    rng = np.random.default_rng([style.seed, 7, SUITS.index(suit)])
    x, y = style.width / 2, style.height / 2
    size = style.pips.size * style.big_ace * (1.4 if suit == "S" else 1.0)
    size = min(size, style.width * 0.62)
    out = list(moved(indices.sign(suit, size, style), x, y))
    if not style.ornate[0 if suit == "S" else 1]:
        return tuple(out)
    ink = style.ink(suit)
    out += moved(
        indices.sign(suit, size * rng.uniform(0.5, 0.8), style, style.paper, "plain"),
        x,
        y + size * 0.04,
    )
    out += moved(indices.sign(suit, size * rng.uniform(0.15, 0.4), style, finish="plain"), x, y)
    for _ in range(int(rng.integers(0, 4))):
        far = size * rng.uniform(0.55, 0.9)
        match int(rng.integers(3)):
            case 0:
                ring = ellipse(x, y, far * rng.uniform(0.6, 1), far)
                out.append(stroke(ring, rng.uniform(0.3, 1.2), ink, closed=True))
            case 1:
                rays = star(x, y, far, far * rng.uniform(0.8, 0.97), int(rng.integers(8, 28)))
                out.append(stroke(rays, rng.uniform(0.2, 0.6), ink, closed=True))
            case _:
                petals = int(rng.integers(4, 12))
                for k in range(petals):
                    a = 2 * np.pi * k / petals
                    spot = ellipse(x + far * np.cos(a), y + far * np.sin(a), size * 0.06)
                    out.append(stroke(spot, 0.5, ink, closed=True))
    if rng.random() < 0.5:
        word = indices.word(indices.random_word(rng), style, float(rng.uniform(2, 4)), ink)
        out += moved(word, x, y + size * 0.6)
        if rng.random() < 0.5:
            out += moved(word, x, y - size * 0.6, turn=180)
    return tuple(out)
