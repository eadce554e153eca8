"""Portraits: small pictures of things on the table, taken when they were last seen for sure.

Comparing one with the picture of now tells whether a thing that a look misses still lies there, and
whether one that was read before need not be read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Quad, Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Image, ImagePyramid, overlap_mask, small_crops

_WIDE, _HIGH = 40, 56
"""A portrait's size in pixels: the lines of a face show, the grain does not."""
_EDGE_PX = 3
"""How wide a rim about a card that lies over it is left out: its edge and its shadow."""
_IN_VIEW = 0.25
"""If less than this share of a card is in view, nobody can tell whether it is there."""
_SAME_CONTRAST = 0.2
"""A pixel is the same if it differs by less than this share of the portrait's own contrast: in the
dark all colours are near each other ..."""
_SAME_LEVELS = (8.0, 32.0)
"""... but at least and at most by so many levels."""
_SAME_PIXELS = 0.9
"""Two portraits are alike if more than this share of their pixels is the same."""
_LIGHT = (0.75, 1.33)
"""A hand's shadow or a cloud changes the light by a factor between these."""
_STAYED_MM = 5.0
"""A card nobody touches is seen no further than this from where it was seen before."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """A small picture of one thing. Quads are in millimetres."""

    quad: Quad
    pixels: Image
    beside: tuple[Sighting, ...]
    """The cards that overlapped it then. Which of two cards is on top nobody knows; as long as both
    stay, it does not matter."""

    @classmethod
    def of(
        cls, image: Image | ImagePyramid, plane: Plane, quad: Quad, beside: Sequence[Sighting]
    ) -> Portrait:
        return cls.of_all(image, plane, [(quad, beside)])[0]

    @classmethod
    def of_all(
        cls,
        image: Image | ImagePyramid,
        plane: Plane,
        things: Sequence[tuple[Quad, Sequence[Sighting]]],
    ) -> list[Portrait]:
        """Portraits of several things, each given with the cards that overlap it. All at once
        costs far less than one by one."""
        if not things:
            return []
        mm = np.array([quad for quad, _ in things], np.float64)
        px = plane.pixels(mm.reshape(-1, 2)).reshape(-1, 4, 2)
        crops = small_crops(image, px, (_WIDE, _HIGH))
        return [cls(quad, crops[n], tuple(beside)) for n, (quad, beside) in enumerate(things)]

    def is_like(self, other: Portrait, least: float = _IN_VIEW) -> bool:
        """Whether both show the same thing, whatever the light, and whatever came to lie over it or
        went. False if less than the share `least` is left to compare."""
        came, went = _without(self.beside, other.beside), _without(other.beside, self.beside)
        here = ~self._under([*came, *went])
        if here.mean() < least or ((came or went) and self._is_of_another(here, came, least)):
            return False
        one, two = (each.pixels[here].astype(np.float32) for each in (self, other))
        light = np.median((two + 8) / (one + 8), axis=0).clip(*_LIGHT)
        dark, bright = np.percentile(other.pixels, (5, 95))
        like = np.clip(_SAME_CONTRAST * (bright - dark), *_SAME_LEVELS)
        return bool((np.abs(two - one * light).max(1) < like).mean() > _SAME_PIXELS)

    def _is_of_another(self, here: Mask, came: Sequence[Sighting], least: float) -> bool:
        """Whether all that is left to compare may belong to one card that stayed, and so says
        nothing about this thing."""
        stayed = [each for each in self.beside if each not in came]
        return any((here & ~self._under([each])).mean() < least for each in stayed)

    def _under(self, over: Iterable[Sighting]) -> Mask:
        """The pixels over which those lie, and a rim about them."""
        mask = overlap_mask(self.quad, (each.quad for each in over), (_WIDE, _HIGH))
        return cv2.dilate(mask.astype(np.uint8), np.ones((_EDGE_PX, _EDGE_PX), np.uint8)) > 0


def _without(some: Sequence[Sighting], others: Sequence[Sighting]) -> list[Sighting]:
    """Those that are not among the others."""
    return [one for one in some if not any(_is_same(one, other) for other in others)]


def _is_same(one: Sighting, other: Sighting) -> bool:
    return one.label == other.label and dist(one.middle, other.middle) < _STAYED_MM
