"""Kings, queens and jacks, in families of drawing; each house keeps to one.

Nobody's art is copied: robes, faces and ornaments are drawn at random, for a reader has to learn
that the corner tells a court, not the picture.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.sim.faces.canvas import (
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
from companion.sim.faces.playing.sitters import Sitting, both, head, palette, sign, strewn
from companion.sim.faces.playing.style import SUITS, Printing
from companion.sim.faces.playing.unseen_courts import deco, woodcut


def court(rank: str, suit: str, style: Printing) -> tuple[Shape, ...]:
    rng = np.random.default_rng([style.seed, "JQK".index(rank), SUITS.index(suit)])
    house = np.random.default_rng([style.seed, 99])  # what all courts of the deck share
    index = style.index
    left = float(np.clip(index.x * 2 - 1.0, 9.0, style.width * 0.26))
    room = left if index.corners == "four" or house.random() < 0.6 else house.uniform(4, 8)
    top = float(house.uniform(5, 12)) * style.height / 88
    sitting = Sitting(rank, suit, style, rng, room, top, palette(style, house))
    drawn = FAMILIES[style.house](sitting)
    out = list(drawn)
    if style.framed:
        edge = sitting.inks[3] if house.random() < 0.7 else style.ink("S")
        box = rectangle(room, top, style.width - 2 * room, style.height - 2 * top)
        out.append(stroke(box, float(house.uniform(0.3, 0.9)), edge, closed=True))
    if room < left:  # the figure would run under the index
        out += _window(style, left)
    return tuple(out)


def _window(style: Printing, left: float) -> list[Shape]:
    index = style.index
    high = index.y + index.height + (index.sign + 2.4 if index.sign_at != "beside" else 1.5)
    edge = style.edge.wide
    box: list[Shape] = [area(rectangle(edge, edge, left - edge, high - edge), style.paper)]
    return [*box, *upside_down(box, style.width, style.height)]


def _english(sitting: Sitting) -> tuple[Shape, ...]:
    """Two busts, one upside down: robes and stripes."""
    rng, style = sitting.rng, sitting.style
    x = sitting.middle + rng.uniform(-2, 2)
    shoulder = sitting.top + rng.uniform(15, 22)
    w, low = style.width, sitting.half
    edge = [(x - 9, shoulder), (x + 9, shoulder), (w, shoulder + 6), (w, low), (0, low)]
    robe = np.array([*edge, (0, shoulder + 6)])
    half: list[Shape] = [area(sitting.inside(robe), sitting.ink())]
    half += strewn(sitting, int(rng.integers(20, 60)), shoulder - 2)
    half += head(sitting, x, shoulder - rng.uniform(4, 7))
    if rng.random() < 0.7:
        at = rng.choice([sitting.left + 3, sitting.right - 3])
        staff = sitting.inside(np.array([(at, sitting.top), (at + rng.uniform(-3, 3), low)]))
        half.append(stroke(staff, rng.uniform(0.8, 2), sitting.ink()))
    half += sign(sitting)
    return both(sitting, half)


def _dense(sitting: Sitting) -> tuple[Shape, ...]:
    """Engraved: fine lines everywhere, mirrored about the middle."""
    rng = sitting.rng
    ground = rectangle(
        sitting.left, sitting.top, 2 * (sitting.middle - sitting.left), sitting.half - sitting.top
    )
    half: list[Shape] = [area(ground, sitting.ink() if rng.random() < 0.4 else sitting.style.paper)]
    black = sitting.style.ink("S")
    for _ in range(int(rng.integers(10, 26))):
        x, y = rng.uniform(0, sitting.middle - sitting.left), rng.uniform(sitting.top, sitting.half)
        rx, ry = rng.uniform(0.8, 6, 2)
        ink, thin = sitting.ink(), rng.uniform(0.2, 0.5)
        for side in (-1, 1):
            ring = sitting.inside(ellipse(sitting.middle + side * x, y, rx, ry))
            half += [area(ring, ink), stroke(ring, thin, black, closed=True)]
    for y in np.arange(sitting.top + 12, sitting.half, rng.uniform(0.9, 2.0)):
        bend = rng.uniform(-2, 2)
        wave = [(sitting.left, y), (sitting.middle, y + bend), (sitting.right, y)]
        half.append(stroke(sitting.inside(np.array(wave)), 0.25, black))
    half += head(sitting, sitting.middle + rng.uniform(-3, 3), sitting.top + rng.uniform(11, 16))
    half += sign(sitting)
    return both(sitting, half)


def _diagonal(sitting: Sitting) -> tuple[Shape, ...]:
    """Two busts parted by a slanting line."""
    rng, style = sitting.rng, sitting.style
    slope = rng.uniform(6, 16) * rng.choice([-1, 1])
    a = (sitting.left, sitting.half + slope)
    b = (sitting.right, sitting.half - slope)
    corners = [(sitting.left, sitting.top), (sitting.right, sitting.top), b, a]
    half: list[Shape] = [area(np.array(corners), sitting.ink())]
    for i in range(int(rng.integers(3, 9))):
        share = (i + 1) / 10
        low = sitting.half - abs(slope) - 14 * (1 - share)
        band = [(sitting.left, low), (sitting.right, low - slope * share)]
        half.append(stroke(sitting.inside(np.array(band)), rng.uniform(0.8, 3), sitting.ink()))
    half += strewn(sitting, int(rng.integers(8, 26)), sitting.top + 16, sitting.half - abs(slope))
    half += head(sitting, sitting.middle + slope * 0.3, sitting.top + rng.uniform(12, 16), 1.15)
    half += sign(sitting)
    line = stroke(np.array([a, b]), rng.uniform(0.4, 2.5), style.ink("S"))
    return (*both(sitting, half), line)


def _figure(sitting: Sitting) -> tuple[Shape, ...]:
    """One whole figure from head to foot, with the sign in a corner or two."""
    rng, style = sitting.rng, sitting.style
    x, foot = sitting.middle + rng.uniform(-2, 2), style.height - sitting.top - 1
    out: list[Shape] = []
    if rng.random() < 0.5:
        box = rectangle(
            sitting.left, sitting.top, sitting.right - sitting.left, foot - sitting.top + 1
        )
        out.append(area(box, sitting.ink()))
    neck = sitting.top + rng.uniform(18, 24)
    wide = rng.uniform(7, 15)
    coat = [(x - 5, neck), (x + 5, neck), (x + wide, foot - 8), (x - wide, foot - 8)]
    out.append(area(sitting.inside(np.array(coat), foot), sitting.ink()))
    for side in (-1, 1):
        leg = [(x + side * 4, foot - 9), (x + side * rng.uniform(3, 8), foot)]
        out.append(stroke(sitting.inside(np.array(leg), foot), rng.uniform(2, 4), sitting.ink()))
        hand = (x + side * rng.uniform(8, 14), neck + rng.uniform(2, 22))
        arm = sitting.inside(np.array([(x + side * 5, neck + 2), hand]), foot)
        out.append(stroke(arm, rng.uniform(2, 4), sitting.ink()))
    out += strewn(sitting, int(rng.integers(6, 30)), neck + 4, foot - 6)
    out += head(sitting, x, neck - 6, rng.uniform(0.9, 1.2))
    corner = sign(sitting)
    return (
        *out,
        *corner,
        *(upside_down(corner, style.width, style.height) if rng.random() < 0.5 else ()),
    )


def _flat(sitting: Sitting) -> tuple[Shape, ...]:
    """Modern: a few large flat shapes."""
    rng, style = sitting.rng, sitting.style
    x = sitting.middle
    half: list[Shape] = []
    box = rectangle(
        sitting.left, sitting.top, sitting.right - sitting.left, sitting.half - sitting.top
    )
    half.append(area(box, sitting.ink()))
    peak = sitting.top + rng.uniform(16, 22)
    body = [
        (x, peak - 3),
        (sitting.right, sitting.half - rng.uniform(0, 8)),
        (sitting.right, sitting.half),
    ]
    body += [(sitting.left, sitting.half), (sitting.left, sitting.half - rng.uniform(0, 8))]
    half.append(area(np.array(body), sitting.ink()))
    if rng.random() < 0.6:
        collar = [(x - 6, peak), (x + 6, peak), (x, peak + rng.uniform(8, 16))]
        half.append(area(sitting.inside(np.array(collar)), sitting.ink()))
    if rng.random() < 0.7:
        half += head(sitting, x, peak - 6, 1.1)
    else:
        half.append(area(ellipse(x, peak - 6, 5, 6.5), sitting.ink()))
        half.append(area(star(x, peak - 13, 5, 2.5, int(rng.integers(3, 7))), sitting.ink()))
    half += sign(sitting)
    return both(sitting, half) if rng.random() < 0.8 else tuple(half) + _lower(sitting, style)


def _lower(sitting: Sitting, style: Printing) -> tuple[Shape, ...]:
    box = rectangle(
        sitting.left, sitting.half, sitting.right - sitting.left, sitting.half - sitting.top
    )
    big = moved(
        indices.sign(sitting.suit, style.pips.size * 1.8, style),
        sitting.middle,
        sitting.half * 1.45,
    )
    return (area(box, sitting.ink()), *big)


def _emblem(sitting: Sitting) -> tuple[Shape, ...]:
    """No figure: a large letter, a crown or a sign."""
    rng, style = sitting.rng, sitting.style
    out: list[Shape] = []
    ink = style.ink(sitting.suit)
    match int(rng.integers(3)):
        case 0:
            text = style.index.letters.get(sitting.rank, sitting.rank)
            size = style.height * rng.uniform(0.3, 0.45)
            word = indices.written(text, style.index.pen, size, style.width * 0.5, ink)
            out += moved(word, sitting.middle, sitting.half - size / 2)
        case 1:
            tips = 2 + "JQK".index(sitting.rank)
            crown = star(sitting.middle, sitting.half, 14, rng.uniform(5, 9), tips + 1)
            out += [area(crown, ink), area(ellipse(sitting.middle, sitting.half, 3), sitting.ink())]
            out += moved(indices.sign(sitting.suit, 9, style), sitting.middle, sitting.half + 20)
        case _:
            size = style.pips.size * rng.uniform(1.6, 2.4)
            out += moved(indices.sign(sitting.suit, size, style), sitting.middle, sitting.half)
            text = style.index.letters.get(sitting.rank, sitting.rank)
            word = indices.written(text, style.index.pen, size * 0.4, size, style.paper)
            out += moved(word, sitting.middle, sitting.half - size * 0.15)
    return tuple(out)


def _scene(sitting: Sitting) -> tuple[Shape, ...]:
    """A picture in place of the court: land, sky, bodies."""
    rng, style = sitting.rng, sitting.style
    w, h = style.width, style.height
    foot = h - sitting.top
    out: list[Shape] = [
        area(
            rectangle(sitting.left, sitting.top, w - 2 * sitting.left, foot - sitting.top),
            sitting.ink(),
        )
    ]
    for _ in range(int(rng.integers(2, 7))):
        y = rng.uniform(sitting.top, foot)
        xs = np.linspace(sitting.left, sitting.right, 7)
        hills = [(float(x), float(np.clip(y + rng.normal(0, 5), sitting.top, foot))) for x in xs]
        land = [*hills, (sitting.right, foot), (sitting.left, foot)]
        out.append(area(np.array(land), sitting.ink()))
    for _ in range(int(rng.integers(1, 9))):
        ring = ellipse(
            rng.uniform(sitting.left, sitting.right),
            rng.uniform(sitting.top, foot),
            *rng.uniform(1, 9, 2),
        )
        out.append(area(sitting.inside(ring, foot), sitting.ink()))
    out += head(sitting, sitting.middle, sitting.half - 8, rng.uniform(1, 1.7))
    return (*out, *sign(sitting))


Family = Callable[[Sitting], tuple[Shape, ...]]
TAUGHT: dict[str, Family] = {
    "own": _english,
    "dense": _dense,
    "diagonal": _diagonal,
    "figure": _figure,
    "flat": _flat,
    "emblem": _emblem,
    "scene": _scene,
}
HELD_OUT: dict[str, Family] = {"woodcut": woodcut, "deco": deco}
"""Families no training sees: they are for judging."""
FAMILIES = {**TAUGHT, **HELD_OUT}
SAME_UPSIDE_DOWN = ("own", "dense", "diagonal", "woodcut", "deco")
