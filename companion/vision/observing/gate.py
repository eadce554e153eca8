"""When to look: hands in view, something moving, or a still table. Costs next to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Motion
from companion.vision.crops import Image

STRIDE = 8
_DIFFERENT = (18.0, 14.0, 18.0)
"""Levels of blue, green or red by which a cell must differ, once the light's own change is taken
out: on a cloth as dark as itself a hand differs in hue only. Sensors have most grain in the first
and the last."""
_MOVING = 0.0015
"""Share of cells that must differ from the frame before for something to move."""
_QUIET = 3
"""Frames without motion before the table is called still."""
_LYING = 20
"""No hand is held as still as a picture for so many frames: it is something that lies there."""

Cells = npt.NDArray[Any]


@dataclass(slots=True, eq=False)
class Gate:
    """Fed every frame; remembers a thumbnail of the last one and of the last still table."""

    _last: Cells | None = None
    _settled: Cells | None = None
    _quiet: int = 0
    _anew: bool = False

    def step(self, image: Image) -> Motion:
        now = image[::STRIDE, ::STRIDE].astype(np.int16)
        if self._last is None or now.shape != self._last.shape:
            self._last, self._quiet = now, 0
            return Motion.MOVING
        moved = float(_changed(now, self._last).mean())
        self._last = now
        self._quiet = self._quiet + 1 if moved < _MOVING else 0
        if self._quiet < _QUIET:
            return Motion.HANDS if self._reaches_in(now) else Motion.MOVING
        if self._quiet < _LYING and self._reaches_in(now):
            return Motion.HANDS
        return Motion.STILL

    def changed(self) -> npt.NDArray[Any]:
        """Cells that differ from the table last settled on; all of them at first."""
        if self._last is None:
            return np.ones((1, 1), np.bool_)
        if self._anew or self._settled is None or self._settled.shape != self._last.shape:
            return np.ones(self._last.shape[:2], np.bool_)
        return _grown(_changed(self._last, self._settled))

    def settle(self) -> None:
        """This is the table from now on."""
        self._settled, self._anew = self._last, False

    def look_anew(self) -> None:
        """Everything counts as changed, as soon as the table is still."""
        self._anew = True

    def _reaches_in(self, now: Cells) -> bool:
        """Something large hangs in from the picture's edge that was not there when it settled."""
        if self._settled is None or self._settled.shape != now.shape:
            return False
        new = _changed(now, self._settled).astype(np.uint8)
        if new.mean() < 0.01:
            return False
        _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(new, np.ones((3, 3))))
        large = stats[:, cv2.CC_STAT_AREA] > 0.012 * new.size
        large[0] = False
        edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
        return bool(large[edge].any())


def _changed(a: Cells, b: Cells) -> npt.NDArray[Any]:
    off = cv2.subtract(a, b)
    # A lamp dimmed or a cloud passing changes all cells alike: that is no change of the table.
    some = off[::4, ::4].reshape(-1, 3)
    common = np.partition(some, len(some) // 2, axis=0)[len(some) // 2]
    return cv2.inRange(off, np.subtract(common, _DIFFERENT), np.add(common, _DIFFERENT)) == 0


def _grown(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Without cells that changed alone, which is noise; the others with their neighbours."""
    company = cv2.boxFilter(cells.astype(np.float32), -1, (3, 3), normalize=False)
    real = (cells & (company > 2.5)).astype(np.uint8)
    return cv2.dilate(real, np.ones((3, 3))) > 0
