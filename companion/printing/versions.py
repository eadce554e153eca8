"""Which version of each sheet is printed now, and which one lies on the table.

Every page says its version in words. A sheet that stays under the camera also bears a small mark,
because the camera would look in the wrong places for zones that were moved in a later version.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.sim.faces import drawn_decks, faces_of
from companion.sim.faces.mat_art import MatArt
from companion.tabletop.layout import zones_by_game
from companion.vision.crops import Image

# The places of sheets that belong to no game, among all marks; the mats of games have the others.
_MARKERS = 0
_CHARUCO = 4
_WALL = 8


@dataclass(frozen=True, slots=True)
class SheetVersion:
    """Which version of a sheet is printed now. Raise it with any change that makes sheets printed
    before wrong, for the camera or for players."""

    version: int
    place: int | None = None
    """Its place among all sheets that bear a mark; None: it bears none."""


def sheet_versions() -> dict[str, SheetVersion]:
    """Every sheet that can be printed, by the words after `companion print`."""
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


MARK_DICTIONARY = "DICT_6X6_1000"
"""Another family than those of the corner markers and of the calibration sheet, so that none is
taken for another."""
_MOST_VERSIONS = 50
"""Of one sheet; the number of a mark is its place times this, plus its version."""


@dataclass(frozen=True, slots=True, order=True)
class Printed:
    """One version of one sheet, as it was printed."""

    sheet: str
    version: int

    @property
    def number(self) -> int | None:
        """The number of its mark; None if it bears none."""
        place = sheet_versions()[self.sheet].place
        return None if place is None else place * _MOST_VERSIONS + self.version


def current(sheet: str) -> Printed:
    """The sheet as it is printed now; raises `BadInput` if there is none of that name."""
    known = sheet_versions()
    if sheet not in known:
        raise BadInput(
            "no-sheet-print",
            N_("there is no sheet %(sheet)s to print; there are %(known)s"),
            sheet=repr(sheet),
            known=", ".join(known),
        )
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
        Printed(known[number // _MOST_VERSIONS], number % _MOST_VERSIONS)
        for number in sorted({int(each) for each in ids.ravel()})
        if number // _MOST_VERSIONS in known and number % _MOST_VERSIONS
    )


@cache
def _finder() -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARK_DICTIONARY))
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeStep = 6
    how.minMarkerPerimeterRate = 0.02  # marks are small in a large picture
    return cv2.aruco.ArucoDetector(book, how)
