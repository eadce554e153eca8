"""Where something came or went: told by two pictures, not by what it looks like.

A token on a printed card is hard to find, or a card on a cloth like itself; but the hand that laid
it changed nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.calibration import Plane
from companion.vision.crops import Image
from companion.vision.detecting.finding import AROUND, Found
from companion.vision.detecting.fitting import Size

Points = npt.NDArray[Any]

_DIFFERENT = 26
"""Levels of a colour by which a pixel differs that shows something else."""
_SMALL = (0.55, 1.7)
"""Against a small thing's own size, what may be it, its shadow or a part of it."""
_CARD = (0.85, 1.35)
"""The same against a card's."""
_FULL = 0.45
"""How much of its box a thing fills."""
_SURE = 0.2
"""That something came or went there is certain; that it is what it is supposed to be is not."""
_ROUGH = 9
"""Pixels of a card that may look as the table did, between others that do not."""


def small_changes(before: Image, now: Image, plane: Plane, mm: float) -> list[Found]:
    """Squares of `mm` millimetres where the pictures differ in a spot of about that size."""
    if before.shape != now.shape:
        return []
    side = mm * plane.px_per_mm
    return [
        Found("card", _SURE, middle + AROUND * side / 2)
        for middle, width, height in _spots(before, now, 5)
        if _is_about(width, side, _SMALL) and _is_about(height, side, _SMALL)
    ]


def changes_like_cards(
    before: Image, now: Image, plane: Plane, sizes: Sequence[Size]
) -> list[Found]:
    """The same for cards of these sizes, upright or across."""
    if before.shape != now.shape:
        return []
    ways = dict.fromkeys((*sizes, *((b, a) for a, b in sizes)))
    half = [np.array(size) * plane.px_per_mm / 2 for size in ways]
    return [
        Found("card", _SURE, middle + AROUND * half_size)
        for middle, width, height in _spots(before, now, _ROUGH)
        for half_size in half
        if _is_about(width, 2 * half_size[0], _CARD) and _is_about(height, 2 * half_size[1], _CARD)
    ]


def changed_share(before: Image, now: Image, side: float) -> Points | None:
    """At every pixel, how much of a square of that many pixels about it differs; None if the
    pictures cannot be compared."""
    if before.shape != now.shape:
        return None
    size = max(1, round(side))
    return cv2.blur(_differs(before, now).astype(np.float32), (size, size))


def _is_about(this: float, side: float, shares: tuple[float, float]) -> bool:
    return shares[0] * side < this < shares[1] * side


def _spots(before: Image, now: Image, closed: int) -> Iterator[tuple[Points, float, float]]:
    """Middle, width and height of every spot that differs, gaps of a few pixels closed."""
    differs = _differs(before, now)
    spots = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((closed, closed), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(np.asarray(spots, np.uint8))
    for x, y, w, h, area in boxes[1:].tolist():
        if area > _FULL * w * h:
            yield np.array([x + w / 2, y + h / 2]), w, h


def _differs(before: Image, now: Image) -> Image:
    off = cv2.absdiff(before, now)
    grey = cv2.max(cv2.max(off[..., 0], off[..., 1]), off[..., 2])
    return (cv2.GaussianBlur(grey, (5, 5), 0) > _DIFFERENT).astype(np.uint8)
