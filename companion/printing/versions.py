"""Which version of each sheet is printed now, and which one lies on the table.

Every page says its version in words. A sheet that stays under the camera also bears a small mark:
zones that have moved since it was printed would be looked for in the wrong places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import cv2

from companion.foundation.errors import BadInput
from companion.vision.crops import Image

VERSIONS: Mapping[str, int] = MappingProxyType(
    {
        "markers": 1,
        "mat odin": 1,
        "mat valhalla": 2,
        "mat valhal": 1,
        "charuco": 1,
        "cards odin": 1,
        "cards valhalla": 1,
        "cards valhal": 1,
        "wall": 1,
    }
)
"""By the words after `companion print`. Raise a version with any change that makes sheets printed
before wrong, for the camera or for players; new sheets go to the end, as a mark's number comes of
its sheet's place."""

MARK_DICTIONARY = "DICT_6X6_1000"  # another family than the corner markers' and the lens sheet's
_MOST = 50  # versions of one sheet


@dataclass(frozen=True, slots=True, order=True)
class Printed:
    """A sheet that was printed once."""

    sheet: str
    version: int

    @property
    def number(self) -> int:
        """That of its mark."""
        return list(VERSIONS).index(self.sheet) * _MOST + self.version


def current(sheet: str) -> Printed:
    if sheet not in VERSIONS:
        raise BadInput(f"{sheet!r} has no version yet: it needs a line in {__name__}.VERSIONS")
    return Printed(sheet, VERSIONS[sheet])


def printed_in(image: Image) -> tuple[Printed, ...]:
    """The sheets whose marks a picture shows."""
    _, ids, _ = _finder().detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return ()
    known = list(VERSIONS)
    return tuple(
        Printed(known[number // _MOST], number % _MOST)
        for number in sorted({int(each) for each in ids.ravel()})
        if number // _MOST < len(known) and number % _MOST
    )


@cache
def _finder() -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARK_DICTIONARY))
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeStep = 6
    how.minMarkerPerimeterRate = 0.02  # a small mark in a large picture
    return cv2.aruco.ArucoDetector(book, how)
