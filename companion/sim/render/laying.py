"""Laying pixels onto a picture of a table: cards, things and their shadows."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Image
from companion.sim.render.clutter import Prop
from companion.vision.crops import corners

Points = npt.NDArray[Any]


def box_of(image: Image, quad: Points, pad: float) -> tuple[slice, slice] | None:
    low = np.floor(quad.min(0) - pad).astype(int).clip(0)
    high = np.ceil(quad.max(0) + pad + 1).astype(int)
    x1, y1 = min(int(high[0]), image.shape[1]), min(int(high[1]), image.shape[0])
    if low[0] >= x1 or low[1] >= y1:
        return None
    return slice(int(low[1]), y1), slice(int(low[0]), x1)


def cover_with(under: Image, over: Image, cover: Image) -> None:
    share = cover.astype(np.float32) * np.float32(1 / 255)
    under[:] = cv2.blendLinear(
        np.ascontiguousarray(over), np.ascontiguousarray(under), share, 1 - share
    )


def shadow(image: Image, outline: Points, fall: Points, rng: np.random.Generator) -> None:
    """A soft dark edge on the side away from the lamp."""
    reach = float(np.linalg.norm(fall)) + 1.0
    box = box_of(image, outline, reach * 2 + 3)
    if box is None:
        return
    part = image[box]
    mask: Image = np.zeros(part.shape[:2], np.uint8)
    at = outline + fall - (box[1].start, box[0].start)
    cv2.fillPoly(
        mask, [np.round(at * 16).astype(np.int32)], int(rng.uniform(40, 150)), cv2.LINE_8, 4
    )
    size = int(reach) * 2 + 1
    mask = 255 - cv2.blur(mask, (size, size))
    cv2.multiply(part, cv2.merge([mask] * 3), part, 1 / 255)


def lay_card(image: Image, pixels: Image, quad: Points, corner: float) -> None:
    box = box_of(image, quad, 2)
    if box is None:
        return
    part = image[box]
    high = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[1] - quad[2]), 1.0)
    level = high / pixels.shape[0]
    if level < 0.75:
        size = (
            max(8, round(pixels.shape[1] * level * 1.1)),
            max(8, round(pixels.shape[0] * level * 1.1)),
        )
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    height, width = pixels.shape[:2]
    to = (quad - (box[1].start, box[0].start)).astype(np.float32)
    way = cv2.getPerspectiveTransform(corners(width, height) - 0.5, to - 0.5)
    size = (part.shape[1], part.shape[0])
    over = cv2.warpPerspective(
        pixels, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cover_with(
        part,
        over,
        cv2.warpPerspective(_rounded(width, height, corner), way, size, flags=cv2.INTER_LINEAR),
    )


def _rounded(width: int, height: int, corner: float) -> Image:
    mask = np.zeros((height, width), np.uint8)
    r = max(1, round(corner * width))
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def lay_prop(image: Image, prop: Prop, quad: Points, fall: Points) -> None:
    """Lay it with the shadow of its own outline."""
    low = fall * min(prop.high, 8.0) * 0.6
    box = box_of(image, np.concatenate([quad, quad + low]), 3)
    if box is None:
        return
    part = image[box]
    size = (part.shape[1], part.shape[0])
    height, width = prop.pixels.shape[:2]
    long = float(np.linalg.norm(quad[1] - quad[0]))
    level = min(1.0, max(long / width * 1.1, 4 / min(height, width)))
    pixels, cover = prop.pixels, prop.cover
    if level < 0.75:
        small = (max(2, round(width * level)), max(2, round(height * level)))
        pixels = cv2.resize(pixels, small, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(cover, small, interpolation=cv2.INTER_AREA)
        width, height = small
    to = (quad - (box[1].start, box[0].start)).astype(np.float32)
    way = cv2.getPerspectiveTransform(corners(width, height) - 0.5, to - 0.5)
    where = cv2.warpPerspective(cover, way, size, flags=cv2.INTER_LINEAR)
    shift = np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1.0]])
    shade = cv2.warpPerspective(cover, shift @ way, size, flags=cv2.INTER_LINEAR)
    shade = 255 - (cv2.blur(shade, (3, 3)) * 0.4).astype(np.uint8)
    cv2.multiply(part, cv2.merge([shade] * 3), part, 1 / 255)
    over = cv2.warpPerspective(
        pixels, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cover_with(part, over, where)
