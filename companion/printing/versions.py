"""Which version of each sheet is printed now, and which one lies on the table.

Every page says its version in words. A sheet that stays under the camera also bears a small mark:
zones that have moved since it was printed would be looked for in the wrong places.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2

from companion.foundation.errors import BadInput
from companion.sim.faces import drawn_decks, faces_of
from companion.sim.faces.mat_art import MatArt
from companion.tabletop.layout import zones_by_game
from companion.vision.crops import Image

_MARKERS = 0
_CHARUCO = 4
_WALL = 8
"""Places of our own sheets among all marks; the mats of games have the others."""


@dataclass(frozen=True, slots=True)
class SheetVersion:
    """Which version of a sheet is printed now. Raise it with any change that makes sheets printed
    before wrong, for the camera or for players."""

    version: int
    place: int | None = None
    """Among all sheets that bear a mark."""


def sheet_versions() -> dict[str, SheetVersion]:
    """By the words after `companion print`."""
    own = {
        "markers": SheetVersion(1, _MARKERS),
        "charuco": SheetVersion(1, _CHARUCO),
        "wall": SheetVersion(1, _WALL),
    }
    for game in zones_by_game():
        faces = faces_of(game)
        art = MatArt() if faces is None else faces.mat
        own[f"mat {game}"] = SheetVersion(art.version, art.mark)
    for deck, faces in drawn_decks().items():
        own[f"cards {deck}"] = SheetVersion(faces.version)
    return own


MARK_DICTIONARY = "DICT_6X6_1000"  # another family than the corner markers' and the lens sheet's
_MOST = 50  # versions of one sheet


@dataclass(frozen=True, slots=True, order=True)
class Printed:
    """A sheet that was printed once."""

    sheet: str
    version: int

    @property
    def number(self) -> int | None:
        """That of its mark, if it bears one."""
        place = sheet_versions()[self.sheet].place
        return None if place is None else place * _MOST + self.version


def current(sheet: str) -> Printed:
    """The sheet as it is printed now; raises `BadInput` if there is none of that name."""
    known = sheet_versions()
    if sheet not in known:
        raise BadInput(f"there is no sheet {sheet!r} to print; there are {', '.join(known)}")
    return Printed(sheet, known[sheet].version)


def printed_in(image: Image) -> tuple[Printed, ...]:
    """The sheets whose marks a picture shows."""
    _, ids, _ = _finder().detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return ()
    known = {
        each.place: sheet for sheet, each in sheet_versions().items() if each.place is not None
    }
    return tuple(
        Printed(known[number // _MOST], number % _MOST)
        for number in sorted({int(each) for each in ids.ravel()})
        if number // _MOST in known and number % _MOST
    )


@cache
def _finder() -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARK_DICTIONARY))
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeStep = 6
    how.minMarkerPerimeterRate = 0.02  # a small mark in a large picture
    return cv2.aruco.ArucoDetector(book, how)
