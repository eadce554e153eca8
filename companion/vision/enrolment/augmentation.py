"""Varied views of one picture of a card, as cameras and finders would cut it.

A deck is enrolled from one picture a card. The next look at the card has other corners, another
table beside its edge, other light and another lens: from these views a head learns what stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.crops import HIGH, MARGIN, WIDE, Image, corners, grown

Floats = npt.NDArray[Any]
Random = np.random.Generator

_CORNERS_ASTRAY = 0.016
"""Spread of each corner, a share of the card's side: what a good finder still misses by."""
_SMALLEST, _LARGEST = 0.84, 1.10
"""How much smaller or larger than the card a finder takes it: art within a border, or a rim."""
_OFTEN_TRUE = 0.6
"""The share of views whose size is right but for a little."""
_COVERED = 0.18
"""The share of views with something over the card."""
_SWAPPED = (
    ((0.06, 0.06, 0.32, 0.3), (0.68, 0.7, 0.94, 0.94)),  # indices in two corners
    ((0.23, 0.23, 0.77, 0.77),),  # the middle
    ((0, 0, 1, 0.5),),
    ((0, 0.5, 1, 1),),
    ((0.5, 0, 1, 1),),
)
"""Parts that another card lends: left, top, right and bottom, as shares of the picture's sides."""
_COARSEST = 44
"""Pixels of a card's height in the smallest picture that can be read."""
_X, _Y = np.meshgrid(
    np.linspace(-0.5, 0.5, WIDE, dtype=np.float32), np.linspace(-0.5, 0.5, HIGH, dtype=np.float32)
)
"""Where the pixels of a cut are, from its middle, as shares of its sides."""
_SHEET = np.random.default_rng(0).normal(0, 64, (256, 256, 3)).astype(np.int16)
"""Noise to cut pieces from: drawing it anew costs more than all the rest."""


def varied(card: Image, quad: Floats, others: Sequence[Image], many: int, rng: Random) -> Image:
    """Cuts (many, 112, 80, 3) of the card that lies at `quad` in its picture.

    `others` are pictures of other cards: some of them lie over a part of it.
    """
    mask = np.zeros(card.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255)
    out = np.empty((many, HIGH, WIDE, 3), np.uint8)
    for number in range(many):
        out[number] = _view(card, quad, mask, others, rng)
    return out


def sibling(card: Image, other: Image | None, rng: Random) -> Image:
    """A card as the same deck might have: parts of another laid over one, or other colours. Of a
    deck's cards that nobody showed the siblings look like this."""
    way = int(rng.integers(6))
    if other is None or other.shape != card.shape or way == len(_SWAPPED):
        hue = cv2.cvtColor(card, cv2.COLOR_BGR2HSV)
        hue[..., 0] = (hue[..., 0].astype(np.int16) + int(rng.integers(25, 155))) % 180
        return cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)
    out = card.copy()
    high, wide = card.shape[:2]
    for left, top, right, bottom in _SWAPPED[way]:
        rows = slice(round(top * high), round(bottom * high))
        columns = slice(round(left * wide), round(right * wide))
        out[rows, columns] = other[rows, columns]
    return out


def astray(card: Image, quad: Floats, many: int, rng: Random) -> Image:
    """Cuts that show a part of the card only, or none: what a finder wrongly takes for one."""
    middle = quad.mean(0)
    side = np.linalg.norm(quad[2] - quad[0])
    out = np.empty((many, HIGH, WIDE, 3), np.uint8)
    for number in range(many):
        way = rng.uniform(0, 2 * np.pi)
        off = np.array([np.cos(way), np.sin(way)]) * side * rng.uniform(0.22, 0.5)
        aim = middle + (quad - middle) * rng.uniform(0.3, 1.1) + off
        out[number] = _seen(_cut(card, aim, _ground(rng)), rng)
    return out


def _view(card: Image, quad: Floats, mask: Image, others: Sequence[Image], rng: Random) -> Image:
    aim = _aimed(quad, rng)
    ground = _ground(rng)
    cut = _cut(card, aim, ground)
    if rng.random() < 0.6:  # on another table than the one it was pictured on
        here = _warped(mask, aim, cv2.BORDER_CONSTANT)
        cut = np.where(here[..., None] > 127, cut, ground)
    if others and rng.random() < _COVERED:
        _cover(cut, others[int(rng.integers(len(others)))], rng)
    return _seen(cut, rng)


