"""Light as it falls in real rooms: maps traced beforehand, to be multiplied into drawings.

`models/train/lightmaps.py` traces them; whoever draws for a training says `use(file)` first.
Without that there are none, and light is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
ROOMS = "rooms.npz"
"""Photographs of rooms, in a file beside the maps."""


@dataclass(frozen=True, slots=True, eq=False)
class LightMaps:
    fall: Floats
    """(n, side, side, 3) of what falls on the table, blue first; 128 is its middle."""
    veil: Floats
    """(n, side, side) of what varnish mirrors, 0 to 255."""
    rooms: Floats
    """(n, height, width, 3) photographs of rooms, blue first."""

    def room(self, rng: np.random.Generator, height: int, width: int) -> Floats:
        """A random piece of a photograph."""
        one = self.rooms[int(rng.integers(len(self.rooms)))]
        h = int(rng.integers(one.shape[0] // 4, one.shape[0] + 1))
        w = int(rng.integers(one.shape[1] // 6, one.shape[1] + 1))
        y, x = int(rng.integers(one.shape[0] - h + 1)), int(rng.integers(one.shape[1] - w + 1))
        piece = np.ascontiguousarray(one[y : y + h, x : x + w])
        return cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA)

    def falling(self, rng: np.random.Generator, height: int, width: int) -> Floats:
        """The light (height, width, 3) on a random piece of a random table; about 1."""
        one = self.fall[int(rng.integers(len(self.fall)))]
        return cv2.resize(_piece(one, rng), (width, height), interpolation=cv2.INTER_LINEAR) / 128

    def mirrored(self, rng: np.random.Generator, height: int, width: int) -> Floats:
        """How much of lamps a random piece of a table mirrors (height, width), 0 to 1."""
        one = self.veil[int(rng.integers(len(self.veil)))]
        return cv2.resize(_piece(one, rng), (width, height), interpolation=cv2.INTER_LINEAR) / 255


def _piece(of: Floats, rng: np.random.Generator) -> Floats:
    """A square piece, turned or mirrored."""
    side = int(rng.integers(of.shape[0] // 4, of.shape[0] + 1))
    y, x = (int(v) for v in rng.integers(0, of.shape[0] - side + 1, 2))
    piece = np.rot90(of[y : y + side, x : x + side], int(rng.integers(4)))
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
    return np.ascontiguousarray(piece, dtype=np.float32)


_in_use: list[LightMaps] = []


def use(file: Path) -> None:
    """Draw with these maps from now on, in this process."""
    rooms = np.zeros((0, 1, 1, 3), np.uint8)
    if (beside := file.with_name(ROOMS)).exists():
        with np.load(beside) as kept:
            rooms = kept["rooms"]
    with np.load(file) as maps:
        _in_use[:] = [LightMaps(maps["fall"], maps["veil"], rooms)]


def maps() -> LightMaps | None:
    return _in_use[0] if _in_use else None
