"""Where the table is: four printed markers, a lens sheet if the owner wants, or corners by hand.

All geometry above this module is in millimetres on the mat.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.tabletop.mat import (
    CHARUCO_DICTIONARY,
    CHARUCO_MARKER,
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
    MARKER,
    MARKER_DICTIONARY,
    MARKERS,
    MAT,
    SHEET_MARK,
    SHEET_MARK_AT,
)
from companion.vision.crops import Image, corners, grown

Points = npt.NDArray[Any]
FORMAT = 1
SMALL_SHIFT = 6.0
"""Millimetres the camera may have moved and the plane still be solved anew without a word."""
_STILL = 0.6
"""Pixels below which the markers have not moved."""
_LEAST_LENS_PICTURES = 4
_BENDS = (4, 5, 8, 12, 14)
"""How many numbers OpenCV describes a lens with."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """How one camera's lens bends: from the calibration sheet."""

    matrix: Points
    bends: Points
    size: tuple[int, int]
    error: float = 0.0

    def straight(self, px: Points) -> Points:
        """Where a perfect lens would have put these pixels."""
        flat = px.reshape(-1, 1, 2).astype(np.float64)
        return cv2.undistortPoints(flat, self.matrix, self.bends, P=self.matrix).reshape(-1, 2)

    def bent(self, px: Points) -> Points:
        inverse = np.linalg.inv(self.matrix)
        rays = np.c_[px, np.ones(len(px))] @ inverse.T
        out, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, self.bends)
        return out.reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Plane:
    """The way between the mat's millimetres and a picture's pixels."""

    matrix: Points
    size: tuple[int, int]
    lens: Lens | None = None
    by_hand: bool = False

    def pixels(self, mm: Points) -> Points:
        flat = cv2.perspectiveTransform(_rows(mm), self.matrix).reshape(-1, 2)
        return flat if self.lens is None else self.lens.bent(flat)

    def table(self, px: Points) -> Points:
        straight = px if self.lens is None else self.lens.straight(px)
        return cv2.perspectiveTransform(_rows(straight), self._back).reshape(-1, 2)

    @cached_property
    def _back(self) -> Points:
        return np.linalg.inv(self.matrix)

    @cached_property
    def px_per_mm(self) -> float:
        """In the mat's middle."""
        x, y = MAT[0] / 2, MAT[1] / 2
        a, b, c = self.pixels(np.array([(x, y), (x + 20, y), (x, y + 20)]))
        return float(np.linalg.norm(b - a) + np.linalg.norm(c - a)) / 40

    # -- the file -----------------------------------------------------------------------

    def save(self, path: Path) -> None:
        lens = None
        if self.lens is not None:
            lens = {
                "matrix": self.lens.matrix.tolist(),
                "bends": self.lens.bends.ravel().tolist(),
                "size": self.lens.size,
                "error": self.lens.error,
            }
        data = {
            "format": FORMAT,
            "matrix": self.matrix.tolist(),
            "size": self.size,
            "by_hand": self.by_hand,
            "lens": lens,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(data).encode())


_MARKS = (
    *((*at, MARKER) for at in MARKERS.values()),
    (*SHEET_MARK_AT, SHEET_MARK),
)


def is_mark(at: Sequence[float]) -> bool:
    """A mark looks like a small card or a die; it is where the mat has one."""
    x, y = at
    return any(left <= x <= left + side and top <= y <= top + side for left, top, side in _MARKS)


def load(path: Path) -> Plane:
    try:
        data = json.loads(path.read_text())
        if data["format"] != FORMAT:
            raise ValueError
        size = _size(data["size"])
        lens = None if data["lens"] is None else _lens(data["lens"], size)
        return Plane(_square(data["matrix"]), size, lens, bool(data["by_hand"]))
    except FileNotFoundError:
        raise BadInput(f"{path}: no calibration yet; run `companion calibrate`") from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise BadInput(f"{path}: not a calibration; run `companion calibrate` again") from None


def _lens(kept: Mapping[str, Any], size: tuple[int, int]) -> Lens:
    bends = np.array(kept["bends"], np.float64)
    if bends.size not in _BENDS or not np.isfinite(bends).all() or _size(kept["size"]) != size:
        raise ValueError
    return Lens(_square(kept["matrix"]), bends, size, float(kept["error"]))


def _square(rows: object) -> Points:
    matrix = np.array(rows, np.float64)
    if (
        matrix.shape != (3, 3)
        or not np.isfinite(matrix).all()
        or abs(np.linalg.det(matrix)) < 1e-12
    ):
        raise ValueError
    return matrix


