"""The live loop's eye: looks at still tables only, at what changed only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion import zones
from companion.frames import Frame
from companion.table import Sighting
from companion.vision.calibrating import Plane
from companion.vision.cuts import Image, corners
from companion.vision.decks import Deck
from companion.vision.finding import Found, find
from companion.vision.gate import STRIDE, Gate, Motion
from companion.vision.looking import finder_scale, tidied
from companion.vision.networks import network
from companion.vision.reading import quarter_turn, read

_ROOM = 60.0
"""Millimetres looked at around a change, so that a whole card is in view."""
_NEARER = (1.0, 1.13, 0.9)
"""Whoever looks again looks from elsewhere: the same look would overlook the same."""
_SAME_SPOT = 2.5
"""Millimetres within which a card found again is the card it was."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The table at one moment: quads in the mat's millimetres."""

    number: int
    taken_at: float
    motion: Motion
    sightings: tuple[Sighting, ...]
    looked: bool
    """Whether anything was looked at anew; else the sightings are those of before."""


@dataclass(slots=True, eq=False)
class Observer:
    deck: Deck
    plane: Plane
    _gate: Gate = field(default_factory=Gate)
    _seen: tuple[Sighting, ...] = ()
    _looks: int = 0
    _part: npt.NDArray[Any] | None = None
    """The cells looked at last."""
    _again: bool = False

    def observe(self, frame: Frame) -> Observation:
        motion = self._gate.step(frame.pixels)
        looked = False
        if motion is Motion.STILL:
            changed = self._gate.changed()
            if self._again and self._part is not None and self._part.shape == changed.shape:
                changed |= self._part
            if changed.any():
                self._seen = self._look(frame.pixels, changed)
                self._gate.settle()
                self._part, self._again = changed, False
                looked = True
        return Observation(frame.number, frame.taken_at, motion, self._seen, looked)

    def again(self) -> None:
        """Look once more at what was looked at last."""
        self._again = True
        self._looks += 1

    def forget(self) -> None:
        """Look at everything anew: the camera was moved, or another deck is on the table."""
        self._seen = ()
        self._looks += 1
        self._gate.look_anew()

    def use(self, deck: Deck | None = None, plane: Plane | None = None) -> None:
        self.deck, self.plane = deck or self.deck, plane or self.plane
        self.forget()

    def _look(self, image: Image, changed: npt.NDArray[Any]) -> tuple[Sighting, ...]:
        box = self._region(image, changed)
        if box is None:
            return self._seen
        left, top, right, bottom = box
        part = np.ascontiguousarray(image[top:bottom, left:right])
        scale = finder_scale(self.deck, self.plane) * _NEARER[self._looks % len(_NEARER)]
        found = [
            Found(f.kind, f.sure, f.quad + (left, top))
            for f in find(part, network("detector"), scale)
        ]
        found = [f for f in found if not self._is_marker(f)]
        outside = [s for s in self._seen if not self._within(s, box)]
        fresh, kept = self._split(found, changed)
        anew = [self._in_mm(s) for s in read(image, fresh, self.deck, self.plane)]
        return tuple(tidied([*outside, *kept, *anew], self.deck.several))

    def _is_marker(self, found: Found) -> bool:
        """A marker looks like a small card or a die; it is where the mat has one."""
        x, y = self.plane.table(found.middle[None])[0]
        squares = [(*at, zones.MARKER) for at in zones.MARKERS.values()]
        return any(
            left <= x <= left + side and top <= y <= top + side
            for left, top, side in (*squares, (*zones.SHEET_MARK_AT, zones.SHEET_MARK))
        )

    def _region(self, image: Image, changed: npt.NDArray[Any]) -> tuple[int, int, int, int] | None:
        """The changed cells' box in pixels, with room about it, cut to the mat."""
        x, y, w, h = cv2.boundingRect(changed.astype(np.uint8))
        room = _ROOM * self.plane.px_per_mm
        mat = self.plane.pixels(corners(*zones.MAT).astype(np.float64))
        low, high = mat.min(0) - room / 3, mat.max(0) + room / 3
        left = max(0, x * STRIDE - room, low[0])
        top = max(0, y * STRIDE - room, low[1])
        right = min(image.shape[1], (x + w) * STRIDE + room, high[0])
        bottom = min(image.shape[0], (y + h) * STRIDE + room, high[1])
        if right - left < 16 or bottom - top < 16:
            return None
        return int(left), int(top), int(right), int(bottom)

    def _within(self, one: Sighting, box: tuple[int, int, int, int]) -> bool:
        """Its middle lies in what was looked at anew."""
        (x, y) = self.plane.pixels(np.array([one.middle]))[0]
        return bool(box[0] <= x < box[2] and box[1] <= y < box[3])

    def _split(
        self, found: list[Found], changed: npt.NDArray[Any]
    ) -> tuple[list[Found], list[Sighting]]:
        """What must be read, and what lies untouched where it lay."""
        fresh, kept = [], []
        for one in found:
            before = self._known(one)
            if before is not None and not self._touched(one, changed):
                kept.append(before)
            else:
                fresh.append(one)
        return fresh, kept

    def _known(self, found: Found) -> Sighting | None:
        x, y = self.plane.table(found.middle[None])[0]
        for one in self._seen:
            if (
                one.kind == found.kind
                and np.hypot(one.middle[0] - x, one.middle[1] - y) < _SAME_SPOT
            ):
                return one
        return None

    def _touched(self, found: Found, changed: npt.NDArray[Any]) -> bool:
        mask = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(found.quad / STRIDE).astype(np.int32), 1)
        return bool((changed & (mask > 0)).any())

    def _in_mm(self, one: Sighting) -> Sighting:
        mm = self.plane.table(np.array(one.quad, np.float64))
        a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in mm)
        return replace(one, quad=(a, b, c, d), turn=quarter_turn(mm))
