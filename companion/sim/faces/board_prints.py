"""Prints for game boards, made by code: some rich in texture, some poor in it.

`HELD_OUT` styles are for judging only: nothing that finds or reads boards was fitted on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Colour, Face, Image
from companion.sim.render.crops import DrawnFace

PX_PER_MM = 2.0
"""How finely boards are drawn before they are photographed."""
Floats = npt.NDArray[Any]
Box = tuple[float, float, float, float]
"""Left, top, width and height of a printed space, in millimetres."""


@dataclass(frozen=True, slots=True)
class BoardPrint:
    """What is printed on a board: which style, by which chance, and with which framed spaces."""

    style: str
    seed: int
    size_mm: tuple[float, float]
    spaces: tuple[Box, ...] = ()


def drawn_board(name: str, what: BoardPrint) -> DrawnFace:
    """The board as a piece that can be laid on a simulated table."""
    pixels = board_pixels(what)
    face = Face(name, *what.size_mm, shapes=(), corner=2.0)
    lying = pixels.shape[1] > pixels.shape[0]
    return DrawnFace(face, np.ascontiguousarray(np.rot90(pixels)) if lying else pixels, lying)


def board_pixels(what: BoardPrint) -> Image:
    """The print from straight above, `PX_PER_MM` pixels to the millimetre."""
    rng = np.random.default_rng([77, what.seed])
    width, height = (round(side * PX_PER_MM) for side in what.size_mm)
    image = STYLES[what.style](rng, height, width)
    _border(image, rng)
    for space in what.spaces:
        _framed(image, space, rng)
    return image


# -- parts ----------------------------------------------------------------------------------


def _noise(rng: np.random.Generator, height: int, width: int, cells: int) -> Floats:
    """Soft noise of about -1 to 1, several sizes of cells upon each other."""
    out = np.zeros((height, width), np.float32)
    weight = 1.0
    while cells < min(height, width) // 2 and weight > 0.12:
        coarse = rng.uniform(-1, 1, (cells, cells)).astype(np.float32)
        out += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        cells, weight = cells * 2, weight * 0.55
    return out


def _ink(rng: np.random.Generator, low: int = 0, high: int = 256) -> Colour:
    b, g, r = (int(v) for v in rng.integers(low, high, 3))
    return b, g, r


def _filled(height: int, width: int, colour: Sequence[int]) -> Image:
    return np.full((height, width, 3), colour, np.uint8)


def _shaded(image: Image, field: Floats, strength: float) -> Image:
    """The picture made lighter and darker by a field."""
    light = 1 + strength * field[..., None]
    return np.clip(image.astype(np.float32) * light, 0, 255).astype(np.uint8)


def _border(image: Image, rng: np.random.Generator) -> None:
    height, width = image.shape[:2]
    inset = int(rng.integers(4, 12))
    ink = _ink(rng)
    cv2.rectangle(image, (inset, inset), (width - inset, height - inset), ink, 2, cv2.LINE_AA)


def _framed(image: Image, space: Box, rng: np.random.Generator) -> None:
    """A space to put things on: a lighter field in a frame."""
    x, y, w, h = (round(v * PX_PER_MM) for v in space)
    part = image[y : y + h, x : x + w]
    if not part.size:
        return
    part[:] = cv2.addWeighted(part, 0.55, np.full_like(part, (205, 216, 222)), 0.45, 0)
    cv2.rectangle(image, (x, y), (x + w - 1, y + h - 1), _ink(rng, 20, 90), 2, cv2.LINE_AA)


def glyph(image: Image, at: tuple[int, int], size: int, rng: np.random.Generator) -> None:
    """One small figure: a ring, a star, a rune, a house or a letter."""
    x, y = at
    ink = _ink(rng)
    match int(rng.integers(5)):
        case 0:
            cv2.circle(image, at, size, ink, max(1, size // 4), cv2.LINE_AA)
        case 1:
            a = np.arange(10) * np.pi / 5 + rng.uniform(0, 3)
            r = np.where(np.arange(10) % 2, 0.45, 1.0) * size
            star = np.stack([x + r * np.cos(a), y + r * np.sin(a)], 1)
            cv2.fillPoly(image, [star.astype(np.int32)], ink, cv2.LINE_AA)
        case 2:
            spots = rng.integers(-size, size + 1, (5, 2)) + (x, y)
            cv2.polylines(image, [spots.astype(np.int32)], False, ink, 2, cv2.LINE_AA)
        case 3:
            roof = np.array([(x - size, y), (x, y - size), (x + size, y)])
            cv2.fillPoly(image, [roof.astype(np.int32)], ink, cv2.LINE_AA)
            cv2.rectangle(image, (x - size // 2, y), (x + size // 2, y + size), _ink(rng), -1)
        case _:
            letter = chr(int(rng.integers(65, 91)))
            cv2.putText(
                image, letter, (x - size // 2, y + size // 2), 2, size / 14, ink, 2, cv2.LINE_AA
            )


def _glyphs(image: Image, many: int, sizes: tuple[int, int], rng: np.random.Generator) -> None:
    height, width = image.shape[:2]
    for _ in range(many):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        glyph(image, at, int(rng.integers(*sizes)), rng)


# -- styles ---------------------------------------------------------------------------------


def _landscape(rng: np.random.Generator, height: int, width: int) -> Image:
    """Mountains behind each other under a sky, with trees and huts."""
    top, bottom = np.array(_ink(rng, 90)), np.array(_ink(rng, 60))
    share = np.linspace(0, 1, height)[:, None, None]
    image = np.tile(top + (bottom - top) * share, (1, width, 1)).astype(np.uint8)
    for ridge in range(5):
        level = height * (0.25 + 0.15 * ridge)
        line = level + _noise(rng, 64, width, 4)[0] * height * 0.09
        edge = np.stack([np.arange(width), line], 1)
        field = np.vstack([edge, [(width, height), (0, height)]]).astype(np.int32)
        cv2.fillPoly(image, [field], _ink(rng, 20, 200), cv2.LINE_AA)
        for _ in range(60):
            x = int(rng.integers(width))
            y = int(line[x] + rng.uniform(0, height * 0.14))
            tall = int(rng.integers(5, 22))
            tree = np.array([(x - tall // 3, y), (x, y - tall), (x + tall // 3, y)])
            cv2.fillPoly(image, [tree.astype(np.int32)], _ink(rng, 10, 160), cv2.LINE_AA)
    _glyphs(image, 14, (8, 24), rng)
    return _shaded(image, _noise(rng, height, width, 16), 0.16)


def _chart(rng: np.random.Generator, height: int, width: int) -> Image:
    """A sea chart: coasts, depth lines, places with names."""
    land = _noise(rng, height, width, 4)
    image = _filled(height, width, _ink(rng, 120))
    image[land > 0] = _ink(rng, 100)
    for level in np.linspace(-1.0, 1.0, 9):
        lines, _ = cv2.findContours(
            (land > level).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE
        )
        cv2.drawContours(
            image, lines, -1, _ink(rng, 0, 140), 1 + int(abs(level) < 0.1), cv2.LINE_AA
        )
    _glyphs(image, 30, (6, 18), rng)
    for _ in range(12):
        word = "".join(chr(int(c)) for c in rng.integers(97, 123, int(rng.integers(4, 9))))
        at = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.putText(image, word, at, 3, rng.uniform(0.4, 0.9), _ink(rng, 0, 90), 1, cv2.LINE_AA)
    return _shaded(image, _noise(rng, height, width, 32), 0.08)


def _planks(rng: np.random.Generator, height: int, width: int) -> Image:
    """Boards of wood with carved signs."""
    image = _filled(height, width, _ink(rng, 60, 190))
    grain = cv2.resize(
        rng.normal(0, 1, (height, 24)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    image = _shaded(image, grain, 0.09)
    for y in range(0, height, int(rng.integers(60, 110))):
        cv2.line(image, (0, y), (width, y), _ink(rng, 0, 50), 3, cv2.LINE_AA)
    _glyphs(image, 55, (7, 26), rng)
    return image


def _plain(rng: np.random.Generator, height: int, width: int) -> Image:
    """Poor in texture: one colour that fades, a few signs."""
    image = _filled(height, width, _ink(rng, 70, 220))
    image = _shaded(image, _noise(rng, height, width, 2), 0.1)
    _glyphs(image, 12, (12, 34), rng)
    return image


def _mosaic(rng: np.random.Generator, height: int, width: int) -> Image:
    """Stones of a mosaic, their colours after a picture."""
    step = int(rng.integers(12, 20))
    rows, columns = height // step + 2, width // step + 2
    picture = [_noise(rng, rows, columns, 3) for _ in range(3)]
    image = _filled(height, width, _ink(rng, 0, 60))
    for row in range(rows):
        for column in range(columns):
            colour = [float(np.clip(128 + 110 * p[row, column], 0, 255)) for p in picture]
            colour = [c + rng.normal(0, 14) for c in colour]
            x, y = (np.array([column, row]) * step + rng.normal(0, 2, 2)).astype(int)
            stone = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (step - 3) + rng.normal(
                0, 2, (4, 2)
            )
            cv2.fillPoly(image, [(stone + (x, y)).astype(np.int32)], colour, cv2.LINE_AA)
    return image


def _engraving(rng: np.random.Generator, height: int, width: int) -> Image:
    """Lines that swell and thin with what they show, as in an old book."""
    field = _noise(rng, height, width, 5)
    y = np.arange(height, dtype=np.float32)[:, None] + 14 * field
    lines = np.sin(y * 2 * np.pi / float(rng.uniform(7, 10)))
    dark = (lines > 0.7 - 0.9 * field).astype(np.float32)
    dark = cv2.GaussianBlur(dark, (0, 0), 0.8)[..., None]
    paper, ink = np.array(_ink(rng, 180)), np.array(_ink(rng, 0, 90))
    image = np.ascontiguousarray((paper * (1 - dark) + ink * dark).astype(np.uint8))
    _glyphs(image, 16, (10, 30), rng)
    return image


def _sparse(rng: np.random.Generator, height: int, width: int) -> Image:
    """Poor in texture: two fields of colour, a large ring, and a handful of signs."""
    image = _filled(height, width, _ink(rng, 60, 230))
    split = int(width * rng.uniform(0.35, 0.65))
    image[:, split:] = _ink(rng, 60, 230)
    middle = (int(width * rng.uniform(0.3, 0.7)), int(height * rng.uniform(0.3, 0.7)))
    cv2.circle(image, middle, int(min(height, width) * 0.28), _ink(rng), 5, cv2.LINE_AA)
    _glyphs(image, 14, (12, 30), rng)
    return image


Style = Callable[[np.random.Generator, int, int], Image]
FITTED: Mapping[str, Style] = MappingProxyType(
    {"landscape": _landscape, "chart": _chart, "planks": _planks, "plain": _plain}
)
"""Styles that finding and reading were tried out on."""
HELD_OUT: Mapping[str, Style] = MappingProxyType(
    {"mosaic": _mosaic, "engraving": _engraving, "sparse": _sparse}
)
STYLES: Mapping[str, Style] = MappingProxyType({**FITTED, **HELD_OUT})
