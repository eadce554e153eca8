"""Cards of known size on a calibrated table: only where each lies and how it is turned is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.calibrating import Plane

Quads = npt.NDArray[Any]
Size = tuple[float, float]
_FURTHEST = 9.0
"""Millimetres; a quad whose surest corners must move further is no card of these sizes."""


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """The plane of the table and the sizes, short side first, of what may lie on it."""

    plane: Plane
    sizes: tuple[Size, ...]

    def fitted(self, quads: Quads, wide: Quads) -> Quads:
        """The quads (n, 4, 2) in pixels as true rectangles; `wide` is how far off a corner may be.

        A card's hidden corners follow from those in view.
        """
        if not self.sizes or not len(quads):
            return quads
        mm = self.plane.table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        rigid, moved = _rectangles(mm, wide, np.array(self.sizes))
        px = self.plane.pixels(rigid.reshape(-1, 2)).reshape(-1, 4, 2)
        return np.where((moved < _FURTHEST)[:, None, None], px, quads)


def _rectangles(mm: Quads, wide: Quads, sizes: npt.NDArray[Any]) -> tuple[Quads, Quads]:
    """Each quad's nearest rectangle of one of the sizes, and how far its surest corner moved."""
    weight = 1 / np.square(wide)
    weight = weight / weight.sum(1, keepdims=True)
    middle = (mm * weight[..., None]).sum(1)
    best, cost = mm, np.full(len(mm), np.inf)
    for width, height in sizes:
        model = np.array([(0, 0), (width, 0), (width, height), (0, height)])
        centre = weight @ model
        a = model[None] - centre[:, None]
        b = mm - middle[:, None]
        dot = (weight[..., None] * a * b).sum((1, 2))
        cross = (weight * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])).sum(1)
        turn = np.arctan2(cross, dot)
        spin = np.stack([np.cos(turn), np.sin(turn), -np.sin(turn), np.cos(turn)], 1)
        laid = a @ spin.reshape(-1, 2, 2) + middle[:, None]
        far = (weight * np.square(laid - mm).sum(2)).sum(1)
        better = far < cost
        best = np.where(better[:, None, None], laid, best)
        cost = np.where(better, far, cost)
    return best, np.sqrt(cost)
