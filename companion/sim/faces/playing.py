"""Ordinary playing cards as different publishers print them.

Labels are rank and suit (A 2-9 T J Q K with S H D C), and `joker` and `back`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Face,
    Points,
    Shape,
    area,
    ellipse,
    moved,
    path,
    rectangle,
    stroke,
    upside_down,
)
from companion.sim.faces.glyphs import Pen, lettering, width

RANKS = "A23456789TJQK"
SUITS = "SHDC"
LABELS = tuple(rank + suit for suit in SUITS for rank in RANKS)

# Outlines of the suits about the origin, their height 1.
_HEART = (
    "M0,.5 C-.12,.28 -.5,.02 -.5,-.22 C-.5,-.42 -.36,-.5 -.25,-.5 C-.12,-.5 -.03,-.42 0,-.3"
    " C.03,-.42 .12,-.5 .25,-.5 C.36,-.5 .5,-.42 .5,-.22 C.5,.02 .12,.28 0,.5"
)
_SPADE = (
    "M0,-.5 C.1,-.28 .48,-.06 .48,.16 C.48,.33 .36,.38 .27,.38 C.16,.38 .07,.31 .03,.2"
    " C.04,.36 .09,.44 .18,.5 L-.18,.5 C-.09,.44 -.04,.36 -.03,.2 C-.07,.31 -.16,.38 -.27,.38"
    " C-.36,.38 -.48,.33 -.48,.16 C-.48,-.06 -.1,-.28 0,-.5"
)
_STRAIGHT = "M0,-.5 L.39,0 L0,.5 L-.39,0 L0,-.5"
_CURVED = "M0,-.5 Q.14,-.2 .4,0 Q.14,.2 0,.5 Q-.14,.2 -.4,0 Q-.14,-.2 0,-.5"
_STEM = "M.04,.05 C.04,.36 .09,.44 .18,.5 L-.18,.5 C-.09,.44 -.04,.36 -.04,.05"

_COLUMNS = {
    "A": ((0, 0.0),),
    "2": ((0, -1.0), (0, 1.0)),
    "3": ((0, -1.0), (0, 0.0), (0, 1.0)),
    "4": ((-1, -1.0), (1, -1.0), (-1, 1.0), (1, 1.0)),
    "5": ((-1, -1.0), (1, -1.0), (0, 0.0), (-1, 1.0), (1, 1.0)),
    "6": ((-1, -1.0), (1, -1.0), (-1, 0.0), (1, 0.0), (-1, 1.0), (1, 1.0)),
    "7": ((-1, -1.0), (1, -1.0), (0, -0.5), (-1, 0.0), (1, 0.0), (-1, 1.0), (1, 1.0)),
    "8": (
        *((-1, -1.0), (1, -1.0), (0, -0.5), (-1, 0.0), (1, 0.0)),
        *((0, 0.5), (-1, 1.0), (1, 1.0)),
    ),
    "9": (
        *((-1, -1.0), (1, -1.0), (-1, -1 / 3), (1, -1 / 3), (0, 0.0)),
        *((-1, 1 / 3), (1, 1 / 3), (-1, 1.0), (1, 1.0)),
    ),
    "T": (
        *((-1, -1.0), (1, -1.0), (0, -2 / 3), (-1, -1 / 3), (1, -1 / 3)),
        *((-1, 1 / 3), (1, 1 / 3), (0, 2 / 3), (-1, 1.0), (1, 1.0)),
    ),
}


@dataclass(frozen=True, slots=True)
class Printing:
    """How one publisher prints the cards. Lengths are in millimetres."""

    width: float = 63.0
    height: float = 88.0
    red: Colour = (200, 22, 38)
    black: Colour = (22, 20, 22)
    paper: Colour = (250, 249, 245)
    weight: float = 0.17
    """Of the strokes of letters, as a share of their height."""
    stretch: float = 0.85
    """How wide letters are, compared with the usual."""
    feet: bool = True
    """Letters have serifs."""
    index_height: float = 9.0
    index_x: float = 6.2
    index_y: float = 4.5
    index_pip: float = 6.5
    """The suit's sign below the rank in a corner."""
    four_indices: bool = False
    """Indices in all four corners instead of two."""
    pip: float = 13.0
    pip_wide: float = 1.0
    """How wide pips are, compared with the usual."""
    column: float = 13.0
    """From the middle of the card to the outer columns of pips."""
    row: float = 28.0
    """From the middle of the card to the outer rows of pips."""
    curved_diamonds: bool = True
    leaf: float = 0.235
    """The radius of a club's leaves, its height being 1."""
    big_ace: float = 1.0
    """How much larger the pip of an ace is."""
    ace_ring: bool = False
    """The ace of spades is ornate."""
    framed: bool = True
    """Court cards have a frame."""
    court_seed: int = 0
    """Of everything drawn at random on court cards, joker and back."""
    all_up: bool = False
    """No pip stands upside down."""


