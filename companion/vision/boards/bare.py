"""What is seen on boards, held against the bare boards: print is not a thing that lies there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.zones import Outline
from companion.vision.boards.features import evened, grey_of
from companion.vision.boards.mosaic import Mosaic
from companion.vision.crops import Image, corners

EVEN_MM = 9.0
"""Over how many millimetres light is evened, before both pictures are compared."""
SAME_PRINT = 0.5
"""The correlation from which on the bare board is what is seen."""
BARE_PLACE = 0.8
"""A place that correlates less with the bare board may have something on it."""
_SIDE_PX = 32
"""The side of the cut in which a thing is compared."""
_LEAST_TEXTURE = 9.0
"""Where the evened bare board varies by less, it shows nothing that could be taken for a thing."""


class BareBoards:
    """The enrolled boards of a mosaic with nothing on them."""

    def __init__(self, mosaic: Mosaic) -> None:
        self._mosaic = mosaic
        self._bare = self._evened(mosaic.bare())

    def without_print(self, picture: Image, seen: Sequence[Sighting]) -> tuple[Sighting, ...]:
        """What really lies there, of what is seen in a picture of the mosaic."""
        if not seen:
            return ()
        now = self._evened(picture)
        return tuple(each for each in seen if not self._is_print(now, each))

    def changed(self, picture: Image, places: Sequence[Outline]) -> list[Outline]:
        """Those of these places, in the mosaic's millimetres, that do not look bare."""
        if not places:
            return []
        now = self._evened(picture)
        return [each for each in places if self._likeness(now, each)[1] < BARE_PLACE]

    def _evened(self, picture: Image) -> Image:
        grey = cv2.GaussianBlur(grey_of(picture), (0, 0), 1.0)
        return evened(grey, max(4, round(EVEN_MM * self._mosaic.px_per_mm)))

    def _is_print(self, now: Image, one: Sighting) -> bool:
        texture, likeness = self._likeness(now, one.quad)
        return texture > _LEAST_TEXTURE and likeness > SAME_PRINT

    def _likeness(self, now: Image, outline: Outline) -> tuple[float, float]:
        """How much the bare board varies there, and how alike both pictures are."""
        quad = self._mosaic.plane.pixels(np.array(outline)).astype(np.float32)
        way = cv2.getPerspectiveTransform(quad, corners(_SIDE_PX, _SIDE_PX))
        size = (_SIDE_PX, _SIDE_PX)
        bare, seen = (
            cv2.warpPerspective(each, way, size, flags=cv2.INTER_AREA).astype(np.float32)
            for each in (self._bare, now)
        )
        a, b = bare - bare.mean(), seen - seen.mean()
        texture = float(np.sqrt((a * a).mean()))
        return texture, float((a * b).mean()) / (texture * float(np.sqrt((b * b).mean())) + 1e-3)
