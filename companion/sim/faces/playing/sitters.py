"""What court cards are put together from: heads, robes, signs, and inks of a house."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import (
    Area,
    Colour,
    Points,
    Shape,
    area,
    ellipse,
    moved,
    stroke,
    upside_down,
)
from companion.sim.faces.playing import indices
from companion.sim.faces.playing.style import Printing


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """One court card to be drawn: who sits, where there is room, and which inks are at hand."""

    rank: str
    suit: str
    style: Printing
    rng: np.random.Generator
    left: float
    top: float
    inks: tuple[Colour, ...]

    @property
    def right(self) -> float:
        return self.style.width - self.left

    @property
    def middle(self) -> float:
        return self.style.width / 2

    @property
    def half(self) -> float:
        return self.style.height / 2

    def ink(self) -> Colour:
        return self.inks[int(self.rng.integers(len(self.inks)))]

    def inside(self, of: Points, low: float | None = None) -> Points:
        """The points moved into the room: above the middle, or above `low`."""
        foot = self.half if low is None else low
        x = of[:, 0].clip(self.left + 0.5, self.right - 0.5)
        return np.stack([x, of[:, 1].clip(self.top + 0.5, foot)], 1)


def palette(style: Printing, rng: np.random.Generator) -> tuple[Colour, ...]:
    yellow = (int(rng.integers(205, 250)), int(rng.integers(150, 215)), int(rng.integers(10, 110)))
    blue = (int(rng.integers(10, 90)), int(rng.integers(40, 130)), int(rng.integers(100, 210)))
    match int(rng.integers(4)):
        case 0:
            return style.ink("H"), style.ink("S"), yellow, blue, style.paper
        case 1:
            green = (
                int(rng.integers(10, 90)),
                int(rng.integers(80, 150)),
                int(rng.integers(30, 100)),
            )
            return style.ink("H"), style.ink("S"), yellow, green, blue
        case 2:
            any_inks = rng.integers(0, 256, (3, 3))
            more = [(int(r), int(g), int(b)) for r, g, b in any_inks]
            return (style.ink("S"), more[0], more[1], more[2], style.paper)
        case _:
            return style.ink("H"), style.ink("S"), style.ink("S"), style.ink("H"), style.paper


def sign(sitting: Sitting) -> tuple[Shape, ...]:
    style, rng = sitting.style, sitting.rng
    size = style.pips.size * rng.uniform(0.7, 1.05)
    x = sitting.left + 1 + size / 2
    if rng.random() < 0.2:
        x = sitting.right - 1 - size / 2
    return moved(indices.sign(sitting.suit, size, style), x, sitting.top + 1 + size / 2)


def head(sitting: Sitting, x: float, y: float, size: float = 1.0) -> list[Shape]:
    """A face with hair, eyes, a nose and a crown or hat."""
    rng, ink = sitting.rng, sitting.ink
    hair = ellipse(x, y, rng.uniform(5, 7.5) * size, rng.uniform(6, 8.5) * size)
    skin: Colour = (250, int(rng.integers(215, 243)), int(rng.integers(185, 232)))
    if rng.random() < 0.25:
        skin = sitting.style.paper
    out: list[Shape] = [area(sitting.inside(hair), ink())]
    out.append(area(sitting.inside(ellipse(x, y, 4 * size, 5.5 * size)), skin))
    black = sitting.style.ink("S")
    out += [area(ellipse(x + dx * size, y - size, 0.5 * size), black) for dx in (-1.6, 1.6)]
    nose = [(x, y - 0.5 * size), (x - 0.6 * size, y + 1.5 * size)]
    out.append(stroke(nose, 0.35 * size, black))
    if sitting.rank == "K" and rng.random() < 0.7:
        beard = [(x - 3.5 * size, y + 2 * size), (x + 3.5 * size, y + 2 * size), (x, y + 8 * size)]
        out.append(area(sitting.inside(np.array(beard)), ink()))
    tips = int(rng.integers(2, 6))
    xs = np.linspace(x - 6 * size, x + 6 * size, 2 * tips + 1)
    crown = [(x - 6 * size, y - 4.6 * size), (x + 6 * size, y - 4.6 * size)]
    crown += [
        (float(a), y - (9.5 if i % 2 else 6) * size) for i, a in reversed(list(enumerate(xs)))
    ]
    out.append(area(sitting.inside(np.array(crown)), ink()))
    return out


def strewn(sitting: Sitting, many: int, top: float, foot: float | None = None) -> list[Shape]:
    """Stripes and dots of a robe."""
    rng = sitting.rng
    low = max(top, sitting.half if foot is None else foot)
    out: list[Shape] = []
    for _ in range(many):
        x, y = rng.uniform(sitting.left, sitting.right), rng.uniform(top, low)
        if rng.random() < 0.65:
            length, angle = rng.uniform(3, 16), rng.uniform(0, np.pi)
            d = np.array([np.cos(angle), np.sin(angle)]) * length
            line = sitting.inside(np.array([(x, y), (x + d[0], y + d[1])]), low)
            out.append(stroke(line, rng.uniform(0.3, 2.4), sitting.ink()))
        else:
            ring = ellipse(x, y, rng.uniform(0.6, 2.5))
            out.append(area(sitting.inside(ring, low), sitting.ink()))
    return out


def both(sitting: Sitting, half: list[Shape]) -> tuple[Shape, ...]:
    style = sitting.style
    return (*half, *upside_down(half, style.width, style.height))


def scenery(style: Printing, rng: np.random.Generator, colours: int = 6) -> tuple[Shape, ...]:
    """A picture over the whole card, for jokers and cards that are all art."""
    w, h = style.width, style.height
    inks = [(int(r), int(g), int(b)) for r, g, b in rng.integers(10, 246, (colours, 3))]
    out: list[Shape] = []
    for _ in range(int(rng.integers(4, 16))):
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        ink = inks[int(rng.integers(colours))]
        ring = ellipse(x, y, *rng.uniform(2, 20, 2))
        out.append(
            Area((ring,), ink) if rng.random() < 0.6 else stroke(ring, 0.8, ink, closed=True)
        )
    return tuple(out)
