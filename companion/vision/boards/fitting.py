"""Laying a print over the picture exactly, and how much of the two agrees.

Both are evened first, so that shadow, lamp and exposure do not matter; then spots of the print are
followed into the picture by optical flow, which is exact to a fraction of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.features import evened, grey_of
from companion.vision.crops import Floats, Image, corners

SPOTS = 220
"""Spots of a print that are followed into the picture."""
EVEN_PX = 12
"""Over how many pixels light is evened."""
CELL_PX = 16
"""The side of the cells in which print and picture are compared."""
ALIKE = 0.6
"""The correlation from which on a cell of the print is seen in the picture."""
LEAST_CELLS = 6
"""So many cells must agree, at least ..."""
LEAST_SHARE = 0.12
"""... and such a share of those that show anything: the rest may be covered."""
_LEAST_TEXTURE = 9.0
"""How much a cell of the evened print must vary to show anything."""
_FLOW_PX = 1.2
"""How far a followed spot may be off."""
LEAST_SPOTS = 6
"""Spots that must have been followed."""
_BACK_PX = 0.5
"""How far a spot may be off when it is followed into the picture and back."""
_WINDOW = (19, 19)
"""Pixels about a spot that are followed with it."""
_THERE_PX = 0.7
"""A print that is off by less at first is not laid over the picture a second time."""
_FLAT_PX = 900
"""The longest side of the picture in which the print is laid over what is seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How a board's print agrees with what is seen where it should lie."""

    share: float
    """Of the cells that show anything, how many agree; the others are covered."""
    cells: int
    """How many agree."""
    known: Floats
    """Spots of the print (n, 2), in its pixels, that were followed into the picture ..."""
    seen: Floats
    """... and where they are there."""

    @property
    def spots(self) -> int:
        return len(self.known)

    @property
    def enough(self) -> bool:
        return self.cells >= LEAST_CELLS and self.share >= LEAST_SHARE


@dataclass(frozen=True, eq=False)
class Print:
    """What is known of a board's print for laying it over pictures."""

    board: Board
    grey: Image

    @classmethod
    def of(cls, board: Board) -> Print:
        return cls(board, grey_of(board.pixels))

    @cached_property
    def from_mm(self) -> Floats:
        """From the board's millimetres to the print's pixels."""
        (width, height), (wide, high) = self.board.print_px, self.board.size_mm
        return np.diag([width / wide, height / high, 1.0])

    def evened_at(self, size: tuple[int, int]) -> Image:
        """The evened print in that many pixels. The last one is kept: a board that lies still is
        looked at in the same size again and again."""
        if self._evened.get("size") != size:
            small = cv2.resize(self.grey, size, interpolation=cv2.INTER_AREA)
            self._evened.update(size=size, image=evened(small, EVEN_PX))
        return np.asarray(self._evened["image"], np.uint8)

    @cached_property
    def _evened(self) -> dict[str, Any]:
        return {}

    @cached_property
    def spots(self) -> Floats:
        """Corners of the print, (n, 2), spread over it."""
        apart = max(4.0, 0.028 * max(self.grey.shape))
        smooth = cv2.GaussianBlur(self.grey, (0, 0), 1.0)
        found: Any = cv2.goodFeaturesToTrack(smooth, SPOTS, 0.004, apart)
        if found is None:
            return np.zeros((0, 2))
        at: Floats = found.reshape(-1, 2).astype(np.float64) + 0.5
        return at


def refined(
    grey: Image, what: Print, way: Floats, most: int = SPOTS
) -> tuple[Floats, Agreement] | None:
    """The homography from the print's pixels to the picture's, made exact by at most so many
    spots, and how well both agree there; None if the board is not there."""
    known = seen = np.zeros((0, 2))
    for _ in range(2):
        flat = _Flat.of(grey, what, way)
        better = None if flat is None else flat.followed(most)
        if flat is None or better is None:
            return None
        before, (way, known, seen) = way, better
        if _apart_px(before, way, what) < _THERE_PX:
            break  # it was there already, so what is compared is, too
    else:
        flat = _Flat.of(grey, what, way)
    share, cells = (0.0, 0) if flat is None else flat.agreeing()
    agreement = Agreement(share, cells, known, seen)
    return (way, agreement) if agreement.enough else None


def compared(grey: Image, what: Print, way: Floats) -> tuple[float, int]:
    """Of the print's cells that show anything and are within the picture, the share that agrees
    with what is seen there, and how many agree."""
    flat = _Flat.of(grey, what, way)
    return (0.0, 0) if flat is None else flat.agreeing()


