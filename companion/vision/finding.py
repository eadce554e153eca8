"""Finding cards and dice in a picture: one network, and what its map says about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.cuts import Image, resized
from companion.vision.networks import Network

Quad = npt.NDArray[Any]
_CARDS, _DICE = 8, 4
"""Pixels to a cell: cards are looked for in cells of eight, dice in quarters of those."""
_OF_CARDS = 11
"""Numbers the network says of cards; those of dice follow."""
_MULTIPLE = 32
"""Picture sides the network can halve five times."""
_SQUARE = 0.12
"""Logs of the half sides that differ by less are a square's, whose long side means nothing."""
_TORN = 0.75
"""A direction shorter than this is the mean of two answers: only quarter turns are certain."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Something card-like or die-like: how sure, and its four corners, clockwise, in pixels."""

    kind: str
    sure: float
    quad: Quad

    @property
    def middle(self) -> Quad:
        return self.quad.mean(0)

    @property
    def side(self) -> float:
        """Its longer side."""
        edges = np.linalg.norm(self.quad - np.roll(self.quad, 1, 0), axis=1)
        return float(max(edges[0] + edges[2], edges[1] + edges[3]) / 2)


def find(image: Image, network: Network, scale: float = 1.0, least: float = 0.3) -> list[Found]:
    """Everything found with the picture shrunk (or grown) by `scale`, most certain first."""
    height, width = (max(8, round(n * scale)) for n in image.shape[:2])
    small = resized(image, width, height)
    down, right = -height % _MULTIPLE, -width % _MULTIPLE
    if down or right:
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
    out = network.run(small[None])[0]
    cards, quarters = out[:_OF_CARDS], out[_OF_CARDS:]
    _, rows, columns = quarters.shape
    dice = quarters.reshape(-1, 2, 2, rows, columns).transpose(0, 3, 1, 4, 2)
    dice = dice.reshape(-1, 2 * rows, 2 * columns)
    grow = np.array([image.shape[1] / width, image.shape[0] / height])
    found = [*_cards(cards, least), *_dice(dice, least)]
    inside = [f for f in found if f.middle[0] < width and f.middle[1] < height]
    return [Found(f.kind, f.sure, f.quad * grow) for f in inside]


def _peaks(heat: npt.NDArray[Any], least: float, reach: int) -> list[tuple[int, int, float]]:
    """Cells that no cell near them outdoes: row, column, certainty."""
    top = cv2.dilate(heat, np.ones((reach, reach), np.uint8))
    rows, columns = np.nonzero((heat == top) & (heat > np.log(least / (1 - least))))
    sure = 1 / (1 + np.exp(-heat[rows, columns]))
    order = np.argsort(-sure)[:200]
    return [(int(rows[i]), int(columns[i]), float(sure[i])) for i in order]


def _cards(out: npt.NDArray[Any], least: float) -> list[Found]:
    found: list[Found] = []
    for row, column, sure in _peaks(out[0], least, 3):
        quad = _quad(row, column, out[1:, row, column].astype(np.float64))
        if not any(_same(quad, other.quad) for other in found):
            found.append(Found("card", sure, quad))
    return found


def _quad(row: int, column: int, lies: Quad) -> Quad:
    """The corners of a card from its middle, half sides and doubled angles."""
    middle = (np.array([column, row]) + np.clip(lies[:2], -2, 2)) * _CARDS
    half = np.exp(np.clip(lies[2:4], 0, 6))
    down, across = np.arctan2(lies[5], lies[4]) / 2, np.arctan2(lies[7], lies[6]) / 2
    if abs(lies[2] - lies[3]) < _SQUARE or np.hypot(lies[4], lies[5]) < _TORN:
        down = np.arctan2(lies[9], lies[8]) / 4
        across = down + np.pi / 2
    u = half[0] * np.array([np.cos(down), np.sin(down)])
    v = half[1] * np.array([np.cos(across), np.sin(across)])
    return clockwise(np.array([middle - u - v, middle - u + v, middle + u + v, middle + u - v]))


def _same(a: Quad, b: Quad) -> bool:
    """Two quads of one card: their middles nearer than cards can lie and still be told apart."""
    side = min(np.linalg.norm(a[1] - a[0]), np.linalg.norm(a[2] - a[1]))
    return bool(np.linalg.norm(a.mean(0) - b.mean(0)) < 0.22 * side)


def _dice(out: npt.NDArray[Any], least: float) -> list[Found]:
    found: list[Found] = []
    for row, column, sure in _peaks(out[0], least, 3):
        half = float(np.exp(np.clip(out[3, row, column], 0, 6)))
        off = np.clip(out[1:3, row, column], -2, 2).astype(np.float64)
        middle = (np.array([column, row]) + off) * _DICE
        if any(np.abs(middle - other.middle).max() < 0.55 * half for other in found):
            continue
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        found.append(Found("die", sure, middle + square))
    return found


def clockwise(quad: Quad) -> Quad:
    (x0, y0), (x1, y1), (x2, y2) = quad[0], quad[1], quad[2]
    turn = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
    return quad if turn > 0 else quad[::-1].copy()
