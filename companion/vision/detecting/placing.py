"""Where cards really lie: finds drawn to the corners of cards of known sizes, in a few rounds.

A finder puts some middles between two cards of a row, and misses others there. So the places a
little further are looked at as well, if the finder thought of a card there; those that arrive at
the same card count once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.crops import Halves
from companion.vision.detecting.finding import Warmth, firsts
from companion.vision.detecting.fitting import Sizes
from companion.vision.detecting.refining import moved
from companion.vision.networks import Network

Quads = npt.NDArray[Any]
Floats = npt.NDArray[Any]

_ROUNDS = 3
"""How often corners are looked for, as long as they move."""
_SETTLED = 0.035
"""A share of a card's height: corners that move less are where they belong."""
_SOON_ONE = 0.06
"""Quads nearer than this share of a side after the first round are one card's."""
_ONE = 0.05
"""Quads nearer than this share of a side after all rounds are one card's."""
_DOUBTS = (0.5, 0.7, 0.9)
"""What the refiner must think of a cut's being a card after the first round, after the others, and
after all: where a finder took the gap between two cards for one, it doubts."""
_LIKE = 0.5
"""Logs of sides that differ by less are those of cards of like size."""
_FURTHER = (0.4, -0.4)
"""How far from a card another is looked for, half under it or over it: shares of a side."""
_WARM = 0.2
"""How probable a finder thinks the middle of a card that it overlooks there, at least."""
_ON_THE_WAY = (1.0, 1.25, 1.5)
"""How far on the way there and beyond it says so."""


@dataclass(frozen=True, slots=True, eq=False)
class CandidateQuads:
    """Quads, how probably each is a card, and from which find it came."""

    quads: Quads
    cards: Floats
    whose: npt.NDArray[np.intp]
    far: Floats
    """How far each moved in the last round, as a share of its height."""

    def of(self, numbers: npt.NDArray[Any]) -> CandidateQuads:
        return CandidateQuads(*(part[numbers] for part in self._parts()))

    def and_also(self, more: CandidateQuads) -> CandidateQuads:
        both = zip(self._parts(), more._parts(), strict=True)
        return CandidateQuads(*(np.concatenate(pair) for pair in both))

    def _parts(self) -> tuple[npt.NDArray[Any], ...]:
        return self.quads, self.cards, self.whose, self.far


def placed(
    image: Halves, quads: Quads, network: Network, sizes: Sizes, warmth: Warmth | None = None
) -> CandidateQuads:
    """The cards that finds (n, 4, 2), most certain first, are drawn to; beside those found cards
    are looked for where it is warm, if that is known."""
    look = _Look(image, network, sizes)
    first, later, last = _DOUBTS
    places = _once(_best_size_first(look.first(quads, np.arange(len(quads)))), first)
    if warmth is not None:
        further, parents = proposed(places.quads)
        likely = warm(warmth, places.quads[parents], further)
        if likely.any():
            more = look.first(further[likely], places.whose[parents[likely]])
            places = _once(places.and_also(more), first)
    for _ in range(_ROUNDS - 1):
        if not (places.far > _SETTLED).any():
            break
        places = look.again(places)
        places = places.of(places.cards > later)
    places = places.of(places.cards > last)
    return places.of(distinct(places.quads, _ONE))


def warm(warmth: Warmth, quads: Quads, further: Quads) -> npt.NDArray[np.bool_]:
    """Where the finder thought of a card further on from these quads."""
    here, there = quads.mean(1), further.mean(1)
    sure = [warmth.above(here + (there - here) * share, _WARM) for share in _ON_THE_WAY]
    return np.logical_or.reduce(sure)


def _best_size_first(places: CandidateQuads) -> CandidateQuads:
    """Of one find tried as cards of several sizes, the likeliest card before the others."""
    return places.of(np.lexsort((-places.cards, places.whose)))


def _once(places: CandidateQuads, least: float) -> CandidateQuads:
    places = places.of(places.cards > least)
    return places.of(distinct(places.quads, _SOON_ONE))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    image: Halves
    network: Network
    sizes: Sizes

    def first(self, quads: Quads, whose: npt.NDArray[np.intp]) -> CandidateQuads:
        quads, parents = self.sizes.likest(quads)
        whose = whose[parents]
        every = np.ones(len(quads))
        return self.again(CandidateQuads(quads, every, whose, every))

    def again(self, places: CandidateQuads) -> CandidateQuads:
        """One round more for those that still move."""
        left = np.flatnonzero(places.far > _SETTLED)
        before = places.quads[left]
        after, cards = moved(self.image, before, self.network, self.sizes)
        high = np.linalg.norm(after[:, 3] - after[:, 0], axis=1)
        quads, sure, far = places.quads.copy(), places.cards.copy(), places.far.copy()
        quads[left], sure[left] = after, cards
        far[left] = np.linalg.norm(after - before, axis=2).max(1) / high
        return replace(places, quads=quads, cards=sure, far=far)


def proposed(quads: Quads) -> tuple[Quads, npt.NDArray[np.intp]]:
    """Places a little further in the row or column of each quad, and beside which each is."""
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    further = [quads + (share * side)[:, None] for side in (across, down) for share in _FURTHER]
    return np.concatenate(further), np.tile(np.arange(len(quads)), len(further))


def distinct(quads: Quads, same: float) -> npt.NDArray[np.intp]:
    """The numbers of those not within the share `same` of a short side of an earlier one that is
    of like size: a token lies on a card, in its middle even."""
    middles = quads.mean(1)
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).min(1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    like = np.abs(np.log(short[:, None] / short[None])) < _LIKE
    return np.array(firsts(like & (apart <= same * short[None])), np.intp)
