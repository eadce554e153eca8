"""Fitting rectangles of known sizes to rough quads.

On a calibrated table the sizes of the cards are known; what is open is where each lies and how it
is turned. So corners that are hidden follow from those in view.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.calibration import Plane

Quads = npt.NDArray[Any]
Size = tuple[float, float]
_FURTHEST_MM = 9.0
"""A quad whose surest corners would have to move further is no card of these sizes."""
_SAME_SIZE = 0.1
"""A find is of a card's size if the log of their sides' ratio is smaller than this."""
_MAYBE_RATIO = (0.45, 1.4)
"""A find whose side over a card's is between these may still be a bad find of that card."""
_EIGHTH_TURN = np.array([[1.0, 1.0], [-1.0, 1.0]]) / np.sqrt(2)
"""The rotation by 45 degrees."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSizes:
    """The plane of the table and the sizes, short side first, of what may lie on it."""

    plane: Plane
    sizes: tuple[Size, ...]

    def fitted(self, quads: Quads, wide: Quads, furthest: float = _FURTHEST_MM) -> Quads:
        """The quads (n, 4, 2), in pixels, replaced by the nearest true rectangles.

        `wide` (n, 4) is how far off each corner may be: a hidden corner may be far off and then
        follows from the others. Quads that would move `furthest` millimetres stay as they are.
        """
        if not self.sizes or not len(quads):
            return quads
        mm = self.plane.table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        rigid, moved = _rectangles(mm, wide, np.array(self.sizes))
        px = self.plane.pixels(rigid.reshape(-1, 2)).reshape(-1, 4, 2)
        return np.where((moved < furthest)[:, None, None], px, quads)

    def candidates(self, quads: Quads) -> tuple[Quads, npt.NDArray[np.intp]]:
        """The cards that rough finds may be; and the index of the find each comes from.

        A find about as large as a card is that card. Any other is part of a card's print, or the
        edges of several cards: then every size that is not too far off is tried. Squares are also
        tried turned by 45 degrees: the find may be a square printed corner to edge on its card.
        """
        tries, whose = [self.nearest(quads)], [np.arange(len(quads))]
        side = _side(quads)
        alone = len(self.sizes) == 1 and self.sizes[0][0] < self.sizes[0][1]
        if alone or (np.abs(np.log(side / _side(tries[0]))) < _SAME_SIZE).all():
            return tries[0], whose[0]
        off = np.flatnonzero(np.abs(np.log(side / _side(tries[0]))) >= _SAME_SIZE)
        low, high = _MAYBE_RATIO
        for size in self.sizes:
            tried = replace(self, sizes=(size,)).nearest(quads[off])
            ratio = side[off] / _side(tried)
            may = (ratio > low) & (ratio < high)
            tries.append(tried[may])
            whose.append(off[may])
            if size[0] == size[1]:
                middle = tried[may].mean(1, keepdims=True)
                tries.append(middle + (tried[may] - middle) @ _EIGHTH_TURN)
                whose.append(off[may])
        return np.concatenate(tries), np.concatenate(whose)

    def nearest(self, quads: Quads) -> Quads:
        """The quads replaced by the nearest cards of these sizes, however far they must move."""
        return self.fitted(quads, np.ones((len(quads), 4)), furthest=np.inf)


def _side(quads: Quads) -> Quads:
    """The mean length of each quad's sides."""
    return np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).mean(1)


def _rectangles(mm: Quads, wide: Quads, sizes: npt.NDArray[Any]) -> tuple[Quads, Quads]:
    """Each quad's nearest rectangle of one of the sizes, and how far the corners moved: the root
    of the mean square, in which the surest corners count most.

    For each size this is the weighted rigid alignment of two point sets (Procrustes, in the plane).
    """
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
