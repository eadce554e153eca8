"""Whether the camera still looks at the table from where it did, without any markers.

What stands still about a table (its edge, its grain, the floor) is found again in a later picture.
Cards come and go and are moved, but never all the same way and all over the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.foundation.frames import jpeg
from companion.vision.crops import Image

VIEW_PX = 640
"""How wide the picture is that is kept to compare with."""
_QUALITY = 80
_FEATURES = 800
_NEAREST = 0.8
"""A feature is found again if the second best match is clearly worse."""
_STILL_PX = 2.5
"""Of the kept picture: found again within this is found in its place."""
_LEAST_FOUND = 18
"""Features that agree about how the picture has moved."""
_TIMES_AS_MANY = 3
"""So many times as many must have moved together as have stayed."""
_LEAST_SPREAD = 0.12
"""The share of the picture they must lie about, so that no moved box of the game is enough."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CameraShift:
    """How the picture has moved since: a map (3, 3) of its pixels. None: it cannot be told."""

    matrix: Matrix | None

    @property
    def moved(self) -> bool:
        return self.matrix is not None and not np.array_equal(self.matrix, np.eye(3))


UNKNOWN = CameraShift(None)
STILL = CameraShift(np.eye(3))


def view_of(image: Image) -> bytes:
    """What is kept of a picture, to compare later ones with."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return jpeg(np.asarray(grey), VIEW_PX, _QUALITY)


def shift_since(view: bytes, image: Image) -> CameraShift:
    """How the camera has moved since `view` was kept."""
    before = cv2.imdecode(np.frombuffer(view, np.uint8), cv2.IMREAD_GRAYSCALE) if view else None
    if before is None:
        return UNKNOWN
    high, wide = before.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    now = cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA)
    pairs = _found_again(before, now)
    if pairs is None or len(pairs[0]) < _LEAST_FOUND:
        return UNKNOWN
    was, are = pairs
    stayed = int((np.linalg.norm(are - was, axis=1) < _STILL_PX).sum())
    matrix, inliers = cv2.findHomography(was, are, cv2.RANSAC, _STILL_PX)
    if matrix is None:
        return STILL if stayed >= _LEAST_FOUND else UNKNOWN
    agreed = inliers.ravel().astype(bool)
    together = int((agreed & (np.linalg.norm(are - was, axis=1) >= _STILL_PX)).sum())
    enough = together >= _LEAST_FOUND and together >= _TIMES_AS_MANY * stayed
    if not enough or _spread(was[agreed], wide * high) < _LEAST_SPREAD:
        return STILL if stayed >= _LEAST_FOUND else UNKNOWN
    scale = np.diag([image.shape[1] / wide, image.shape[0] / high, 1.0])
    return CameraShift(scale @ np.asarray(matrix, np.float64) @ np.linalg.inv(scale))


def _found_again(before: Image, now: Image) -> tuple[Matrix, Matrix] | None:
    """The places of features in both pictures."""
    finder = cv2.ORB_create(_FEATURES, fastThreshold=8)  # type: ignore[attr-defined]
    keys, marks = finder.detectAndCompute(before, None)
    others, other_marks = finder.detectAndCompute(now, None)
    if marks is None or other_marks is None or min(len(keys), len(others)) < _LEAST_FOUND:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, other_marks, k=2)
    good = [
        pair[0]
        for pair in matches
        if len(pair) == 2 and pair[0].distance < _NEAREST * pair[1].distance
    ]
    was = np.array([keys[m.queryIdx].pt for m in good], np.float64).reshape(-1, 2)
    are = np.array([others[m.trainIdx].pt for m in good], np.float64).reshape(-1, 2)
    return was, are


def _spread(places: Matrix, picture: float) -> float:
    """The share of the picture that these places lie about."""
    if len(places) < 3:
        return 0.0
    return float(cv2.contourArea(cv2.convexHull(places.astype(np.float32)))) / picture
