"""Where something small came or went: told by two pictures, not by what it looks like.

A token on a printed card is hard to find, but the hand that laid it changed nothing else.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.calibrating import Plane
from companion.vision.cuts import Image
from companion.vision.finding import AROUND, Found

_DIFFERENT = 26
"""Levels of a colour by which a pixel differs that shows something else."""
_SIZES = (0.55, 1.7)
"""Against the thing's own size, what may be it, its shadow or a part of it."""
_FULL = 0.45
"""How much of its box a thing fills."""
_SURE = 0.2
"""That something is there is certain; that it is a token is not."""


def small_changes(before: Image, now: Image, plane: Plane, mm: float) -> list[Found]:
    """Squares of `mm` millimetres where the pictures differ in a spot of about that size."""
    if before.shape != now.shape:
        return []
    off = cv2.absdiff(before, now)
    grey = cv2.max(cv2.max(off[..., 0], off[..., 1]), off[..., 2])
    differs = (cv2.GaussianBlur(grey, (5, 5), 0) > _DIFFERENT).astype(np.uint8)
    spots = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(np.asarray(spots, np.uint8))
    side = mm * plane.px_per_mm
    low, high = (share * side for share in _SIZES)
    return [
        Found("card", _SURE, np.array([x + w / 2, y + h / 2]) + AROUND * side / 2)
        for x, y, w, h, area in boxes[1:].tolist()
        if low < w < high and low < h < high and area > _FULL * w * h
    ]
