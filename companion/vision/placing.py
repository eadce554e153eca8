"""Where cards really lie: finds drawn to the corners of cards of known sizes, in a few rounds.

A finder puts some middles between two cards of a row, and misses others there. So in a crowd the
places a little further are looked at as well; those that arrive at the same card count once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.cuts import Image
from companion.vision.fitting import Sizes
from companion.vision.networks import Network
from companion.vision.refining import moved

Quads = npt.NDArray[Any]
Floats = npt.NDArray[Any]

_ROUNDS = 4
"""How often corners are looked for, as long as they move."""
_SETTLED = 0.015
"""A share of a card's height: corners that move less are where they belong."""
_SOON_ONE, _ONE = 0.09, 0.05
"""Quads nearer than this share of a side, after the first round and after all, are one card's."""
_MAYBE = 0.1
"""What the refiner must think of a cut's being a card for others to crowd about it."""
_BESIDE = (0.22, 1.05)
"""Cards of a row lie so many of their sides apart, with one between them even; nearer to each
other, they are one card found twice."""
_FURTHER = (0.27, -0.27)
"""How far from a card in a crowd is looked: shares of a side."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Quads, how probably each is a card, and from which find it came."""

    quads: Quads
    cards: Floats
    whose: npt.NDArray[np.intp]
    moving: npt.NDArray[np.bool_]
    """Whose corners have not come to rest."""

    def of(self, numbers: npt.NDArray[Any]) -> Places:
        return Places(
            self.quads[numbers], self.cards[numbers], self.whose[numbers], self.moving[numbers]
        )

    def and_also(self, more: Places) -> Places:
        return Places(
            np.concatenate([self.quads, more.quads]),
            np.concatenate([self.cards, more.cards]),
            np.concatenate([self.whose, more.whose]),
            np.concatenate([self.moving, more.moving]),
        )


def placed(image: Image, quads: Quads, network: Network, sizes: Sizes) -> Places:
    """The cards that finds (n, 4, 2), most certain first, are drawn to."""
    look = _Look(image, network, sizes)
    places = look.first(quads, np.arange(len(quads)))
    places = places.of(distinct(places.quads, _SOON_ONE))
    further, parents = proposed(places.quads[places.cards > _MAYBE])
    if len(further):
        whose = places.whose[places.cards > _MAYBE][parents]
        places = places.and_also(look.first(further, whose))
        places = places.of(distinct(places.quads, _SOON_ONE))
    for _ in range(_ROUNDS - 1):
        if not places.moving.any():
            break
        places = look.again(places)
    return places.of(distinct(places.quads, _ONE))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    image: Image
    network: Network
    sizes: Sizes

    def first(self, quads: Quads, whose: npt.NDArray[np.intp]) -> Places:
        quads = self.sizes.fitted(quads, np.ones((len(quads), 4)))
        every = np.ones(len(quads), np.bool_)
        return self.again(Places(quads, np.ones(len(quads)), whose, every))

    def again(self, places: Places) -> Places:
        """One round more for those that still move."""
        left = np.flatnonzero(places.moving)
        before = places.quads[left]
        after, cards = moved(self.image, before, self.network, self.sizes)
        far = np.linalg.norm(after - before, axis=2).max(1)
        high = np.linalg.norm(after[:, 3] - after[:, 0], axis=1)
        quads, sure, moving = places.quads.copy(), places.cards.copy(), places.moving.copy()
        quads[left], sure[left], moving[left] = after, cards, far > _SETTLED * high
        return Places(quads, sure, places.whose, moving)


def proposed(quads: Quads) -> tuple[Quads, npt.NDArray[np.intp]]:
    """Further places where cards may lie, and beside which of the quads each is."""
    if not len(quads):
        return quads, np.arange(0)
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    middles = quads.mean(1)
    off = middles[None] - middles[:, None]
    shares = [
        np.abs((off * side[:, None]).sum(2)) / np.square(side).sum(1)[:, None]
        for side in (across, down)
    ]
    near = np.maximum(*shares)
    np.fill_diagonal(near, np.inf)
    long = np.maximum(np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1))
    # A token on a card is no crowd: both must be of like size.
    near[np.abs(np.log(long[:, None] / long[None])) > 0.5] = np.inf
    low, high = _BESIDE
    crowd = np.flatnonzero(((near > low) & (near < high)).any(1))
    further = [
        quads[crowd] + (share * side[crowd])[:, None]
        for side in (across, down)
        for share in _FURTHER
    ]
    return np.concatenate(further), np.tile(crowd, len(further))


def distinct(quads: Quads, same: float) -> npt.NDArray[np.intp]:
    """The numbers of those not within the share `same` of a short side of an earlier one."""
    middles = quads.mean(1)
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).min(1)
    kept: list[int] = []
    for number, middle in enumerate(middles):
        apart = np.linalg.norm(middles[kept] - middle, axis=1)
        if (apart > same * short[number]).all():
            kept.append(number)
    return np.array(kept, np.intp)
