"""Fitting a head to a deck: a softmax over the embedder's numbers, on varied views of its cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.heads import STEEP, Head

Vectors = npt.NDArray[Any]

_STEPS = 200
_PARTS = 4
"""Each step learns from every fourth view."""
_RATE = 0.25
"""How far a number moves in one of the first steps; towards the end less and less."""
_PULL = 0.002
"""How strongly rows are pulled back to the pictures' own points."""
_START = STEEP / 1.5
"""How steeply a row tells likeness before anything is learnt."""
_NONE_AT = 0.6
"""The likeness from which on a card is named, before anything is learnt."""


_TINY = 1e-30


@dataclass(frozen=True, slots=True)
class Care:
    """How much a head minds what is none of its cards."""

    left_out: float
    """What a view counts as none of the others, its own face left out, against itself as its face;
    """
    strange: float
    """what all that is strange to the deck counts;"""
    steeper: float
    """and how much surer it may be than its views made it, for those are varied more than cameras
    vary."""


WHOLE = Care(0.1, 0.1, 1.5)
"""For a deck that was shown whole: of drawn decks' cards named with 0.9 and more, one in a thousand
was wrong."""
PART = Care(1.0, 0.5, 2.0)
"""For one with gaps: of twelve drawn decks shown by half, a twelfth of the cards that were not
shown was named after others; as for a whole deck, a sixth. For that fewer of those shown are read.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What a head learns from."""

    points: Vectors
    """Views (m, 128) of the deck's cards,"""
    cards: Vectors
    """the number of the card each shows (m),"""
    strange: Vectors
    """and points (k, 128) of what is no card of the deck."""


def fitted(vectors: Vectors, columns: Vectors, views: Views, care: Care = WHOLE) -> Head:
    """A head for a deck with these looks (n, 128), each of the card in `columns` (n)."""
    fit = _Fit(vectors, columns, views, care)
    moment, spread = np.zeros_like(fit.table), np.zeros_like(fit.table)
    for step in range(1, _STEPS + 1):
        slope = fit.slope(step % _PARTS)
        moment = 0.9 * moment + 0.1 * slope
        spread = 0.98 * spread + 0.02 * slope**2
        rate = _RATE * 0.5 * (1 + np.cos(np.pi * step / _STEPS))
        move = moment / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.98**step)) + 1e-8)
        fit.table = fit.table - rate * move
    rows = care.steeper * fit.table.astype(np.float32)
    return Head(rows[:-1, :-1], rows[:-1, -1], rows[-1, :-1], float(rows[-1, -1]))


class _Fit:
    """The numbers being fitted, and which way they should go."""

    def __init__(self, vectors: Vectors, columns: Vectors, views: Views, care: Care) -> None:
        self._care = care
        many, wide = vectors.shape
        self.table = np.zeros((many + 1, wide + 1), np.float32)
        self.table[:-1, :-1] = _START * vectors
        self.table[-1, -1] = _START * _NONE_AT
        self._start = self.table.copy()
        self._views = np.c_[views.points, np.ones(len(views.points))].astype(np.float32)
        self._strange = np.c_[views.strange, np.ones(len(views.strange))].astype(np.float32)
        own = columns[None] == views.cards[:, None]
        self._own = np.c_[own, np.zeros(len(own), bool)].astype(np.float32)

    def slope(self, part: int) -> Vectors:
        views, strange = self._views[part::_PARTS], self._strange[part::_PARTS]
        logits = views @ self.table.T
        odds = np.exp(logits - logits.max(1, keepdims=True))
        own = odds * self._own[part::_PARTS]
        rest = odds - own
        whole = odds / odds.sum(1, keepdims=True)
        mine = own / (own.sum(1, keepdims=True) + _TINY)
        others = rest / (rest.sum(1, keepdims=True) + _TINY)
        others[:, -1] -= 1
        push = (whole - mine + self._care.left_out * others) / len(logits)
        out = push.T @ views
        if len(strange):
            away = _softmax(strange @ self.table.T)
            away[:, -1] -= 1
            out += self._care.strange / len(away) * (away.T @ strange)
        pull = _PULL / len(self.table) * (self.table - self._start)
        pull[:, -1] *= 0.1  # what is added to a row is freer than where it points
        return out + pull


def _softmax(logits: Vectors) -> Vectors:
    odds = np.exp(logits - logits.max(1, keepdims=True))
    out: Vectors = odds / odds.sum(1, keepdims=True)
    return out
