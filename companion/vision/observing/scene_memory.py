"""What the observer remembers of a table: what it has seen, and where the picture changed since.

Where the picture has not changed, nothing came and nothing went. A card that seems to have come
there is made of halves of other cards. A card that seems to have gone was overlooked, if as much of
it as is in view looks as it did.
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
from companion.vision.crops import ImagePyramid
from companion.vision.observing.gate import STRIDE
from companion.vision.observing.portraits import Portrait
from companion.vision.plausibility import area, meet

Cells = npt.NDArray[Any]
_SAME_PLACE_MM = 15.0
"""Things with one label seen nearer than this are one thing."""
_LATELY = 3
"""A card overlooked at first is seen within so many changes of the table ..."""
_CHANGED = 0.45
"""... and more than this share of its place must have changed in that time."""
_CLEARED = 0.9
"""Where at least this share of its place has changed, a thing is gone."""
_OFTEN = 3
"""A thing seen so often lies there, found or not, as long as it looks so ..."""
_OFTEN_IF_SURE = 2
"""... and one that is surely read if it was seen so often."""
_IN_PLACE_MM = 2.5
"""A thing seen this near to where it lies is seen in its place."""
_MISPLACED = 0.3
"""A like thing nearer than this share of the short side is the same thing, badly placed."""
_HIDES = 0.3
"""A card lies over another if it hides more than this share of it."""
_BARE = 0.08
"""This share of bare table in view is enough to tell that nothing lies there."""
_SURELY = 0.9
"""A card read less surely hides nothing."""
_PLAIN_DIE = 0.5
"""A die found this surely may have come unnoticed: one as dark as the cloth changes little."""
_MOST_MISSED = 6
"""A thing that nothing lies over is not overlooked more often than this in a row."""
_MOST = 200
"""Things remembered: a bound on memory, never reached by a real table."""


@dataclass(frozen=True, slots=True)
class _Remembered:
    """Something seen."""

    one: Sighting
    at: int
    """The number of the last change of the table before it was seen last."""
    times: int
    """How often it was seen."""
    portrait: Portrait
    missed: int = 0
    """How often it was overlooked since."""


@dataclass(slots=True, eq=False)
class SceneMemory:
    """Of one table before one camera. Sightings are in the mat's millimetres."""

    plane: Plane
    several: Callable[[str | int | None], bool]
    """Says of which faces more than one may lie there."""
    _changed_at: Cells | None = None
    """For each cell, the number of the change of the table with which it changed last."""
    _changes: int = 0
    """How often the table has changed."""
    _ground: ImagePyramid | None = None
    """The table as it was first seen."""
    _remembered: list[_Remembered] = field(default_factory=list)

    def note_change(self, cells: Cells) -> None:
        """Take note that the table is still now, and that these cells differ from before; forget
        things whose places have changed altogether."""
        if self._changed_at is None or self._changed_at.shape != cells.shape:
            self._changed_at = np.full(cells.shape, self._changes + 1)
        if cells.any():
            self._changes += 1
            self._changed_at[cells] = self._changes
            self._remembered = [
                e for e in self._remembered if self._changed_share(e.one, e.at) < _CLEARED
            ]

    def plausible(
        self, image: ImagePyramid, read: Sequence[Sighting], kept: Sequence[Sighting]
    ) -> list[Sighting]:
        """Of what was just read, beside what was kept from before, all that can be true.

        Dropped are print of the table itself, things that came where nothing has changed, and
        things over a card that has not changed.
        """
        if self._ground is None or self._ground(0).shape != image(0).shape:
            self._ground = image
        plain = [k for k in kept if _hides(k)]
        seen = [
            s
            for s in read
            if not self._is_ground_print(image, s, [*read, *kept])
            and (self._is_known(s) or not any(lies_over(s, each) for each in plain))
        ]
        if self._changed_at is None or self._changed_at.min() > self._changes - _LATELY:
            return seen  # the whole table has changed, as when it is first seen
        return [
            s
            for s in seen
            if self._was_seen_there(s)
            or self._changed_lately(s) > _CHANGED
            or (
                is_plain_die(s.kind, s.found)
                and not self._looks_as_at_first(image, s, [*read, *kept])
            )
        ]

    def _is_ground_print(
        self, image: ImagePyramid, one: Sighting, seen: Sequence[Sighting]
    ) -> bool:
        """Whether it cannot be read for sure, and its place looks as when the table was first seen:
        cloths and magazines are full of things that look like cards and dice."""
        if one.label is not None and (one.kind == "card" or one.p >= _SURELY):
            return False
        return self._looks_as_at_first(image, one, seen)

    def _looks_as_at_first(
        self, image: ImagePyramid, one: Sighting, seen: Sequence[Sighting]
    ) -> bool:
        was = Portrait.of(image if self._ground is None else self._ground, self.plane, one.quad, ())
        return self._portrait(image, one, seen).is_like(was, _BARE)

    def lately_changed(self, within: Cells | None = None, changes: int = _LATELY) -> Cells:
        """The cells most of whose neighbours have changed with the last so many changes of the
        table; only those `within` these cells count."""
        if self._changed_at is None:
            return np.ones((1, 1), np.bool_)
        lately = self._changed_at > self._changes - changes
        if within is not None and within.shape == lately.shape:
            lately = lately & within
        return cv2.blur(lately.astype(np.float32), (3, 3)) > _CHANGED

    def unchanged(
        self, image: ImagePyramid, some: Sequence[Sighting], seen: Sequence[Sighting]
    ) -> list[Sighting]:
        """Those of `some` that need not be read again: they have been read often and surely, and
        they look as they did. `seen` is all that was seen last."""
        out: list[Sighting] = []
        for at, each in enumerate(self._remembered):
            one = each.one
            if each.times < _OFTEN or one.label is None or one.p < _SURELY:
                continue
            mine = next((s for s in some if _is_again(one, s)), None)
            if mine is None or mine in out:
                continue
            if self._portrait(image, one, seen).is_like(each.portrait):
                self._remembered[at] = replace(each, at=self._changes, missed=0)
                out.append(mine)
        return out

    def remember(
        self, image: ImagePyramid, read: Sequence[Sighting], kept: Sequence[Sighting]
    ) -> list[Sighting]:
        """Remember what was just read, beside what was kept from before. Gives it back, each thing
        found as surely as it ever was."""
        hiding = [s for s in (*read, *kept) if _hides(s)]
        near = _near(read, hiding)
        things = [(one.quad, _beside(one, some)) for one, some in zip(read, near, strict=True)]
        drawn = Portrait.of_all(image, self.plane, things)
        return [
            self._remember_one(one, portrait) for one, portrait in zip(read, drawn, strict=True)
        ]

    def overlooked(self, image: ImagePyramid, seen: Sequence[Sighting]) -> list[Sighting]:
        """Things that must still lie there though they are not `seen` now, or not in their place.

        They have often been seen, and what is in view of them looks as it did. Half a card under
        another is hard to find and hard to place.
        """
        out = []
        for at, each in enumerate(self._remembered):
            if each.times < (_OFTEN_IF_SURE if each.one.p >= _SURELY else _OFTEN):
                continue
            if each.one.label is None or any(self._is_well_seen(each.one, s) for s in seen):
                continue
            missed = each.missed + (not any(_is_again(each.one, s) for s in seen))
            self._remembered[at] = replace(each, missed=missed)
            now = self._portrait(image, each.one, seen)
            would_be_seen = not now.beside and missed > _MOST_MISSED
            if not would_be_seen and now.is_like(each.portrait):
                out.append(each.one)
        return out

    def _portrait(self, image: ImagePyramid, one: Sighting, seen: Sequence[Sighting]) -> Portrait:
        return Portrait.of(image, self.plane, one.quad, _beside(one, seen))

    def _is_well_seen(self, one: Sighting, other: Sighting) -> bool:
        """Whether the other is this very thing, in its place; or elsewhere, if the deck has its
        face only once."""
        if one.label != other.label or one.kind != other.kind:
            return False
        moved = (
            one.kind == "card" and not self.several(one.label) and not is_misplaced_copy(other, one)
        )
        return moved or dist(one.middle, other.middle) < _IN_PLACE_MM

    def _was_seen_there(self, one: Sighting) -> bool:
        """Whether something was seen there before."""
        return any(dist(one.middle, old.one.middle) < _SAME_PLACE_MM for old in self._remembered)

    def _is_known(self, one: Sighting) -> bool:
        """Whether it was seen there before, with the same label."""
        return any(_is_again(one, old.one) for old in self._remembered)

    def _changed_lately(self, one: Sighting) -> float:
        return self._changed_share(one, self._changes - _LATELY)

    def _remember_one(self, one: Sighting, portrait: Portrait) -> Sighting:
        before = next((each for each in self._remembered if _is_again(one, each.one)), None)
        now = _Remembered(one, self._changes, 1, portrait)
        if before is not None:
            self._remembered.remove(before)
            found = max(one.found, before.one.found)
            one = replace(one, found=found)
            now = replace(now, one=one, times=before.times + 1)
            if before.one.p >= one.p and not self._changed_share(before.one, before.at):
                # Nobody has moved it since, so it lies where it was seen best.
                one = replace(one, quad=before.one.quad, turn=before.one.turn)
                best = replace(before.one, found=found)
                now = replace(now, one=best, portrait=before.portrait)
        self._remembered = [*self._remembered, now][-_MOST:]
        return one

    def _changed_share(self, one: Sighting, since: int) -> float:
        """The share of its place that has changed after the change of that number."""
        if self._changed_at is None:
            return 1.0
        of_it = self._changed_at[cell_mask(self._changed_at, one, self.plane) > 0]
        return float((of_it > since).mean()) if len(of_it) else 1.0


