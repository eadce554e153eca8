"""The calibration sheet for the lens: finding it in pictures, and the lens from several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, NN_
from companion.tabletop.mat import (
    CHARUCO_DICTIONARY,
    CHARUCO_MARKER,
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
)
from companion.vision.calibrating.lens import Lens, Points
from companion.vision.crops import Image

LEAST_PICTURES = 4
_LEAST_CORNERS = 8
"""A picture of the sheet needs so many of its corners to count."""
_COLLINEAR = 2
"""Corners of so few rows or columns tell nothing of a slant."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenSheet:
    """The corners of the sheet in one picture: where they are on it, and in the picture."""

    things: Points
    places: Points
    size: tuple[int, int]


def board() -> cv2.aruco.CharucoBoard:
    """The sheet itself."""
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHARUCO_DICTIONARY))
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE, CHARUCO_MARKER, book)


def sheet_in(image: Image) -> SeenSheet | None:
    """None if too little of it is seen."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sheet = board()
    found, ids, _, _ = cv2.aruco.CharucoDetector(sheet).detectBoard(grey)
    if np.size(ids) < _LEAST_CORNERS:
        return None
    things, places = sheet.matchImagePoints(found, ids)  # type: ignore[call-overload]
    if min(len(np.unique(things[..., axis])) for axis in (0, 1)) < _COLLINEAR:
        return None
    return SeenSheet(things, places, (grey.shape[1], grey.shape[0]))


def lens_from(images: Iterable[Image]) -> Lens:
    """The lens from a few pictures of the calibration sheet, held at different slants.

    Raises `BadInput` if the sheet is seen too seldom.
    """
    sheets, sizes = [], set()
    for image in images:
        sizes.add(image.shape[:2])
        found = sheet_in(image)
        if found is not None:
            sheets.append(found)
    if len(sizes) > 1:
        raise _of_one_size()
    return lens_of(sheets)


def lens_of(sheets: Sequence[SeenSheet]) -> Lens:
    """The same, from sheets that were found before."""
    if len(sheets) < LEAST_PICTURES:
        raise BadInput(
            "calibration-sheet-seen-pictures",
            NN_(
                "the calibration sheet was seen in %(count)s picture; %(least_lens_pictures)s "
                "are needed, each from another slant",
                "the calibration sheet was seen in %(count)s pictures; %(least_lens_pictures)s "
                "are needed, each from another slant",
            ),
            count=len(sheets),
            least_lens_pictures=LEAST_PICTURES,
        )
    if len({each.size for each in sheets}) > 1:
        raise _of_one_size()
    size = sheets[0].size
    things, places = [each.things for each in sheets], [each.places for each in sheets]
    error, matrix, bends, _, _ = cv2.calibrateCamera(things, places, size, None, None)
    return Lens(matrix, bends, size, float(error))


def _of_one_size() -> BadInput:
    return BadInput(
        "pictures-calibration-sheet-must",
        N_("pictures of the calibration sheet must all be of one size"),
    )