def _aimed(quad: Floats, rng: Random) -> Floats:
    """The card's corners as a finder might say them."""
    middle = quad.mean(0)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    if rng.random() < _OFTEN_TRUE:
        size = 1 + rng.normal(0, 0.02, 2)
    else:
        size = rng.uniform(_SMALLEST, _LARGEST) + rng.normal(0, 0.015, 2)
    u, v = across * size[0] / 2, down * size[1] / 2
    frame = np.stack([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
    slant = quad - np.stack(
        [middle + (a * across + b * down) / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    side = np.linalg.norm(down)
    shift = rng.normal(0, 0.008, 2) * side
    return frame + slant + shift + rng.normal(0, _CORNERS_ASTRAY, (4, 2)) * side


def _warped(image: Image, aim: Floats, border: int) -> Image:
    way = cv2.getPerspectiveTransform(grown(aim, MARGIN), corners(WIDE, HIGH))
    out: Image = cv2.warpPerspective(
        image, way, (WIDE, HIGH), flags=cv2.INTER_AREA, borderMode=border
    )
    return out


def _cut(card: Image, aim: Floats, ground: Image) -> Image:
    """What lies there; beyond the picture's edge, some table."""
    cut = _warped(card, aim, cv2.BORDER_REPLICATE)
    inside = _warped(np.full(card.shape[:2], 255, np.uint8), aim, cv2.BORDER_CONSTANT)
    out: Image = np.where(inside[..., None] > 127, cut, ground)
    return out


def _ground(rng: Random) -> Image:
    """A table: a colour, uneven, mostly dull, with or without a grain."""
    grey = rng.uniform(15, 235)
    colour = np.clip(grey + rng.normal(0, 22, 3), 0, 255).astype(np.float32)
    rough = rng.normal(0, rng.uniform(1, 26), (9, 7, 1)).astype(np.float32)
    field: Floats = cv2.resize(colour + rough, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    return np.clip(field, 0, 255).astype(np.uint8)


def _cover(cut: Image, other: Image, rng: Random) -> None:
    """Another card, or a finger's dull colour, over one side or corner; most stays in view."""
    if rng.random() < 0.4:
        other = _ground(rng)
    share = rng.uniform(0.08, 0.45)
    way = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else np.pi / 2 * int(rng.integers(4))
    off = _across(way)
    over = np.roll(cv2.resize(other, (WIDE, HIGH)), (HIGH // 3, WIDE // 3), (0, 1))
    cut[off > 0.5 - share] = over[off > 0.5 - share]


def _seen(cut: Image, rng: Random) -> Image:
    """Through a lens and a sensor, in some light."""
    hard = rng.beta(1.2, 2.0)
    cut = _coarser(cut, rng, hard)
    cut = _lit(cut, rng, hard)
    if rng.random() < 0.15 + 0.25 * hard:
        cut = _glare(cut, rng, hard)
    cut = _developed(cut, rng, hard)
    y, x = int(rng.integers(256 - HIGH)), int(rng.integers(256 - WIDE))
    strength = abs(rng.normal(0, 1.5 + 5 * hard)) / 64
    sheet = _SHEET[y : y + HIGH, x : x + WIDE]
    return cv2.addWeighted(cut, 1.0, sheet, strength, 0, dtype=cv2.CV_8U)


def _coarser(cut: Image, rng: Random, hard: float) -> Image:
    """From a smaller picture, and out of focus."""
    high = rng.uniform(_COARSEST, HIGH * 1.6)
    if high < HIGH:
        small = (max(8, round(high * WIDE / HIGH)), round(high))
        cut = cv2.resize(cut, small, interpolation=cv2.INTER_AREA)
        cut = cv2.resize(cut, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    blur = rng.uniform(0, 0.4 + 1.1 * hard)
    return cv2.GaussianBlur(cut, (0, 0), blur) if blur > 0.25 else cut


def _lit(cut: Image, rng: Random, hard: float) -> Image:
    """Uneven light, now and then with the edge of a shadow."""
    coarse = 1 + rng.uniform(-1, 1, (2, 2)) * rng.uniform(0, 0.12 + 0.25 * hard)
    field: Floats = cv2.resize(coarse.astype(np.float32), (WIDE, HIGH))
    if rng.random() < 0.15 + 0.2 * hard:
        way, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        soft = np.float32(rng.uniform(0.02, 0.2) / 4)
        edge = 1 / (1 + np.exp(-np.clip((_across(way) - np.float32(at)) / soft, -30, 30)))
        field = field * (1 - np.float32(rng.uniform(0.2, 0.6)) * edge)
    return cv2.multiply(cut, cv2.merge([field] * 3), dtype=cv2.CV_8U)


def _across(way: float) -> Floats:
    """How far each pixel of a cut lies from its middle in that direction."""
    out: Floats = _X * np.float32(np.cos(way)) + _Y * np.float32(np.sin(way))
    return out


def _glare(cut: Image, rng: Random, hard: float) -> Image:
    """A lamp mirrored in varnish: ink turns pale while the paper stays white."""
    x, y = rng.uniform(-0.6, 0.6, 2).astype(np.float32)
    wide, high = rng.uniform(0.1, 0.6, 2).astype(np.float32)
    far = ((_X - x) / wide) ** 2 + ((_Y - y) / high) ** 2
    veil = np.float32(rng.uniform(0.2, 0.6 + 0.3 * hard)) * np.exp(-np.minimum(far, 30))
    lamp = np.empty_like(cut)
    lamp[:] = (255 * rng.uniform((0.75, 0.85, 0.98), 1)).astype(np.uint8)
    return cv2.blendLinear(lamp, cut, veil, 1 - veil)


def _developed(cut: Image, rng: Random, hard: float) -> Image:
    """White balance, exposure and tone, by one table per channel."""
    if rng.random() < 0.35:  # colours stronger or paler
        strong = rng.uniform(0.6, 1.3)
        cut = cv2.transform(cut, np.full((3, 3), (1 - strong) / 3) + np.eye(3) * strong)
    cast = rng.normal(0, 0.05 + 0.1 * hard, 3)
    exposure = np.exp(rng.normal(-0.08, 0.14 + 0.2 * hard))
    gamma = np.exp(rng.normal(0, 0.15 + 0.1 * hard))
    lift = rng.uniform(0, 0.06 + 0.1 * hard)
    levels = np.arange(256)[:, None] / 255 * exposure * np.exp(cast - cast.mean())[None]
    tone = lift + np.clip(levels, 0, 1) ** gamma * (rng.uniform(0.9, 1.04) - lift)
    table = np.clip(tone * 255, 0, 255).astype(np.uint8)
    return cv2.LUT(cut, table.reshape(256, 1, 3))
