"""Scoring: what was seen in photographs, compared with what is known to be in them.

A thing whose region is known is found by a sighting if each one's middle lies in the other. Things
without a region are compared by their labels alone. A label of one letter is a rank: any suit fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.vision.manifests import ManifestEntry, Marked

COUNTS = ("images", "images_right", "objects", "right", "wrong", "unsure", "missed", "false")
_COUNTED = 0.5
"""Sightings less probable than this are not counted."""
_BINS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
"""The probabilities between which sightings are put together to see how reliable they are."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One picture: what is known to be in it beside what was seen."""

    pairs: tuple[tuple[Marked, Sighting | None], ...]
    """Every known thing and the sighting of it;"""
    strays: tuple[Sighting, ...]
    """and sightings with a label of nothing that is there."""


@dataclass(slots=True)
class Score:
    """Adds up picture after picture."""

    counts: Counter[str] = field(default_factory=Counter)
    """By the names in `COUNTS`."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What a thing is and what it was taken for, for everything not read right."""

    said: list[tuple[float, bool]] = field(default_factory=list)
    """For every label given: how probable it was said to be, and whether it was right. One given
    to nothing that is there is not."""

    def reliability(self) -> list[tuple[float, float, int]]:
        """For each bin of probabilities: the mean that was said, the share that was right, and how
        many there are."""
        return reliability(self.said)

    def figures(self) -> dict[str, float]:
        c = self.counts
        out: dict[str, float] = {name: c[name] for name in COUNTS}
        out["recall"] = round(c["right"] / max(1, c["objects"]), 4)
        out["precision"] = round(c["right"] / max(1, c["right"] + c["wrong"] + c["false"]), 4)
        return out

    def add(self, entry: ManifestEntry, seen: Sequence[Sighting]) -> bool:
        """Count one picture; whether everything in it was right."""
        both = compared(entry, seen)
        rights = [self._counted(thing, one) for thing, one in both.pairs]
        self.said += [(one.p, False) for one in both.strays]
        clean = all(rights) and not both.strays
        self.counts["false"] += len(both.strays)
        self.counts["objects"] += len(rights)
        self.counts["images"] += 1
        self.counts["images_right"] += clean
        return clean

    def _counted(self, thing: Marked, one: Sighting | None) -> bool:
        right = one is not None and same(thing.label, one.label)
        if one is not None and one.label is not None:
            self.said.append((one.p, right))
        if right:
            self.counts["right"] += 1
            return True
        taken_for = "not found" if one is None else "none" if one.label is None else str(one.label)
        kinds = {"not found": "missed", "none": "unsure"}
        self.counts[kinds.get(taken_for, "wrong")] += 1
        self.confusions[str(thing.label), taken_for] += 1
        return False


def reliability(said: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """As `Score.reliability`, of labels of any pictures."""
    out = []
    for low, high in pairwise(_BINS):
        here = [(p, right) for p, right in said if low <= p < high]
        if here:
            mean = sum(p for p, _ in here) / len(here)
            share = sum(right for _, right in here) / len(here)
            out.append((round(mean, 3), round(share, 3), len(here)))
    return out


def compared(entry: ManifestEntry, seen: Sequence[Sighting]) -> Compared:
    """What is in the picture beside what was seen there with some probability."""
    free = sorted((s for s in seen if s.p >= _COUNTED), key=lambda s: -s.p)
    if entry.objects and _region(entry.objects[0]) is None:
        return _by_label(entry, free)
    return _by_place(entry, free)


def _by_label(entry: ManifestEntry, free: list[Sighting]) -> Compared:
    left, pairs = list(free), []
    for thing in entry.objects:
        match = next((s for s in left if same(thing.label, s.label)), None)
        if match is None and len(free) == len(entry.objects) == 1:
            match = left[0]  # one thing, one sighting: it is that, whatever it was taken for
        if match is not None:
            left.remove(match)
        pairs.append((thing, match))
    return Compared(tuple(pairs), tuple(s for s in left if s.label is not None))


def _by_place(entry: ManifestEntry, free: list[Sighting]) -> Compared:
    """Right ones first, then the nearest: a fanned card is not its neighbour's fault."""
    rows = [
        (not same(thing.label, one.label), far, i, j)
        for i, thing in enumerate(entry.objects)
        for j, one in enumerate(free)
        if (far := _apart(thing, one)) is not None
    ]
    met: dict[int, int] = {}
    for _, _, i, j in sorted(rows):
        if i not in met and j not in met.values():
            met[i] = j
    pairs = tuple((o, free[met[i]] if i in met else None) for i, o in enumerate(entry.objects))
    left = [s for j, s in enumerate(free) if j not in met.values() and s.label is not None]
    return Compared(pairs, tuple(left) if entry.complete else ())


def _apart(thing: Marked, one: Sighting) -> float | None:
    """How far apart their middles are, if each lies in the other."""
    area = _region(thing)
    if area is None or not _in(area.mean(0), one.quad) or not _in(one.middle, area):
        return None
    return float(np.hypot(*(area.mean(0) - one.middle)))


def _region(o: Marked) -> np.ndarray | None:
    if o.polygon is not None:
        return np.array(o.polygon, np.float64)
    if o.bbox is not None:
        x, y, w, h = o.bbox
        return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64)
    return None


def _in(point: Sequence[float] | np.ndarray, polygon: Any) -> bool:
    shape = np.array(polygon, np.float32)
    return cv2.pointPolygonTest(shape, (float(point[0]), float(point[1])), False) >= 0


def same(truth: object, label: object) -> bool:
    """Whether a label is right. A joker left unnamed is right, too: decks differ in theirs."""
    is_, said = str(truth), None if label is None else str(label)
    if is_.lower().startswith("joker"):
        return said is None or said.lower().startswith("joker")
    if said is None:
        return False
    rank = len(is_) == 1 and len(said) == 2 and said[0] == is_ and said[1] in "SHDC"
    return is_ == said or rank