def printing(rng: np.random.Generator) -> Printing:
    """A random printing, within what shops sell."""
    jumbo = rng.random() < 0.3
    bridge = rng.random() < 0.2
    height = rng.uniform(86, 90)
    wide = 57.0 if bridge else rng.uniform(62, 64)
    index = rng.uniform(11, 17) if jumbo else rng.uniform(6.5, 10.5)
    pip = rng.uniform(8.5, 12.5) if jumbo else rng.uniform(9.5, 14.5)
    index_x = rng.uniform(4.6, 6.6) + (index - 8) * 0.25
    column = min(rng.uniform(10.5, 14.5), wide / 2 - index_x - (4.5 if jumbo else 1.0) - pip * 0.15)
    red = (int(rng.integers(165, 240)), int(rng.integers(5, 60)), int(rng.integers(15, 75)))
    ink = int(rng.integers(8, 45))
    return Printing(
        width=wide,
        height=height,
        red=red,
        black=(ink, ink, min(255, ink + int(rng.integers(0, 12)))),
        paper=tuple(int(v) for v in rng.integers(238, 256, 3)),  # type: ignore[arg-type]
        weight=rng.uniform(0.11, 0.23),
        stretch=rng.uniform(0.6, 1.15),
        feet=bool(rng.random() < 0.55),
        index_height=index,
        index_x=index_x,
        index_y=rng.uniform(3.0, 6.0),
        index_pip=rng.uniform(0.5, 0.85) * min(index, 11),
        four_indices=bool(rng.random() < 0.12),
        pip=pip,
        pip_wide=rng.uniform(0.85, 1.1),
        column=column,
        row=rng.uniform(25, 31.5),
        curved_diamonds=bool(rng.random() < 0.6),
        leaf=rng.uniform(0.2, 0.26),
        big_ace=rng.uniform(0.9, 2.4),
        ace_ring=bool(rng.random() < 0.6),
        framed=bool(rng.random() < 0.8),
        court_seed=int(rng.integers(1 << 30)),
        all_up=bool(rng.random() < 0.08),
    )


def pip(suit: str, size: float, colour: Colour, style: Printing) -> tuple[Shape, ...]:
    """A suit's sign about the origin."""
    grown = np.array([size * style.pip_wide, size])
    if suit == "C":
        r = style.leaf
        parts = [
            ellipse(0, -0.5 + r, r),
            ellipse(-0.5 + r, 0.1, r),
            ellipse(0.5 - r, 0.1, r),
            path(_STEM)[0],
            rectangle(-0.1, -0.15, 0.2, 0.3),
        ]
        return tuple(Area((part * grown,), colour) for part in parts)
    diamond = _CURVED if style.curved_diamonds else _STRAIGHT
    outline = path({"H": _HEART, "S": _SPADE, "D": diamond}[suit])[0]
    return (Area((outline * grown,), colour),)


def face(label: str, style: Printing) -> Face:
    if label == "joker":
        return _joker(style)
    if label == "back":
        return _back(style)
    rank, suit = label[0], label[1]
    colour = style.red if suit in "HD" else style.black
    corner = _index(rank, suit, colour, style)
    if rank in "JQK":
        middle = _court(rank, suit, colour, style)
    else:
        middle = _pips(rank, suit, colour, style)
    shapes = (*middle, *corner, *upside_down(corner, style.width, style.height))
    same = rank in "24TJQK" or (suit == "D" and rank not in "7")
    return Face(label, style.width, style.height, shapes, style.paper, same_upside_down=same)


def faces(style: Printing | None = None) -> tuple[Face, ...]:
    """The whole deck: fifty-two cards, a joker and a back."""
    style = style or Printing()
    return tuple(face(label, style) for label in (*LABELS, "joker", "back"))


