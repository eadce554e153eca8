"""The observer: turns a camera's frames into what lies on the table.

It looks only when the table is still, and only at what has changed; everything else it remembers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import dist

import cv2
import numpy as np

from companion.foundation.frames import Frame
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Box, Corner, Motion, Sighting
from companion.vision.calibration import Plane, is_marker
from companion.vision.crops import Image, ImagePyramid, corners
from companion.vision.decks import Deck
from companion.vision.detecting.finding import Detection
from companion.vision.look import find_on_table
from companion.vision.observing.card_sizes import CardSizes
from companion.vision.observing.change_detection import card_changes, changed_share, token_changes
from companion.vision.observing.gate import STRIDE, Gate
from companion.vision.observing.occluded_card import ThrownCards, find_occluded_card
from companion.vision.observing.scene_memory import (
    Cells,
    SceneMemory,
    cell_mask,
    is_misplaced_copy,
    is_plain_die,
    lies_over,
)
from companion.vision.plausibility import without_duplicates
from companion.vision.reading.cards import LiveTable, quarter_turn, read
from companion.vision.reading.dice import CARD_NAMED
from companion.vision.reading.tokens import (
    TOKEN_MAX_MM,
    Mask,
    Points,
    TokenPlaces,
    grid_over,
    token_size,
)

_ROOM_MM = 60.0
"""How far around a change is looked at, so that a whole card is in view."""
_SCALES = (1.0, 1.13, 0.9)
"""The scales of one look after the other: the same look again would overlook the same things."""
_LEAST_SIDE_PX = 16
"""A part of the picture smaller than this is not looked at."""
_SAME_SPOT_MM = 2.5
"""A card found nearer than this to where one lay is that card."""
_SAME_SMALL_MM = 8.0
"""Something small found nearer than this to where one was seen is that thing."""
_SURELY = 0.97
"""A card read at least this surely is read again where it lay, even if it is not found."""
_INNER = 0.6
"""The share of a token's side that is compared with the picture before ..."""
_DIFFERS = 0.5
"""... and the share of that square that must have changed for a token to have come."""
_CARRIED_MM = 60.0
"""A card seen further than this from where it lay was carried, not pushed."""
_GONE_WITH_IT = 2
"""If so many more cards went with a carried one, the question is which of them lies under it."""
_SHIFT = 0.38
"""By how much of a step the grid of places for tokens is shifted with every look ..."""
_LOOKS_FOR_TOKENS = 3
"""... and how many looks after a change that helps."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The table at one moment. Quads are in the mat's millimetres."""

    number: int
    taken_at: float
    motion: Motion
    sightings: tuple[Sighting, ...]
    looked: bool
    """Whether anything was looked at anew; else the sightings are those of before."""
    part: Box | None = None
    """The part of the table that was looked at anew; None if it was all of it, or nothing."""


