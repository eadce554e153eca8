"""The live loop's eye: looks at still tables only, at what changed only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist

import cv2
import numpy as np

from companion.foundation.frames import Frame
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Box, Motion, Sighting
from companion.vision.calibration import Plane, is_mark
from companion.vision.crops import Halves, Image, corners
from companion.vision.decks import Deck
from companion.vision.detecting.finding import Found
from companion.vision.look import find_on_table, tidied
from companion.vision.observing.change_detection import (
    changed_share,
    changes_like_cards,
    small_changes,
)
from companion.vision.observing.gate import STRIDE, Gate
from companion.vision.observing.occluded_card import Thrown, beneath
from companion.vision.observing.scene_memory import (
    Cells,
    SceneMemory,
    filled,
    found_aside,
    is_plain_die,
    lies_over,
)
from companion.vision.reading.cards import Calibrated, quarter_turn, read
from companion.vision.reading.dice import NAMED
from companion.vision.reading.tokens import SMALL, Mask, Places, Points, over, token_size

_ROOM = 60.0
"""Millimetres looked at around a change, so that a whole card is in view."""
_NEARER = (1.0, 1.13, 0.9)
"""Whoever looks again looks from elsewhere: the same look would overlook the same."""
_SAME_SPOT = 2.5
"""Millimetres within which a card found again is the card it was."""
_REACH = 8.0
"""Millimetres within which something small is what was seen there."""
_SURELY = 0.97
"""A card read with at least this is read again where it lay, found or not."""
_INNER = 0.6
"""How much of a token's side is looked at for changes."""
_DIFFERS = 0.5
"""How much of that must have changed."""
_FAR = 60.0
"""Millimetres from where it lay at which a card was carried, not pushed."""
_PAIR = 2
"""How many more must have gone for it to be a question which of them lies under it."""
_SHIFT = 0.38
"""How much of a step further tokens are looked for on a card the next time."""
_OFTEN = 3
"""How often that helps."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The table at one moment: quads in the mat's millimetres."""

    number: int
    taken_at: float
    motion: Motion
    sightings: tuple[Sighting, ...]
    looked: bool
    """Whether anything was looked at anew; else the sightings are those of before."""
    part: Box | None = None
    """What of the table was looked at anew; None if it was all of it."""


