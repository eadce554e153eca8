"""A real print as a board: enrolled from one photograph, and found in the others of a folder.

The photographs are nobody's here; only the points that were marked by hand in some of them are
kept, in a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.bench.figure import Figure
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.vision.boards.board import Board, enrol_board
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.plane import FoundBoard
from companion.vision.crops import Floats, corners
from companion.vision.pictures import read_picture

POINTS = Path(__file__).with_name("cover_points.json")
WITHIN = 0.005
"""A point may be off by so great a share of the picture's width."""
Spot = tuple[float, float]


class MarkedPhotographs(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody said of the photographs of one print, in pixels."""

    pictures: str
    """Which files of the folder show it."""
    enrolled: str
    outline: tuple[Spot, Spot, Spot, Spot]
    """Of as much of the print as the enrolled picture shows, clockwise from its top left."""
    size_mm: tuple[float, float]
    points: dict[str, list[Spot]]
    """The same spots of the print, in the enrolled picture and in others."""


def measure_photographs(folder: Path, points: Path = POINTS) -> Iterator[Figure]:
    marked = _marked(points)
    files = sorted(folder.rglob(marked.pictures))
    first = next((each for each in files if each.name == marked.enrolled), None)
    if first is None:
        raise BadInput(
            "no-enrolled-photograph",
            N_("%(folder)s has no photograph %(name)s."),
            folder=folder,
            name=marked.enrolled,
        )
    board = enrol_board(read_picture(first), marked.outline, marked.size_mm, "print")
    finder = BoardFinder([board])
    others = [each for each in files if each != first]
    found, far = 0, list[float]()
    for file in others:
        picture = read_picture(file)
        there = finder.find(picture)
        found += bool(there)
        if not there:
            yield Figure(f"not found in {file.name}", 0, "", "found", met=False)
        elif file.name in marked.points:
            far.append(_far(marked, board, there[0], file.name) / picture.shape[1])
    share = found / max(len(others), 1)
    yield Figure(
        f"a real print found in {len(others)} photographs", 100 * share, "%", "all", share == 1
    )
    worst = max(far, default=1.0)
    yield Figure(
        f"its marked points off in {len(far)} of them, at most", 100 * worst, "% of the width",
        "<= 0.5 %", worst <= WITHIN,
    )  # fmt: skip


def _far(marked: MarkedPhotographs, board: Board, found: FoundBoard, name: str) -> float:
    """How far the worst of the marked points is off, in pixels."""
    there = np.array(marked.points[name], np.float64)
    mm = _on_board(marked, board)
    return float(np.linalg.norm(found.pixels(mm) - there, axis=1).max())


def _on_board(marked: MarkedPhotographs, board: Board) -> Floats:
    """Where on the board the points are that were marked in the enrolled picture."""
    here = corners(*board.size_mm).astype(np.float32)
    way = cv2.getPerspectiveTransform(np.array(marked.outline, np.float32), here)
    spots = np.array(marked.points[marked.enrolled], np.float64).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(spots, way).reshape(-1, 2)


def _marked(points: Path) -> MarkedPhotographs:
    try:
        return msgspec.json.decode(points.read_bytes(), type=MarkedPhotographs)
    except (OSError, msgspec.DecodeError) as bad:
        raise BadInput(
            "no-marked-points",
            N_("%(path)s: not a file of marked points (%(why)s)"),
            path=points,
            why=bad,
        ) from None
