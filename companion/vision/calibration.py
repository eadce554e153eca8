"""Calibration: where in the picture the table is, and how the lens bends it.

Found by four printed markers, by corners shown by hand, or by cards (`card_plane`); and, if the
owner wants, by a sheet for the lens. Everything above this module counts in millimetres on the mat.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_
from companion.tabletop.mat import (
    MARKER,
    MARKER_DICTIONARY,
    MARKERS,
    MAT,
    SHEET_MARK,
    SHEET_MARK_AT,
)
from companion.vision.calibrating.camera_shift import view_of
from companion.vision.calibrating.lens import Lens, Points, lens_in, size_of, square_matrix
from companion.vision.crops import Image, corners, grown

FORMAT = 1
"""The version of the calibration file."""
_MISFIT_SHARE = 0.02
"""Markers on a flat mat are seen this near to where they must be: a share of the picture's side."""
_LEAST_MAT_PX2 = 100
"""A mat smaller than this area in the picture is a mistake."""


class Way(StrEnum):
    """By what the table was found."""

    MARKERS = "markers"
    CORNERS = "corners"
    CARDS = "cards"


@dataclass(frozen=True, eq=False)
class Plane:
    """The map between the mat's millimetres and a picture's pixels."""

    matrix: Points
    size: tuple[int, int]
    lens: Lens | None = None
    found_by: Way = Way.MARKERS
    view: bytes = b""
    """The picture it was found in, small: without markers a moved camera is told by it."""
    extent: tuple[float, float] = MAT
    """Width and height of what is looked at, in millimetres."""

    @property
    def by_hand(self) -> bool:
        """Whether no markers keep it right."""
        return self.found_by is not Way.MARKERS

    def seen_in(self, image: Image) -> Plane:
        """The same, with the picture it was found in."""
        return replace(self, view=view_of(image)) if self.by_hand else self

    def pixels(self, mm: Points) -> Points:
        """Where in the picture these points (n, 2) of the mat are."""
        flat = cv2.perspectiveTransform(_rows(mm), self.matrix).reshape(-1, 2)
        return flat if self.lens is None else self.lens.bent(flat)

    def table(self, px: Points) -> Points:
        """Where on the mat these points (n, 2) of the picture are."""
        straight = px if self.lens is None else self.lens.straight(px)
        return cv2.perspectiveTransform(_rows(straight), self._back).reshape(-1, 2)

    @cached_property
    def _back(self) -> Points:
        return np.linalg.inv(self.matrix)

    @cached_property
    def px_per_mm(self) -> float:
        """The picture's scale in the middle of the mat."""
        x, y = self.extent[0] / 2, self.extent[1] / 2
        a, b, c = self.pixels(np.array([(x, y), (x + 20, y), (x, y + 20)]))
        return float(np.linalg.norm(b - a) + np.linalg.norm(c - a)) / 40

    # -- the file -----------------------------------------------------------------------

    def save(self, path: Path) -> None:
        data = {
            "format": FORMAT,
            "matrix": self.matrix.tolist(),
            "size": self.size,
            "by_hand": self.by_hand,
            "found_by": str(self.found_by),
            "view": b64encode(self.view).decode(),
            "lens": None if self.lens is None else self.lens.as_row(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(data).encode())


_MARKS = (
    *((*at, MARKER) for at in MARKERS.values()),
    (*SHEET_MARK_AT, SHEET_MARK),
)
"""Left, top and side of every mark printed on the mat, in millimetres."""


def is_marker(at: Sequence[float]) -> bool:
    """Whether the mat has a printed mark at this place: it would be taken for a card or a die."""
    x, y = at
    return any(left <= x <= left + side and top <= y <= top + side for left, top, side in _MARKS)


def load(path: Path) -> Plane:
    """The calibration that was saved there; raises `BadInput` if there is none or it is broken."""
    try:
        data = json.loads(path.read_text())
        if data["format"] != FORMAT:
            raise ValueError
        size = size_of(data["size"])
        lens = None if data["lens"] is None else lens_in(data["lens"], size)
        way = Way(data.get("found_by", Way.CORNERS if data["by_hand"] else Way.MARKERS))
        view = b64decode(data.get("view", ""))
        return Plane(square_matrix(data["matrix"]), size, lens, way, view)
    except FileNotFoundError:
        raise BadInput(
            "no-calibration-yet-run",
            N_("%(path)s: where the table is has not been shown yet; do so under Set-up"),
            path=path,
        ) from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise BadInput(
            "not-calibration-run-companion",
            N_("%(path)s: damaged; show where the table is again under Set-up"),
            path=path,
        ) from None


def _rows(points: Points) -> Points:
    return np.ascontiguousarray(points, np.float64).reshape(-1, 1, 2)


# -- markers ------------------------------------------------------------------------------


_ENOUGH_TO_GUESS = 2
"""So many markers tell where the others must be."""
_GUESS_ROOM = 0.08
"""How far about such a place a marker is looked for, as a share of its side. No further than the
white paper about it."""


@cache
def _finder() -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    how.adaptiveThreshWinSizeStep = 6
    return cv2.aruco.ArucoDetector(book, how)


def markers_in(image: Image) -> dict[int, Points]:
    """The corner markers seen, each with its four corners clockwise from its own top left."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = _detected(grey)
    if len(found) < len(MARKERS):  # dim or blurred: once more with the contrast spread
        even = cv2.createCLAHE(3.0, (8, 8)).apply(grey)
        for number, quad in _detected(even).items():
            found.setdefault(number, quad)
    return found | _guessed(grey, found)


def _guessed(grey: npt.NDArray[Any], found: Mapping[int, Points]) -> dict[int, Points]:
    """Missing markers, looked for where those found say they must be.

    Everything about such a place is made white first: OpenCV sometimes prefers the edge of the
    paper to the marker on it.
    """
    missing = [number for number in MARKERS if number not in found]
    if not missing or len(found) < _ENOUGH_TO_GUESS:
        return {}
    mm = np.concatenate([marker_corners(number) for number in found])
    way = cv2.findHomography(mm, np.concatenate(list(found.values())))[0]
    seen: dict[int, Points] = {}
    for number in missing:
        quad = cv2.perspectiveTransform(marker_corners(number)[None], way)[0]
        about = grown(quad, _GUESS_ROOM)
        alone = np.full_like(grey, 255)
        mask = cv2.fillConvexPoly(np.zeros_like(grey), np.round(about).astype(np.int32), 1)
        cv2.copyTo(grey, mask, alone)
        seen |= {n: q for n, q in _detected(alone).items() if n == number}
    return seen


def _detected(grey: npt.NDArray[Any]) -> dict[int, Points]:
    """The markers OpenCV detects, by their numbers."""
    quads, ids, _ = _finder().detectMarkers(grey)
    if ids is None:
        return {}
    every = {
        int(i): q.reshape(4, 2).astype(np.float64) for q, i in zip(quads, ids.ravel(), strict=True)
    }
    return {i: q for i, q in every.items() if i in MARKERS}


def marker_corners(number: int) -> Points:
    """A marker's corners on the mat, in millimetres."""
    x, y = MARKERS[number]
    return corners(MARKER, MARKER).astype(np.float64) + (x, y)


def solve(
    seen: Mapping[int, Points],
    size: tuple[int, int],
    lens: Lens | None = None,
    before: Plane | None = None,
) -> Plane:
    """The plane from four markers; three will do if there was a plane `before`.

    Raises `BadInput` if markers are missing, or do not fit a flat mat.
    """
    missing = sorted(set(MARKERS) - set(seen))
    if len(missing) > 1 or (missing and before is None):
        names = ", ".join(_place(n) for n in missing)
        raise BadInput(
            "corner-marker-not-seen",
            N_("corner marker not seen: %(names)s; uncover it or give it more light"),
            names=names,
        )
    mm = np.concatenate([marker_corners(n) for n in seen])
    px = np.concatenate([seen[n] for n in seen])
    if lens is not None:
        px = lens.straight(px)
    matrix, _ = cv2.findHomography(mm, px)
    if not np.isfinite(np.asarray(matrix, np.float64)).all():
        raise BadInput(
            "markers-lie-line-put",
            N_("the markers lie in a line; put one at each corner of the mat"),
        )
    plane = Plane(matrix, size, lens)
    off = np.linalg.norm(plane.pixels(mm) - np.concatenate([seen[n] for n in seen]), axis=1)
    if off.max() > _MISFIT_SHARE * max(size):
        raise BadInput(
            "markers-do-not-fit",
            N_("the markers do not fit a flat mat; lay it flat, each marker at its corner"),
        )
    return plane


def _place(number: int) -> str:
    return ("far left", "far right", "near right", "near left")[number]


def from_corners(
    px: Sequence[tuple[float, float]],
    size: tuple[int, int],
    lens: Lens | None = None,
    area_mm: tuple[float, float] = MAT,
) -> Plane:
    """The plane from four corners shown by hand, clockwise from the far left: those of the mat, or
    of anything else whose size is known, such as a sheet of paper in its place."""
    quad = np.array(px, np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise BadInput(
            "four-corners-needed-far",
            N_("four corners are needed: far left, far right, near right, near left"),
        )
    if (
        not cv2.isContourConvex(quad.astype(np.float32))
        or cv2.contourArea(quad.astype(np.float32)) < _LEAST_MAT_PX2
    ):
        raise BadInput(
            "these-corners-no-mat",
            N_("these corners are no mat: give them clockwise, beginning at the far left"),
        )
    straight = quad if lens is None else lens.straight(quad)
    area = corners(*area_mm) + (np.array(MAT) - area_mm).astype(np.float32) / 2
    matrix = cv2.getPerspectiveTransform(area.astype(np.float32), straight.astype(np.float32))
    return Plane(matrix.astype(np.float64), size, lens, Way.CORNERS)