def _size(pair: Sequence[int]) -> tuple[int, int]:
    width, height = (int(v) for v in pair)
    return width, height


def _rows(points: Points) -> Points:
    return np.ascontiguousarray(points, np.float64).reshape(-1, 1, 2)


# -- markers ------------------------------------------------------------------------------


_ENOUGH_TO_GUESS = 2
"""Marks that say where the others must be."""
_GUESS_ROOM = 0.08
"""How far about such a place is looked: a share of the mark's side, within the white about it."""


@cache
def _finder() -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    how.adaptiveThreshWinSizeStep = 6
    return cv2.aruco.ArucoDetector(book, how)


def markers_in(image: Image) -> dict[int, Points]:
    """The corner marks seen, each with its four corners clockwise from its own top left."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = _marked(grey)
    if len(found) < len(MARKERS):  # dim or blurred: once more with the contrast spread
        even = cv2.createCLAHE(3.0, (8, 8)).apply(grey)
        for number, quad in _marked(even).items():
            found.setdefault(number, quad)
    return found | _expected(grey, found)


def _expected(grey: npt.NDArray[Any], found: Mapping[int, Points]) -> dict[int, Points]:
    """Marks looked for where the others say they are, with everything about them made white: the
    finder now and then prefers the edge of the paper to the mark on it."""
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
        seen |= {n: q for n, q in _marked(alone).items() if n == number}
    return seen


def _marked(grey: npt.NDArray[Any]) -> dict[int, Points]:
    quads, ids, _ = _finder().detectMarkers(grey)
    if ids is None:
        return {}
    every = {
        int(i): q.reshape(4, 2).astype(np.float64) for q, i in zip(quads, ids.ravel(), strict=True)
    }
    return {i: q for i, q in every.items() if i in MARKERS}


def marker_corners(number: int) -> Points:
    """A marker's corners on the mat."""
    x, y = MARKERS[number]
    return corners(MARKER, MARKER).astype(np.float64) + (x, y)


def solve(
    seen: Mapping[int, Points],
    size: tuple[int, int],
    lens: Lens | None = None,
    before: Plane | None = None,
) -> Plane:
    """The plane from four markers, or from three if there was a plane before to check it by."""
    missing = sorted(set(MARKERS) - set(seen))
    if len(missing) > 1 or (missing and before is None):
        names = ", ".join(_place(n) for n in missing)
        raise BadInput(f"corner marker not seen: {names}; uncover it or give it more light")
    mm = np.concatenate([marker_corners(n) for n in seen])
    px = np.concatenate([seen[n] for n in seen])
    if lens is not None:
        px = lens.straight(px)
    matrix, _ = cv2.findHomography(mm, px)
    if not np.isfinite(np.asarray(matrix, np.float64)).all():
        raise BadInput("the markers lie in a line; put one at each corner of the mat")
    plane = Plane(matrix, size, lens)
    off = np.linalg.norm(plane.pixels(mm) - np.concatenate([seen[n] for n in seen]), axis=1)
    if off.max() > 0.02 * max(size):
        raise BadInput("the markers do not fit a flat mat; lay it flat, each marker at its corner")
    return plane


def _place(number: int) -> str:
    return ("far left", "far right", "near right", "near left")[number]


def from_corners(
    px: Sequence[tuple[float, float]], size: tuple[int, int], lens: Lens | None = None
) -> Plane:
    """The plane from the mat's four corners shown by hand, clockwise from the far left."""
    quad = np.array(px, np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise BadInput("four corners are needed: far left, far right, near right, near left")
    if (
        not cv2.isContourConvex(quad.astype(np.float32))
        or cv2.contourArea(quad.astype(np.float32)) < 100
    ):
        raise BadInput("these corners are no mat: give them clockwise, beginning at the far left")
    straight = quad if lens is None else lens.straight(quad)
    matrix = cv2.getPerspectiveTransform(corners(*MAT), straight.astype(np.float32))
    return Plane(matrix.astype(np.float64), size, lens, by_hand=True)


# -- the lens -----------------------------------------------------------------------------


def board() -> cv2.aruco.CharucoBoard:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHARUCO_DICTIONARY))
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE, CHARUCO_MARKER, book)


