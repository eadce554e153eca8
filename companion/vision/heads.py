"""A head: what an enrolled deck has learnt of its own cards, with its own sureness.

A deck without one compares a look with its pictures by likeness alone, as steeply for every deck.
A head weighs what tells this deck's cards apart, and knows how far its cards are from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[Any]
STEEP = 45.0
"""How steeply an untrained row tells likeness: that of a further look, or of a rival."""
_MOST_RIVALS = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    rows: Vectors
    """A row (n, 128) for each look of the deck, in its order;"""
    lean: Vectors
    """what is added to each (n);"""
    none: Vectors
    """and the row (128) of none of them,"""
    none_lean: float
    """with what is added to that."""
    rivals: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    """Rows (k, 129) of cards that were not shown and are known: what looks like one is none."""

    def strength(self, points: Vectors) -> Vectors:
        """A row per point: how strongly each look speaks for it and, last, none of them."""
        named = points @ self.rows.T + self.lean
        none = points @ self.none + self.none_lean
        if len(self.rivals):
            near = points @ self.rivals[:, :-1].T + self.rivals[:, -1]
            none = np.maximum(none, near.max(1))
        out: Vectors = np.concatenate([named, none[:, None]], 1)
        return out

    def against(self, vectors: Vectors, ahead: float, steeper: float = 1.0) -> Head:
        """With the looks of cards that were not shown as rivals, so much ahead in likeness, which
        they tell by so much more steeply than an untrained row."""
        lean = np.full((len(vectors), 1), ahead)
        rivals = steeper * STEEP * np.concatenate([vectors, lean], 1)
        return replace(self, rivals=rivals.astype(np.float32))

    def extended(self, vectors: Vectors, handicaps: Sequence[float]) -> Head:
        """With untrained rows for further looks, held back by their handicaps."""
        rows = np.concatenate([self.rows, STEEP * vectors]).astype(np.float32)
        lean = np.concatenate([self.lean, -STEEP * np.array(handicaps)]).astype(np.float32)
        return replace(self, rows=rows, lean=lean)

    def kept(self, looks: Sequence[int]) -> Head:
        """With the rows of these looks only."""
        chosen = list(looks)
        return replace(self, rows=self.rows[chosen], lean=self.lean[chosen])

    def numbers(self) -> Vectors:
        """All of it as one table, to be kept in a file."""
        named = np.concatenate([self.rows, self.lean[:, None]], 1)
        none = np.append(self.none, self.none_lean)[None]
        rivals = self.rivals.reshape(-1, none.shape[1])
        return np.concatenate([named, none, rivals]).astype(np.float32)


def head_from(numbers: Vectors, looks: int, wide: int) -> Head:
    """The head such a table holds; ValueError if it is none for so many looks."""
    table = numbers.astype(np.float32)
    if table.ndim != 2 or table.shape[1] != wide + 1 or not np.isfinite(table).all():
        raise ValueError
    if not looks < len(table) <= looks + 1 + _MOST_RIVALS:
        raise ValueError
    named, none, rivals = table[:looks], table[looks], table[looks + 1 :]
    return Head(named[:, :-1], named[:, -1], none[:-1], float(none[-1]), rivals)
