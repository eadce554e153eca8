"""Cutting what the readers look at out of a picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[Any]
Floats = npt.NDArray[Any]

WIDE, HIGH = 80, 112
"""Pixels of a card's cut."""
MARGIN = 0.03
"""How much further than the card's edge a cut reaches, as a share of the card's side."""
CORNER_WIDE, CORNER_HIGH = 64, 88
ROOM = 0.16
"""How much about a card is cut with it when its corners are looked for: a share of its side."""
DIE = 40
DIE_ROOM = 1.3
"""A die's cut is this much wider than the die."""


def corners(width: float, height: float) -> npt.NDArray[Any]:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)


def grown(quad: Floats, share: float) -> npt.NDArray[Any]:
    """The quad with every corner moved out from the middle."""
    middle = quad.mean(0)
    return (middle + (quad - middle) * (1 + 2 * share)).astype(np.float32)


def card_cut(image: Image, quad: Floats) -> Image:
    """A card's cut, the quad's first corner at the top left."""
    return _cut(image, grown(quad - 0.5, MARGIN), (WIDE, HIGH), _high(quad))


def corner_cut(image: Image, quad: Floats) -> Image:
    """A card with room about it, for finding its corners."""
    high = _high(quad) * (1 + 2 * ROOM)
    return _cut(image, grown(quad - 0.5, ROOM), (CORNER_WIDE, CORNER_HIGH), high)


def _high(quad: Floats) -> float:
    return float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[1] - quad[2])))


def _cut(image: Image, quad: Floats, size: tuple[int, int], high: float) -> Image:
    """The quad, some `high` pixels high in the picture, as a picture of that size."""
    # Far larger than wanted: average on the way down, or thin lines alias away.
    finer = max(1, round(high / size[1] / 1.3))
    large = (size[0] * finer, size[1] * finer)
    way = cv2.getPerspectiveTransform(quad, corners(*large) - 0.5)
    cut = cv2.warpPerspective(
        image, way, large, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return cut if finer == 1 else cv2.resize(cut, size, interpolation=cv2.INTER_AREA)


_THOUGHT = np.where(corners(1, 1) > 0.5, (1 + ROOM) / (1 + 2 * ROOM), ROOM / (1 + 2 * ROOM))
"""Where in its cut a card's corners are thought to be."""


def corners_from(quad: Floats, shares: Floats) -> npt.NDArray[Any]:
    """The quad with its corners moved by shares of its cut, in the cut's own perspective."""
    back = cv2.getPerspectiveTransform(corners(1, 1), grown(quad, ROOM))
    at = (_THOUGHT + shares.reshape(4, 2)).astype(np.float64)[:, None]
    return cv2.perspectiveTransform(at, back.astype(np.float64))[:, 0]


def shares_of(quad: Floats, thought: Floats) -> npt.NDArray[Any]:
    """How far corners are from where they were thought to be: the inverse of `corners_from`."""
    way = cv2.getPerspectiveTransform(grown(thought, ROOM), corners(1, 1))
    at = cv2.perspectiveTransform(quad.astype(np.float64)[:, None], way.astype(np.float64))[:, 0]
    return at - _THOUGHT


def die_cut(image: Image, middle: Floats, side: float) -> Image:
    """A die's cut, square with the picture."""
    grow = DIE / (side * DIE_ROOM)
    finer = 2 if grow < 0.6 else 1
    size = DIE * finer
    scale = grow * finer
    way = np.array(
        [[scale, 0, size / 2 - scale * middle[0]], [0, scale, size / 2 - scale * middle[1]]]
    )
    cut = cv2.warpAffine(
        image, way, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        cut = cv2.resize(cut, (DIE, DIE), interpolation=cv2.INTER_AREA)
    return cut