@dataclass(slots=True, eq=False)
class Observer:
    """Watches one table through one camera, frame by frame."""

    deck: Deck
    plane: Plane
    _gate: Gate = field(default_factory=Gate)
    _seen: tuple[Sighting, ...] = ()
    """What lies on the table, as of the last look."""
    _looks: int = 0
    """How often another look was asked for: each is a little different."""
    _part: Cells | None = None
    """The cells looked at last."""
    _again: bool = False
    """Whether to look at those cells once more ..."""
    _everywhere: bool = False
    """... or at the whole table."""
    _memory: SceneMemory = field(init=False)
    _before: Image | None = None
    """The frame of the last look."""
    _left: tuple[Image, tuple[Sighting, ...]] | None = None
    """The frame before the last change, and what was seen there."""
    _thrown: ThrownCards | None = None
    """Cards that were thrown on a pile together with the last change."""
    _under: Sighting | None = None
    """The one of them that lies under another, if that can be told."""
    _arrivals: list[Detection] = field(default_factory=list)
    """Where something of a piece's size came or went with the last change."""
    _share: Points | None = None
    """For every pixel, how much of a token lying there would have changed with the last change."""
    _scans: int = 0
    """How often the table was looked at since the last change."""
    _sizes: CardSizes = field(default_factory=CardSizes)
    """What is known of the cards' size, if their deck does not say it."""

    def __post_init__(self) -> None:
        self._memory = SceneMemory(self.plane, self.deck.several)

    def observe(self, frame: Frame) -> Observation:
        """Take the next frame, and say what lies on the table."""
        motion = self._gate.step(frame.pixels)
        looked = motion is Motion.STILL and self._look_if_changed(frame.pixels)
        part = self._part_in_mm(frame.pixels) if looked else None
        seen = self._seen if self._under is None else (*self._seen, self._under)
        return Observation(frame.number, frame.taken_at, motion, seen, looked, part)

    def _look_if_changed(self, image: Image) -> bool:
        """Look at what changed on a still table, or was asked for; whether there was anything."""
        cells = self._gate.changed()
        self._memory.note_change(cells)
        if cells.any():
            self._left = None if self._before is None else (self._before, self._seen)
            self._arrivals, self._scans = self._arrived(image), 0
        self._add_what_was_asked_for(cells)
        if not cells.any():
            return False
        self._seen = self._look(image, cells)
        self._gate.settle()
        self._find_card_under(image)
        self._learn_size()
        self._before = image
        self._part, self._again, self._everywhere = cells, False, False
        return True

    def _learn_size(self) -> None:
        """Once cards that lie alone have told how large this deck's are, look for cards of that
        size."""
        if self.deck.sizes:
            return
        self._sizes.measure(self._seen)
        if (size := self._sizes.size) is not None:
            self.deck = replace(self.deck, sizes=(size,))

    def _add_what_was_asked_for(self, cells: Cells) -> None:
        if self._again and self._part is not None and self._part.shape == cells.shape:
            cells |= self._part
        if self._everywhere:
            cells[:] = True

    def _arrived(self, image: Image) -> list[Detection]:
        """Where tokens or cards may have come; found only if the deck has tokens."""
        mm = token_size(self.deck)
        self._share = None
        if mm is None or self._before is None:
            return []
        self._share = changed_share(self._before, image, _INNER * mm * self.plane.px_per_mm)
        cards = [size for size in self.deck.sizes if size[0] >= TOKEN_MAX_MM]
        return [
            *token_changes(self._before, image, self.plane, mm),
            *card_changes(self._before, image, self.plane, cards),
        ]

    def again(self, *, everywhere: bool = False) -> None:
        """Look once more at what was looked at last, or at the whole table."""
        self._again, self._everywhere = True, everywhere
        self._looks += 1

    def forget(self) -> None:
        """Forget all and look anew: the camera was moved, or another deck is on the table."""
        self._seen, self._memory = (), SceneMemory(self.plane, self.deck.several)
        self._before, self._arrivals, self._share = None, [], None
        self._left = self._thrown = self._under = None
        self._looks += 1
        self._gate.look_anew()

    def use(self, deck: Deck | None = None, plane: Plane | None = None) -> None:
        """From now on with this deck, or in this plane."""
        self.deck, self.plane = deck or self.deck, plane or self.plane
        self._sizes = CardSizes()
        self.forget()

    def _look(self, image: Image, changed: Cells) -> tuple[Sighting, ...]:
        """All that lies there now: what is as before, and what is read where something changed."""
        box = self._region(image, changed)
        if box is None:
            return self._seen
        self._scans += 1
        scale = _SCALES[self._looks % len(_SCALES)]
        pyramid = ImagePyramid(image)
        detections = find_on_table(pyramid, self.deck, self.plane, scale, box)
        kept = [s for s in self._seen if not self._may_differ(s, changed, box)]
        doubtful = [s for s in self._seen if s not in kept]
        kept += self._memory.unchanged(pyramid, doubtful, self._seen)
        missed = self._missed([s for s in doubtful if s not in kept], detections.found)
        fresh = self._worth_reading([*detections.found, *self._arrivals, *missed], kept)
        tokens = TokenPlaces() if token_size(self.deck) is None else self._for_tokens(kept, changed)
        named = [s for s in kept if s.kind == "card" and s.label is not None and s.p >= CARD_NAMED]
        table = LiveTable(self.plane, detections.heatmap, tokens, self._in_px(named))
        seen = self._without_duplicates(self._in_mm(read(pyramid, fresh, self.deck, table)))
        seen = self._memory.plausible(pyramid, seen, kept)
        kept += self._memory.overlooked(pyramid, [*kept, *seen])
        seen = [s for s in seen if not any(is_misplaced_copy(s, other) for other in kept)]
        anew = self._memory.remember(pyramid, seen, kept)
        return tuple(self._without_duplicates([*kept, *anew]))

    def _find_card_under(self, image: Image) -> None:
        """Find out which card, if any, was thrown on a pile under another with the last change.

        Of the same cards this is found out once; it holds until the upper card goes.
        """
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
            self._under = find_occluded_card(before, image, self.plane, thrown)

    def _thrown_together(self) -> ThrownCards | None:
        """One card that lies elsewhere now, and two more that went with it: one of the two may lie
        under the first. None if the last change was another one."""
        if self._left is None:
            return None
        lay = [s for s in self._left[1] if self._exists_once(s)]
        now = {s.label: s for s in self._seen}
        moved = [
            s for s in lay if s.label in now and dist(s.middle, now[s.label].middle) > _CARRIED_MM
        ]
        if len(moved) != 1 or not self._exists_once(now[moved[0].label]):
            return None
        upper = now[moved[0].label]
        gone = [s for s in lay if s.label not in now and not lies_over(upper, s)]
        return ThrownCards(upper, moved[0], tuple(gone)) if len(gone) == _GONE_WITH_IT else None

    def _exists_once(self, one: Sighting) -> bool:
        """Whether it is surely a card whose face the deck has only once."""
        named = one.kind == "card" and one.label is not None and one.p >= CARD_NAMED
        return named and not self.deck.several(one.label)

    def _without_duplicates(self, seen: Sequence[Sighting]) -> list[Sighting]:
        return without_duplicates(seen, self.deck.several, side_by_side=self.deck.side_by_side)

    def _missed(self, lay: Sequence[Sighting], found: Sequence[Detection]) -> list[Detection]:
        """Cards that were surely read a look ago and are not found now, to be read where they lay.

        The half of a card that others leave in view is found by some looks only, but whenever it is
        read it reads the same.
        """
        lay = [s for s in lay if s.kind == "card" and s.label is not None and s.p >= _SURELY]
        at = self._places([f for f in found if f.kind == "card"])
        lost = [s for s in lay if not any(dist(s.middle, mm) < _SAME_SMALL_MM for mm in at)]
        px = self._in_px(lost)
        return [Detection("card", s.found, quad) for s, quad in zip(lost, px, strict=True)]

    def _worth_reading(
        self, found: Sequence[Detection], kept: Sequence[Sighting]
    ) -> list[Detection]:
        """The finds to be read: no markers of the mat, nothing that is known already, and no small
        thing where nothing has changed."""
        at = self._places(found)
        small = [f.side < TOKEN_MAX_MM * self.plane.px_per_mm for f in found]
        tokens = [s.middle for s in self._seen if s.kind == "card" and _is_small(s)]
        dice = [s.middle for s in self._seen if s.kind == "die"]
        middles = np.array([f.middle for f in found]).reshape(-1, 2)
        new = _true_at(middles, self._memory.lately_changed())
        return [
            f
            for f, mm, is_small, is_new in zip(found, at, small, new, strict=True)
            if not (self._on_mat and is_marker(mm))
            and not _is_one_of(f, mm, kept)
            and not (is_small and _is_near(mm, tokens))
            and (not is_small or is_new or is_plain_die(f.kind, f.sure) or _is_near(mm, dice))
        ]

    def _for_tokens(self, kept: Sequence[Sighting], changed: Cells) -> TokenPlaces:
        """Where tokens may lie: wherever something has changed, and where they lay before."""
        cards = [s for s in self._seen if s.kind == "card"]
        small = [s for s in cards if _is_small(s)]
        large = [s for s in cards if not _is_small(s) and s.label is not None]
        new = self._new_cells([s for s in kept if s.kind == "die" or s in small], changed)
        shifted = self._looks * _SHIFT % 1.0
        quads = [(quad, self.deck.bears(s.label), s) for quad, s in self._with_px(large)]
        beside = grid_over(new, STRIDE, self.plane.px_per_mm, shifted)
        return TokenPlaces(
            bearing=tuple(quad for quad, bears, _ in quads if bears),
            lying=tuple((quad, bears) for quad, bears, s in quads if s in kept),
            beside=beside[self._changed_at(beside)],
            before=tuple(quad.mean(0) for quad, s in self._with_px(small) if s not in kept),
            fresh=lambda places: _true_at(places, new) & self._changed_at(places),
            shifted=shifted,
        )

    def _new_cells(self, known: Sequence[Sighting], changed: Cells) -> Cells:
        """The cells that changed with the last change, without those of dice and tokens that are
        known; after a few looks for tokens none."""
        new = self._memory.lately_changed(changed, 1 if self._scans <= _LOOKS_FOR_TOKENS else 0)
        for one in known:
            new &= cell_mask(new, one, self.plane) == 0
        return new

    def _with_px(self, seen: Sequence[Sighting]) -> Iterator[tuple[Points, Sighting]]:
        """The sightings, each with its quad in pixels."""
        return zip(self._in_px(seen), seen, strict=True)

    def _changed_at(self, places: Points) -> Mask:
        """At which places a token may have come with the last change, as far as pixels tell."""
        if self._share is None:
            return np.ones(len(places), np.bool_)
        rows, columns = self._share.shape
        column, row = np.round(places).astype(int).T
        out: Mask = self._share[row.clip(0, rows - 1), column.clip(0, columns - 1)] > _DIFFERS
        return out

    def _in_px(self, seen: Sequence[Sighting]) -> list[Points]:
        return [self.plane.pixels(np.array(one.quad)) for one in seen]

    @property
    def _on_mat(self) -> bool:
        """Whether the printed mat is what it looks at."""
        return self.plane.extent == MAT

    def _places(self, found: Sequence[Detection]) -> list[list[float]]:
        """Where on the mat, in millimetres, their middles are."""
        if not found:
            return []
        return self.plane.table(np.array([f.middle for f in found])).tolist()

    def _region(self, image: Image, changed: Cells) -> tuple[int, int, int, int] | None:
        """The box about the changed cells, in pixels, with room about it, cut to the mat; None if
        hardly anything is left of it."""
        x, y, w, h = cv2.boundingRect(changed.astype(np.uint8))
        room = _ROOM_MM * self.plane.px_per_mm
        mat = self.plane.pixels(corners(*self.plane.extent).astype(np.float64))
        low, high = mat.min(0) - room / 3, mat.max(0) + room / 3
        left = max(0, x * STRIDE - room, low[0])
        top = max(0, y * STRIDE - room, low[1])
        right = min(image.shape[1], (x + w) * STRIDE + room, high[0])
        bottom = min(image.shape[0], (y + h) * STRIDE + room, high[1])
        if right - left < _LEAST_SIDE_PX or bottom - top < _LEAST_SIDE_PX:
            return None
        return int(left), int(top), int(right), int(bottom)

    def _may_differ(self, one: Sighting, changed: Cells, box: tuple[int, int, int, int]) -> bool:
        """Whether it has to be found again: it lies where something changed, and all of it is in
        the box that is looked at. (Half a card would not be found.) Whatever else was seen still
        lies there."""
        at = self.plane.pixels(np.array(one.quad))
        if (at < box[:2]).any() or (at >= box[2:]).any():
            return False
        return bool((changed & (cell_mask(changed, one, self.plane) > 0)).any())

    def _part_in_mm(self, image: Image) -> Box | None:
        """The box on the mat that was looked at last; None if it was the whole table."""
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
    """Whether it is among what is seen, where it lay."""
    return any(s.label == one.label and dist(s.middle, one.middle) < _SAME_SMALL_MM for s in seen)


def _is_near(at: Sequence[float], others: Sequence[Corner]) -> bool:
    return any(dist(at, other) < _SAME_SMALL_MM for other in others)


def _is_small(one: Sighting) -> bool:
    return dist(one.quad[0], one.quad[1]) < TOKEN_MAX_MM


def _is_one_of(found: Detection, at: Sequence[float], kept: Sequence[Sighting]) -> bool:
    return any(one.kind == found.kind and dist(one.middle, at) < _SAME_SPOT_MM for one in kept)
