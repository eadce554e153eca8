"""Local features of a picture: spots that look the same whichever way a print is turned and lit.

SIFT, because it is in OpenCV itself, under a permissive licence since its patent ended, needs no
network, and tells spots of a print apart far better than ORB does when half of it is covered.
Descriptors are compared after Hellinger's kernel (their square roots), which is more exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.crops import Floats, Image

CONTRAST = 0.015
"""How faint a spot may be: prints that are poor in texture have few strong ones."""

_LEVEL = 105.0
"""How bright a picture is made before features are sought, mostly ..."""
_MOST_GAIN = 8.0
"""... but not more than so many times as bright as it was: that would be noise."""
_LEVEL_SHARE = 12
"""Light is evened over this part of the picture's longer side, either way."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Where they are (n, 2) in pixels, what each looks like (n, 128), of length 1, and which way
    it points, in radians clockwise from the right."""

    at: Floats
    looks: Floats
    turns: Floats

    def __len__(self) -> int:
        return len(self.at)

    def outside(self, quad: Floats) -> Features:
        far = outside(quad, self.at)
        return Features(self.at[far], self.looks[far], self.turns[far])


def outside(quad: Floats, spots: Floats) -> Floats:
    """Which of these spots (n, 2) lie outside four corners."""
    shape = quad.astype(np.float32).reshape(-1, 1, 2)
    far = [cv2.pointPolygonTest(shape, (float(x), float(y)), False) < 0 for x, y in spots]
    return np.array(far, bool)


def features_in(grey: Image, most: int, mask: Image | None = None) -> Features:
    """The strongest features of a grey picture, not more than so many."""
    # OpenCV's own stubs forget both of these.
    sift = cv2.SIFT_create(  # type: ignore[attr-defined]
        nfeatures=most, contrastThreshold=CONTRAST, edgeThreshold=14
    )
    spots, looks = sift.detectAndCompute(_levelled(grey), mask)
    if looks is None or not len(spots):
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32), np.zeros(0))
    share = looks / np.maximum(looks.sum(1, keepdims=True), 1e-6)
    at = cv2.KeyPoint_convert(spots)  # type: ignore[attr-defined]
    turns = np.radians([spot.angle for spot in spots])
    return Features(at.astype(np.float64) + 0.5, np.sqrt(share), turns)


def _levelled(grey: Image) -> Image:
    """As bright everywhere as a well lit table: in the dark every spot would be too faint."""
    side = max(8, max(grey.shape) // _LEVEL_SHARE)
    around = cv2.blur(grey, (2 * side + 1, 2 * side + 1)).astype(np.float32)
    gain = np.clip(_LEVEL / (around + 4), 1.0, _MOST_GAIN)
    return np.clip(grey * gain, 0, 255).astype(np.uint8)


def grey_of(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def evened(grey: Image, reach: int) -> Image:
    """The picture as if light and contrast were the same everywhere, so that it can be held
    against another one taken in other light. `reach` is over how many pixels they are evened."""
    values = grey.astype(np.float32)
    size = (2 * reach + 1, 2 * reach + 1)
    mean = cv2.blur(values, size)
    spread = np.sqrt(np.maximum(cv2.blur(values * values, size) - mean * mean, 0))
    return np.clip((values - mean) / (spread + 6) * 42 + 128, 0, 255).astype(np.uint8)
