"""Measuring the lens before the camera: somebody holds the calibration sheet under it, at one slant
after the other, and each slant is taken by itself once the sheet is held still."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.onboarding.table_place import NO_PICTURE, Spot, TablePlace
from companion.vision.calibrating.lens import Lens
from companion.vision.calibrating.lens_sheet import LEAST_PICTURES, SeenSheet, lens_of, sheet_in

WANTED = 8
"""Slants that are asked for; fewer will do."""
STILL = 0.01
"""A sheet is held still if it moves less between two looks; a share of the picture's width."""
ANOTHER = 0.03
"""A slant is another one if the corners have moved further than this."""
MOST_ERROR_PX = 1.5
"""A lens measured worse than this makes more wrong than right."""


@dataclass(frozen=True, slots=True)
class LensProgress:
    """How far the measuring is."""

    taken: int
    spots: tuple[Spot, ...]
    """The sheet's corners in the picture."""
    fresh: bool = False
    """This very look was taken."""

    @property
    def enough(self) -> bool:
        return self.taken >= LEAST_PICTURES


class LensDesk:
    """Any thread may ask; one picture is looked at at a time."""

    def __init__(self, frame: Callable[[], Frame | None], place: TablePlace) -> None:
        self._frame = frame
        self._place = place
        self._lock = threading.Lock()
        self._taken: list[SeenSheet] = []
        self._before: SeenSheet | None = None
        self._last: tuple[int, LensProgress] | None = None

    def begin(self) -> None:
        """Anew: nothing of an earlier measuring counts."""
        with self._lock:
            self._taken, self._before, self._last = [], None, None

    def look(self) -> LensProgress:
        """The sheet as it is held now; taken, if it is held still and at another slant."""
        frame = self._frame()
        if frame is None:
            raise BadInput("no-camera-picture", NO_PICTURE)
        with self._lock:
            if self._last is not None and self._last[0] == frame.number:
                return self._last[1]
            seen = sheet_in(frame.pixels)
            fresh = seen is not None and self._is_wanted(seen)
            if seen is not None and fresh:
                self._taken.append(seen)
            self._before = seen
            progress = LensProgress(len(self._taken), _spots(seen), fresh)
            self._last = (frame.number, progress)
            return progress

    def _is_wanted(self, seen: SeenSheet) -> bool:
        if self._taken and self._taken[0].size != seen.size:  # another camera by now
            self._taken = []
        still = self._before is not None and _apart(self._before, seen) < STILL
        return (
            still
            and len(self._taken) < WANTED
            and all(_apart(each, seen) > ANOTHER for each in self._taken)
        )

    def keep(self) -> Lens:
        """The lens from what was taken, used from now on; raises `BadInput`."""
        with self._lock:
            lens = lens_of(self._taken)
            if not np.isfinite(lens.error) or lens.error > MOST_ERROR_PX:
                raise BadInput(
                    "lens-not-sure",
                    N_(
                        "These pictures do not agree. Begin again: hold the sheet flat, and at "
                        "another slant each time."
                    ),
                )
        self._place.keep_lens(lens)
        return lens


def _apart(one: SeenSheet, other: SeenSheet) -> float:
    """How far the corners that both see are apart, as a share of the picture's width."""
    mine = {tuple(at): px for at, px in zip(_rows(one.things), _rows(one.places), strict=True)}
    pairs = [
        (mine[tuple(at)], px)
        for at, px in zip(_rows(other.things), _rows(other.places), strict=True)
        if tuple(at) in mine
    ]
    if not pairs or one.size != other.size:
        return 1.0
    here, there = np.array(pairs).swapaxes(0, 1)
    return float(np.linalg.norm(here - there, axis=1).mean()) / one.size[0]


def _rows(points: object) -> list[list[float]]:
    array = np.asarray(points, np.float64)
    rows: list[list[float]] = array.reshape(-1, array.shape[-1]).round(3).tolist()
    return rows


def _spots(seen: SeenSheet | None) -> tuple[Spot, ...]:
    if seen is None:
        return ()
    wide, high = seen.size
    return tuple((round(x / wide, 4), round(y / high, 4)) for x, y in _rows(seen.places))