def is_plain_die(kind: str, found: float) -> bool:
    """Whether it is a die that was found plainly."""
    return kind == "die" and found >= _PLAIN_DIE


def cell_mask(cells: Cells, one: Sighting, plane: Plane) -> Cells:
    """An array like `cells` with ones where the thing lies."""
    mask = np.zeros(cells.shape, np.uint8)
    at = plane.pixels(np.array(one.quad))
    cv2.fillConvexPoly(mask, np.round(at / STRIDE).astype(np.int32), 1)
    return mask


def _hides(one: Sighting) -> bool:
    """Whether something may lie under it, because it is surely a card."""
    return one.kind == "card" and one.label is not None and one.p >= _SURELY


def _beside(one: Sighting, others: Sequence[Sighting]) -> list[Sighting]:
    """Other cards that may lie over part of it. The card under a token, far larger, does not."""
    return [
        other
        for other in others
        if meet(one, other) and _hides(other)
        if area(other) < 2 * area(one) and not is_misplaced_copy(other, one)
    ]


def _near(some: Sequence[Sighting], others: Sequence[Sighting]) -> list[list[Sighting]]:
    """For each of `some`, those of the others whose bounding boxes meet its own. All at once costs
    far less than one by one."""
    if not some or not others:
        return [[] for _ in some]
    a, b = (np.array([box_about(one.quad) for one in each]) for each in (some, others))
    apart = (a[:, None, :2] >= b[:, 2:]) | (b[:, :2] >= a[:, None, 2:])
    return [list(compress(others, row)) for row in ~np.logical_or.reduce(apart, 2)]


def lies_over(one: Sighting, other: Sighting) -> bool:
    """Whether it would hide a good part of the other, if that is of about its size."""
    size = area(one)
    if not meet(one, other) or not 0.5 < size / max(area(other), 1.0) < 2.0:
        return False
    a, b = (np.array(each.quad, np.float32) for each in (one, other))
    return cv2.intersectConvexConvex(a, b)[0] > _HIDES * size


def is_misplaced_copy(one: Sighting, other: Sighting) -> bool:
    """Whether it is the other, badly placed: nobody lays a card so exactly over its like."""
    near = _MISPLACED * min(dist(one.quad[0], one.quad[1]), dist(one.quad[1], one.quad[2]))
    same = one.label is not None and one.label == other.label and one.kind == other.kind
    return same and dist(one.middle, other.middle) < near


def _is_again(one: Sighting, other: Sighting) -> bool:
    """Whether both are one thing seen twice."""
    return one.label == other.label and dist(one.middle, other.middle) < _SAME_PLACE_MM
