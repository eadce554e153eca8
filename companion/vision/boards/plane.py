"""Where boards are in a picture, and that all of them lie on one table.

A board half covered is seen at one end only, and its far corners are guessed from there. The
boards around it know better how the camera leans: all of them together give one plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.fitting import Agreement
from companion.vision.crops import Floats, corners

ROUNDS = 4
"""How often plane and boards are fitted to each other in turn."""
STRETCH = 0.06
"""By how much a board may be larger or smaller than its owner said, to lie on one plane with the
others."""
MISFIT_PX = 0.5
"""How much worse its spots may fit the plane than the board alone; else it lies on something."""
TRUSTED_SPOTS = 25
"""A board with fewer spots may fit badly alone: then the plane is believed in any case."""


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board in a picture."""

    board: Board
    matrix: Floats
    """From the board's millimetres to the picture's pixels."""
    agreement: Agreement

    @cached_property
    def quad(self) -> Floats:
        """Its corners in the picture, clockwise from the board's own top left."""
        return self.pixels(corners(*self.board.size_mm))

    def pixels(self, mm: Floats) -> Floats:
        """Where in the picture these points (n, 2) of the board are."""
        rows = np.asarray(mm, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(rows, self.matrix).reshape(-1, 2)

    def millimetres(self, px: Floats) -> Floats:
        """Where on the board these points (n, 2) of the picture are."""
        rows = np.asarray(px, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(rows, np.linalg.inv(self.matrix)).reshape(-1, 2)

    @property
    def known_mm(self) -> Floats:
        """The spots of its print that were followed, in its millimetres."""
        scale = np.array(self.board.size_mm) / self.board.print_px
        return self.agreement.known * scale


def on_one_plane(found: Sequence[FoundBoard]) -> tuple[FoundBoard, ...]:
    """The same boards, each placed by what all of them together say of the plane they lie on.
    One that does not fit the plane stays as it was found."""
    if len(found) < 2:
        return tuple(found)
    first = max(found, key=lambda each: each.agreement.spots)
    plane, lying = first.matrix, list(found)
    for _ in range(ROUNDS):
        moves = [_rigid(each, plane) for each in lying]
        flat = [_moved(each.known_mm, move) for each, move in zip(lying, moves, strict=True)]
        table, seen = np.concatenate(flat), np.concatenate([e.agreement.seen for e in lying])
        better, _ = cv2.findHomography(table, seen, cv2.USAC_MAGSAC, 1.5, maxIters=1000)
        if better is None:
            return tuple(found)
        plane = better
    return tuple(_placed(each, plane) for each in found)


def _rigid(one: FoundBoard, plane: Floats) -> Floats:
    """The move, turn and slight stretch (2, 3) that lays the board on the plane where it is."""
    rows = one.agreement.seen.reshape(-1, 1, 2)
    there = cv2.perspectiveTransform(rows, np.linalg.inv(plane)).reshape(-1, 2)
    here = one.known_mm
    a, b = here - here.mean(0), there - there.mean(0)
    across = np.array(
        [a[:, 0] @ b[:, 0] + a[:, 1] @ b[:, 1], a[:, 0] @ b[:, 1] - a[:, 1] @ b[:, 0]]
    )
    size = float(np.hypot(*across))
    stretch = float(np.clip(size / max((a * a).sum(), 1e-9), 1 - STRETCH, 1 + STRETCH))
    cos, sin = across / max(size, 1e-9) * stretch
    turn = np.array([[cos, -sin], [sin, cos]])
    return np.c_[turn, there.mean(0) - turn @ here.mean(0)]


def _moved(mm: Floats, move: Floats) -> Floats:
    return mm @ move[:, :2].T + move[:, 2]


def _placed(one: FoundBoard, plane: Floats) -> FoundBoard:
    """The board on the plane, if its spots fit there."""
    on_plane = replace(one, matrix=plane @ np.vstack([_rigid(one, plane), (0, 0, 1)]))
    slack = MISFIT_PX if one.agreement.spots >= TRUSTED_SPOTS else 2 * MISFIT_PX
    return on_plane if _misfit(on_plane) <= _misfit(one) + slack else one


def _misfit(one: FoundBoard) -> float:
    off = np.linalg.norm(one.pixels(one.known_mm) - one.agreement.seen, axis=1)
    return float(np.median(off))
