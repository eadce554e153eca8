"""What an eye remembers of a table: what it has seen, and where the picture has changed since.

Nothing comes and nothing goes where the picture has not changed. What seems to come there is made
of halves of other cards; what seems to have gone was overlooked, if what is in view of it looks as
it did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from math import dist
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import box_about
from companion.vision.calibration import Plane
from companion.vision.crops import Halves
from companion.vision.look import area, meet
from companion.vision.observing.gate import STRIDE
from companion.vision.observing.portraits import Portrait

Cells = npt.NDArray[Any]
_SAME_PLACE = 15.0
"""Millimetres within which something seen again may be what it was."""
_LATELY = 3
"""Changes of the table within which a card is seen that was overlooked at first."""
_CHANGED = 0.45
"""How much of its place must have changed then."""
_CLEARED = 0.9
"""How much of a place must have changed for nothing of what lay there to be there still."""
_OFTEN = 3
"""What has been seen so often lies there, seen or not, while what is in view of it looks so."""
_SURE_TIMES = 2
"""The same of what has been seen so often and surely."""
_IN_PLACE = 2.5
"""Millimetres within which a thing is seen where it lies."""
_ASIDE = 0.3
"""The share of its short side within which a like thing is itself, badly placed."""
_HIDES = 0.3
"""How much of a card another hides that lies over it."""
_GAP = 0.08
"""How much of the bare table between cards is enough to tell that nothing lies there."""
_SURELY = 0.9
"""A card less surely read hides nothing."""
_PLAIN_DIE = 0.5
"""A die found so surely may have come unnoticed: one as dark as the cloth changes little."""
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
    portrait: Portrait
    missed: int = 0


@dataclass(slots=True, eq=False)
class SceneMemory:
    """Of one table before one camera. Sightings are in the mat's millimetres."""

    plane: Plane
    several: Callable[[str | int | None], bool]
    """Of which faces more than one may lie there."""
    _stirred: Cells | None = None
    """Of each cell, with which change of the table it changed last; they are counted."""
    _stirs: int = 0
    _ground: Halves | None = None
    """The table as it was first seen."""
    _lain: list[_Lain] = field(default_factory=list)

    def changed(self, cells: Cells) -> None:
        """The table is still, and these cells differ from the table before."""
        if self._stirred is None or self._stirred.shape != cells.shape:
            self._stirred = np.full(cells.shape, self._stirs + 1)
        if cells.any():
            self._stirs += 1
            self._stirred[cells] = self._stirs
            self._lain = [e for e in self._lain if self._share(e.one, e.at) < _CLEARED]

    def possible(
        self, image: Halves, read: Sequence[Sighting], kept: Sequence[Sighting]
    ) -> list[Sighting]:
        """What was read beside what was kept, without print of the table itself, and without what
        came to lie where nothing has changed, or over a card that has not."""
        if self._ground is None or self._ground(0).shape != image(0).shape:
            self._ground = image
        plain = [k for k in kept if _hides(k)]
        seen = [
            s
            for s in read
            if not self._printed(image, s, [*read, *kept])
            and (self._known(s) or not any(lies_over(s, each) for each in plain))
        ]
        if self._stirred is None or self._stirred.min() > self._stirs - _LATELY:
            return seen  # the whole table has changed, as when it is first seen
        return [
            s
            for s in seen
            if self._lay(s)
            or self._lately(s) > _CHANGED
            or (is_plain_die(s.kind, s.found) and not self._as_at_first(image, s, [*read, *kept]))
        ]

    def _printed(self, image: Halves, one: Sighting, seen: Sequence[Sighting]) -> bool:
        """Whether it cannot be read and looks as the table did when it was first seen: cloths and
        magazines are full of what looks like cards and dice."""
        if one.label is not None and (one.kind == "card" or one.p >= _SURELY):
            return False
        return self._as_at_first(image, one, seen)

    def _as_at_first(self, image: Halves, one: Sighting, seen: Sequence[Sighting]) -> bool:
        was = Portrait.of(image if self._ground is None else self._ground, self.plane, one.quad, ())
        return self._drawn(image, one, seen).is_like(was, _GAP)

    def stirred(self, within: Cells | None = None, changes: int = _LATELY) -> Cells:
        """The cells among most of whose neighbours something has changed with the last changes
        of the table, as far as they lie `within` these."""
        if self._stirred is None:
            return np.ones((1, 1), np.bool_)
        lately = self._stirred > self._stirs - changes
        if within is not None and within.shape == lately.shape:
            lately = lately & within
        return cv2.blur(lately.astype(np.float32), (3, 3)) > _CHANGED

    def unchanged(
        self, image: Halves, some: Sequence[Sighting], seen: Sequence[Sighting]
    ) -> list[Sighting]:
        """Some of what was seen last: what has often been read, surely, and looks as it did, so
        that it need not be read again."""
        out: list[Sighting] = []
        for at, each in enumerate(self._lain):
            one = each.one
            if each.times < _OFTEN or one.label is None or one.p < _SURELY:
                continue
            mine = next((s for s in some if _is_again(one, s)), None)
            if mine is None or mine in out:
                continue
            if self._drawn(image, one, seen).is_like(each.portrait):
                self._lain[at] = replace(each, at=self._stirs, missed=0)
                out.append(mine)
        return out

    def noted(
        self, image: Halves, read: Sequence[Sighting], kept: Sequence[Sighting]
    ) -> list[Sighting]:
        """What was read, beside what was kept of before, each found as plainly as it ever was."""
        hiding = [s for s in (*read, *kept) if _hides(s)]
        near = _near(read, hiding)
        things = [(one.quad, _beside(one, some)) for one, some in zip(read, near, strict=True)]
        drawn = Portrait.of_all(image, self.plane, things)
        return [self._note(one, portrait) for one, portrait in zip(read, drawn, strict=True)]

    def steady(self, image: Halves, seen: Sequence[Sighting]) -> list[Sighting]:
        """What has often been seen and looks as it did, as far as it is in view, but is not seen
        now or not in its place: half a card under another is hard to place."""
        out = []
        for at, each in enumerate(self._lain):
            if each.times < (_SURE_TIMES if each.one.p >= _SURELY else _OFTEN):
                continue
            if each.one.label is None or any(self._is_well_seen(each.one, s) for s in seen):
                continue
            missed = each.missed + (not any(_is_again(each.one, s) for s in seen))
            self._lain[at] = replace(each, missed=missed)
            now = self._drawn(image, each.one, seen)
            plain = not now.beside and missed > _PLAIN_TO_SEE
            if not plain and now.is_like(each.portrait):
                out.append(each.one)
        return out

    def _drawn(self, image: Halves, one: Sighting, seen: Sequence[Sighting]) -> Portrait:
        return Portrait.of(image, self.plane, one.quad, _beside(one, seen))

    def _is_well_seen(self, one: Sighting, other: Sighting) -> bool:
        """Whether it is the other, in its place; or moved, if its face exists but once."""
        if one.label != other.label or one.kind != other.kind:
            return False
        moved = one.kind == "card" and not self.several(one.label) and not found_aside(other, one)
        return moved or dist(one.middle, other.middle) < _IN_PLACE

    def _lay(self, one: Sighting) -> bool:
        """Whether something was seen there before."""
        return any(dist(one.middle, old.one.middle) < _SAME_PLACE for old in self._lain)

    def _known(self, one: Sighting) -> bool:
        """Whether it was seen there before as what it is."""
        return any(_is_again(one, old.one) for old in self._lain)

    def _lately(self, one: Sighting) -> float:
        return self._share(one, self._stirs - _LATELY)

    def _note(self, one: Sighting, portrait: Portrait) -> Sighting:
        before = next((each for each in self._lain if _is_again(one, each.one)), None)
        now = _Lain(one, self._stirs, 1, portrait)
        if before is not None:
            self._lain.remove(before)
            found = max(one.found, before.one.found)
            one = replace(one, found=found)
            now = replace(now, one=one, times=before.times + 1)
            if before.one.p >= one.p and not self._share(before.one, before.at):
                # Nobody has moved it since: it lies where it was seen best.
                one = replace(one, quad=before.one.quad, turn=before.one.turn)
                best = replace(before.one, found=found)
                now = replace(now, one=best, portrait=before.portrait)
        self._lain = [*self._lain, now][-_MOST:]
        return one

    def _share(self, one: Sighting, since: int) -> float:
        """How much of its place has changed after that change of the table."""
        if self._stirred is None:
            return 1.0
        of_it = self._stirred[filled(self._stirred, one, self.plane) > 0]
        return float((of_it > since).mean()) if len(of_it) else 1.0


