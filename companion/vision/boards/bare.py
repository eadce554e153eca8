"""What is seen on boards, held against the bare boards: print is not a thing that lies there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.vision.boards.features import evened, grey_of
from companion.vision.boards.mosaic import Mosaic
from companion.vision.crops import Floats, Image, corners

EVEN_MM = 9.0
"""Over how many millimetres light is evened, before both pictures are compared."""
SAME_PRINT = 0.5
"""The correlation from which on the bare board is what is seen."""
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

    def _evened(self, picture: Image) -> Image:
        grey = cv2.GaussianBlur(grey_of(picture), (0, 0), 1.0)
        return evened(grey, max(4, round(EVEN_MM * self._mosaic.px_per_mm)))

    def _is_print(self, now: Image, one: Sighting) -> bool:
        quad = self._mosaic.plane.pixels(np.array(one.quad)).astype(np.float32)
        way = cv2.getPerspectiveTransform(quad, corners(_SIDE_PX, _SIDE_PX))
        size = (_SIDE_PX, _SIDE_PX)
        bare, seen = (
            cv2.warpPerspective(each, way, size, flags=cv2.INTER_AREA).astype(np.float32)
            for each in (self._bare, now)
        )
        return _alike(bare, seen)


def _alike(bare: Floats, now: Floats) -> bool:
    a, b = bare - bare.mean(), now - now.mean()
    texture = float(np.sqrt((a * a).mean()))
    likeness = float((a * b).mean()) / (texture * float(np.sqrt((b * b).mean())) + 1e-3)
    return texture > _LEAST_TEXTURE and likeness > SAME_PRINT
