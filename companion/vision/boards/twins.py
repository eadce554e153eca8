"""Boards of one print: which of the enrolled ones are, and whose each one in the picture is.

Features cannot tell twins apart, so they go by where each was seen last. Nothing is guessed: a
board that might as well be its twin is nobody's until people have said whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import cv2
import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.features import Features
from companion.vision.boards.fitting import Print, compared
from companion.vision.boards.plane import FoundBoard
from companion.vision.crops import Floats, corners

LEAST_SPOTS = 20
"""Two boards of one print have so many features in common, at least ..."""
SAME_PRINT = 0.5
"""... and laid over each other so great a share of their cells agrees."""
_EDGE = 0.08
"""How differently two people may show the corners of one print: a share of its side."""
CLEAR = 0.5
"""By how many of a board's diagonals any other way to tell twins apart must be worse. A board that
has moved must be clearer by as much as it has moved."""
_UNSEEN = 1.0
"""How far a board that was never seen counts to be from anywhere, in diagonals."""
MOST_ALIKE = 6
"""More boards of one print are not told apart by trying."""
SEATED_DEGREES = 18.0
"""Twins before their owners lie at least so far from each other, and from the near edge's middle,
about the middle of the table; else it is not clear who sits where."""


def between(one: Print, mine: Features, two: Print, other: Features) -> Floats | None:
    """From the first board's millimetres to the second's, if both are of one print."""
    if one.board.jpeg == two.board.jpeg:
        return np.linalg.inv(two.from_mm) @ one.from_mm
    if min(len(mine), len(other)) < LEAST_SPOTS:
        return None
    like = mine.looks @ other.looks.T
    best, back = like.argmax(1), like.argmax(0)
    mutual = np.nonzero(back[best] == np.arange(len(best)))[0]
    if len(mutual) < LEAST_SPOTS:
        return None
    fitted: Any = cv2.findHomography(
        mine.at[mutual], other.at[best[mutual]], cv2.USAC_MAGSAC, 4.0, maxIters=2000
    )
    way, agreed = fitted  # None if there is none
    if way is None or agreed.sum() < LEAST_SPOTS or not _whole(way, one, two):
        return None
    share, _ = compared(two.grey, one, way)
    return np.linalg.inv(two.from_mm) @ way @ one.from_mm if share >= SAME_PRINT else None


def _whole(way: Floats, one: Print, two: Print) -> bool:
    """Whether all of the one print lies on all of the other, whichever way it is turned."""
    (height, width), (high, wide) = one.grey.shape, two.grey.shape
    rows = corners(width, height).astype(np.float64).reshape(-1, 1, 2)
    there = cv2.perspectiveTransform(rows, way).reshape(4, 2) / (wide, high)
    return any(np.abs(np.roll(there, by, 0) - corners(1, 1)).max() < _EDGE for by in range(4))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a board lay in the picture: its middle and its diagonal, in pixels."""

    x: float
    y: float
    diagonal: float

    @classmethod
    def of(cls, found: FoundBoard) -> Spot:
        x, y = found.quad.mean(0)
        across = np.linalg.norm(found.quad[2] - found.quad[0])
        return cls(float(x), float(y), max(float(across), 1.0))

    def far(self, other: Spot) -> float:
        """In diagonals of this one."""
        return float(np.hypot(self.x - other.x, self.y - other.y)) / self.diagonal


Claims = Sequence[tuple[FoundBoard, Board | None]]
"""Boards of the picture and whose each is; None: it may be its twin."""


def told_apart(
    new: Sequence[FoundBoard], missing: Sequence[Board], lay: Mapping[str, Spot]
) -> Claims:
    """Which of the missing boards of one print each new one is, by where they lay before."""
    spots = [Spot.of(each) for each in new]
    if not 0 < len(new) <= len(missing) <= MOST_ALIKE:
        return [(each, None) for each in new]
    far = [[_far(spot, lay.get(board.name)) for board in missing] for spot in spots]
    ways = [
        (sum(far[at][to] for at, to in enumerate(way)), way)
        for way in permutations(range(len(missing)), len(new))
    ]
    best = min(ways)
    whose: list[tuple[FoundBoard, Board | None]] = []
    for at, each in enumerate(new):
        board = missing[best[1][at]]
        # One that was never seen is known only if all others are.
        possible = board.name in lay or len(new) == len(missing)
        clear = possible and _clear(at, best, ways, far[at])
        whose.append((each, board if clear else None))
    return whose


Way = tuple[float, tuple[int, ...]]
"""Whose each new board would be, and how far all of them together would have moved then."""


def _clear(at: int, best: Way, ways: Sequence[Way], far: Sequence[float]) -> bool:
    """Whether every way in which the board is another's is clearly worse."""
    to = best[1][at]
    others = min((cost for cost, way in ways if way[at] != to), default=np.inf)
    return bool(others - best[0] >= CLEAR + far[to])


def _far(spot: Spot, before: Spot | None) -> float:
    return _UNSEEN if before is None else spot.far(before)


def seated(
    twins: Sequence[FoundBoard], group: Sequence[Board], found: Sequence[FoundBoard]
) -> Claims:
    """All boards of one print, seen for the first time: each lies before its owner, clockwise
    from the near left. If that is not clear, or one is not in view, they are nobody's."""
    unknown: Claims = [(each, None) for each in twins]
    if len(twins) != len(group):
        return unknown
    middle = np.mean([each.quad.mean(0) for each in found], axis=0)
    round_table = sorted(
        (_degrees(each.quad.mean(0) - middle), at) for at, each in enumerate(twins)
    )
    angles = [0.0, *(angle for angle, _ in round_table), 360.0]
    if np.diff(angles).min() < SEATED_DEGREES:
        return unknown
    owned = sorted(group, key=lambda board: (board.owner, board.name))
    return [(twins[at], board) for (_, at), board in zip(round_table, owned, strict=True)]


def _degrees(spot: Floats) -> float:
    """How far round the table it is, clockwise from the middle of the picture's near edge."""
    return float(np.degrees(np.arctan2(spot[1], spot[0])) - 90) % 360


def as_board(one: FoundBoard, board: Board, way: Floats) -> FoundBoard:
    """What was found as its twin. `way` goes from the board's millimetres to the twin's."""
    if board is one.board:
        return one
    known = cv2.perspectiveTransform(one.known_mm.reshape(-1, 1, 2), np.linalg.inv(way))
    scale = np.array(board.print_px) / board.size_mm
    agreement = replace(one.agreement, known=known.reshape(-1, 2) * scale)
    return FoundBoard(board, one.matrix @ way, agreement)


def of_one_print(prints: Sequence[Print], known: Sequence[Features]) -> Iterator[dict[int, Floats]]:
    """The numbers of boards that are of one print, with the way from each one's millimetres to
    those of the first."""
    groups: list[dict[int, Floats]] = []
    for at, mine in enumerate(known):
        for group in groups:
            first = next(iter(group))
            way = between(prints[at], mine, prints[first], known[first])
            if way is not None:
                group[at] = way
                break
        else:
            groups.append({at: np.eye(3)})
    return iter(groups)
