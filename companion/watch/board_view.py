"""Boards as one of several cameras sees them, and which camera sees each best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.foundation.frames import Frame
from companion.tabletop.observations import Motion
from companion.vision.boards.following import BoardFollower
from companion.vision.boards.plane import FoundBoard
from companion.vision.crops import Floats, Image
from companion.vision.observing.gate import Gate


@dataclass(eq=False, slots=True)
class BoardView:
    """What one camera sees."""

    follower: BoardFollower
    gate: Gate = field(default_factory=Gate)
    frame: Frame | None = None
    """None while the camera is away: what it saw last does not count then."""

    def step(self, frame: Frame | None) -> Motion | None:
        """Takes its next picture; None if there is none."""
        self.frame = frame
        return None if frame is None else self.gate.step(frame.pixels)

    def follow(self) -> None:
        if self.frame is not None:
            self.follower.follow(self.frame.pixels)

    @property
    def in_view(self) -> tuple[FoundBoard, ...]:
        return (*self.follower.found, *self.follower.nameless)

    @property
    def pixels(self) -> Image:
        assert self.frame is not None  # noqa: S101 - only views with a picture show anything
        return self.frame.pixels


def whole_motion(motions: Sequence[Motion | None]) -> Motion:
    """The table is still if it is so for every camera that is there."""
    there = [each for each in motions if each is not None]
    return next((each for each in there if each is not Motion.STILL), Motion.STILL)


def best_views(views: Sequence[BoardView]) -> Iterator[tuple[BoardView, list[FoundBoard]]]:
    """The boards that each view shows best: large, and little covered."""
    best: dict[str, tuple[float, BoardView, FoundBoard]] = {}
    for view in views:
        for each in view.follower.found if view.frame is not None else ():
            seen = scale_of(each) * each.agreement.share
            if each.board.name not in best or seen > best[each.board.name][0]:
                best[each.board.name] = (seen, view, each)
    for view in views:
        mine = [found for _, its, found in best.values() if its is view]
        if mine:
            yield view, mine


def median_scale(found: Sequence[FoundBoard]) -> float:
    """How many pixels a millimetre of these boards has in their pictures, mostly."""
    return float(np.median([scale_of(each) for each in found])) if found else 1.5


def scale_of(one: FoundBoard) -> float:
    return float(np.sqrt(abs(np.linalg.det(_middle_of(one)))))


def _middle_of(one: FoundBoard) -> Floats:
    x, y = (side / 2 for side in one.board.size_mm)
    a, b, c = one.pixels(np.array([(x, y), (x + 1, y), (x, y + 1)]))
    return np.stack([b - a, c - a], 1)
