"""Finding cards and dice: run the detector network and turn its maps into quads.

The network says for every cell of a small picture how probably a card's (or a die's) middle is
there, and for a middle how the thing lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Quad as Corners
from companion.vision.crops import Image, ImagePyramid, Part, shrunk
from companion.vision.networks import Network

Quad = npt.NDArray[Any]
_CARD_CELL_PX = 8
"""The side of a cell of the map of cards."""
_DIE_CELL_PX = 4
"""The side of a cell of the map of dice: a quarter of a card's cell."""
_CARD_CHANNELS = 11
"""The network's first channels are about cards; those about dice follow."""
_MULTIPLE_PX = 32
"""The network halves a picture five times, so its sides must be multiples of this."""
_SQUARE = 0.12
"""A card whose log side lengths differ by less is square: which side is longer means nothing."""
_SAME_CARD = 0.22
"""Middles of cards nearer than this share of the short side are one card's."""
_SAME_DIE = 0.6
"""Middles of dice nearer than this share of half a side are one die's."""
_MOST = 200
"""Most things found in one picture: a bound on time, never reached by a real table."""
_NEIGHBOURS = np.ones((3, 3), np.uint8)
AROUND = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""The corners of a square about the origin, of half side 1, clockwise from the top left."""
READ_PLAINLY = 0.6
"""How surely a thing counts as found that was hardly found, but reads plainly."""
_UNDECIDED = 0.75
"""The network gives a direction as a vector. A shorter one is the mean of two opposed answers: then
only the direction in quarter turns is certain."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A card or die found: how surely, and its four corners, clockwise, in pixels."""

    kind: str
    sure: float
    quad: Quad

    @cached_property
    def middle(self) -> Quad:
        out: Quad = np.add.reduce(self.quad) / 4  # the same as `mean`, in a fifth of the time
        return out

    @cached_property
    def side(self) -> float:
        """Its longer side."""
        return max(opposite_sides(self.quad)) / 2


def sorted_by_kind(found: Iterable[Detection]) -> tuple[list[Detection], list[Detection]]:
    """The cards and the dice, apart."""
    every = list(found)
    return [f for f in every if f.kind == "card"], [f for f in every if f.kind == "die"]


def rounded(quad: Quad) -> Corners:
    """A quad as plain numbers, to a hundredth of a pixel."""
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in quad.tolist())
    return a, b, c, d


def opposite_sides(quad: Quad) -> tuple[float, float]:
    """The lengths of the upper and the lower side added up, and those of the other two."""
    a, b, c, d = quad.tolist()
    return dist(a, b) + dist(c, d), dist(b, c) + dist(d, a)


@dataclass(frozen=True, slots=True, eq=False)
class CardHeatmap:
    """How probably a card's middle is at each place of the picture, found there or not."""

    cells: Quad
    """The log odds for each cell."""
    px: Quad
    """The size of a cell in the picture, across and down, in pixels."""
    start: Quad
    """Where in the picture the cells begin."""

    def above(self, places: Quad, least: float) -> npt.NDArray[np.bool_]:
        """At which of these places (n, 2) the probability is more than `least`."""
        column, row = np.round((places - self.start) / self.px).astype(int).T
        rows, columns = self.cells.shape
        here = self.cells[row.clip(0, rows - 1), column.clip(0, columns - 1)]
        out: npt.NDArray[np.bool_] = here > np.log(least / (1 - least))
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What was found: cards before dice, the surest first. The heatmap knows of cards that were
    not sure enough to be listed."""

    found: list[Detection]
    heatmap: CardHeatmap


def find(
    image: Image | ImagePyramid,
    network: Network,
    scale: float = 1.0,
    least: float = 0.3,
    part: Part | None = None,
) -> Detections:
    """Find cards and dice in the picture, or in a part of it, resized by `scale`.

    Gives everything surer than `least`, in pixels of the picture as it was given.
    """
    pyramid = ImagePyramid.of(image)
    high, wide = pyramid(0).shape[:2]
    small, (left, top, right, bottom) = shrunk(pyramid, part or (0, 0, wide, high), scale)
    cards, dice = _maps(network, small)
    size = np.array([small.shape[1], small.shape[0]])
    start, grow = np.array([left, top]), np.array([right - left, bottom - top]) / size
    found = []
    for kind, (sure, quads) in (("card", _cards(cards, least)), ("die", _dice(dice, least))):
        inside = (quads.mean(1) < size).all(1)
        there = quads[inside] * grow + start
        found += [Detection(kind, s, q) for s, q in zip(sure[inside].tolist(), there, strict=True)]
    return Detections(found, CardHeatmap(cards[0], _CARD_CELL_PX * grow, start))


def _maps(network: Network, small: Image) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The network's maps of cards and of dice: channels, rows, columns."""
    down, right = (-n % _MULTIPLE_PX for n in small.shape[:2])
    if down or right:
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
    out = network.run(small[None])[0]
    cards, quarters = out[:_CARD_CHANNELS], out[_CARD_CHANNELS:]
    _, rows, columns = quarters.shape
    dice = quarters.reshape(-1, 2, 2, rows, columns).transpose(0, 3, 1, 4, 2)
    return cards, dice.reshape(-1, 2 * rows, 2 * columns)


