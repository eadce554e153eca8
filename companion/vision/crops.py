"""Crops: cards and dice cut out of a picture, straightened, in the size a network expects."""

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
"""Left, top, right and bottom of a part of a picture, in pixels."""

WIDE, HIGH = 80, 112
"""A card's crop for the embedder, in pixels."""
MARGIN = 0.03
"""How far a card's crop reaches beyond its edges, as a share of its sides."""
CORNER_WIDE, CORNER_HIGH = 64, 88
"""A card's crop for the corner refiner, in pixels."""
ROOM = 0.16
"""How far that crop reaches beyond the card's edges, as a share of its sides: the corners may be
elsewhere than thought."""
_FINEST = 1.5
"""At most so many pixels of the picture become one pixel of a crop."""
_LEAST_SIDE_PX = 8
"""No picture is shrunk to less than this."""
_NEARLY = 1.01
"""A level of the pyramid this much too small still serves: enlarging it so little costs nothing."""
INDEX_WIDE, INDEX_HIGH = 32, 48
"""A crop of a card's corner for the reader of indices, in pixels."""
INDEX_SHARE = (0.32, 0.38)
"""How much of a card's width and height that crop shows ..."""
INDEX_ROOM = 0.02
"""... and how far it reaches beyond the card's edges, as a share of its sides."""
DIE = 48
"""The side of a die's crop, in pixels."""
DIE_ROOM = 1.3
"""A die's crop is this many times as wide as the die."""


def corners(width: float, height: float) -> npt.NDArray[Any]:
    """The corners of an upright rectangle at the origin, clockwise from the top left."""
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)


def grown(quads: Floats, share: float) -> npt.NDArray[Any]:
    """Quads (..., 4, 2) enlarged about their middles by this share of a side at each side."""
    middle = quads.mean(-2, keepdims=True)
    return (middle + (quads - middle) * (1 + 2 * share)).astype(np.float32)


def within(width: float, height: float, times: float) -> npt.NDArray[Any]:
    """Where the card is in a crop of that size whose quad was so many times as large as it."""
    return grown(corners(width, height), (1 / times - 1) / 2).astype(np.float64)


def _onto(quads: Floats) -> npt.NDArray[Any]:
    """The homographies (n, 3, 3) that map the unit square onto quads (n, 4, 2)."""
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


