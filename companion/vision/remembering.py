"""What an eye remembers of a table: what it has seen, and where the picture has changed since.

Nothing comes and nothing goes where the picture has not changed. What seems to come there is made
of halves of other cards; what seems to have gone was overlooked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Sighting
from companion.vision.calibrating import Plane
from companion.vision.gate import STRIDE
from companion.vision.looking import area, meet

Cells = npt.NDArray[Any]
_SAME_PLACE = 15.0
"""Millimetres within which something seen again may be what it was."""
_LATELY, _CHANGED, _CLEARED = 3, 0.45, 0.9
"""Changes of the table within which a card is seen that was overlooked at first; how much of its
place must have changed then; and how much, for nothing of what lay there to be there still."""
_OFTEN, _UNCHANGED, _STRIP = 3, 0.06, 0.1
"""What has been seen so often lies there, seen or not, while no more than this changes of what is
in view of it; if that is more than a strip."""
_PLAIN_TO_SEE = 6
"""What nothing lies over is not overlooked more often than this in a row."""
_MOST = 200


@dataclass(frozen=True, slots=True)
class _Lain:
    """Something seen, after which change of the table last, how often, and how often it was
    overlooked since."""

    one: Sighting
    at: int
    times: int
    missed: int = 0


@dataclass(slots=True, eq=False)
class Memory:
    """Of one table before one camera. Sightings are in the mat's millimetres."""

    plane: Plane
    several: Callable[[str | int | None], bool]
    """Of which faces more than one may lie there."""
    _stirred: Cells | None = None
    """Of each cell, with which change of the table it changed last; they are counted."""
    _stirs: int = 0
    _lain: list[_Lain] = field(default_factory=list)

    def changed(self, cells: Cells) -> None:
        """The table is still, and these cells differ from the table before."""
        if self._stirred is None or self._stirred.shape != cells.shape:
            self._stirred = np.full(cells.shape, self._stirs + 1)
        if cells.any():
            self._stirs += 1
            self._stirred[cells] = self._stirs
            self._lain = [e for e in self._lain if self._share(e.one, e.at) < _CLEARED]

    def possible(self, seen: Sequence[Sighting]) -> list[Sighting]:
        """Without those that came to lie where nothing has changed."""
        if self._stirred is None or self._stirred.min() > self._stirs - _LATELY:
            return list(seen)  # the whole table has changed, as when it is first seen
        return [s for s in seen if self._lay(s) or self._lately(s) > _CHANGED]

    def stirred(self, within: Cells | None = None, changes: int = _LATELY) -> Cells:
        """The cells among most of whose neighbours something has changed with the last changes
        of the table, as far as they lie `within` these."""
        if self._stirred is None:
            return np.ones((1, 1), np.bool_)
        lately = self._stirred > self._stirs - changes
        if within is not None and within.shape == lately.shape:
            lately = lately & within
        return cv2.blur(lately.astype(np.float32), (3, 3)) > _CHANGED

    def noted(self, seen: Sequence[Sighting]) -> list[Sighting]:
        """The same, each found as plainly as it ever was."""
        return [self._note(one) for one in seen]

    def overlooked(self, seen: Sequence[Sighting]) -> list[Sighting]:
        """What has often been seen, is not seen now, and lies where nothing has changed since."""
        cards = [s for s in seen if s.kind == "card" and s.label is not None]
        out = []
        for at, each in enumerate(self._lain):
            if each.times < _OFTEN or each.one.label is None:
                continue
            if any(self._is_seen(each.one, s) for s in seen):
                continue
            self._lain[at] = replace(each, missed=each.missed + 1)
            over = _over(each.one, cards)
            plain = not over and each.missed >= _PLAIN_TO_SEE
            if not plain and self._share(each.one, each.at, over) < _UNCHANGED:
                out.append(each.one)
        return out

    def _is_seen(self, one: Sighting, other: Sighting) -> bool:
        """Whether it is the other, which may have been moved if its face exists but once."""
        moved = one.kind == "card" and one.label == other.label and not self.several(one.label)
        return moved or _is_again(one, other)

    def _lay(self, one: Sighting) -> bool:
        """Whether something was seen there before."""
        return any(dist(one.middle, old.one.middle) < _SAME_PLACE for old in self._lain)

    def _lately(self, one: Sighting) -> float:
        return self._share(one, self._stirs - _LATELY)

    def _note(self, one: Sighting) -> Sighting:
        before = next((each for each in self._lain if _is_again(one, each.one)), None)
        times = 1
        if before is not None:
            self._lain.remove(before)
            one = replace(one, found=max(one.found, before.one.found))
            times += before.times
        self._lain = [*self._lain, _Lain(one, self._stirs, times)][-_MOST:]
        return one

    def _share(self, one: Sighting, since: int, under: Sequence[Sighting] = ()) -> float:
        """How much of its place, as far as it is not under others, has changed after that change
        of the table; all of it, if hardly anything is in view."""
        if self._stirred is None:
            return 1.0
        mask = filled(self._stirred, one, self.plane)
        whole = int(mask.sum())
        for other in under:
            over = filled(self._stirred, other, self.plane)
            mask[cv2.dilate(over, np.ones((3, 3), np.uint8)) > 0] = 0
        of_it = self._stirred[mask > 0]
        return float((of_it > since).mean()) if len(of_it) > _STRIP * whole else 1.0


def filled(cells: Cells, one: Sighting, plane: Plane) -> Cells:
    """Ones where it lies, of a picture's cells."""
    mask = np.zeros(cells.shape, np.uint8)
    at = plane.pixels(np.array(one.quad))
    cv2.fillConvexPoly(mask, np.round(at / STRIDE).astype(np.int32), 1)
    return mask


def _over(one: Sighting, others: Sequence[Sighting]) -> list[Sighting]:
    """Those that may lie over some of it: a token's card does not."""
    return [other for other in others if meet(one, other) and area(other) < 2 * area(one)]


def _is_again(one: Sighting, other: Sighting) -> bool:
    return one.label == other.label and dist(one.middle, other.middle) < _SAME_PLACE
