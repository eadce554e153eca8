"""A lens: how it bends straight lines, and the file it is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.foundation.files import replace_file

Points = npt.NDArray[Any]
_BENDS = (4, 5, 8, 12, 14)
"""OpenCV describes a lens with one of these many numbers."""
_TANGENTIAL = slice(2, 4)
"""Where among them the two are that depend on which way up the picture is."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """How one camera's lens bends straight lines; measured with the calibration sheet."""

    matrix: Points
    bends: Points
    size: tuple[int, int]
    error: float = 0.0

    def straight(self, px: Points) -> Points:
        """Where a perfect lens would have put these points of the picture."""
        flat = px.reshape(-1, 1, 2).astype(np.float64)
        return cv2.undistortPoints(flat, self.matrix, self.bends, P=self.matrix).reshape(-1, 2)

    def bent(self, px: Points) -> Points:
        """Where this lens puts these points of a perfect lens's picture."""
        inverse = np.linalg.inv(self.matrix)
        rays = np.c_[px, np.ones(len(px))] @ inverse.T
        out, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, self.bends)
        return out.reshape(-1, 2)

    def turned(self) -> Lens:
        """The same lens for pictures that are turned a quarter clockwise."""
        wide, high = self.size
        (fx, _, cx), (_, fy, cy), _ = self.matrix.tolist()
        matrix = np.array([(fy, 0, high - 1 - cy), (0, fx, cx), (0, 0, 1)], np.float64)
        bends = self.bends.ravel().astype(np.float64)
        one, other = bends[_TANGENTIAL].tolist()
        bends[_TANGENTIAL] = other, -one
        return Lens(matrix, bends, (high, wide), self.error)

    def as_row(self) -> dict[str, Any]:
        """For a file; `lens_in` reads it back."""
        return {
            "matrix": self.matrix.tolist(),
            "bends": self.bends.ravel().tolist(),
            "size": self.size,
            "error": self.error,
        }

    def save(self, path: Path) -> None:
        replace_file(path, json.dumps(self.as_row()).encode())


def load_lens(path: Path) -> Lens | None:
    """The lens that is kept there; None if there is none, or the file is damaged: without one the
    table is found as well, only less exactly."""
    try:
        kept = json.loads(path.read_text())
        return lens_in(kept, size_of(kept["size"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def lens_in(kept: Mapping[str, Any], size: tuple[int, int]) -> Lens:
    """From a row of a file, for pictures of that size; raises `ValueError` and its like."""
    bends = np.array(kept["bends"], np.float64)
    if bends.size not in _BENDS or not np.isfinite(bends).all() or size_of(kept["size"]) != size:
        raise ValueError
    return Lens(square_matrix(kept["matrix"]), bends, size, float(kept["error"]))


def square_matrix(rows: object) -> Points:
    matrix = np.array(rows, np.float64)
    if (
        matrix.shape != (3, 3)
        or not np.isfinite(matrix).all()
        or abs(np.linalg.det(matrix)) < 1e-12
    ):
        raise ValueError
    return matrix


def size_of(pair: Sequence[int]) -> tuple[int, int]:
    width, height = (int(v) for v in pair)
    return width, height
