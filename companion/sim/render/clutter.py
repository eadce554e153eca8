"""What else lies on tables: pens, keys, batteries, coins, buttons, phones, letters, magazines and
photographs. None is a card or a die, and a finder has to learn so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Face,
    Image,
    Shape,
    area,
    ellipse,
    raster,
    rectangle,
    regular,
    stroke,
)
from companion.sim.faces.playing import outlines
from companion.sim.render import traced

_PX_PER_MM = 1.6
Points = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Prop:
    """A thing and its pixels: drawn once, laid often."""

    pixels: Image
    cover: Image
    """Where it is, 0 to 255; around that is the table."""
    width: float
    height: float
    """In millimetres."""
    high: float
    """How far it stands above the table."""


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    size: tuple[float, float]
    outline: tuple[Points, ...]
    shapes: tuple[Shape, ...]
    body: Colour
    high: float
    picture: tuple[float, float, float, float] | None = None
    """Left, top, width and height of a photograph on it."""


def prop(rng: np.random.Generator, kinds: tuple[str, ...] | None = None) -> Prop:
    """A random thing; `kinds` are the names of those that may be drawn."""
    names = kinds or tuple(KINDS)
    return _made(KINDS[names[int(rng.integers(len(names)))]](rng), rng)


def _made(drawing: _Drawing, rng: np.random.Generator) -> Prop:
    width, height = drawing.size
    face = Face("prop", width, height, drawing.shapes, drawing.body)
    pixels = raster(face, _PX_PER_MM, finer=2)
    mask = Face("cover", width, height, (Area(drawing.outline, (255, 255, 255)),), (0, 0, 0))
    cover = np.ascontiguousarray(raster(mask, _PX_PER_MM, finer=2)[:, :, 0])
    if drawing.picture is not None:
        left, top, w, h = (round(v * _PX_PER_MM) for v in drawing.picture)
        w, h = min(w, pixels.shape[1] - left), min(h, pixels.shape[0] - top)
        if w > 1 and h > 1:
            pixels[top : top + h, left : left + w] = photograph(rng, h, w)
    return Prop(pixels, cover, width, height, drawing.high)


def photograph(rng: np.random.Generator, height: int, width: int) -> Image:
    """Something like a photograph: a piece of one (CC0), or soft colours and blobs."""
    maps = traced.maps()
    if maps is not None and len(maps.rooms) and rng.random() < 0.6:
        return maps.room(rng, height, width)
    coarse = rng.integers(0, 256, (int(rng.integers(2, 9)), int(rng.integers(2, 9)), 3))
    out = cv2.resize(coarse.astype(np.uint8), (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.integers(0, 12))):
        at = int(rng.integers(width)), int(rng.integers(height))
        axes = tuple(int(v) for v in rng.integers(1, max(2, width // 4), 2))
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.ellipse(out, at, axes, float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
    return out


def _pen(rng: np.random.Generator) -> _Drawing:
    long, wide = rng.uniform(110, 155), rng.uniform(7, 12)
    body, other = _ink(rng), _ink(rng)
    ring = np.array([(0, wide / 2), (12, 0), (long, 0), (long, wide), (12, wide)])
    clip = rectangle(long * 0.68, wide * 0.35, long * 0.3, wide * 0.25, 0.5)
    tip = np.array([(0, wide / 2), (12, 0), (12, wide)])
    shine = stroke([(14, wide * 0.25), (long, wide * 0.25)], wide * 0.12, _paler(body))
    shapes = (area(tip, other), area(clip, other), shine)
    return _Drawing((long, wide), (ring,), shapes, body, wide)


def _key(rng: np.random.Generator) -> _Drawing:
    metal = _metal(rng)
    r, long = rng.uniform(9, 13), rng.uniform(45, 62)
    head = regular(r, r, r, 6) if rng.random() < 0.3 else ellipse(r, r, r)
    teeth = [(2 * r - 2, r - 3), (long, r - 3), (long, r + 1)]
    for x in np.linspace(long - 2, 2 * r + 6, 7):
        teeth.append((float(x), r + rng.uniform(1, 5)))
    teeth.append((2 * r - 2, r + 3))
    hole = ellipse(r * 0.6, r, r * 0.3)
    line = stroke([(2 * r, r - 1), (long - 3, r - 1)], 0.8, _darker(metal))
    shapes = (area(hole, _darker(metal)), line)
    return _Drawing((long, 2 * r), (head, np.array(teeth)), shapes, metal, 2.5)


def _battery(rng: np.random.Generator) -> _Drawing:
    if rng.random() < 0.4:  # standing: what is seen is its end
        r = rng.uniform(5, 9)
        metal = _metal(rng)
        rim = stroke(ellipse(r, r, r * 0.93), r * 0.12, _darker(metal), closed=True)
        nub = area(ellipse(r, r, r * rng.uniform(0.3, 0.5)), _paler(metal))
        return _Drawing((2 * r, 2 * r), (ellipse(r, r, r),), (rim, nub), metal, 40)
    long, wide = (50.0, 14.0) if rng.random() < 0.6 else (44.0, 10.0)
    body, end = _ink(rng), _ink(rng)
    ring = np.array([(0, 0), (long - 2, 0), (long - 2, wide * 0.3), (long, wide * 0.3)])
    ring = np.concatenate(
        [ring, [(long, wide * 0.7), (long - 2, wide * 0.7)], [(long - 2, wide), (0, wide)]]
    )
    band = area(rectangle(long * 0.7, 0, long * 0.3, wide), end)
    shine = stroke([(0, wide * 0.3), (long, wide * 0.3)], wide * 0.1, _paler(body))
    return _Drawing(
        (long, wide),
        (ring,),
        (band, shine, *_words(rng, (6, wide * 0.4, wide * 0.3), _paler(body))),
        body,
        wide,
    )


def _coin(rng: np.random.Generator) -> _Drawing:
    r, metal = rng.uniform(8, 14), _metal(rng)
    shapes: list[Shape] = [stroke(ellipse(r, r, r * 0.9), r * 0.09, _darker(metal), closed=True)]
    if rng.random() < 0.3:
        shapes.append(area(ellipse(r, r, r * 0.65), _metal(rng)))
    text = str(int(rng.choice([1, 2, 5, 10, 20, 50])))
    high = r * 0.9
    wide = outlines.width(text, "lato-700") * high
    for shape in outlines.word(text, "lato-700", (high, high), _darker(metal)):
        if isinstance(shape, Area):
            shapes.append(
                Area(
                    tuple(ring + (r - wide / 2, r - high / 2) for ring in shape.rings), shape.colour
                )
            )
    return _Drawing((2 * r, 2 * r), (ellipse(r, r, r),), tuple(shapes), metal, 2)


def _button(rng: np.random.Generator) -> _Drawing:
    """A button, a bead, a cap, a counter: round or square, with holes, dots or rings."""
    r, body = rng.uniform(5, 11), _ink(rng)
    outline = ellipse(r, r, r) if rng.random() < 0.7 else rectangle(0, 0, 2 * r, 2 * r, r * 0.3)
    shapes: list[Shape] = []
    many, ink = int(rng.integers(0, 5)), _darker(body) if rng.random() < 0.6 else _paler(body)
    for k in range(many):
        a = 2 * np.pi * k / max(many, 1)
        far = 0.0 if many == 1 else r * 0.3
        shapes.append(area(ellipse(r + far * np.cos(a), r + far * np.sin(a), r * 0.14), ink))
    if rng.random() < 0.5:
        shapes.append(stroke(ellipse(r, r, r * 0.75), r * 0.1, ink, closed=True))
    return _Drawing((2 * r, 2 * r), (outline,), tuple(shapes), body, float(rng.uniform(1, 9)))


def _phone(rng: np.random.Generator) -> _Drawing:
    w, h = rng.uniform(65, 78), rng.uniform(135, 165)
    body = _ink(rng, 60)
    shapes: list[Shape] = [area(rectangle(3, 5, w - 6, h - 10, 4), _ink(rng))]
    step = w / 5
    for x in np.arange(step * 0.7, w - step, step):
        for y in np.arange(h * 0.3, h - step, step * 1.2):
            shapes.append(
                area(rectangle(float(x), float(y), step * 0.7, step * 0.7, step * 0.18), _ink(rng))
            )
    picture = (3.0, 5.0, w - 6, h - 10) if rng.random() < 0.4 else None
    return _Drawing((w, h), (rectangle(0, 0, w, h, 8),), tuple(shapes), body, 8, picture)


def _page(rng: np.random.Generator) -> _Drawing:
    """A letter, a rulebook or a page of a magazine."""
    w, h = (148.0, 210.0) if rng.random() < 0.6 else (rng.uniform(90, 180), rng.uniform(100, 200))
    paper = _ink(rng.integers(215, 256, 3)) if rng.random() < 0.8 else _ink(rng)
    ink: Colour = (30, 30, 35) if sum(paper) > 350 else (235, 235, 230)
    shapes: list[Shape] = []
    shapes += _words(rng, (12, 12, rng.uniform(4, 11)), _ink(rng) if rng.random() < 0.5 else ink)
    columns = int(rng.integers(1, 4))
    wide = (w - 24 - 6 * (columns - 1)) / columns
    high = rng.uniform(1.4, 2.6)
    for c in range(columns):
        left = 12 + c * (wide + 6)
        for y in np.arange(30, h - 14, high * rng.uniform(1.6, 2.2)):
            if rng.random() < 0.93:
                end = left + wide * (rng.uniform(0.5, 1) if rng.random() < 0.2 else 1)
                shapes.append(stroke([(left, float(y)), (end, float(y))], high * 0.5, ink))
    picture = None
    if rng.random() < 0.6:
        pw, ph = rng.uniform(0.3, 0.9) * (w - 24), rng.uniform(0.15, 0.5) * h
        picture = (12.0, float(rng.uniform(28, h - ph - 8)), float(pw), float(ph))
    return _Drawing((w, h), (rectangle(0, 0, w, h),), tuple(shapes), paper, 0.3, picture)


def _print(rng: np.random.Generator) -> _Drawing:
    """A photograph on paper, larger than a card."""
    w, h = (100.0, 150.0) if rng.random() < 0.5 else (130.0, 180.0)
    edge = rng.uniform(0, 7) * (rng.random() < 0.6)
    picture = (float(edge), float(edge), w - 2 * edge, h - 2 * edge)
    return _Drawing(
        (w, h), (rectangle(0, 0, w, h),), (), _ink(rng.integers(225, 256, 3)), 0.3, picture
    )


def _words(rng: np.random.Generator, at: tuple[float, float, float], ink: Colour) -> list[Shape]:
    x, y, high = at
    faces = outlines.typefaces()
    face = faces[int(rng.integers(len(faces)))]
    text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWZ"), int(rng.integers(3, 9))))
    return [
        Area(tuple(ring + (x, y) for ring in shape.rings), shape.colour)
        for shape in outlines.word(text, face, (high, high), ink)
        if isinstance(shape, Area)
    ]


KINDS: dict[str, Callable[[np.random.Generator], _Drawing]] = {
    "pen": _pen,
    "key": _key,
    "battery": _battery,
    "coin": _coin,
    "button": _button,
    "phone": _phone,
    "page": _page,
    "print": _print,
}
SMALL = ("key", "battery", "coin", "button")
"""What may be taken for a die."""


def _ink(of: Points | np.random.Generator, high: int = 256) -> Colour:
    values = of.integers(0, high, 3) if isinstance(of, np.random.Generator) else of
    r, g, b = (int(v) for v in values)
    return r, g, b


def _metal(rng: np.random.Generator) -> Colour:
    grey = rng.uniform(90, 215)
    tint = [(1.0, 1.0, 1.0), (1.05, 0.85, 0.5), (1.0, 0.68, 0.5)][int(rng.integers(3))]
    return _ink(np.clip(grey * np.array(tint), 0, 255))


def _darker(colour: Colour) -> Colour:
    return _ink(np.array(colour) * 0.55)


def _paler(colour: Colour) -> Colour:
    return _ink(np.array(colour) * 0.5 + 120)
