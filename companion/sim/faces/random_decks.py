"""Random faces of games that do not exist, and of business cards, paper and phones, for training.

The faces of a family share a design and differ in a number, a colour or a sign, because a reader
of cards has to learn to tell similar ones apart.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.sim.faces.canvas import (
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    moved,
    rectangle,
    regular,
    star,
    stroke,
    upside_down,
)
from companion.sim.faces.glyphs import Pen, lettering
from companion.sim.faces.trading_cards import trading_family

_LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def family(rng: np.random.Generator, size: int) -> list[Face]:
    """So many faces of one random design."""
    design = _DESIGNS[int(rng.integers(len(_DESIGNS)))]
    return design(rng, size)


def _ink(rng: np.random.Generator, low: int = 0, high: int = 256) -> Colour:
    r, g, b = (int(v) for v in rng.integers(low, high, 3))
    return r, g, b


def _strong(rng: np.random.Generator) -> Colour:
    """A random saturated colour."""
    hue = rng.random() * 6
    low, high = int(rng.integers(0, 90)), int(rng.integers(130, 256))
    mid = int(low + (high - low) * (1 - abs(hue % 2 - 1)))
    pick = [
        (high, mid, low),
        (mid, high, low),
        (low, high, mid),
        (low, mid, high),
        (mid, low, high),
        (high, low, mid),
    ]
    return pick[int(hue)]


def _size(rng: np.random.Generator) -> tuple[float, float]:
    return [(63.0, 88.0), (57.0, 87.0), (44.0, 68.0), (70.0, 110.0), (59.0, 92.0)][
        int(rng.integers(5))
    ]


def _paper(rng: np.random.Generator) -> Colour:
    return _ink(rng, 232) if rng.random() < 0.65 else _ink(rng, 20)


def emblem(rng: np.random.Generator, size: float, colour: Colour) -> tuple[Shape, ...]:
    """A random sign about the origin, of one to four parts."""
    out: list[Shape] = []
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(-0.25, 0.25, 2) * size
        r = rng.uniform(0.15, 0.5) * size
        ink = colour if rng.random() < 0.7 else _ink(rng)
        match int(rng.integers(6)):
            case 0:
                out.append(
                    area(regular(x, y, r, int(rng.integers(3, 8)), rng.uniform(0, 360)), ink)
                )
            case 1:
                tips = int(rng.integers(3, 9))
                out.append(area(star(x, y, r, r * rng.uniform(0.3, 0.7), tips), ink))
            case 2:
                out.append(area(ellipse(x, y, r, r * rng.uniform(0.3, 1)), ink))
            case 3:
                ring = ellipse(x, y, r * 0.8)
                out.append(stroke(ring, size * rng.uniform(0.04, 0.12), ink, closed=True))
            case 4:
                line = rng.uniform(-0.45, 0.45, (int(rng.integers(2, 6)), 2)) * size
                out.append(stroke(line, size * rng.uniform(0.04, 0.15), ink))
            case _:
                line = rng.uniform(-0.5, 0.5, (int(rng.integers(3, 7)), 2)) * size
                out.append(area(line, ink))
    return tuple(out)


def _numbers(rng: np.random.Generator, size: int) -> list[Face]:
    """As the deck of a shedding game: a value in a colour, with or without a sign."""
    w, h = _size(rng)
    paper = _paper(rng)
    colours = [_strong(rng) for _ in range(int(rng.integers(2, 7)))]
    signs_seed = int(rng.integers(1 << 30))
    weight, stretch, feet = rng.uniform(0.1, 0.24), rng.uniform(0.6, 1.2), bool(rng.random() < 0.4)
    corner, middle = rng.uniform(7, 20), rng.uniform(18, 45)
    ground, centre, four = rng.random() < 0.35, int(rng.integers(4)), rng.random() < 0.5
    out = []
    for _ in range(size):
        colour = colours[int(rng.integers(len(colours)))]
        value = int(rng.integers(0, 13))
        shapes: list[Shape] = []
        ink = colour
        if ground:
            shapes.append(area(rectangle(3, 3, w - 6, h - 6, 3), colour))
            ink = paper
        pen = Pen(ink, weight, stretch * (0.8 if value > 9 else 1), 0, 0.15, feet)
        sign = np.random.default_rng([signs_seed, value if centre == 1 else 99])
        if centre == 0:
            shapes.extend(
                lettering(str(value), w / 2, h / 2 - middle / 2, middle, pen, anchor="middle")
            )
        elif centre in (1, 2):
            shapes.extend(moved(emblem(sign, middle, ink), w / 2, h / 2))
        index = lettering(str(value), 4.5, 4.5, corner, pen)
        both = [*index, *upside_down(index, w, h)]
        if four:
            right = lettering(str(value), w - 4.5, 4.5, corner, pen, anchor="right")
            both += [*right, *upside_down(right, w, h)]
        shapes.extend(both)
        out.append(Face(f"{value}-{colour}", w, h, tuple(shapes), paper))
    return out


def _emblems(rng: np.random.Generator, size: int) -> list[Face]:
    """Different pictures in one frame, mostly with a name under each."""
    w, h = _size(rng)
    paper, frame = _paper(rng), _ink(rng)
    named, inset = rng.random() < 0.6, rng.uniform(0, 6)
    same_ink = _strong(rng) if rng.random() < 0.5 else None
    out = []
    for i in range(size):
        shapes: list[Shape] = [
            stroke(
                rectangle(inset, inset, w - 2 * inset, h - 2 * inset, 2),
                rng.uniform(0.4, 2),
                frame,
                closed=True,
            )
        ]
        ink = same_ink or _strong(rng)
        shapes.extend(moved(emblem(rng, rng.uniform(30, 50), ink), w / 2, h * 0.45))
        if named:
            word = "".join(rng.choice(_LETTERS, int(rng.integers(3, 9))))
            shapes.extend(
                lettering(word, w / 2, h * 0.83, rng.uniform(3, 7), Pen(frame), anchor="middle")
            )
        out.append(Face(f"emblem{i}", w, h, tuple(shapes), paper))
    return out


def _tiles(rng: np.random.Generator, size: int) -> list[Face]:
    """Square tiles with a sign, and a number on each edge."""
    side = rng.uniform(20, 60)
    paper, ink = _paper(rng), _strong(rng)
    out = []
    for i in range(size):
        shapes: list[Shape] = list(moved(emblem(rng, side * 0.5, ink), side / 2, side / 2))
        for turn in range(4):
            number = lettering(
                str(int(rng.integers(1, 9))),
                0,
                -side * 0.46,
                side * 0.18,
                Pen(ink),
                anchor="middle",
            )
            shapes.extend(moved(number, side / 2, side / 2, turn=turn * 90))
        out.append(Face(f"tile{i}", side, side, tuple(shapes), paper))
    return out


def _letters(rng: np.random.Generator, size: int) -> list[Face]:
    """Business cards and notes: words in rows."""
    w, h = (55.0, 85.0) if rng.random() < 0.5 else _size(rng)
    out = []
    for i in range(size):
        ink = _ink(rng, 0, 120)
        shapes: list[Shape] = []
        if rng.random() < 0.5:
            shapes.extend(
                moved(emblem(rng, rng.uniform(8, 20), _strong(rng)), rng.uniform(12, 40), 14)
            )
        y = rng.uniform(6, 30)
        while y < h - 8:
            size_mm = rng.uniform(1.6, 4.5)
            word = "".join(rng.choice([*_LETTERS, " "], int(rng.integers(4, 22))))
            for shape in lettering(word, 5, y, size_mm, Pen(ink, rng.uniform(0.1, 0.2))):
                shapes.append(shape)
            y += size_mm * rng.uniform(1.4, 3)
        out.append(
            _clipped(
                f"letters{i}", w, h, shapes, _paper(rng) if rng.random() < 0.3 else _ink(rng, 225)
            )
        )
    return out


def _pictures(rng: np.random.Generator, size: int) -> list[Face]:
    """Pictures to the very edge, as on collectable cards and phone screens."""
    w, h = _size(rng)
    out = []
    for i in range(size):
        shapes: list[Shape] = []
        for _ in range(int(rng.integers(8, 40))):
            ring = ellipse(rng.uniform(0, w), rng.uniform(0, h), *rng.uniform(1, 22, 2))
            match int(rng.integers(4)):
                case 0:
                    shapes.append(
                        area(rng.uniform(0, 1, (int(rng.integers(3, 7)), 2)) * (w, h), _ink(rng))
                    )
                case 1:
                    x, y = rng.uniform(0, w - 6), rng.uniform(0, h - 6)
                    shapes.append(area(rectangle(x, y, *rng.uniform(2, 30, 2)), _ink(rng)))
                case _:
                    shapes.append(area(ring, _ink(rng)))
        if rng.random() < 0.5:
            shapes.append(area(rectangle(4, h * 0.6, w - 8, h * 0.32, 2), _ink(rng, 200)))
            for row in range(4):
                word = "".join(rng.choice(_LETTERS, int(rng.integers(6, 14))))
                shapes.extend(lettering(word, 6, h * 0.63 + row * 5, 2.4, Pen((40, 40, 40))))
        out.append(_clipped(f"picture{i}", w, h, shapes, _ink(rng)))
    return out


def _dots(rng: np.random.Generator, size: int) -> list[Face]:
    """Cards that differ in how many signs they show."""
    w, h = _size(rng)
    paper, ink = _paper(rng), _strong(rng)
    sign = emblem(rng, rng.uniform(9, 15), ink)
    out = []
    for _ in range(size):
        count = int(rng.integers(1, 11))
        shapes: list[Shape] = []
        for k in range(count):
            x = w * (0.3 + 0.4 * (k % 2)) if count > 3 else w / 2
            y = h * (
                0.16
                + 0.7
                * (k // 2 if count > 3 else k)
                / max(1, (count - 1) // (2 if count > 3 else 1))
            )
            shapes.extend(moved(sign, x, y))
        out.append(_clipped(f"dots{count}", w, h, shapes, paper))
    return out


def _clipped(label: str, w: float, h: float, shapes: list[Shape], paper: Colour) -> Face:
    """A face whose shapes may run over its edge: `raster` cuts them off there."""
    return Face(label, w, h, tuple(shapes), paper)


_DESIGNS: tuple[Callable[[np.random.Generator, int], list[Face]], ...] = (
    _numbers,
    _numbers,
    _numbers,
    _emblems,
    _emblems,
    _tiles,
    _letters,
    _pictures,
    _dots,
    trading_family,
    trading_family,
)