def _peaks(heat: npt.NDArray[Any], least: float) -> tuple[Quad, Quad, Quad]:
    """Cells no less probable than their neighbours: rows, columns, probabilities, best first."""
    top = cv2.dilate(heat, _NEIGHBOURS)
    rows, columns = np.nonzero((heat == top) & (heat > np.log(least / (1 - least))))
    sure = 1 / (1 + np.exp(-heat[rows, columns]))
    order = np.argsort(-sure)[:_MOST]
    return rows[order], columns[order], sure[order]


def _cards(out: npt.NDArray[Any], least: float) -> tuple[Quad, Quad]:
    """How surely each card was found, and its corners, each card once."""
    rows, columns, sure = _peaks(out[0], least)
    quads = _quads(rows, columns, out[1:, rows, columns].T.astype(np.float64))
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).min(1)
    kept = _apart(quads.mean(1), _SAME_CARD * short)
    return sure[kept], clockwise(quads[kept])


def _quads(rows: Quad, columns: Quad, lies: Quad) -> Quad:
    """The corners of cards from what the network says about how each lies: the middle's offset,
    the logs of the half sides, both sides' doubled angles, and the angle times four.

    A doubled angle is the same for a card and for one turned upside down, so it can be learned.
    """
    middle = (np.stack([columns, rows], 1) + np.clip(lies[:, :2], -2, 2)) * _CARD_CELL_PX
    half = np.exp(np.clip(lies[:, 2:4], 0, 6))
    down = np.arctan2(lies[:, 5], lies[:, 4]) / 2
    across = np.arctan2(lies[:, 7], lies[:, 6]) / 2
    square = np.abs(lies[:, 2] - lies[:, 3]) < _SQUARE
    unsure = square | (np.hypot(lies[:, 4], lies[:, 5]) < _UNDECIDED)
    quarter = np.arctan2(lies[:, 9], lies[:, 8]) / 4
    down = np.where(unsure, quarter, down)
    across = np.where(unsure, quarter + np.pi / 2, across)
    u = half[:, :1] * np.stack([np.cos(down), np.sin(down)], 1)
    v = half[:, 1:] * np.stack([np.cos(across), np.sin(across)], 1)
    return np.stack([middle - u - v, middle - u + v, middle + u + v, middle + u - v], 1)


def _apart(middles: Quad, reach: Quad) -> list[int]:
    """The indices of those that are not within reach of a surer one."""
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    return first_of_each(apart < np.minimum(reach[:, None], reach[None]))


def first_of_each(same: npt.NDArray[np.bool_]) -> list[int]:
    """The indices of those that are not the same as an earlier one that was kept.

    `same[i, j]` says whether the later one j is the same as i. (Greedy non-maximum suppression:
    whoever calls sorts the best to the front.)
    """
    kept: list[int] = []
    dropped = np.zeros(len(same), np.bool_)
    for number, these in enumerate(same):
        if not dropped[number]:
            kept.append(number)
            dropped |= these
    return kept


def _dice(out: npt.NDArray[Any], least: float) -> tuple[Quad, Quad]:
    """How surely each die was found, and the corners of an upright square about it."""
    rows, columns, sure = _peaks(out[0], least)
    half = np.exp(np.clip(out[3, rows, columns], 0, 6)).astype(np.float64)
    off = np.clip(out[1:3, rows, columns], -2, 2).T.astype(np.float64)
    middles = (np.stack([columns, rows], 1) + off) * _DIE_CELL_PX
    kept = _apart(middles, _SAME_DIE * half)
    return sure[kept], middles[kept, None] + AROUND * half[kept, None, None]


def clockwise(quads: Quad) -> Quad:
    """A quad, or several, with the corners of each in clockwise order."""
    first, second = quads[..., 1, :] - quads[..., 0, :], quads[..., 2, :] - quads[..., 1, :]
    turn = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return np.where(turn[..., None, None] > 0, quads, quads[..., ::-1, :])
