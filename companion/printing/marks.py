"""Corner markers, by which the camera finds the table, and the sheet it learns its lens from."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.printing.paper import BLACK, HAIR_MM, Paper, Sheets
from companion.printing.versions import MARK_DICTIONARY, Printed, current
from companion.tabletop.mat import (
    CHARUCO_DICTIONARY,
    CHARUCO_MARKER,
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
    MARKER,
    MARKER_BORDER,
    MARKER_DICTIONARY,
    MARKERS,
    MAT,
    SHEET_MARK,
    SHEET_MARK_AT,
)

_TAB_MM = 38.0
"""How much longer the card of marker 0 is, to have room for the version mark."""
_SCALE = 1 / 15
"""Of the small drawing of the whole table."""


def marker(dictionary: str, number: int) -> npt.NDArray[np.bool_]:
    """The dark cells of a marker, its black rim included."""
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return np.equal(cv2.aruco.generateImageMarker(book, number, book.markerSize + 2), 0)


def draw_marker(sheets: Sheets, number: int, x: float, y: float) -> None:
    cells = marker(MARKER_DICTIONARY, number)
    sheets.cells(cells, x, y, MARKER / len(cells))


def draw_mark(sheets: Sheets, printed: Printed, x: float, y: float) -> None:
    """Draw the mark that tells the camera the sheet's version; (x, y) is the mat's top left
    corner."""
    if printed.number is None:
        return
    cells = marker(MARK_DICTIONARY, printed.number)
    left, top, side = x + SHEET_MARK_AT[0], y + SHEET_MARK_AT[1], SHEET_MARK
    sheets.cells(cells, left, top, side / len(cells))
    words = f"{printed.sheet}, version {printed.version}"
    sheets.text(words, left + side / 2, top + side + 3.4, 6, "C")


def markers(paper: Paper) -> Sheets:
    """The four corner markers, each on a card to cut out that shows which corner it is for."""
    printed = current("markers")
    sheets = Sheets(paper, "Corner markers", printed.version)
    sheets.page("0 1 / 3 2")
    rim = MARKER_BORDER
    edge = MARKER + 2 * rim
    gap = 20.0
    left, top = (
        paper.width / 2 - edge - gap / 2,
        paper.height / 2 - edge - _TAB_MM / 2 - gap / 2 - 10,
    )
    for number, (x, y) in MARKERS.items():
        at_x = left + (edge + gap if x > MAT[0] / 2 else 0)
        at_y = top + (edge + _TAB_MM + gap if y > MAT[1] / 2 else 0)
        foot = at_y + edge + (0 if number else _TAB_MM)
        sheets.line(
            [(at_x, at_y), (at_x + edge, at_y), (at_x + edge, foot), (at_x, foot), (at_x, at_y)],
            HAIR_MM,
        )
        draw_marker(sheets, number, at_x + rim, at_y + rim)
        _which_corner(sheets, number, at_x + edge / 2, at_y + edge - 1.4)
        if number == 0:
            draw_mark(sheets, printed, at_x + rim - x, at_y + rim - y)
    _how_far_apart(sheets, paper.width / 2, top + 2 * edge + _TAB_MM + gap + 8)
    return sheets


def apart() -> tuple[float, float]:
    """How far the outer edges of the markers' black squares are apart: across, and down."""
    (x, y), (far_x, far_y) = MARKERS[0], MARKERS[2]
    return far_x + MARKER - x, far_y + MARKER - y


def _how_far_apart(sheets: Sheets, middle: float, top: float) -> None:
    """A small drawing of the table from above: where the four markers lie, and how far apart."""
    side = MARKER * _SCALE
    wide, high = (length * _SCALE for length in apart())
    left, foot = middle - wide / 2, top + high
    for number, (x, y) in MARKERS.items():
        at_x = left + (x - MARKERS[0][0]) * _SCALE
        at_y = top + (y - MARKERS[0][1]) * _SCALE
        sheets.box(at_x, at_y, side, side)
        inwards = side + 1.8 if at_x < middle else -1.8
        sheets.text(str(number), at_x + inwards, at_y + side - 0.4, 7, "C")
    across, down = apart()
    _measure(sheets, (left, foot + 3), (left + wide, foot + 3))
    sheets.text(f"{across:g} mm", middle, foot + 7, 8, "C")
    _measure(sheets, (left + wide + 3, top), (left + wide + 3, foot))
    sheets.text(f"{down:g} mm", left + wide + 5, top + high / 2 + 1, 8)


def _measure(sheets: Sheets, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """A dimension line: a short line across each of its ends."""
    sheets.line([begin, end], HAIR_MM)
    tick_x, tick_y = (0.0, 1.2) if begin[1] == end[1] else (1.2, 0.0)
    for x, y in (begin, end):
        sheets.line([(x - tick_x, y - tick_y), (x + tick_x, y + tick_y)], HAIR_MM)


def _which_corner(sheets: Sheets, number: int, x: float, foot: float) -> None:
    """A small rectangle with a dot in the marker's corner, and the marker's number."""
    wide, high = 5.0, 3.5
    sheets.line(
        [(x, foot), (x + wide, foot), (x + wide, foot - high), (x, foot - high), (x, foot)], HAIR_MM
    )
    to_right = MARKERS[number][0] > MAT[0] / 2
    to_foot = MARKERS[number][1] > MAT[1] / 2
    dot = 1.3
    sheets.box(x + (wide - dot if to_right else 0), foot - (dot if to_foot else high), dot, dot)
    sheets.text(str(number), x - 2, foot, 8, "R", bold=True)


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The board of the calibration sheet, its squares in millimetres."""
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHARUCO_DICTIONARY))
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE, CHARUCO_MARKER, book)


def charuco(paper: Paper) -> Sheets:
    """The calibration sheet, to be held flat under the camera in many places."""
    across, down = CHARUCO_SQUARES
    cell = CHARUCO_SQUARE / 20  # so that markers and the rims about them are whole cells
    pattern = charuco_board().generateImage((across * 20, down * 20)) < 128
    wide, high = across * CHARUCO_SQUARE, down * CHARUCO_SQUARE
    sheets = Sheets(paper, "Calibration sheet", current("charuco").version)
    sheets.page(f"{across} x {down}, {CHARUCO_SQUARE:g} mm, {CHARUCO_DICTIONARY}")
    x, y = (paper.width - wide) / 2, (paper.height - high) / 2 - 6
    sheets.cells(pattern, x, y, cell)
    sheets.line(
        [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)], HAIR_MM, BLACK
    )
    return sheets
