"""The mat: one A2 sheet with a marker in each corner, in millimetres.

Whoever lays out the four markers without a mat has the same table: only the zones are not drawn on
it. x runs to the right, y towards the near edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MAT = (594.0, 420.0)
CARD = (63.0, 88.0)

# The markers: black square and all its cells, without the white border it needs about it.
MARKER_DICTIONARY = "DICT_4X4_50"
MARKER = 40.0
MARKER_BORDER = 8.0
_NEAR = 12.0  # from the mat's edge: room for the white border, and more
_FAR_X = MAT[0] - _NEAR - MARKER
_FAR_Y = MAT[1] - _NEAR - MARKER
MARKERS: Mapping[int, tuple[float, float]] = MappingProxyType(
    {0: (_NEAR, _NEAR), 1: (_FAR_X, _NEAR), 2: (_FAR_X, _FAR_Y), 3: (_NEAR, _FAR_Y)}
)
"""Top left corner of each marker by its id, clockwise from the mat's top left."""
# Below the first one: which sheet this is, and of which version.
SHEET_MARK = 24.0
SHEET_MARK_AT = (_NEAR + 8.0, _NEAR + 56.0)

# The calibration sheet. Another dictionary, so that no square of it is taken for a corner mark.
CHARUCO_DICTIONARY = "DICT_5X5_100"
CHARUCO_SQUARES = (7, 9)
CHARUCO_SQUARE = 25.0
CHARUCO_MARKER = 17.5