def _index(rank: str, suit: str, colour: Colour, style: Printing) -> tuple[Shape, ...]:
    text = "10" if rank == "T" else rank
    narrow = style.stretch * (0.72 if rank == "T" else 1.0)
    pen = Pen(colour, style.weight, narrow, 0, 0.1 if rank == "T" else 0.2, style.feet)
    most = 2 * style.index_x - 2.0
    wide = width(text, style.index_height, pen)
    if wide > most:
        pen = Pen(colour, style.weight, narrow * most / wide, 0, pen.spacing * 0.8, style.feet)
    letters = lettering(
        text, style.index_x, style.index_y, style.index_height, pen, anchor="middle"
    )
    at = style.index_y + style.index_height + 1.2 + style.index_pip / 2
    sign = moved(pip(suit, style.index_pip, colour, style), style.index_x, at)
    left = (*letters, *sign)
    if not style.four_indices:
        return left
    right = moved(left, style.width - 2 * style.index_x, 0)
    return (*left, *right)


def _pips(rank: str, suit: str, colour: Colour, style: Printing) -> tuple[Shape, ...]:
    out: list[Shape] = []
    big = style.big_ace if rank == "A" else 1.0
    big *= 1.4 if rank == "A" and suit == "S" else 1.0
    for column, row in _COLUMNS[rank]:
        up = pip(suit, style.pip * big, colour, style)
        turn = 180 if row > 0 and not style.all_up else 0
        x = style.width / 2 + column * style.column
        out.extend(moved(up, x, style.height / 2 + row * style.row, turn=turn))
    if rank == "A" and suit == "S" and style.ace_ring:
        out.extend(_ornate(style, colour))
    return tuple(out)


def _ornate(style: Printing, colour: Colour) -> tuple[Shape, ...]:
    """What publishers add to the ace of spades: pips within the pip, and a name."""
    rng = np.random.default_rng(style.court_seed + 7)
    x, y = style.width / 2, style.height / 2
    out: list[Shape] = []
    size = style.pip * style.big_ace * 1.4
    inner = moved(pip("S", size * rng.uniform(0.5, 0.8), style.paper, style), x, y + size * 0.04)
    out.extend(inner)
    small = moved(pip("S", size * rng.uniform(0.15, 0.4), colour, style), x, y)
    out.extend(small)
    if rng.random() < 0.5:
        word = "".join(rng.choice(list("ABCDEFGHILMNOPRSTUVY"), int(rng.integers(5, 9))))
        height = rng.uniform(2, 4)
        for turn in (0, 180):
            words = lettering(word, 0, size * 0.6, height, Pen(colour, 0.15), anchor="middle")
            out.extend(moved(words, x, y, turn=turn if rng.random() < 0.5 else 0))
    return tuple(out)


def _court(rank: str, suit: str, colour: Colour, style: Printing) -> tuple[Shape, ...]:
    """A king, queen or jack, the same both ways up: robes and stripes in the publisher's
    colours."""
    rng = np.random.default_rng([style.court_seed, "JQK".index(rank), SUITS.index(suit)])
    w, h = style.width, style.height
    left = min(max(style.index_x * 2 - 1.0, 10.0), 15.0)
    top = rng.uniform(8, 12)
    inks: list[Colour] = [
        style.red,
        style.black,
        (int(rng.integers(225, 250)), int(rng.integers(170, 215)), int(rng.integers(30, 90))),
        (int(rng.integers(20, 60)), int(rng.integers(50, 110)), int(rng.integers(130, 200))),
        style.paper,
    ]
    half: list[Shape] = []
    box = (left + 0.5, top + 0.5, w - left - 0.5, h / 2)

    def inside(px: Points) -> Points:
        return np.stack([px[:, 0].clip(box[0], box[2]), px[:, 1].clip(box[1], box[3])], 1)

    middle = w / 2 + rng.uniform(-2, 2)
    shoulder = top + rng.uniform(17, 22)
    top_edge = [(middle - 9, shoulder), (middle + 9, shoulder), (w, shoulder + 6)]
    robe = np.array([*top_edge, (w, h / 2), (0, h / 2), (0, shoulder + 6)])
    half.append(area(inside(robe), inks[int(rng.integers(4))]))
    for _ in range(int(rng.integers(16, 44))):
        x, y = rng.uniform(box[0], box[2]), rng.uniform(shoulder - 2, box[3])
        length, angle = rng.uniform(4, 16), rng.uniform(0, np.pi)
        d = np.array([np.cos(angle), np.sin(angle)]) * length
        line = inside(np.array([(x, y), (x + d[0], y + d[1])]))
        half.append(stroke(line, rng.uniform(0.5, 2.4), inks[int(rng.integers(5))]))
    for _ in range(int(rng.integers(6, 22))):
        x, y = rng.uniform(box[0], box[2]), rng.uniform(shoulder, box[3])
        half.append(area(inside(ellipse(x, y, rng.uniform(0.8, 2.5))), inks[int(rng.integers(5))]))
    face_y = shoulder - rng.uniform(4, 7)
    hair = inks[2 if rng.random() < 0.6 else 1]
    half.append(area(inside(ellipse(middle, face_y, rng.uniform(5, 7.5), rng.uniform(6, 8))), hair))
    half.append(area(inside(ellipse(middle, face_y, 4, 5.5)), (250, 240, 228)))
    for dx in (-1.6, 1.6):
        half.append(area(ellipse(middle + dx, face_y - 1, 0.5), style.black))
    half.append(stroke([(middle, face_y - 0.5), (middle - 0.6, face_y + 1.5)], 0.35, style.black))
    crown = [(middle - 6, face_y - 5), (middle + 6, face_y - 5)]
    for i in range(int(rng.integers(3, 8)), -1, -1):
        x = middle - 6 + 12 * i / 6
        crown.append((x, face_y - (9 if i % 2 else 6)))
    half.append(area(inside(np.array(crown)), inks[int(rng.integers(4))]))
    if rng.random() < 0.7:
        x = rng.choice([box[0] + 3, box[2] - 3])
        staff = inside(np.array([(x, top), (x + rng.uniform(-3, 3), h / 2)]))
        half.append(stroke(staff, rng.uniform(0.8, 2), inks[int(rng.integers(4))]))
    size = style.pip * rng.uniform(0.75, 1.05)
    half.extend(moved(pip(suit, size, colour, style), left + 1 + size / 2, top + 1 + size / 2))
    out = [*half, *upside_down(half, w, h)]
    if style.framed:
        edge = inks[3] if rng.random() < 0.7 else style.black
        out.append(stroke(rectangle(left, top, w - 2 * left, h - 2 * top), 0.5, edge, closed=True))
    return tuple(out)