def is_plain_die(kind: str, found: float) -> bool:
    return kind == "die" and found >= _PLAIN_DIE


def filled(cells: Cells, one: Sighting, plane: Plane) -> Cells:
    """Ones where it lies, of a picture's cells."""
    mask = np.zeros(cells.shape, np.uint8)
    at = plane.pixels(np.array(one.quad))
    cv2.fillConvexPoly(mask, np.round(at / STRIDE).astype(np.int32), 1)
    return mask


def _hides(one: Sighting) -> bool:
    """Whether something may lie under it: it is surely a card."""
    return one.kind == "card" and one.label is not None and one.p >= _SURELY


def _beside(one: Sighting, others: Sequence[Sighting]) -> list[Sighting]:
    """Other cards that may lie over some of it: a token's card does not."""
    return [
        other
        for other in others
        if meet(one, other) and _hides(other)
        if area(other) < 2 * area(one) and not found_aside(other, one)
    ]


def _near(some: Sequence[Sighting], others: Sequence[Sighting]) -> list[list[Sighting]]:
    """For each those of the others that may meet it; of many at once this costs far less."""
    if not some or not others:
        return [[] for _ in some]
    a, b = (np.array([box_about(one.quad) for one in each]) for each in (some, others))
    apart = (a[:, None, :2] >= b[:, 2:]) | (b[:, :2] >= a[:, None, 2:])
    return [list(compress(others, row)) for row in ~np.logical_or.reduce(apart, 2)]


def lies_over(one: Sighting, other: Sighting) -> bool:
    """Whether it would hide a good part of the other, a card of its size."""
    size = area(one)
    if not meet(one, other) or not 0.5 < size / max(area(other), 1.0) < 2.0:
        return False
    a, b = (np.array(each.quad, np.float32) for each in (one, other))
    return cv2.intersectConvexConvex(a, b)[0] > _HIDES * size


def found_aside(one: Sighting, other: Sighting) -> bool:
    """Whether it may be the other: nobody lays a card so near over its like."""
    near = _ASIDE * min(dist(one.quad[0], one.quad[1]), dist(one.quad[1], one.quad[2]))
    same = one.label is not None and one.label == other.label and one.kind == other.kind
    return same and dist(one.middle, other.middle) < near


def _is_again(one: Sighting, other: Sighting) -> bool:
    return one.label == other.label and dist(one.middle, other.middle) < _SAME_PLACE
