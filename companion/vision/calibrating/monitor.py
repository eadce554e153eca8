"""Keeping a calibration right while people play: small shifts are taken in, large ones are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.tabletop.mat import MAT
from companion.vision.calibrating.camera_shift import shift_since
from companion.vision.calibrating.lens import Points
from companion.vision.calibration import Plane, marker_corners, markers_in, solve
from companion.vision.crops import Image, corners

SMALL_SHIFT_MM = 6.0
"""Millimetres: a camera moved no further is calibrated anew without a word."""
_STILL_PX = 0.6
"""Pixels: markers moved by less have not moved."""
_BURNT_OUT = 250
"""A pixel whose darkest colour is at least this is burnt out by glare."""


class CalibrationState(StrEnum):
    FINE = "fine"
    RESOLVED = "resolved"
    MOVED = "moved"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Health:
    """How well the table is seen now."""

    state: CalibrationState
    markers: int
    shift_px: float
    focus: float
    """How sharp the markers are, over how sharp they were at the first check."""
    exposure: float
    """The mean brightness, from 0 to 1."""
    glare: float
    """The share of the mat that is burnt out."""


@dataclass(slots=True, eq=False)
class CalibrationMonitor:
    """Checks a calibration again and again: small shifts are put right, large ones are told."""

    plane: Plane
    sharp: float | None = None
    """How sharp the markers were at the first check."""

    def check(self, image: Image) -> Health:
        """Compare the markers with where they should be; put a small shift right."""
        seen = {} if self.plane.by_hand else markers_in(image)
        exposure, glare = light_on(image, self.plane)
        focus = self._focus(image, seen)
        if self.plane.by_hand:
            state, shift = self._shifted(image)
            return Health(state, 0, shift, focus, exposure, glare)
        if not seen:
            return Health(CalibrationState.HIDDEN, 0, 0.0, focus, exposure, glare)
        shift = max(
            float(np.linalg.norm(self.plane.pixels(marker_corners(n)) - q, axis=1).mean())
            for n, q in seen.items()
        )
        state = CalibrationState.FINE
        if shift > _STILL_PX:
            state = self._moved(seen, shift)
        return Health(state, len(seen), shift, focus, exposure, glare)

    def _shifted(self, image: Image) -> tuple[CalibrationState, float]:
        """Without markers: by what stands still about the table."""
        found = shift_since(self.plane.view, image)
        if found.matrix is None or not found.moved:
            return CalibrationState.FINE, 0.0
        moved = replace(self.plane, matrix=found.matrix @ self.plane.matrix)
        shift = _apart(moved, self.plane)
        if shift / self.plane.px_per_mm > SMALL_SHIFT_MM:
            return CalibrationState.MOVED, shift
        self.plane = moved.seen_in(image)
        return CalibrationState.RESOLVED, shift

    def _moved(self, seen: Mapping[int, Points], shift: float) -> CalibrationState:
        if shift / self.plane.px_per_mm > SMALL_SHIFT_MM:
            return CalibrationState.MOVED
        try:
            plane = solve(seen, self.plane.size, self.plane.lens, self.plane)
        except BadInput:
            return CalibrationState.FINE if shift < 3 * _STILL_PX else CalibrationState.MOVED
        if _apart(plane, self.plane) < _STILL_PX:  # one marker is badly seen, and nothing has moved
            return CalibrationState.FINE
        self.plane = plane
        return CalibrationState.RESOLVED

    def adopt(self, image: Image) -> None:
        """Take the camera's new place for good; raises `BadInput` if markers are missing."""
        if self.plane.by_hand:
            raise BadInput("camera-moved", N_("the camera has been moved; show the table again"))
        height, width = image.shape[:2]
        self.plane = solve(markers_in(image), (width, height), self.plane.lens, self.plane)
        self.sharp = None

    def _focus(self, image: Image, seen: Mapping[int, Points]) -> float:
        values = []
        for quad in seen.values():
            x, y, w, h = cv2.boundingRect(quad.astype(np.float32))
            part = image[max(y, 0) : y + h, max(x, 0) : x + w, 1]
            if part.size:
                values.append(float(cv2.Laplacian(part, cv2.CV_32F).var()))
        if not values:
            return 1.0
        now = float(np.median(values))
        if self.sharp is None:
            self.sharp = max(now, 1e-6)
        return now / self.sharp


def _apart(one: Plane, other: Plane) -> float:
    """By how many pixels the mat's corners differ, on average."""
    mat = corners(*MAT).astype(np.float64)
    return float(np.linalg.norm(one.pixels(mat) - other.pixels(mat), axis=1).mean())


def light_on(image: Image, plane: Plane) -> tuple[float, float]:
    """The mean brightness of the mat, and the share of it that is burnt out."""
    low = plane.pixels(corners(*MAT).astype(np.float64))
    left, top = np.floor(low.min(0)).astype(int).clip(0)
    right, bottom = np.ceil(low.max(0)).astype(int)
    part = image[top:bottom:4, left:right:4]
    if not part.size:
        return float(image[::8, ::8].mean()) / 255, 0.0
    return float(part.mean()) / 255, float((part.min(2) >= _BURNT_OUT).mean())
