"""Finding out how large the cards of a deck are, from those that lie alone and are read surely.

Printers cut playing cards to several sizes, and pictures of a deck say nothing of millimetres. Once
the size is known, the hidden corners of a card follow from those in view, and cards half under
others are found: see `detecting/placing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist

import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import boxes_meet
from companion.vision.decks import Size

_READ, _FOUND = 0.9, 0.6
"""A card read and found at least this surely is measured."""
_OBLONG = (1.25, 1.75)
"""A card's long side over its short one; what is wider or narrower was cut badly."""
_CARDS = (30.0, 150.0)
"""No playing card's side is shorter or longer than this, in millimetres."""
_ENOUGH = 3
"""So many different cards tell a deck's size ..."""
_AGREE_MM = 2.5
"""... if most are no further from the middle one than this."""
_MOST = 0.7
"""How many of them: others were cut badly, or the deck's cards differ in size."""


@dataclass(slots=True, eq=False)
class CardSizes:
    """What was measured of a deck whose size nobody has said."""

    _measured: dict[str, Size] = field(default_factory=dict)
    """The last measure of every card, by its label."""

    def measure(self, seen: Sequence[Sighting]) -> None:
        """Take the measure of cards that lie alone; their quads are in millimetres."""
        cards = [one for one in seen if one.kind == "card"]
        for one in cards:
            if one.label is None or one.p < _READ or one.found < _FOUND:
                continue
            if any(other is not one and boxes_meet(one.quad, other.quad) for other in cards):
                continue
            short, long = sides(one)
            low, high = _OBLONG
            if _CARDS[0] < short and long < _CARDS[1] and low < long / short < high:
                self._measured[str(one.label)] = (short, long)

    @property
    def size(self) -> Size | None:
        """The size of the deck's cards, short side first; None as long as too few agree on it."""
        if len(self._measured) < _ENOUGH:
            return None
        every = np.array(list(self._measured.values()))
        middle = np.median(every, axis=0)
        agree = np.abs(every - middle).max(1) <= _AGREE_MM
        if agree.sum() < _ENOUGH or agree.mean() < _MOST:
            return None
        short, long = every[agree].mean(0).tolist()
        return round(short, 1), round(long, 1)


def sides(one: Sighting) -> Size:
    """The sides of its quad, the short one first."""
    a, b, c, d = one.quad
    first, second = (dist(a, b) + dist(c, d)) / 2, (dist(b, c) + dist(d, a)) / 2
    return min(first, second), max(first, second)
