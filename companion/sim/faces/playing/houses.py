"""Printings at random, within what shops sell and people make themselves; and the houses held out
of training, which have typefaces, outlines and courts of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.sim.faces.canvas import Colour
from companion.sim.faces.playing import layouts, suits
from companion.sim.faces.playing.courts import HELD_OUT, TAUGHT
from companion.sim.faces.playing.outlines import typefaces
from companion.sim.faces.playing.style import (
    ENGLISH,
    Edge,
    IndexStyle,
    Lettering,
    PipStyle,
    Printing,
)

_LANGUAGES: tuple[dict[str, str], ...] = (
    ENGLISH,
    {"A": "A", "T": "10", "J": "B", "Q": "D", "K": "K"},
    {"A": "1", "T": "10", "J": "V", "Q": "D", "K": "R"},
    {"A": "A", "T": "10", "J": "V", "Q": "D", "K": "R"},
    {"A": "A", "T": "T", "J": "J", "Q": "Q", "K": "K"},
    {"A": "A", "T": "10", "J": "W", "Q": "D", "K": "K"},
)
_SPOKEN = (0.62, 0.14, 0.07, 0.05, 0.07, 0.05)
_SIZES = ((63.0, 88.0), (63.5, 89.0), (57.0, 89.0), (58.0, 88.0), (44.0, 67.0), (50.0, 75.0))
_SOLD = (0.3, 0.28, 0.18, 0.1, 0.07, 0.07)
_KEPT_BACK = 7
"""Every so manieth typeface is for the held-out houses."""


def printing(rng: np.random.Generator) -> Printing:
    """A random printing that training may see."""
    house = str(rng.choice(list(TAUGHT), p=(0.24, 0.16, 0.14, 0.12, 0.14, 0.1, 0.1)))
    return _printed(rng, house, held=False)


def plain(rng: np.random.Generator) -> Printing:
    """A random printing as most shops sell it: the usual outlines, layouts and letters."""
    style = _printed(rng, "own", held=False)
    index = replace(style.index, letters=ENGLISH, corners="two", sign_at="below", boxed=None)
    if not index.sign:
        index = replace(index, sign=index.height * 0.7)
    aside = style.edge.wide * 0.9  # no border, so no room for one
    pen = replace(index.pen, typeface=None)
    index = replace(index, pen=pen, x=index.x - aside, y=index.y - aside)
    pips = replace(
        style.pips,
        outlines=suits.usual(),
        finish="plain",
        layout={},
        sideways=False,
        all_up=False,
        middle="pips",
    )
    usual = Printing()
    return replace(
        style,
        paper=usual.paper,
        inks=usual.inks,
        index=index,
        pips=pips,
        edge=Edge(wide=0),
        wash=0.0,
    )


def foreign(rng: np.random.Generator) -> Printing:
    """A printing with signs that are none of the four suits: what it shows is no card of ours."""
    style = _printed(rng, "own", held=False)
    rings = (suits.strange(rng), suits.strange(rng), suits.strange(rng), suits.strange(rng))
    return replace(style, pips=replace(style.pips, outlines=rings))


def held_out(rng: np.random.Generator, house: str) -> Printing:
    """A random printing of a house that no training sees: `woodcut` or `deco`."""
    if house not in HELD_OUT:
        raise ValueError(house)
    return _printed(rng, house, held=True)


def _printed(rng: np.random.Generator, house: str, *, held: bool) -> Printing:
    wide, high = _SIZES[int(rng.choice(len(_SIZES), p=_SOLD))]
    scale = high / 88
    wide, high = wide / scale + rng.uniform(-0.7, 0.7), 88 + rng.uniform(-1, 1)
    edge = _edge(rng)
    index = _index(rng, edge, held=held)
    style = Printing(
        house=house,
        width=wide,
        height=high,
        scale=scale,
        corner=float(rng.choice([0.3, 2.0, 3.0, 3.5, 5.0], p=[0.06, 0.2, 0.4, 0.26, 0.08])),
        paper=_ink(rng.integers(232, 256, 3)),
        inks=_inks(rng),
        index=index,
        pips=_pips(rng, (wide, high), index, edge, held=held),
        edge=edge,
        big_ace=rng.uniform(0.9, 2.6),
        ornate=(bool(rng.random() < 0.6), bool(rng.random() < 0.25)),
        framed=bool(rng.random() < 0.7),
        wash=rng.uniform(0.08, 0.3) if rng.random() < 0.09 else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
    return _dark(style, rng) if rng.random() < 0.06 else style


def _inks(rng: np.random.Generator) -> tuple[Colour, Colour, Colour, Colour]:
    red = (int(rng.integers(150, 245)), int(rng.integers(0, 75)), int(rng.integers(5, 85)))
    dark = int(rng.integers(5, 50))
    black = (dark, dark, min(255, dark + int(rng.integers(0, 14))))
    if rng.random() < 0.1:
        blue = (int(rng.integers(0, 60)), int(rng.integers(40, 140)), int(rng.integers(150, 240)))
        green = (int(rng.integers(0, 60)), int(rng.integers(100, 160)), int(rng.integers(20, 90)))
        return black, red, blue, green
    if rng.random() < 0.1:  # any two inks, one warm, one cold
        warm = (int(rng.integers(170, 255)), int(rng.integers(60, 150)), int(rng.integers(0, 60)))
        cold = (int(rng.integers(0, 60)), int(rng.integers(20, 90)), int(rng.integers(60, 140)))
        return cold, warm, warm, cold
    return black, red, red, black


def _dark(style: Printing, rng: np.random.Generator) -> Printing:
    """The same on black or coloured stock, in pale inks."""
    pale: Colour = _ink(rng.integers(205, 256, 3))
    red = (int(rng.integers(200, 256)), int(rng.integers(40, 110)), int(rng.integers(40, 110)))
    paper = _ink(rng.integers(5, 60, 3))
    edge = replace(style.edge, colour=_ink(rng.integers(60, 220, 3)))
    return replace(style, paper=paper, inks=(pale, red, red, pale), edge=edge)


def _edge(rng: np.random.Generator) -> Edge:
    kind = str(rng.choice(["none", "border", "line", "double"], p=[0.66, 0.2, 0.1, 0.04]))
    wide = {"none": 0.0, "border": rng.uniform(1.5, 6.5)}.get(kind, rng.uniform(1.2, 4.0))
    colour = _ink(rng.integers(0, 256, 3))
    if rng.random() < 0.4:
        colour = _ink(np.full(3, rng.integers(0, 45)))
    return Edge(kind, wide, colour, float(rng.choice([0.0, 2.0, 3.0])))


def _index(rng: np.random.Generator, edge: Edge, *, held: bool) -> IndexStyle:
    jumbo = rng.random() < 0.3
    height = rng.uniform(11, 18) if jumbo else rng.uniform(5.5, 10.5)
    faces = typefaces()
    own = [f for i, f in enumerate(faces) if (i % _KEPT_BACK == 3) == held]
    face = own[int(rng.integers(len(own)))]
    pen = Lettering(
        typeface=None if not held and rng.random() < 0.2 else face,
        weight=rng.uniform(0.11, 0.23),
        stretch=rng.uniform(0.7, 1.1),
        feet=bool(rng.random() < 0.55),
    )
    room = edge.wide * 0.9
    return IndexStyle(
        letters=_LANGUAGES[int(rng.choice(len(_LANGUAGES), p=_SPOKEN))],
        pen=pen,
        height=height,
        x=(rng.uniform(4.4, 6.8) + (height - 8) * 0.25 + room),
        y=(rng.uniform(2.4, 6.0) + room),
        sign=rng.uniform(0.5, 0.9) * min(height, 11) * float(rng.random() > 0.02),
        sign_at=str(rng.choice(["below", "beside", "above"], p=[0.88, 0.08, 0.04])),
        corners=str(rng.choice(["two", "four", "one"], p=[0.78, 0.19, 0.03])),
        boxed=_ink(rng.integers(215, 256, 3)) if rng.random() < 0.05 else None,
    )


def _pips(
    rng: np.random.Generator,
    size: tuple[float, float],
    index: IndexStyle,
    edge: Edge,
    *,
    held: bool,
) -> PipStyle:
    wide, high = size
    jumbo = index.height > 11
    pip = rng.uniform(8.5, 12.5) if jumbo else rng.uniform(8.5, 14.5)
    room = wide / 2 - index.x - 0.38 * index.height  # pips stand beside the index
    pip = min(pip, room / 1.15)
    most = high / 2 - edge.wide - pip * 0.55 - 1
    finish = str(rng.choice(suits.FINISHES, p=(0.7, 0.06, 0.06, 0.06, 0.05, 0.04, 0.03)))
    return PipStyle(
        size=pip,
        wide=rng.uniform(0.85, 1.12),
        column=max(min(rng.uniform(9.5, 15.0), room - pip * 0.45), pip * 0.62),
        row=min(rng.uniform(23, 32), most),
        outlines=suits.outlines(rng, held=held),
        finish=finish,
        layout=layouts.choice(rng),
        all_up=bool(rng.random() < 0.1),
        sideways=bool(rng.random() < 0.03),
        middle="pips" if held else _middle(rng),
    )


def _middle(rng: np.random.Generator) -> str:
    """What pip cards show: hardly ever anything but pips."""
    return str(rng.choice(["pips", "sign", "numeral", "nothing"], p=[0.87, 0.05, 0.06, 0.02]))


def _ink(of: object) -> Colour:
    r, g, b = (int(v) for v in of)  # type: ignore[attr-defined]
    return r, g, b
