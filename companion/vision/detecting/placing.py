"""Placing cards of known sizes: rough finds are moved onto real corners, in a few rounds.

In a row of overlapping cards the finder puts some middles between two cards and misses others. So
the places beside each find are tried, too, where the finder's heatmap has a card in mind. Finds
that arrive at the same card count once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.crops import ImagePyramid
from companion.vision.detecting.finding import CardHeatmap, first_of_each
from companion.vision.detecting.fitting import KnownSizes
from companion.vision.detecting.refining import moved
from companion.vision.networks import Network

Quads = npt.NDArray[Any]
Floats = npt.NDArray[Any]

_ROUNDS = 3
"""Most rounds in which the corners are looked for; fewer if they stop moving."""
_SETTLED = 0.035
"""Corners that move by less than this share of the card's height are where they belong."""
_SAME_SOON = 0.06
"""Quads nearer than this share of a short side are one card, after the first round."""
_SAME_AT_LAST = 0.05
"""The same after the last round."""
_CARD_P = (0.5, 0.7, 0.9)
"""How probably a crop must show a card, says the refiner, after the first round, after each other
one, and at last. It doubts where the finder took the gap between two cards for a card."""
_LIKE_SIZE = 0.5
"""Cards are of like size if the logs of their short sides differ by less."""
_BESIDE = (0.4, -0.4)
"""How far beside a card another is tried, as shares of its side: half under it, or half over it."""
_BESIDE_P = 0.2
"""How probable the heatmap must have a card's middle for the place to be tried."""
_BESIDE_AT = (1.0, 1.25, 1.5)
"""Where the heatmap is asked: at the place tried, and a little further away from the find."""


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


def place_cards(
    image: ImagePyramid,
    quads: Quads,
    network: Network,
    sizes: KnownSizes,
    heatmap: CardHeatmap | None = None,
) -> CandidateQuads:
    """The cards that rough finds (n, 4, 2), surest first, lead to.

    With a `heatmap`, cards are also looked for beside those found.
    """
    look = _Look(image, network, sizes)
    first, later, last = _CARD_P
    places = _once(_best_size_first(look.first(quads, np.arange(len(quads)))), first)
    if heatmap is not None:
        further, parents = neighbour_quads(places.quads)
        likely = is_likely_card(heatmap, places.quads[parents], further)
        if likely.any():
            more = look.first(further[likely], places.whose[parents[likely]])
            places = _once(places.and_also(more), first)
    for _ in range(_ROUNDS - 1):
        if not (places.far > _SETTLED).any():
            break
        places = look.again(places)
        places = places.of(places.cards > later)
    places = places.of(places.cards > last)
    return places.of(distinct(places.quads, _SAME_AT_LAST))


def is_likely_card(heatmap: CardHeatmap, quads: Quads, further: Quads) -> npt.NDArray[np.bool_]:
    """Which of the quads `further` on from these may be cards, says the finder's heatmap."""
    here, there = quads.mean(1), further.mean(1)
    sure = [heatmap.above(here + (there - here) * share, _BESIDE_P) for share in _BESIDE_AT]
    return np.logical_or.reduce(sure)


def _best_size_first(places: CandidateQuads) -> CandidateQuads:
    """In the order of the finds; of one find tried in several sizes, the likeliest card first."""
    return places.of(np.lexsort((-places.cards, places.whose)))


def _once(places: CandidateQuads, least: float) -> CandidateQuads:
    """Those that are probably cards, each card once."""
    places = places.of(places.cards > least)
    return places.of(distinct(places.quads, _SAME_SOON))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Moves quads onto corners, in one picture."""

    image: ImagePyramid
    network: Network
    sizes: KnownSizes

    def first(self, quads: Quads, whose: npt.NDArray[np.intp]) -> CandidateQuads:
        quads, parents = self.sizes.candidates(quads)
        whose = whose[parents]
        every = np.ones(len(quads))
        return self.again(CandidateQuads(quads, every, whose, every))

    def again(self, places: CandidateQuads) -> CandidateQuads:
        """One more round for those that still move."""
        left = np.flatnonzero(places.far > _SETTLED)
        before = places.quads[left]
        after, cards = moved(self.image, before, self.network, self.sizes)
        high = np.linalg.norm(after[:, 3] - after[:, 0], axis=1)
        quads, sure, far = places.quads.copy(), places.cards.copy(), places.far.copy()
        quads[left], sure[left] = after, cards
        far[left] = np.linalg.norm(after - before, axis=2).max(1) / high
        return replace(places, quads=quads, cards=sure, far=far)


def neighbour_quads(quads: Quads) -> tuple[Quads, npt.NDArray[np.intp]]:
    """Quads a little further along the row and the column of each quad; and the index of the quad
    each lies beside."""
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    further = [quads + (share * side)[:, None] for side in (across, down) for share in _BESIDE]
    return np.concatenate(further), np.tile(np.arange(len(quads)), len(further))


def distinct(quads: Quads, same: float) -> npt.NDArray[np.intp]:
    """The indices of the quads that are no earlier one again.

    Two are one card if their middles are nearer than the share `same` of a short side, and if they
    are of like size: a token may lie in the very middle of a card.
    """
    middles = quads.mean(1)
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).min(1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    like = np.abs(np.log(short[:, None] / short[None])) < _LIKE_SIZE
    return np.array(first_of_each(like & (apart <= same * short[None])), np.intp)