def lens_from(images: Iterable[Image]) -> Lens:
    """The lens from a few pictures of the calibration sheet, held at different slants."""
    sheet = board()
    reader = cv2.aruco.CharucoDetector(sheet)
    things, places = [], []
    size = (0, 0)
    for image in images:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if size not in ((0, 0), (grey.shape[1], grey.shape[0])):
            raise BadInput("pictures of the calibration sheet must all be of one size")
        size = (grey.shape[1], grey.shape[0])
        found, ids, _, _ = reader.detectBoard(grey)
        if np.size(ids) < 8:
            continue
        thing, place = sheet.matchImagePoints(found, ids)  # type: ignore[call-overload]
        things.append(thing)
        places.append(place)
    if len(things) < _LEAST_LENS_PICTURES:
        raise BadInput(
            f"the calibration sheet was seen in {len(things)} pictures; "
            f"{_LEAST_LENS_PICTURES} are needed, each from another slant"
        )
    error, matrix, bends, _, _ = cv2.calibrateCamera(things, places, size, None, None)
    return Lens(matrix, bends, size, float(error))


# -- keeping it ---------------------------------------------------------------------------


class CalibrationState(StrEnum):
    FINE = "fine"
    RESOLVED = "resolved"
    MOVED = "moved"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Health:
    """How well the table is seen right now."""

    state: CalibrationState
    markers: int
    shift_px: float
    focus: float
    """Sharpness at the markers against what it was when calibrated: 1 is as then."""
    exposure: float
    """Mean brightness, 0 to 1."""
    glare: float
    """Share of the mat that is burnt out."""


@dataclass(slots=True, eq=False)
class Keeper:
    """Checks the plane again and again: small shifts are solved anew, large ones are told."""

    plane: Plane
    sharp: float | None = None

    def check(self, image: Image) -> Health:
        seen = {} if self.plane.by_hand else markers_in(image)
        exposure, glare = _light(image, self.plane)
        focus = self._focus(image, seen)
        if self.plane.by_hand:
            return Health(CalibrationState.FINE, 0, 0.0, focus, exposure, glare)
        if not seen:
            return Health(CalibrationState.HIDDEN, 0, 0.0, focus, exposure, glare)
        shift = max(
            float(np.linalg.norm(self.plane.pixels(marker_corners(n)) - q, axis=1).mean())
            for n, q in seen.items()
        )
        state = CalibrationState.FINE
        if shift > _STILL:
            state = self._moved(seen, shift)
        return Health(state, len(seen), shift, focus, exposure, glare)

    def _moved(self, seen: Mapping[int, Points], shift: float) -> CalibrationState:
        if shift / self.plane.px_per_mm > SMALL_SHIFT:
            return CalibrationState.MOVED
        try:
            plane = solve(seen, self.plane.size, self.plane.lens, self.plane)
        except BadInput:
            return CalibrationState.FINE if shift < 3 * _STILL else CalibrationState.MOVED
        if _apart(plane, self.plane) < _STILL:  # one marker is badly seen, and nothing has moved
            return CalibrationState.FINE
        self.plane = plane
        return CalibrationState.RESOLVED

    def adopt(self, image: Image) -> None:
        """Take the camera's new place for good."""
        height, width = image.shape[:2]
        self.plane = solve(markers_in(image), (width, height), self.plane.lens, self.plane)
        self.sharp = None

    def _focus(self, image: Image, seen: Mapping[int, Points]) -> float:
        values = []
        for quad in seen.values():
            x, y, w, h = cv2.boundingRect(quad.astype(np.float32))
            part = image[max(y, 0) : y + h, max(x, 0) : x + w, 1]
            if part.size:
                values.append(float(cv2.Laplacian(part, cv2.CV_32F).var()))
        if not values:
            return 1.0
        now = float(np.median(values))
        if self.sharp is None:
            self.sharp = max(now, 1e-6)
        return now / self.sharp


def _apart(one: Plane, other: Plane) -> float:
    """How many pixels the mat's corners are elsewhere, on the mean."""
    mat = corners(*MAT).astype(np.float64)
    return float(np.linalg.norm(one.pixels(mat) - other.pixels(mat), axis=1).mean())


def _light(image: Image, plane: Plane) -> tuple[float, float]:
    low = plane.pixels(corners(*MAT).astype(np.float64))
    left, top = np.floor(low.min(0)).astype(int).clip(0)
    right, bottom = np.ceil(low.max(0)).astype(int)
    part = image[top:bottom:4, left:right:4]
    if not part.size:
        return float(image[::8, ::8].mean()) / 255, 0.0
    return float(part.mean()) / 255, float((part.min(2) >= 250).mean())