@dataclass(slots=True, eq=False)
class Observer:
    deck: Deck
    plane: Plane
    _gate: Gate = field(default_factory=Gate)
    _seen: tuple[Sighting, ...] = ()
    _looks: int = 0
    _part: Cells | None = None
    """The cells looked at last."""
    _again: bool = False
    _everywhere: bool = False
    _memory: SceneMemory = field(init=False)
    _before: Image | None = None
    """The table last settled on."""
    _left: tuple[Image, tuple[Sighting, ...]] | None = None
    """The table as it was before the last change, and what was seen there."""
    _thrown: Thrown | None = None
    """What went on a pile with it, together,"""
    _under: Sighting | None = None
    """and the card among that which lies under another, if it can be told."""
    _arrivals: list[Found] = field(default_factory=list)
    """Where something of a piece's size came or went with the last change."""
    _share: Points | None = None
    """At every pixel, how much of a token that lay there would have changed with it."""
    _scans: int = 0
    """How often the table was looked at since then."""

    def __post_init__(self) -> None:
        self._memory = SceneMemory(self.plane, self.deck.several)

    def observe(self, frame: Frame) -> Observation:
        motion = self._gate.step(frame.pixels)
        looked = False
        if motion is Motion.STILL:
            changed = self._gate.changed()
            self._memory.changed(changed)
            if changed.any():
                self._left = None if self._before is None else (self._before, self._seen)
                self._arrivals, self._scans = self._arrived(frame.pixels), 0
            if self._again and self._part is not None and self._part.shape == changed.shape:
                changed |= self._part
            if self._everywhere:
                changed[:] = True
            if changed.any():
                self._seen = self._look(frame.pixels, changed)
                self._gate.settle()
                self._beneath(frame.pixels)
                self._before = frame.pixels
                self._part, self._again, self._everywhere = changed, False, False
                looked = True
        part = None if not looked or self._part is None else self._part_in_mm(frame.pixels)
        seen = self._seen if self._under is None else (*self._seen, self._under)
        return Observation(frame.number, frame.taken_at, motion, seen, looked, part)

    def _arrived(self, image: Image) -> list[Found]:
        mm = token_size(self.deck)
        self._share = None
        if mm is None or self._before is None:
            return []
        self._share = changed_share(self._before, image, _INNER * mm * self.plane.px_per_mm)
        cards = [size for size in self.deck.sizes if size[0] >= SMALL]
        return [
            *small_changes(self._before, image, self.plane, mm),
            *changes_like_cards(self._before, image, self.plane, cards),
        ]

    def again(self, *, everywhere: bool = False) -> None:
        """Look once more at what was looked at last, or at the whole table."""
        self._again, self._everywhere = True, everywhere
        self._looks += 1

    def forget(self) -> None:
        """Look at everything anew: the camera was moved, or another deck is on the table."""
        self._seen, self._memory = (), SceneMemory(self.plane, self.deck.several)
        self._before, self._arrivals, self._share = None, [], None
        self._left = self._thrown = self._under = None
        self._looks += 1
        self._gate.look_anew()

    def use(self, deck: Deck | None = None, plane: Plane | None = None) -> None:
        self.deck, self.plane = deck or self.deck, plane or self.plane
        self.forget()

    def _look(self, image: Image, changed: Cells) -> tuple[Sighting, ...]:
        box = self._region(image, changed)
        if box is None:
            return self._seen
        self._scans += 1
        nearer = _NEARER[self._looks % len(_NEARER)]
        halves = Halves(image)
        finds = find_on_table(halves, self.deck, self.plane, nearer, box)
        kept = [s for s in self._seen if not self._may_differ(s, changed, box)]
        doubtful = [s for s in self._seen if s not in kept]
        kept += self._memory.unchanged(halves, doubtful, self._seen)
        missed = self._missed([s for s in doubtful if s not in kept], finds.found)
        fresh = self._worth_reading([*finds.found, *self._arrivals, *missed], kept)
        tokens = Places() if token_size(self.deck) is None else self._for_tokens(kept, changed)
        named = [s for s in kept if s.kind == "card" and s.label is not None and s.p >= NAMED]
        table = Calibrated(self.plane, finds.warmth, tokens, self._in_px(named))
        seen = self._tidied(self._in_mm(read(halves, fresh, self.deck, table)))
        seen = self._memory.possible(halves, seen, kept)
        kept += self._memory.steady(halves, [*kept, *seen])
        seen = [s for s in seen if not any(found_aside(s, other) for other in kept)]
        anew = self._memory.noted(halves, seen, kept)
        return tuple(self._tidied([*kept, *anew]))

    def _beneath(self, image: Image) -> None:
        """Which card, if any, was thrown on a pile under another with the last change; told of the
        same cards once."""
        thrown = self._thrown_together()
        if thrown is None or self._left is None:
            if self._thrown is not None and not _lies_still(self._thrown.upper, self._seen):
                self._thrown = self._under = None
            return
        before, _ = self._left
        if self._thrown is not None and thrown.is_again(self._thrown):
            return
        self._thrown, self._under = thrown, None
        if before.shape == image.shape:
            self._under = beneath(before, image, self.plane, thrown)

    def _thrown_together(self) -> Thrown | None:
        """One card has come to lie elsewhere and two more have gone with it: one of them may lie
        under the first."""
        if self._left is None:
            return None
        lay = [s for s in self._left[1] if self._exists_once(s)]
        now = {s.label: s for s in self._seen}
        moved = [s for s in lay if s.label in now and dist(s.middle, now[s.label].middle) > _FAR]
        if len(moved) != 1 or not self._exists_once(now[moved[0].label]):
            return None
        upper = now[moved[0].label]
        gone = [s for s in lay if s.label not in now and not lies_over(upper, s)]
        return Thrown(upper, moved[0], tuple(gone)) if len(gone) == _PAIR else None

    def _exists_once(self, one: Sighting) -> bool:
        named = one.kind == "card" and one.label is not None and one.p >= NAMED
        return named and not self.deck.several(one.label)

    def _tidied(self, seen: Sequence[Sighting]) -> list[Sighting]:
        return tidied(seen, self.deck.several, side_by_side=self.deck.side_by_side)

    def _missed(self, lay: Sequence[Sighting], found: Sequence[Found]) -> list[Found]:
        """Cards that were read for sure a look ago and are not found now: the half of one that
        others leave in view is found by some looks only, but reads the same in all."""
        lay = [s for s in lay if s.kind == "card" and s.label is not None and s.p >= _SURELY]
        at = self._places([f for f in found if f.kind == "card"])
        lost = [s for s in lay if not any(dist(s.middle, mm) < _REACH for mm in at)]
        px = self._in_px(lost)
        return [Found("card", s.found, quad) for s, quad in zip(lost, px, strict=True)]

    def _worth_reading(self, found: Sequence[Found], kept: Sequence[Sighting]) -> list[Found]:
        """Neither a mark of the mat nor known, nor a small thing where nothing has changed."""
        at = self._places(found)
        small = [f.side < SMALL * self.plane.px_per_mm for f in found]
        tokens = [s.middle for s in self._seen if s.kind == "card" and _is_small(s)]
        dice = [s.middle for s in self._seen if s.kind == "die"]
        middles = np.array([f.middle for f in found]).reshape(-1, 2)
        new = _true_at(middles, self._memory.stirred())
        return [
            f
            for f, mm, is_small, is_new in zip(found, at, small, new, strict=True)
            if not is_mark(mm)
            and not _is_one_of(f, mm, kept)
            and not (is_small and any(dist(mm, at) < _REACH for at in tokens))
            and (
                not is_small
                or is_new
                or is_plain_die(f.kind, f.sure)
                or any(dist(mm, at) < _REACH for at in dice)
            )
        ]

    def _for_tokens(self, kept: Sequence[Sighting], changed: Cells) -> Places:
        """Wherever something has changed, and where they lay."""
        cards = [s for s in self._seen if s.kind == "card"]
        small = [s for s in cards if _is_small(s)]
        large = [s for s in cards if not _is_small(s) and s.label is not None]
        here = [s for s in kept if s.kind == "die" or s in small]
        new = self._memory.stirred(changed, 1 if self._scans <= _OFTEN else 0)
        for one in here:
            new &= filled(new, one, self.plane) == 0
        shifted = self._looks * _SHIFT % 1.0
        bears = [self.deck.bears(s.label) for s in large]
        px = self._in_px(large)
        beside = over(new, STRIDE, self.plane.px_per_mm, shifted)
        return Places(
            tuple(quad for quad, bearing in zip(px, bears, strict=True) if bearing),
            tuple((quad, b) for quad, b, s in zip(px, bears, large, strict=True) if s in kept),
            beside[self._changed_at(beside)],
            tuple(quad.mean(0) for quad in self._in_px([s for s in small if s not in kept])),
            lambda places: _true_at(places, new) & self._changed_at(places),
            shifted,
        )

    def _changed_at(self, places: Points) -> Mask:
        """Where a token may have come with the last change, as far as pictures tell."""
        if self._share is None:
            return np.ones(len(places), np.bool_)
        rows, columns = self._share.shape
        column, row = np.round(places).astype(int).T
        out: Mask = self._share[row.clip(0, rows - 1), column.clip(0, columns - 1)] > _DIFFERS
        return out

    def _in_px(self, seen: Sequence[Sighting]) -> list[Points]:
        return [self.plane.pixels(np.array(one.quad)) for one in seen]

    def _places(self, found: Sequence[Found]) -> list[list[float]]:
        """Where on the mat their middles are."""
        if not found:
            return []
        return self.plane.table(np.array([f.middle for f in found])).tolist()

    def _region(self, image: Image, changed: Cells) -> tuple[int, int, int, int] | None:
        """The changed cells' box in pixels, with room about it, cut to the mat."""
        x, y, w, h = cv2.boundingRect(changed.astype(np.uint8))
        room = _ROOM * self.plane.px_per_mm
        mat = self.plane.pixels(corners(*MAT).astype(np.float64))
        low, high = mat.min(0) - room / 3, mat.max(0) + room / 3
        left = max(0, x * STRIDE - room, low[0])
        top = max(0, y * STRIDE - room, low[1])
        right = min(image.shape[1], (x + w) * STRIDE + room, high[0])
        bottom = min(image.shape[0], (y + h) * STRIDE + room, high[1])
        if right - left < 16 or bottom - top < 16:
            return None
        return int(left), int(top), int(right), int(bottom)

    def _may_differ(self, one: Sighting, changed: Cells, box: tuple[int, int, int, int]) -> bool:
        """It lies where something changed, and all of it was looked at: of half a card nothing is
        found. Whatever else was seen lies there still, found again or not."""
        at = self.plane.pixels(np.array(one.quad))
        if (at < box[:2]).any() or (at >= box[2:]).any():
            return False
        return bool((changed & (filled(changed, one, self.plane) > 0)).any())

    def _part_in_mm(self, image: Image) -> Box | None:
        box = None if self._part is None or self._part.all() else self._region(image, self._part)
        if box is None:
            return None
        left, top, right, bottom = box
        at = [(left, top), (right, top), (right, bottom), (left, bottom)]
        mm = self.plane.table(np.array(at, np.float64))
        (x0, y0), (x1, y1) = mm.min(0), mm.max(0)
        return float(x0), float(y0), float(x1), float(y1)

    def _in_mm(self, seen: Sequence[Sighting]) -> list[Sighting]:
        """The sightings, with their corners where they are on the mat."""
        if not seen:
            return []
        px = np.array([one.quad for one in seen], np.float64)
        mm = self.plane.table(px.reshape(-1, 2)).reshape(-1, 4, 2)
        rounded = np.round(mm, 1).tolist()
        return [
            replace(one, quad=(tuple(a), tuple(b), tuple(c), tuple(d)), turn=quarter_turn(quad))
            for one, quad, (a, b, c, d) in zip(seen, mm, rounded, strict=True)
        ]


def _true_at(places: Points, cells: Cells) -> Mask:
    """Which places of the picture lie in cells that are true."""
    column, row = np.floor(places / STRIDE).astype(int).T
    rows, columns = cells.shape
    out: Mask = cells[row.clip(0, rows - 1), column.clip(0, columns - 1)]
    return out


def _lies_still(one: Sighting, seen: Sequence[Sighting]) -> bool:
    return any(s.label == one.label and dist(s.middle, one.middle) < _REACH for s in seen)


def _is_small(one: Sighting) -> bool:
    return dist(one.quad[0], one.quad[1]) < SMALL


def _is_one_of(found: Found, at: Sequence[float], kept: Sequence[Sighting]) -> bool:
    return any(one.kind == found.kind and dist(one.middle, at) < _SAME_SPOT for one in kept)
