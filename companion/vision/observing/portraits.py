"""How things on the table looked when they were last seen for sure: to tell of one that a look
misses, or that need not be read again, whether it looks the same still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Quad, Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Halves, Image, overlaid, small_cuts

_WIDE = 40
"""Pixels of a portrait from left to right: lines of a face show, grain does not."""
_HIGH = 56
"""Pixels from top to bottom."""
_EDGE = 3
"""Pixels about what has come to lie over it that are left out: its rim and its shadow."""
_STRIP = 0.25
"""A card of which less is in view may be there or not."""
_LIKE = 0.2
"""The share of a portrait's own contrast within which a pixel is the same, for in the dark all
colours are near each other."""
_LEAST = 8.0
"""Levels within which a pixel is the same, whatever the contrast,"""
_MOST = 32.0
"""and from which on it is another."""
_MOSTLY = 0.9
"""The share of the pixels that must be the same."""
_LIGHT = (0.75, 1.33)
"""A hand's shadow or a cloud changes the light by no more than this."""
_STAYED = 5.0
"""Millimetres a card that lies over another moves at most between two looks, unless it is moved."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """A thing's cut, small, and the cards that overlapped it then: which of two is on top, nobody
    knows, but as long as both stay, it does not matter. Quads are in millimetres."""

    quad: Quad
    pixels: Image
    beside: tuple[Sighting, ...]

    @classmethod
    def of(
        cls, image: Image | Halves, plane: Plane, quad: Quad, beside: Sequence[Sighting]
    ) -> Portrait:
        return cls.of_all(image, plane, [(quad, beside)])[0]

    @classmethod
    def of_all(
        cls,
        image: Image | Halves,
        plane: Plane,
        things: Sequence[tuple[Quad, Sequence[Sighting]]],
    ) -> list[Portrait]:
        """Of several things, each with the cards that overlap it: at once costs far less."""
        if not things:
            return []
        mm = np.array([quad for quad, _ in things], np.float64)
        px = plane.pixels(mm.reshape(-1, 2)).reshape(-1, 4, 2)
        cuts = small_cuts(image, px, (_WIDE, _HIGH))
        return [cls(quad, cuts[n], tuple(beside)) for n, (quad, beside) in enumerate(things)]

    def is_like(self, other: Portrait, least: float = _STRIP) -> bool:
        """Whether both show the same but for the light, and for what came or went over it; of less
        than the share `least` nothing can be said."""
        came, went = _without(self.beside, other.beside), _without(other.beside, self.beside)
        here = ~self._under([*came, *went])
        if here.mean() < least or ((came or went) and self._anothers(here, came, least)):
            return False
        one, two = (each.pixels[here].astype(np.float32) for each in (self, other))
        light = np.median((two + 8) / (one + 8), axis=0).clip(*_LIGHT)
        dark, bright = np.percentile(other.pixels, (5, 95))
        like = np.clip(_LIKE * (bright - dark), _LEAST, _MOST)
        return bool((np.abs(two - one * light).max(1) < like).mean() > _MOSTLY)

    def _anothers(self, here: Mask, came: Sequence[Sighting], least: float) -> bool:
        """Whether what is left to see may all be of one card that stayed, and shows nothing."""
        stayed = [each for each in self.beside if each not in came]
        return any((here & ~self._under([each])).mean() < least for each in stayed)

    def _under(self, over: Iterable[Sighting]) -> Mask:
        """The pixels that lie under those."""
        mask = overlaid(self.quad, (each.quad for each in over), (_WIDE, _HIGH))
        return cv2.dilate(mask.astype(np.uint8), np.ones((_EDGE, _EDGE), np.uint8)) > 0


def _without(some: Sequence[Sighting], others: Sequence[Sighting]) -> list[Sighting]:
    """Those that are not among the others."""
    return [one for one in some if not any(_is_the(one, other) for other in others)]


def _is_the(one: Sighting, other: Sighting) -> bool:
    return one.label == other.label and dist(one.middle, other.middle) < _STAYED