def _apart_px(one: Floats, other: Floats, what: Print) -> float:
    """How far two ways put the print's corners from each other in the picture."""
    height, width = what.grey.shape
    rows = corners(width, height).astype(np.float64).reshape(-1, 1, 2)
    a, b = (cv2.perspectiveTransform(rows, way) for way in (one, other))
    return float(np.abs(a - b).max())


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """Print and picture as the board would be seen from above, at the picture's own scale."""

    print: Image
    """Evened."""
    seen: Image
    within: Image
    """Where the picture shows anything."""
    spots: Floats
    way: Floats
    """From these pixels to the picture's."""
    shrink: Floats
    """From the print's pixels to these."""

    @classmethod
    def of(cls, grey: Image, what: Print, way: Floats) -> _Flat | None:
        height, width = what.grey.shape
        quad = cv2.perspectiveTransform(corners(width, height).reshape(-1, 1, 2), way)
        around = cv2.arcLength(quad.astype(np.float32), True)
        scale = float(min(1.0, around / (2 * (width + height)), _FLAT_PX / max(width, height)))
        if not np.isfinite(scale) or scale * min(width, height) < 2 * CELL_PX:
            return None
        size = (round(width * scale), round(height * scale))
        shrink = np.diag([size[0] / width, size[1] / height, 1.0])
        # Centres of pixels are at half: both ways must agree on that.
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        back = np.linalg.inv(half) @ way @ np.linalg.inv(shrink) @ half
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(grey, back, size, flags=flags)
        every = np.full(grey.shape, 255, np.uint8)
        within = cv2.warpPerspective(
            every, back, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        )
        return cls(
            what.evened_at(size), evened(seen, EVEN_PX), within,
            what.spots * np.diag(shrink)[:2], way @ np.linalg.inv(shrink), shrink,
        )  # fmt: skip

    def followed(self, most: int) -> tuple[Floats, Floats, Floats] | None:
        """The homography after following the spots, and those that were followed: in the print's
        pixels and in the picture's."""
        at = self.spots[self._inside(self.spots)]
        at = at[:: max(1, len(at) // most)]
        if len(at) < LEAST_SPOTS:
            return None
        start = at.astype(np.float32).reshape(-1, 1, 2) - 0.5
        there, good, _ = cv2.calcOpticalFlowPyrLK(
            self.print, self.seen, start, start.copy(), winSize=_WINDOW, maxLevel=2
        )
        again, back, _ = cv2.calcOpticalFlowPyrLK(
            self.seen, self.print, there, there.copy(), winSize=_WINDOW, maxLevel=2
        )
        off = np.linalg.norm((again - start).reshape(-1, 2), axis=1)
        sure = (good.ravel() > 0) & (back.ravel() > 0) & (off < _BACK_PX)
        if sure.sum() < LEAST_SPOTS:
            return None
        old, new = start.reshape(-1, 2)[sure] + 0.5, there.reshape(-1, 2)[sure] + 0.5
        step, agreed = cv2.findHomography(
            old, new, cv2.USAC_MAGSAC, _FLOW_PX, maxIters=2000, confidence=0.999
        )
        if step is None or agreed.sum() < LEAST_SPOTS:
            return None
        kept = agreed.ravel() > 0
        known = old[kept] / np.diag(self.shrink)[:2]
        seen = cv2.perspectiveTransform(new[kept].reshape(-1, 1, 2).astype(np.float64), self.way)
        return self.way @ step @ self.shrink, known.astype(np.float64), seen.reshape(-1, 2)

    def _inside(self, at: Floats) -> Floats:
        """Which of these spots the picture shows."""
        height, width = self.print.shape
        rows, columns = at[:, 1].astype(int), at[:, 0].astype(int)
        return self.within[rows.clip(0, height - 1), columns.clip(0, width - 1)] > 0

    def agreeing(self) -> tuple[float, int]:
        """Of the cells that show anything, the share that agrees, and how many that are."""
        like, texture = self.cells()
        shown = texture > _LEAST_TEXTURE
        agree = int(np.count_nonzero(shown & (like > ALIKE)))
        return agree / max(1, int(np.count_nonzero(shown))), agree

    def cells(self) -> tuple[Floats, Floats]:
        """For each cell: how alike print and picture are there, and how much the print varies."""
        a, b = (_in_cells(each.astype(np.float32)) for each in (self.print, self.seen))
        inside = _in_cells(self.within.astype(np.float32)).min(1) > 0
        a, b = a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)
        texture = np.sqrt((a * a).mean(1))
        like = (a * b).mean(1) / (texture * np.sqrt((b * b).mean(1)) + 1e-3)
        return like, np.where(inside, texture, 0.0)


def _in_cells(image: Floats) -> Floats:
    rows, columns = image.shape[0] // CELL_PX, image.shape[1] // CELL_PX
    cut = image[: rows * CELL_PX, : columns * CELL_PX]
    cells = cut.reshape(rows, CELL_PX, columns, CELL_PX).swapaxes(1, 2)
    return cells.reshape(rows * columns, CELL_PX * CELL_PX)
