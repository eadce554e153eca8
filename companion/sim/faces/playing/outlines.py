"""Outlines of typefaces and suit signs, kept beside this file.

`python -m models.train.outlines` made them from packages under the OFL, Apache and MIT licences;
models/train/SOURCES.md names each.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from companion.sim.faces.canvas import Area, Colour, Points, Shape

FILE = Path(__file__).with_name("outlines.npz")
UNITS = 500
"""Steps of the kept points to the height of a capital letter or a sign."""
Rings = tuple[Points, ...]


@lru_cache(maxsize=1)
def _kept() -> dict[str, Rings]:
    with np.load(FILE) as file:
        names = str(file["names"]).split("\n")
        every = np.split(file["points"] / UNITS, np.cumsum(file["sizes"])[:-1])
        ends = np.cumsum(file["counts"])
    starts = [0, *ends[:-1]]
    return {name: tuple(every[a:b]) for name, a, b in zip(names, starts, ends, strict=True)}


@lru_cache(maxsize=1)
def typefaces() -> tuple[str, ...]:
    """Their names, such as "oswald-500"."""
    found = (name.partition("/")[0] for name in _kept())
    return tuple(dict.fromkeys(name for name in found if not name.startswith("suit-")))


@lru_cache(maxsize=8)
def signs(suit: str) -> tuple[str, ...]:
    """The names of the outlines there are of a suit's sign."""
    return tuple(name for name in _kept() if name.startswith(f"suit-{suit}/"))


def sign(name: str) -> Rings:
    """A suit's sign about the origin, 1 high."""
    return _kept()[name]


def glyph(typeface: str, letter: str) -> Rings:
    """A letter, its left edge at 0, its feet at 1; capitals are 1 high."""
    return _kept()[f"{typeface}/{letter}"]


def width(text: str, typeface: str, spacing: float = 0.08) -> float:
    """Of a word whose capitals are 1 high."""
    wide = [max(float(ring[:, 0].max()) for ring in glyph(typeface, c)) for c in text if c != " "]
    return sum(wide) + spacing * (len(text) - 1) + 0.35 * text.count(" ")


def word(
    text: str,
    typeface: str,
    size: tuple[float, float],
    colour: Colour,
    spacing: float = 0.08,
) -> tuple[Shape, ...]:
    """The word from the origin on, right and down; `size` is how wide and how high a unit is."""
    out: list[Shape] = []
    x = 0.0
    for letter in text:
        if letter == " ":
            x += 0.35 + spacing
            continue
        rings = glyph(typeface, letter)
        moved = tuple((ring + (x, 0)) * size for ring in rings)
        out.append(Area(moved, colour))
        x += max(float(ring[:, 0].max()) for ring in rings) + spacing
    return tuple(out)