def _joker(style: Printing) -> Face:
    rng = np.random.default_rng(style.court_seed + 11)
    colour = style.red if rng.random() < 0.5 else style.black
    pen = Pen(colour, style.weight, style.stretch * 0.8, 0, 0.25, style.feet)
    out: list[Shape] = []
    size = rng.uniform(4, 6)
    if rng.random() < 0.7:
        for i, letter in enumerate("JOKER"):
            out.extend(lettering(letter, 5.5, 4 + i * size * 1.35, size, pen, anchor="middle"))
    else:
        out.extend(moved(lettering("JOKER", 0, 0, size, pen), 8.5, 4, turn=90))
    out.extend(upside_down(out, style.width, style.height))
    x, y = style.width / 2, style.height / 2
    for _ in range(int(rng.integers(5, 14))):
        ring = ellipse(x + rng.uniform(-10, 10), y + rng.uniform(-18, 18), *rng.uniform(2, 9, 2))
        ink = _ink(rng.integers(20, 240, 3))
        out.append(
            area(ring, ink) if rng.random() < 0.6 else stroke(ring, 0.8, style.black, closed=True)
        )
    return Face("joker", style.width, style.height, tuple(out), style.paper)


def _back(style: Printing) -> Face:
    """A border and a lattice, the same both ways up."""
    rng = np.random.default_rng(style.court_seed + 13)
    ink = _ink(rng.choice([[170, 25, 40], [25, 50, 140], [20, 20, 25], [20, 95, 60]]))
    w, h = style.width, style.height
    edge = rng.uniform(0, 6)
    half: list[Shape] = []
    step, kind = rng.uniform(3, 7), int(rng.integers(3))
    for x in np.arange(edge, w - edge, step):
        for y in np.arange(edge, h / 2, step):
            if kind == 0:
                half.append(stroke([(x, y), (x + step, y + step)], step * 0.12, style.paper))
                half.append(stroke([(x + step, y), (x, y + step)], step * 0.12, style.paper))
            elif kind == 1:
                half.append(area(ellipse(x + step / 2, y + step / 2, step * 0.3), style.paper))
            else:
                ring = ellipse(x + step / 2, y + step / 2, step * 0.42)
                half.append(stroke(ring, step * 0.1, style.paper, closed=True))
    ground = area(rectangle(edge, edge, w - 2 * edge, h - 2 * edge, 2), ink)
    shapes = (ground, *half, *upside_down(half, w, h))
    return Face("back", w, h, shapes, style.paper, same_upside_down=True)


def _ink(of: Points) -> Colour:
    r, g, b = (int(v) for v in of)
    return r, g, b
