"""Where something came or went: two pictures are compared, whatever the thing looks like.

A token on a printed card, or a card on a cloth of its own colour, is hard to find. But it is the
only thing that changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.calibration import Plane
from companion.vision.crops import Image
from companion.vision.detecting.finding import AROUND, Detection
from companion.vision.detecting.fitting import Size

Points = npt.NDArray[Any]

_DIFFERENT_LEVELS = 26
"""A pixel that differs by more levels of a colour shows something else."""
_TOKEN_RATIO = (0.55, 1.7)
"""A spot's side over a token's: the spot may be only part of the token, or include its shadow."""
_CARD_RATIO = (0.85, 1.35)
"""The same for a card."""
_FULL = 0.45
"""A spot that is a thing fills more than this share of its bounding box."""
_SURE = 0.2
"""How surely such a thing counts as found: certainly something changed, but perhaps not this."""
_TOKEN_GAP_PX = 5
"""Gaps in a spot that are closed: there the token looks as the table did."""
_CARD_GAP_PX = 9
"""The same for a card."""


def token_changes(before: Image, now: Image, plane: Plane, mm: float) -> list[Detection]:
    """Squares of `mm` millimetres, each where the pictures differ in a spot of about that size."""
    if before.shape != now.shape:
        return []
    side = mm * plane.px_per_mm
    return [
        Detection("card", _SURE, middle + AROUND * side / 2)
        for middle, width, height in _spots(before, now, _TOKEN_GAP_PX)
        if _is_about(width, side, _TOKEN_RATIO) and _is_about(height, side, _TOKEN_RATIO)
    ]


def card_changes(before: Image, now: Image, plane: Plane, sizes: Sequence[Size]) -> list[Detection]:
    """The same for cards of these sizes, lying upright or across."""
    if before.shape != now.shape:
        return []
    ways = dict.fromkeys((*sizes, *((b, a) for a, b in sizes)))
    half = [np.array(size) * plane.px_per_mm / 2 for size in ways]
    return [
        Detection("card", _SURE, middle + AROUND * half_size)
        for middle, width, height in _spots(before, now, _CARD_GAP_PX)
        for half_size in half
        if _is_about(width, 2 * half_size[0], _CARD_RATIO)
        and _is_about(height, 2 * half_size[1], _CARD_RATIO)
    ]


def changed_share(before: Image, now: Image, side: float) -> Points | None:
    """For every pixel, the share of a square about it that differs; `side` is the square's, in
    pixels. None if the pictures cannot be compared."""
    if before.shape != now.shape:
        return None
    size = max(1, round(side))
    return cv2.blur(_differs(before, now).astype(np.float32), (size, size))


def _is_about(this: float, side: float, shares: tuple[float, float]) -> bool:
    return shares[0] * side < this < shares[1] * side


def _spots(before: Image, now: Image, gap: int) -> Iterator[tuple[Points, float, float]]:
    """Middle, width and height of every spot that differs, with gaps of that many pixels closed."""
    differs = _differs(before, now)
    spots = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(np.asarray(spots, np.uint8))
    for x, y, w, h, area in boxes[1:].tolist():
        if area > _FULL * w * h:
            yield np.array([x + w / 2, y + h / 2]), w, h


def _differs(before: Image, now: Image) -> Image:
    """One where the pictures differ in some colour, nought elsewhere."""
    off = cv2.absdiff(before, now)
    grey = cv2.max(cv2.max(off[..., 0], off[..., 1]), off[..., 2])
    return (cv2.GaussianBlur(grey, (5, 5), 0) > _DIFFERENT_LEVELS).astype(np.uint8)