class ImagePyramid:
    """A picture and its halved copies; each is made when it is first asked for."""

    def __init__(self, image: Image) -> None:
        self._made = [image]

    @classmethod
    def of(cls, image: Image | ImagePyramid) -> ImagePyramid:
        return image if isinstance(image, ImagePyramid) else cls(image)

    def __call__(self, times: int) -> Image:
        """The picture halved that many times."""
        while len(self._made) <= times:
            last = self._made[-1]
            height, width = (max(2, n // 2 * 2) for n in last.shape[:2])
            small = (width // 2, height // 2)
            half = cv2.resize(last[:height, :width], small, interpolation=cv2.INTER_AREA)
            self._made.append(half)
        return self._made[times]


def card_crops(image: Image | ImagePyramid, quads: Floats) -> Image:
    """Crops (n, 112, 80, 3) for the embedder, each quad's first corner at the top left."""
    return _crops(image, quads, MARGIN, (WIDE, HIGH))


def corner_crops(image: Image | ImagePyramid, quads: Floats) -> Image:
    """Crops with room about each card, for the corner refiner."""
    return _crops(image, quads, ROOM, (CORNER_WIDE, CORNER_HIGH))


def index_quads(quads: Floats) -> npt.NDArray[Any]:
    """The four corners (n, 4, 4, 2) of cards: top left, top right, then bottom right and bottom
    left turned by half, so that an index stands upright in each."""
    a, b = INDEX_SHARE
    near, (across, down) = -INDEX_ROOM, (a, b)
    left = [(near, near), (across, near), (across, down), (near, down)]
    right = [(1 - across, near), (1 - near, near), (1 - near, down), (1 - across, down)]
    every = np.array([left, right])
    every = np.concatenate([every, 1 - every]).reshape(-1, 2)
    points = np.concatenate([every, np.ones((len(every), 1))], 1)
    at = points @ np.moveaxis(_onto(quads), 1, 2)
    out: Floats = (at[..., :2] / at[..., 2:]).reshape(-1, 4, 4, 2).astype(np.float32)
    return out


def index_crops(image: Image | ImagePyramid, quads: Floats) -> Image:
    """Crops (n, 4, 48, 32, 3) of the corners of cards, for the reader of indices."""
    parts = index_quads(quads).reshape(-1, 4, 2)
    cut = _crops(image, parts, 0.0, (INDEX_WIDE, INDEX_HIGH))
    return cut.reshape(-1, 4, INDEX_HIGH, INDEX_WIDE, 3)


def small_crops(image: Image | ImagePyramid, quads: Floats, size: tuple[int, int]) -> Image:
    """Crops like those for the embedder, but of another size."""
    return _crops(image, quads, MARGIN, size)


def flat_crop(image: Image | ImagePyramid, quad: Floats, size: tuple[int, int]) -> Image:
    """One crop that ends exactly at the quad's edges."""
    out: Image = _crops(image, quad[None], 0.0, size)[0]
    return out


def overlap_mask(
    quad: Quad, others: Iterable[Quad], size: tuple[int, int]
) -> npt.NDArray[np.bool_]:
    """Which pixels of a quad's crop of that size lie in other quads, too."""
    wide, high = size
    mask = np.zeros((high, wide), np.uint8)
    to_crop: Floats = cv2.getPerspectiveTransform(np.array(quad, np.float32), corners(wide, high))
    for each in others:
        at = cv2.perspectiveTransform(np.array([each], np.float64), to_crop)[0]
        cv2.fillConvexPoly(mask, np.round(at).astype(np.int32), 1)
    return mask > 0


def card_crop(image: Image, quad: Floats) -> Image:
    """The embedder's crop of one card."""
    out: Image = card_crops(image, quad[None])[0]
    return out


def _crops(image: Image | ImagePyramid, quads: Floats, room: float, size: tuple[int, int]) -> Image:
    pyramid = ImagePyramid.of(image)
    out = np.empty((len(quads), size[1], size[0], 3), np.uint8)
    upright = np.linalg.norm(quads - quads[:, ::-1], axis=2)
    high = upright[:, :2].max(1) * (1 + 2 * room)
    # A card far larger than its crop is taken from a smaller level: else thin lines alias away.
    halvings = np.ceil(np.log2(np.maximum(high / size[1] / _FINEST, 1.0))).astype(int)
    room_about = grown(quads, room) / np.exp2(halvings)[:, None, None] - 0.5
    wide, high_px = size
    pixel = np.array([[1 / wide, 0, 0.5 / wide], [0, 1 / high_px, 0.5 / high_px], [0, 0, 1]])
    ways = _onto(room_about) @ pixel
    for times in sorted(set(halvings.tolist())):
        picture = pyramid(times)
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


def shrunk(image: ImagePyramid, part: Part, scale: float) -> tuple[Image, Part]:
    """A part of the picture, resized by `scale` from the nearest level of the pyramid.

    Also gives the part itself, which may have changed a little: it begins and ends with whole
    pixels of that level.
    """
    short = min(part[2] - part[0], part[3] - part[1])
    times = int(np.log2(max(1.0, min(_NEARLY / scale, short / _LEAST_SIDE_PX))))
    left, top, right, bottom = (n >> times for n in part)
    size = [max(_LEAST_SIDE_PX, round((n << times) * scale)) for n in (right - left, bottom - top)]
    half = image(times)[top:bottom, left:right]
    small = cv2.resize(half, size, interpolation=cv2.INTER_LINEAR)
    return small, (left << times, top << times, right << times, bottom << times)


_EXPECTED = np.where(corners(1, 1) > 0.5, (1 + ROOM) / (1 + 2 * ROOM), ROOM / (1 + 2 * ROOM))
"""Where a card's corners are in a refiner's crop, as shares of its sides, if the quad was right."""


def corners_from(quads: Floats, shares: Floats) -> npt.NDArray[Any]:
    """The quads (n, 4, 2) with their corners moved by shares of their refiner's crops; each crop's
    perspective is undone."""
    at = _EXPECTED + shares.reshape(-1, 4, 2)
    flat = np.concatenate([at, np.ones((*at.shape[:2], 1))], 2)
    there = flat @ _onto(grown(quads, ROOM)).transpose(0, 2, 1)
    out: npt.NDArray[Any] = there[..., :2] / there[..., 2:]
    return out


def shares_of(quad: Floats, thought: Floats) -> npt.NDArray[Any]:
    """How far corners are from where they were expected: the inverse of `corners_from`."""
    way = cv2.getPerspectiveTransform(grown(thought, ROOM), corners(1, 1))
    at = cv2.perspectiveTransform(quad.astype(np.float64)[:, None], way.astype(np.float64))[:, 0]
    return at - _EXPECTED


def die_crop(image: Image, middle: Floats, side: float) -> Image:
    """A die's crop, its sides along the picture's, however the die is turned."""
    grow = DIE / (side * DIE_ROOM)
    finer = 2 if grow < 0.6 else 1
    size = DIE * finer
    scale = grow * finer
    way = np.array(
        [[scale, 0, size / 2 - scale * middle[0]], [0, scale, size / 2 - scale * middle[1]]]
    )
    crop = cv2.warpAffine(
        image, way, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        crop = cv2.resize(crop, (DIE, DIE), interpolation=cv2.INTER_AREA)
    return crop
