"""When to look: whether hands are in view, something moves, or the table is still.

Only every eighth pixel of a frame is compared, so this costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Motion
from companion.vision.crops import Image

STRIDE = 8
"""Pixels from one cell of a thumbnail to the next."""
_DIFFERENT_LEVELS = (18.0, 14.0, 18.0)
"""Levels of blue, green or red by which a cell must differ, after the light's own change is taken
out. All three, because a hand as dark as the cloth differs only in hue; blue and red need more,
because sensors are noisier there."""
_GAINS = np.geomspace(0.55, 1 / 0.55, 25)
"""How many times as bright a camera may make a picture when it sets its exposure anew."""
_NO_GAIN = len(_GAINS) // 2
_FAR_MORE = 0.02
"""What share of the cells more must agree on a gain than on none."""
_MOVING = 0.0015
"""Something moves if at least this share of the cells differs from the frame before."""
_QUIET_FRAMES = 3
"""So many frames without motion, and the table is still."""
_LYING_FRAMES = 20
"""Nobody holds a hand still for so many frames: what hangs into the picture is a thing that lies
there."""
_REACH_SHARE = 0.01
"""A hand changes at least this share of the cells ..."""
_HAND_SHARE = 0.012
"""... and more than this share in one piece."""

Cells = npt.NDArray[Any]


@dataclass(slots=True, eq=False)
class Gate:
    """Is given every frame; keeps thumbnails of the last one and of the last still table."""

    _last: Cells | None = None
    _settled: Cells | None = None
    _quiet: int = 0
    _anew: bool = False

    def step(self, image: Image) -> Motion:
        """Take the next frame, and say what goes on in it."""
        now = image[::STRIDE, ::STRIDE].astype(np.int16)
        if self._last is None or now.shape != self._last.shape:
            self._last, self._quiet = now, 0
            return Motion.MOVING
        moved = float(_changed(now, self._last).mean())
        self._last = now
        self._quiet = self._quiet + 1 if moved < _MOVING else 0
        if self._quiet < _QUIET_FRAMES:
            return Motion.HANDS if self._reaches_in(now) else Motion.MOVING
        if self._quiet < _LYING_FRAMES and self._reaches_in(now):
            return Motion.HANDS
        return Motion.STILL

    def changed(self) -> npt.NDArray[Any]:
        """The cells that differ from the last table passed to `settle`; at first all of them."""
        if self._last is None:
            return np.ones((1, 1), np.bool_)
        if self._anew or self._settled is None or self._settled.shape != self._last.shape:
            return np.ones(self._last.shape[:2], np.bool_)
        return _grown(_changed(self._last, self._settled))

    def settle(self) -> None:
        """The last frame is the table that later ones are compared with."""
        self._settled, self._anew = self._last, False

    def look_anew(self) -> None:
        """Count everything as changed, until the next `settle`."""
        self._anew = True

    def _reaches_in(self, now: Cells) -> bool:
        """Whether something large reaches into the picture from its edge that was not there when
        the table was last settled."""
        if self._settled is None or self._settled.shape != now.shape:
            return False
        new = _changed(now, self._settled).astype(np.uint8)
        if new.mean() < _REACH_SHARE:
            return False
        _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(new, np.ones((3, 3))))
        large = stats[:, cv2.CC_STAT_AREA] > _HAND_SHARE * new.size
        large[0] = False
        edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
        return bool(large[edge].any())


def _changed(a: Cells, b: Cells) -> npt.NDArray[Any]:
    """Which cells differ by more than the light does."""
    differ = _differing(a, b)
    if differ.mean() < _MOVING:
        return differ
    gains = _gains(a[::6, ::6].reshape(-1, 3), b[::6, ::6].reshape(-1, 3))
    return differ if (gains == 1).all() else _differing(a, _exposed(b, gains))


def _differing(a: Cells, b: Cells) -> npt.NDArray[Any]:
    off = cv2.subtract(a, b)
    # A dimmed lamp or a passing cloud changes all cells alike: take the median change out.
    common = _median(off[::4, ::4].reshape(-1, 3))
    low, high = np.subtract(common, _DIFFERENT_LEVELS), np.add(common, _DIFFERENT_LEVELS)
    return cv2.inRange(off, low, high) == 0


def _median(rows: Cells) -> Cells:
    middle: Cells = np.partition(rows, len(rows) // 2, axis=0)[len(rows) // 2]
    return middle


def _gains(a: Cells, b: Cells) -> Cells:
    """How many times as bright each colour is in `a` as in `b`, because the camera has set its
    exposure or its white anew: what most cells agree on, if far more do than on no change."""
    off = a[None] - _exposed(b[None], _GAINS[:, None, None])
    off = np.abs(off - np.median(off, axis=1, keepdims=True))
    agree = (off < _DIFFERENT_LEVELS).mean(1)
    best = agree.argmax(0)
    far_more = agree.max(0) > agree[_NO_GAIN] + _FAR_MORE
    return np.where(far_more, _GAINS[best], 1.0)


def _exposed(cells: Cells, gains: Cells | float) -> Cells:
    """The cells as a camera would show them that makes them so many times as bright."""
    return np.minimum(cells * gains, 255).astype(np.int16)


def _grown(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The cells that changed together, with their neighbours. One that changed alone is noise."""
    company = cv2.boxFilter(cells.astype(np.float32), -1, (3, 3), normalize=False)
    real = (cells & (company > 2.5)).astype(np.uint8)
    return cv2.dilate(real, np.ones((3, 3))) > 0
