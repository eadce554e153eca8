"""Ordinary playing cards as different publishers print them: a world of printings.

Labels are rank and suit (A 2-9 T J Q K with S H D C), and `joker` and `back`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.sim.faces.canvas import Face, Shape, area, moved, rectangle, stroke
from companion.sim.faces.playing import courts, pip_cards, sitters, suits
from companion.sim.faces.playing.backs import back, joker
from companion.sim.faces.playing.houses import foreign, held_out, plain, printing
from companion.sim.faces.playing.indices import indices
from companion.sim.faces.playing.style import LABELS, RANKS, SUITS, Printing

__all__ = [
    "HOUSES_HELD_OUT",
    "LABELS",
    "RANKS",
    "SUITS",
    "Printing",
    "face",
    "faces",
    "foreign",
    "held_out",
    "plain",
    "printing",
]
_OTHERS = ("joker", "back")
HOUSES_HELD_OUT = tuple(courts.HELD_OUT)


def face(label: str, style: Printing) -> Face:
    one = {"joker": joker, "back": back}[label](style) if label in _OTHERS else _card(label, style)
    if style.scale == 1.0:
        return one
    small = moved(one.shapes, size=style.scale)
    width, height, corner = (v * style.scale for v in (one.width, one.height, one.corner))
    return replace(one, width=width, height=height, corner=corner, shapes=small)


def _card(label: str, style: Printing) -> Face:
    rank, suit = label[0], label[1]
    is_court = rank in "JQK"
    middle = (courts.court if is_court else pip_cards.middle)(rank, suit, style)
    shapes = (*_wash(label, style), *_edge(style), *middle, *indices(rank, suit, style))
    paper = style.edge.colour if style.edge.kind == "border" else style.paper
    same = _same_upside_down(rank, suit, style)
    size = (style.width, style.height)
    return Face(label, *size, shapes, paper, style.corner, same_upside_down=same)


def faces(style: Printing | None = None) -> tuple[Face, ...]:
    """The whole deck: fifty-two cards, a joker and a back."""
    style = style or Printing()
    return tuple(face(label, style) for label in (*LABELS, *_OTHERS))


def _same_upside_down(rank: str, suit: str, style: Printing) -> bool:
    if style.index.corners == "one":
        return False
    if rank in "JQK":
        return style.house in courts.SAME_UPSIDE_DOWN
    if style.pips.middle != "pips":
        return style.pips.middle == "nothing"
    return (rank in "24T" and not style.pips.all_up) or (suit == "D" and rank not in "7")


def _wash(label: str, style: Printing) -> tuple[Shape, ...]:
    """A pale picture under everything, another on each card."""
    if not style.wash or style.edge.kind == "border":
        return ()
    rng = np.random.default_rng([style.seed, 17, LABELS.index(label)])
    return tuple(
        replace(shape, colour=suits.mixed(style.paper, shape.colour, style.wash))
        for shape in sitters.scenery(style, rng)
    )


def _edge(style: Printing) -> tuple[Shape, ...]:
    edge = style.edge
    if edge.kind == "none":
        return ()
    inner = _inset(style, edge.wide)
    if edge.kind == "border":
        return (area(inner, style.paper),)
    lines = [stroke(inner, 0.5, edge.colour, closed=True)]
    if edge.kind == "double":
        lines.append(stroke(_inset(style, edge.wide + 1.2), 0.3, edge.colour, closed=True))
    return tuple(lines)


def _inset(style: Printing, by: float) -> np.ndarray:
    w, h = style.width - 2 * by, style.height - 2 * by
    return rectangle(by, by, w, h, style.edge.inner)
