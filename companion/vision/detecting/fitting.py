"""Cards of known size on a calibrated table: only where each lies and how it is turned is open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.calibration import Plane

Quads = npt.NDArray[Any]
Size = tuple[float, float]
_FURTHEST = 9.0
"""Millimetres; a quad whose surest corners must move further is no card of these sizes."""
_ABOUT = 0.1
"""The log of a find's side over a card's within which it is that card."""
_TOO_SMALL = 0.45
"""The ratio of the sides from which on it may still be a bad find of that card,"""
_TOO_LARGE = 1.4
"""and up to which."""
_EIGHTH = np.array([[1.0, 1.0], [-1.0, 1.0]]) / np.sqrt(2)
"""An eighth of a turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """The plane of the table and the sizes, short side first, of what may lie on it."""

    plane: Plane
    sizes: tuple[Size, ...]

    def fitted(self, quads: Quads, wide: Quads, furthest: float = _FURTHEST) -> Quads:
        """The quads (n, 4, 2) in pixels as true rectangles; `wide` is how far off a corner may be.

        A card's hidden corners follow from those in view.
        """
        if not self.sizes or not len(quads):
            return quads
        mm = self.plane.table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        rigid, moved = _rectangles(mm, wide, np.array(self.sizes))
        px = self.plane.pixels(rigid.reshape(-1, 2)).reshape(-1, 4, 2)
        return np.where((moved < furthest)[:, None, None], px, quads)

    def likest(self, quads: Quads) -> tuple[Quads, npt.NDArray[np.intp]]:
        """The cards of these sizes that finds, whose sizes are rough, may be; and of which find
        each is.

        Where none is about as large, the find is part of a card's print or several cards' edges:
        all sizes not too far off are tried, and squares by an eighth turned, as a square printed
        corner to edge lies on its card.
        """
        tries, whose = [self.nearest(quads)], [np.arange(len(quads))]
        long = _side(quads)
        alone = len(self.sizes) == 1 and self.sizes[0][0] < self.sizes[0][1]
        if alone or (np.abs(np.log(long / _side(tries[0]))) < _ABOUT).all():
            return tries[0], whose[0]
        off = np.flatnonzero(np.abs(np.log(long / _side(tries[0]))) >= _ABOUT)
        for size in self.sizes:
            tried = replace(self, sizes=(size,)).nearest(quads[off])
            ratio = long[off] / _side(tried)
            may = (ratio > _TOO_SMALL) & (ratio < _TOO_LARGE)
            tries.append(tried[may])
            whose.append(off[may])
            if size[0] == size[1]:
                middle = tried[may].mean(1, keepdims=True)
                tries.append(middle + (tried[may] - middle) @ _EIGHTH)
                whose.append(off[may])
        return np.concatenate(tries), np.concatenate(whose)

    def nearest(self, quads: Quads) -> Quads:
        """Whatever their size, as the cards of these sizes they are likest to."""
        return self.fitted(quads, np.ones((len(quads), 4)), furthest=np.inf)


def _side(quads: Quads) -> Quads:
    """The mean side of each."""
    return np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).mean(1)


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
