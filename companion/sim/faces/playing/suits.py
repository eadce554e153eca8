"""The signs of the suits: outlines from typefaces and icons, our own, and smooth deformations of
both within what people still read as that suit."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Points,
    Shape,
    Stroke,
    ellipse,
    path,
    rectangle,
    star,
)
from companion.sim.faces.playing.outlines import Rings, sign, signs

_SPADE = (
    "M0,-.5 C.1,-.28 .48,-.06 .48,.16 C.48,.33 .36,.38 .27,.38 C.16,.38 .07,.31 .03,.2"
    " C.04,.36 .09,.44 .18,.5 L-.18,.5 C-.09,.44 -.04,.36 -.03,.2 C-.07,.31 -.16,.38 -.27,.38"
    " C-.36,.38 -.48,.33 -.48,.16 C-.48,-.06 -.1,-.28 0,-.5"
)
_HEART = (
    "M0,.5 C-.12,.28 -.5,.02 -.5,-.22 C-.5,-.42 -.36,-.5 -.25,-.5 C-.12,-.5 -.03,-.42 0,-.3"
    " C.03,-.42 .12,-.5 .25,-.5 C.36,-.5 .5,-.42 .5,-.22 C.5,.02 .12,.28 0,.5"
)
_DIAMOND = "M0,-.5 Q.14,-.2 .4,0 Q.14,.2 0,.5 Q-.14,.2 -.4,0 Q-.14,-.2 0,-.5"
_STEMS = (
    "M.04,.05 C.04,.36 .09,.44 .18,.5 L-.18,.5 C-.09,.44 -.04,.36 -.04,.05",
    "M.02,.0 L.2,.5 L-.2,.5 L-.02,.0",
    "M.06,.0 L.06,.5 L-.06,.5 L-.06,.0",
    "M.05,.0 L.05,.42 L.22,.42 L.22,.5 L-.22,.5 L-.22,.42 L-.05,.42 L-.05,.0",
    "M.03,.0 C.05,.3 .16,.42 .3,.46 L.3,.5 L-.3,.5 L-.3,.46 C-.16,.42 -.05,.3 -.03,.0",
    "M.09,.0 C.08,.3 .1,.4 .14,.5 L-.14,.5 C-.1,.4 -.08,.3 -.09,.0",
)
FINISHES = ("plain", "cored", "outlined", "rimmed", "halved", "split", "starred")
"""How a sign is printed: filled, with a lighter core, as a line, with a darker rim, its left half
darker, with a slit, with a spark."""


def usual() -> tuple[Rings, Rings, Rings, Rings]:
    """Our own outlines of spade, heart, diamond and club."""
    return path(_SPADE), path(_HEART), path(_DIAMOND), _club(0.235, 0.1, 0.265, 0)


@lru_cache(maxsize=4)
def kept_back(suit: str) -> tuple[str, ...]:
    """Outlines that only the houses held out of training use: every sixth of the sources."""
    return signs(suit)[3::6]


def outlines(rng: np.random.Generator, *, held: bool) -> tuple[Rings, Rings, Rings, Rings]:
    """A random outline for each suit, mostly from one hand: warped alike."""
    warp = rng.normal(0, 1, 8)
    spade, heart, diamond, club = (_one(suit, rng, held=held) for suit in "SHDC")
    much = 0.0 if held else float(rng.choice([0.0, 0.5, 1.0], p=[0.3, 0.4, 0.3]))
    return (
        _warped(spade, warp, much),
        _warped(heart, warp, much),
        _warped(diamond, warp, much * 0.5),
        _warped(club, warp, much * 0.8),
    )


def strange(rng: np.random.Generator) -> Rings:
    """A sign that is none of the four suits: an acorn, a bell, a leaf, a star, a shield ..."""
    match int(rng.integers(6)):
        case 0:
            tips = int(rng.integers(5, 9))
            return (star(0, 0, 0.5, rng.uniform(0.18, 0.4), tips),)
        case 1:
            cap = ellipse(0, -0.22, 0.3, 0.2)
            return cap, ellipse(0, 0.12, 0.24, 0.38), rectangle(-0.04, -0.5, 0.08, 0.15)
        case 2:
            return (path("M0,-.5 C.5,-.3 .3,.3 0,.5 C-.3,.3 -.5,-.3 0,-.5")[0],)
        case 3:
            body = "M-.15,-.5 L.15,-.5 C.2,.0 .3,.2 .4,.35 L-.4,.35 C-.3,.2 -.2,.0 -.15,-.5"
            return path(body)[0], ellipse(0, 0.4, 0.1)
        case 4:
            wide = rng.uniform(0.3, 0.5)
            return (ellipse(0, 0, wide, 0.5),)
        case _:
            return (path("M-.4,-.45 L.4,-.45 L.4,.1 C.4,.3 .2,.42 0,.5 C-.2,.42 -.4,.3 -.4,.1")[0],)


def _one(suit: str, rng: np.random.Generator, *, held: bool) -> Rings:
    if held:
        kept = kept_back(suit)
        return sign(kept[int(rng.integers(len(kept)))])
    if rng.random() < 0.45:
        match suit:
            case "S":
                return _spade(rng)
            case "D":
                return _diamond(rng)
            case "C":
                r = rng.uniform(0.18, 0.27)
                stem = int(rng.integers(len(_STEMS)))
                return _club(r, rng.uniform(0.02, 0.16), rng.uniform(0.2, 0.3), stem)
            case _:
                return path(_HEART)
    names = [name for name in signs(suit) if name not in kept_back(suit)]
    return sign(names[int(rng.integers(len(names)))])


def _spade(rng: np.random.Generator) -> Rings:
    """A heart upside down on a stem."""
    names = [name for name in signs("H") if name not in kept_back("H")]
    heart = path(_HEART) if rng.random() < 0.3 else sign(names[int(rng.integers(len(names)))])
    low = rng.uniform(0.72, 0.9)
    body = heart[0] * (1.0, -low) + (0, -(1 - low) / 2)
    return _joined([body, path(_STEMS[int(rng.integers(len(_STEMS)))])[0]])


def _diamond(rng: np.random.Generator) -> Rings:
    power, wide = rng.uniform(0.72, 1.15), rng.uniform(0.3, 0.5)
    at = np.linspace(0, 2 * np.pi, 41)[:-1]
    c, s = np.cos(at), np.sin(at)
    x = np.sign(c) * np.abs(c) ** (2 / power) * wide
    y = np.sign(s) * np.abs(s) ** (2 / power) * 0.5
    return (np.stack([x, y], 1),)


def _club(r: float, y: float, aside: float, stem: int) -> Rings:
    leaves = [ellipse(0, -0.5 + r, r), ellipse(-aside, y, r), ellipse(aside, y, r)]
    middle = rectangle(-0.1, -0.16, 0.2, 0.32)
    return _joined([*leaves, middle, path(_STEMS[stem])[0]])


def _joined(parts: list[Points]) -> Rings:
    """Parts that overlap: `shapes` fills each by itself."""
    return tuple(parts)


def _warped(rings: Rings, warp: Points, much: float) -> Rings:
    """The outline bent smoothly, left and right alike."""
    if not much:
        return rings
    a = warp * much * (0.05, 0.05, 0.06, 0.04, 0.04, 0.03, 0.03, 0.03)
    out = []
    for ring in rings:
        x, y = ring[:, 0], ring[:, 1]
        far = np.hypot(x, y)
        turn = np.arctan2(np.abs(x), -y)
        grow = 1 + sum(a[k] * np.cos((k + 1) * turn) for k in range(3))
        wide = 1 + a[3] * 2 * y + a[4] * (4 * y * y - 0.3)
        sag = a[5] * np.cos(np.pi * np.abs(x)) + a[6] * np.cos(2 * np.pi * y) * far
        out.append(np.stack([x * grow * wide * (1 + a[7]), y * grow + sag - a[5] * 0.6], 1))
    return tuple(out)


def shapes(
    rings: Rings, size: tuple[float, float], colour: Colour, finish: str, paper: Colour
) -> tuple[Shape, ...]:
    """A sign about the origin, so wide and so high."""
    grown = [ring * size for ring in rings]
    full: list[Shape] = [Area((ring,), colour) for ring in grown]
    if len(rings) > 1 and finish in ("outlined", "halved", "rimmed"):
        finish = "plain"  # of overlapping parts every edge would show
    match finish:
        case "outlined":
            hollow = [Area((ring,), paper) for ring in grown]
            return (*hollow, *(Stroke(ring, size[1] * 0.07, colour, True) for ring in grown))
        case "rimmed":
            dark = mixed(colour, (0, 0, 0), 0.5)
            return (*full, *(Stroke(ring, size[1] * 0.06, dark, True) for ring in grown))
        case "halved":
            dark = mixed(colour, (0, 0, 0), 0.35)
            left = [Area((np.minimum(ring, (0, np.inf)),), dark) for ring in grown]
            return (*full, *left)
        case "cored":
            light = mixed(colour, paper, 0.7)
            return (*full, *(Area((ring * 0.5,), light) for ring in grown))
        case "split":
            slit = np.array([(0, -0.22 * size[1]), (0, 0.2 * size[1])])
            return (*full, Stroke(slit, size[1] * 0.05, paper))
        case "starred":
            spot = ellipse(0, 0, size[1] * 0.07)
            return (*full, Area((spot,), paper))
        case _:
            return tuple(full)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """The first colour with so much of the second in it."""
    r, g, bl = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return r, g, bl
