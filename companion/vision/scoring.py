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


@dataclass(slots=True)
class Score:
    """Adds up picture after picture."""

    counts: Counter[str] = field(default_factory=Counter)
    """By the names in `COUNTS`."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What a thing is and what it was taken for, for everything not read right."""

    said: list[tuple[float, bool]] = field(default_factory=list)
    """For every label given to a known thing: how probable it was said to be, and whether it was
    right."""

    def reliability(self) -> list[tuple[float, float, int]]:
        """For each bin of probabilities: the mean that was said, the share that was right, and how
        many there are."""
        out = []
        for low, high in pairwise(_BINS):
            here = [(p, right) for p, right in self.said if low <= p < high]
            if here:
                mean = sum(p for p, _ in here) / len(here)
                share = sum(right for _, right in here) / len(here)
                out.append((round(mean, 3), round(share, 3), len(here)))
        return out

    def figures(self) -> dict[str, float]:
        c = self.counts
        out: dict[str, float] = {name: c[name] for name in COUNTS}
        out["recall"] = round(c["right"] / max(1, c["objects"]), 4)
        out["precision"] = round(c["right"] / max(1, c["right"] + c["wrong"] + c["false"]), 4)
        return out

    def add(self, entry: ManifestEntry, seen: Sequence[Sighting]) -> bool:
        """Count one picture; whether everything in it was right."""
        objects = entry.objects
        free = sorted((s for s in seen if s.p >= _COUNTED), key=lambda s: -s.p)
        before = self.counts["right"], self.counts["false"]
        if objects and _region(objects[0]) is None:
            self._by_label(objects, free)
        else:
            self._by_place(entry, free)
        right = self.counts["right"] - before[0] == len(objects)
        clean = right and self.counts["false"] == before[1]
        self.counts["objects"] += len(objects)
        self.counts["images"] += 1
        self.counts["images_right"] += clean
        return clean

    def _by_label(self, objects: Sequence[Marked], free: list[Sighting]) -> None:
        left = [s.label for s in free]
        if len(objects) == 1 and free:
            self._said(objects[0].label, free[0])
        for o in objects:
            match = next((i for i, label in enumerate(left) if _same(o.label, label)), None)
            if match is not None:
                left.pop(match)
                self.counts["right"] += 1
            elif len(free) == len(objects) == 1:
                self._not_right(o.label, free[0].label)
                left = []
            else:
                self._missed(o.label)
        self.counts["false"] += sum(label is not None for label in left)

    def _by_place(self, entry: ManifestEntry, free: list[Sighting]) -> None:
        for o in entry.objects:
            best = _best_at(o, free)
            if best is None:
                self._missed(o.label)
                continue
            free.remove(best)
            self._said(o.label, best)
            if _same(o.label, best.label):
                self.counts["right"] += 1
            else:
                self._not_right(o.label, best.label)
        if entry.complete:
            self.counts["false"] += sum(s.label is not None for s in free)

    def _said(self, truth: object, one: Sighting) -> None:
        if one.label is not None:
            self.said.append((one.p, _same(truth, one.label)))

    def _missed(self, label: object) -> None:
        self.counts["missed"] += 1
        self.confusions[str(label), "not found"] += 1

    def _not_right(self, truth: object, label: object) -> None:
        self.counts["unsure" if label is None else "wrong"] += 1
        self.confusions[str(truth), "none" if label is None else str(label)] += 1


def _best_at(o: Marked, free: Sequence[Sighting]) -> Sighting | None:
    """The sighting of this thing: the first that is right, else the first at its place."""
    area = _region(o)
    if area is None:
        return None
    found = [s for s in free if _in(area.mean(0), s.quad) and _in(s.middle, area)]
    right = (s for s in found if _same(o.label, s.label))
    return next(right, found[0] if found else None)


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


def _same(truth: object, label: object) -> bool:
    """Whether a label is right. A joker left unnamed is right, too: decks differ in theirs."""
    is_, said = str(truth), None if label is None else str(label)
    if is_.lower().startswith("joker"):
        return said is None or said.lower().startswith("joker")
    if said is None:
        return False
    rank = len(is_) == 1 and len(said) == 2 and said[0] == is_ and said[1] in "SHDC"
    return is_ == said or rank
