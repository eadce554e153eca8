"""Cutting what the readers look at out of a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Quad

Image = npt.NDArray[Any]
Floats = npt.NDArray[Any]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture."""

WIDE = 80
"""Pixels of a card's cut, from left to right,"""
HIGH = 112
"""and from top to bottom."""
MARGIN = 0.03
"""How much further than the card's edge a cut reaches, as a share of the card's side."""
CORNER_WIDE = 64
"""Pixels of the cut in which a card's corners are looked for, from left to right,"""
CORNER_HIGH = 88
"""and from top to bottom."""
ROOM = 0.16
"""How much about a card is cut with it when its corners are looked for: a share of its side."""
_FINEST = 1.5
"""How many pixels of the picture may become one of a cut."""
_LEAST = 8
"""No picture gets smaller than so many pixels."""
_NEARLY = 1.01
"""What is at most so many times as large as a half of it is made from that half."""
DIE = 48
DIE_ROOM = 1.3
"""A die's cut is this much wider than the die."""


def corners(width: float, height: float) -> npt.NDArray[Any]:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)


def grown(quads: Floats, share: float) -> npt.NDArray[Any]:
    """Quads (..., 4, 2) with every corner moved out from the middle."""
    middle = quads.mean(-2, keepdims=True)
    return (middle + (quads - middle) * (1 + 2 * share)).astype(np.float32)


def within(width: float, height: float, times: float) -> npt.NDArray[Any]:
    """Where in a picture of that size the card is that was cut out so many times larger."""
    return grown(corners(width, height), (1 / times - 1) / 2).astype(np.float64)


def _onto(quads: Floats) -> npt.NDArray[Any]:
    """The perspective maps (n, 3, 3) of the unit square onto quads (n, 4, 2)."""
    p0, p1, p2, p3 = np.moveaxis(quads.astype(np.float64), 1, 0)
    right, down, odd = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    flat = right[:, 0] * down[:, 1] - down[:, 0] * right[:, 1]
    flat = np.where(np.abs(flat) < 1e-9, 1e-9, flat)
    g = (odd[:, 0] * down[:, 1] - down[:, 0] * odd[:, 1]) / flat
    h = (right[:, 0] * odd[:, 1] - odd[:, 0] * right[:, 1]) / flat
    maps = np.ones((len(quads), 3, 3))
    maps[:, :2, 0] = p1 - p0 + g[:, None] * p1
    maps[:, :2, 1] = p3 - p0 + h[:, None] * p3
    maps[:, :2, 2] = p0
    maps[:, 2, 0], maps[:, 2, 1] = g, h
    return maps


class Halves:
    """A picture, and smaller ones made of it when they are first wanted."""

    def __init__(self, image: Image) -> None:
        self._made = [image]

    @classmethod
    def of(cls, image: Image | Halves) -> Halves:
        return image if isinstance(image, Halves) else cls(image)

    def __call__(self, times: int) -> Image:
        """Half the size, that many times."""
        while len(self._made) <= times:
            last = self._made[-1]
            height, width = (max(2, n // 2 * 2) for n in last.shape[:2])
            small = (width // 2, height // 2)
            half = cv2.resize(last[:height, :width], small, interpolation=cv2.INTER_AREA)
            self._made.append(half)
        return self._made[times]


def card_cuts(image: Image | Halves, quads: Floats) -> Image:
    """Cards' cuts (n, 112, 80, 3) of quads (n, 4, 2), each first corner at the top left."""
    return _cuts(image, quads, MARGIN, (WIDE, HIGH))


def corner_cuts(image: Image | Halves, quads: Floats) -> Image:
    """Cards with room about them, for finding their corners."""
    return _cuts(image, quads, ROOM, (CORNER_WIDE, CORNER_HIGH))


def small_cuts(image: Image | Halves, quads: Floats, size: tuple[int, int]) -> Image:
    """Cards' cuts in another size."""
    return _cuts(image, quads, MARGIN, size)


def flat_cut(image: Image | Halves, quad: Floats, size: tuple[int, int]) -> Image:
    """What lies in a quad, to its very edges."""
    out: Image = _cuts(image, quad[None], 0.0, size)[0]
    return out


def overlaid(quad: Quad, others: Iterable[Quad], size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which pixels of a quad's cut of that size other quads share."""
    wide, high = size
    mask = np.zeros((high, wide), np.uint8)
    to_cut: Floats = cv2.getPerspectiveTransform(np.array(quad, np.float32), corners(wide, high))
    for each in others:
        at = cv2.perspectiveTransform(np.array([each], np.float64), to_cut)[0]
        cv2.fillConvexPoly(mask, np.round(at).astype(np.int32), 1)
    return mask > 0


def card_cut(image: Image, quad: Floats) -> Image:
    out: Image = card_cuts(image, quad[None])[0]
    return out


def _cuts(image: Image | Halves, quads: Floats, room: float, size: tuple[int, int]) -> Image:
    halves = Halves.of(image)
    out = np.empty((len(quads), size[1], size[0], 3), np.uint8)
    upright = np.linalg.norm(quads - quads[:, ::-1], axis=2)
    high = upright[:, :2].max(1) * (1 + 2 * room)
    # Far larger than wanted: cut out of a smaller picture, or thin lines alias away.
    halvings = np.ceil(np.log2(np.maximum(high / size[1] / _FINEST, 1.0))).astype(int)
    room_about = grown(quads, room) / np.exp2(halvings)[:, None, None] - 0.5
    wide, high_px = size
    pixel = np.array([[1 / wide, 0, 0.5 / wide], [0, 1 / high_px, 0.5 / high_px], [0, 0, 1]])
    ways = _onto(room_about) @ pixel
    for times in sorted(set(halvings.tolist())):
        picture = halves(times)
        for number in np.flatnonzero(halvings == times):
            cv2.warpPerspective(
                picture,
                ways[number],
                size,
                out[number],
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
    return out


def shrunk(image: Halves, part: Part, scale: float) -> tuple[Image, Part]:
    """A part of the picture in another size, averaged on the way down at the least cost; and which
    part it is, for it begins and ends with whole pixels of a half."""
    short = min(part[2] - part[0], part[3] - part[1])
    times = int(np.log2(max(1.0, min(_NEARLY / scale, short / _LEAST))))
    left, top, right, bottom = (n >> times for n in part)
    size = [max(_LEAST, round((n << times) * scale)) for n in (right - left, bottom - top)]
    half = image(times)[top:bottom, left:right]
    small = cv2.resize(half, size, interpolation=cv2.INTER_LINEAR)
    return small, (left << times, top << times, right << times, bottom << times)


_THOUGHT = np.where(corners(1, 1) > 0.5, (1 + ROOM) / (1 + 2 * ROOM), ROOM / (1 + 2 * ROOM))
"""Where in its cut a card's corners are thought to be."""


def corners_from(quads: Floats, shares: Floats) -> npt.NDArray[Any]:
    """The quads (n, 4, 2) with corners moved by shares of their cuts, in each cut's perspective."""
    at = _THOUGHT + shares.reshape(-1, 4, 2)
    flat = np.concatenate([at, np.ones((*at.shape[:2], 1))], 2)
    there = flat @ _onto(grown(quads, ROOM)).transpose(0, 2, 1)
    out: npt.NDArray[Any] = there[..., :2] / there[..., 2:]
    return out


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
