"""A hand-held picture of cards, as if it had been taken from straight above.

Cards are flat and have one size. So a few that are read plainly tell how the phone leant; seen from
above, the rest are found far more easily.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.tabletop.observations import Sighting
from companion.vision.calibrating.card_plane import plane_from_cards
from companion.vision.calibration import Plane, Way
from companion.vision.crops import Image, corners

PX_PER_MM = 2.5
"""How finely cards are looked at from above."""
TABLE_MM = 450.0
"""How much of the table about the cards that were read is shown to find other hands ..."""
HAND_MM = 190.0
"""... and to find the rest of a hand."""
MOST_PX = 2400
"""The longest side of the flat picture."""
SURE = 0.9
"""Cards read at least this surely tell how the phone leant."""
_SAME_SHAPE = 0.5
"""Their sides may be foreshortened so far, and no further."""

Points = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class FlatPicture:
    """The picture from above, and the way between its millimetres and its pixels."""

    image: Image
    plane: Plane
    way: Points
    """From the photograph's pixels to its own."""

    def in_photograph(self, quad: Points) -> Points:
        """Where in the photograph these points (n, 2) of the flat picture are."""
        rows = np.asarray(quad, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(rows, np.linalg.inv(self.way)).reshape(-1, 2)


def flattened(
    photograph: Image, seen: Sequence[Sighting], card_mm: tuple[float, float], room_mm: float
) -> FlatPicture | None:
    """The picture from above by the cards that were read surely, with so much room about them;
    None if there are none."""
    cards = [s for s in seen if s.kind == "card" and s.label is not None and s.p >= SURE]
    quads = np.array([s.quad for s in cards], np.float64).reshape(-1, 4, 2)
    to_px = _plane(photograph, cards, quads, card_mm)
    if to_px is None:
        return None
    mm = cv2.perspectiveTransform(quads.reshape(-1, 1, 2), np.linalg.inv(to_px)).reshape(-1, 2)
    low, high = mm.min(0) - room_mm, mm.max(0) + room_mm
    low, high = _in_view(photograph, to_px, low, high)
    scale = min(PX_PER_MM, MOST_PX / float(max(high - low)))
    if not np.isfinite(scale) or scale < PX_PER_MM / 4:
        return None
    width, height = (max(1, round(float(side) * scale)) for side in high - low)
    shift = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    way = shift @ np.linalg.inv(to_px)
    image = cv2.warpPerspective(photograph, way, (width, height), flags=cv2.INTER_LINEAR)
    extent = (float(high[0] - low[0]), float(high[1] - low[1]))
    plane = Plane(np.diag([scale, scale, 1.0]), (width, height), None, Way.CARDS, extent=extent)
    return FlatPicture(np.asarray(image, np.uint8), plane, way)


def _plane(
    photograph: Image, cards: Sequence[Sighting], quads: Points, card_mm: tuple[float, float]
) -> Points | None:
    """From millimetres of the table to the photograph's pixels."""
    if not cards:
        return None
    size = (photograph.shape[1], photograph.shape[0])
    try:
        return np.asarray(plane_from_cards(quads, card_mm, size).plane.matrix)
    except (BadInput, np.linalg.LinAlgError):
        best = max(cards, key=lambda s: (s.found, s.p))
        own = corners(*card_mm).astype(np.float32)
        way = cv2.getPerspectiveTransform(own, np.array(best.quad, np.float32))
        return np.asarray(way, np.float64)


def _in_view(photograph: Image, to_px: Points, low: Points, high: Points) -> tuple[Points, Points]:
    """Of that part of the table, what the photograph shows."""
    height, width = photograph.shape[:2]
    edge = corners(width, height).astype(np.float64).reshape(-1, 1, 2)
    back = np.linalg.inv(to_px)
    depth = np.c_[edge.reshape(-1, 2), np.ones(4)] @ back[2]
    if depth.min() * depth.max() <= 0:  # the horizon is in view
        return low, high
    seen = cv2.perspectiveTransform(edge, back).reshape(-1, 2)
    return np.maximum(low, seen.min(0)), np.minimum(high, seen.max(0))
