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

ROUNDS = 6
"""How often plane and boards are fitted to each other together."""
STRETCH_PX = 300.0
"""How firmly a board is held to the size its owner said: 1 % off counts as a spot 3 pixels off."""
MISFITS_PX = ((60, 0.2), (25, 0.5), (0, 1.0))
"""How much worse a board's spots may fit the plane than the board alone, by how many spots there
are at least; else it lies on something, or the lens bends. Few spots fit anything."""
FIT_SPOTS = 60
"""About so many spots of each board are enough to fit the plane."""


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

    @cached_property
    def known_mm(self) -> Floats:
        """The spots of its print that were followed, in its millimetres."""
        scale = np.array(self.board.size_mm) / self.board.print_px
        return self.agreement.known * scale


def on_one_plane(found: Sequence[FoundBoard]) -> tuple[FoundBoard, ...]:
    """The same boards, each placed by what all of them together say of the plane they lie on.
    One that does not fit the plane stays as it was found."""
    if len(found) < 2:
        return tuple(found)
    planes = _fitted(sorted(found, key=lambda each: -each.agreement.spots))
    return tuple(_placed(each, planes[id(each)]) for each in found)


def _fitted(found: Sequence[FoundBoard]) -> dict[int, Floats]:
    """Each board's way to the picture if all lie on one plane, by least squares. The plane is
    that of the first one's millimetres; each other board is moved, turned and a little stretched
    on it."""
    first = found[0].matrix / found[0].matrix[2, 2]
    lie = np.stack([(1.0, 0.0, 0.0, 0.0), *(_rigid(each, first) for each in found[1:])])
    joint = _Joint.of(found)
    plane = first.ravel()[:8]
    off, slopes = joint.off(plane, lie)
    for _ in range(ROUNDS):
        size = np.maximum(np.abs(slopes).max(0), 1e-12)  # else sizes differ by millions
        change = np.linalg.lstsq(slopes / size, -off, rcond=None)[0] / size
        plane_then, lie_then = plane + change[:8], lie.copy()
        lie_then[1:] += change[8:].reshape(-1, 4)
        later, slopes_then = joint.off(plane_then, lie_then)
        if not np.isfinite(later).all() or later @ later > off @ off:
            break
        done = later @ later > 0.999 * (off @ off)
        plane, lie, off, slopes = plane_then, lie_then, later, slopes_then
        if done:
            break
    whole = np.r_[plane, 1.0].reshape(3, 3)
    ways = (whole @ np.array([[a, -b, x], [b, a, y], [0, 0, 1]]) for a, b, x, y in lie)
    return dict(zip(map(id, found), ways, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Joint:
    """The spots of all boards together."""

    known: Floats
    seen: Floats
    whose: Floats
    """The number of each spot's board."""
    boards: int

    @classmethod
    def of(cls, found: Sequence[FoundBoard]) -> _Joint:
        some = [slice(None, None, max(1, each.agreement.spots // FIT_SPOTS)) for each in found]
        known = [each.known_mm[part] for each, part in zip(found, some, strict=True)]
        seen = [each.agreement.seen[part] for each, part in zip(found, some, strict=True)]
        whose = np.repeat(np.arange(len(found)), [len(each) for each in known])
        return cls(np.concatenate(known), np.concatenate(seen), whose, len(found))

    def off(self, plane: Floats, lie: Floats) -> tuple[Floats, Floats]:
        """How far each spot is off, and how that changes with the plane's eight numbers and the
        four of each board but the first."""
        a, b, x, y = lie[self.whose].T
        kx, ky = self.known.T
        tx, ty = a * kx - b * ky + x, b * kx + a * ky + y
        w = plane[6] * tx + plane[7] * ty + 1
        u = (plane[0] * tx + plane[1] * ty + plane[2]) / w
        v = (plane[3] * tx + plane[4] * ty + plane[5]) / w
        n, one, none = len(kx), np.ones(len(kx)), np.zeros(len(kx))
        slopes = np.zeros((2 * n + self.boards - 1, 8 + 4 * (self.boards - 1)))
        slopes[:n, :8] = (np.stack([tx, ty, one, none, none, none, -u * tx, -u * ty]) / w).T
        slopes[n : 2 * n, :8] = (np.stack([none, none, none, tx, ty, one, -v * tx, -v * ty]) / w).T
        to_x, to_y = np.stack([kx, -ky, one, none]), np.stack([ky, kx, none, one])
        across = (plane[0] - u * plane[6]) / w * to_x + (plane[1] - u * plane[7]) / w * to_y
        along = (plane[3] - v * plane[6]) / w * to_x + (plane[4] - v * plane[7]) / w * to_y
        for board in range(1, self.boards):
            mine = np.nonzero(self.whose == board)[0]
            columns = slice(4 + 4 * board, 8 + 4 * board)
            slopes[mine, columns] = across.T[mine]
            slopes[n + mine, columns] = along.T[mine]
            slopes[2 * n + board - 1, columns][:2] = STRETCH_PX * lie[board, :2]
        sizes = np.hypot(lie[1:, 0], lie[1:, 1])
        apart = np.r_[u - self.seen[:, 0], v - self.seen[:, 1], STRETCH_PX * (sizes - 1)]
        return apart, slopes


def _rigid(one: FoundBoard, plane: Floats) -> Floats:
    """How the board lies on the plane, about: its turn as cosine and sine, and its shift."""
    there = _mapped(np.linalg.inv(plane), one.agreement.seen)
    here = one.known_mm
    a, b = here - here.mean(0), there - there.mean(0)
    turn = np.array([(a * b).sum(), (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()])
    cos, sin = turn / max(float(np.hypot(*turn)), 1e-9)
    shift = there.mean(0) - np.array([[cos, -sin], [sin, cos]]) @ here.mean(0)
    return np.r_[cos, sin, shift]


def _mapped(way: Floats, points: Floats) -> Floats:
    flat = np.c_[points, np.ones(len(points))] @ way.T
    return flat[:, :2] / flat[:, 2:]


def _placed(one: FoundBoard, way: Floats) -> FoundBoard:
    """The board on the plane, if its spots fit there."""
    on_plane = replace(one, matrix=way)
    slack = next(px for spots, px in MISFITS_PX if one.agreement.spots >= spots)
    return on_plane if _misfit(on_plane) <= _misfit(one) + slack else one


def _misfit(one: FoundBoard) -> float:
    return off_px(one, one.agreement, one.known_mm)


def off_px(one: FoundBoard, now: Agreement, known_mm: Floats) -> float:
    """How far these spots of the board are from where it is said to lie, mostly."""
    return float(np.median(np.linalg.norm(one.pixels(known_mm) - now.seen, axis=1)))
