"""Tokens on the places of boards. It is known where they may lie and what the bare board looks like
there: every place that looks different and on which nothing was read is tried once more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import inside
from companion.tabletop.zones import Outline, centre, size
from companion.vision.boards.bare import BareBoards
from companion.vision.calibration import Plane
from companion.vision.crops import Image, ImagePyramid
from companion.vision.decks import Deck
from companion.vision.reading.tokens import Points, TokenPlaces, read_tokens, token_size

LARGEST = 2.2
"""Places larger than so many tokens, either way, bear other things as well: the finder's work."""
_AROUND_MM = (-3.5, 0.0, 3.5)
"""How far from the middle of its place a token may lie, across and down."""
_AT_ONCE = 20
"""Places tried in one go: the reader follows only so many spots."""


class PlaceTokens:
    """Tries the small places of a mosaic."""

    def __init__(self, places: Mapping[str, Outline], deck: Deck, plane: Plane) -> None:
        self._deck, self._plane = deck, plane
        self._side = token_size(deck)
        self._places = () if self._side is None else tuple(_small(places, self._side))

    def overlooked(
        self, picture: Image, bare: BareBoards, seen: Sequence[Sighting]
    ) -> tuple[Sighting, ...]:
        """Tokens that lie on places where nothing was seen."""
        if self._side is None:
            return ()
        empty = [
            each
            for each in self._places
            if not any(inside(each, one.middle) or inside(one.quad, centre(each)) for one in seen)
        ]
        changed = bare.changed(picture, empty)
        found: list[Sighting] = []
        image = ImagePyramid(picture)
        for first in range(0, len(changed), _AT_ONCE):
            spots = self._spots(changed[first : first + _AT_ONCE])
            found += read_tokens(image, (), self._deck, self._plane, TokenPlaces(beside=spots))
        return tuple(self._new([self._on_table(each) for each in found], seen))

    def _on_table(self, one: Sighting) -> Sighting:
        """In millimetres, as everything that is seen."""
        a, b, c, d = ((float(x), float(y)) for x, y in self._plane.table(np.array(one.quad)))
        return replace(one, quad=(a, b, c, d))

    def _spots(self, places: Sequence[Outline]) -> Points:
        """Where in the picture a token may lie on these places."""
        middles = np.array([centre(each) for each in places])
        shifts = np.array([(x, y) for x in _AROUND_MM for y in _AROUND_MM])
        return self._plane.pixels((middles[:, None] + shifts[None]).reshape(-1, 2))

    def _new(self, found: Sequence[Sighting], seen: Sequence[Sighting]) -> Iterator[Sighting]:
        """The surest first, none where another one lies."""
        near = 0.6 * (self._side or 0.0)
        kept = [each.middle for each in seen]
        for one in sorted(found, key=lambda each: -each.p):
            if all(dist(one.middle, other) > near for other in kept):
                kept.append(one.middle)
                yield one


def _small(places: Mapping[str, Outline], side: float) -> Iterator[Outline]:
    return (each for each in places.values() if max(size(each)) <= LARGEST * side)
