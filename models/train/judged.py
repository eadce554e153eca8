"""Judges the shipped models on rendered tables no training has seen.

Prints one row per bar of models/README.md; `--plots DIR` also draws how accuracy falls with
distance, blur, light and overlap.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from companion.sim.scene import Truth
from companion.sim.tables import GOOD, HARD, Table, plane_of, table
from companion.table import Sighting
from companion.vision import decks
from companion.vision.decks import Deck
from companion.vision.looking import look
from companion.vision.observing import FINDER_PX_PER_MM

_SEEN = 0.35
"""Things with less than this in view are not asked for."""


def judge(what: Table, deck: Deck, seeds: range, *, turns: bool = False) -> dict[str, float]:
    """Counts over rendered tables: right, wrong, missed, and sightings that are nothing."""
    counts = {"things": 0, "right": 0, "wrong": 0, "unsure": 0, "missed": 0, "ghosts": 0}
    for seed in seeds:
        picture, view = table(seed, what)
        scale = FINDER_PX_PER_MM / plane_of(view).px_per_mm
        seen = [s for s in look(picture.image, deck, scale=scale) if s.p >= 0.5]
        for truth in picture.truths:
            if truth.visible < _SEEN:
                continue
            counts["things"] += 1
            best = _there(truth, seen)
            if best is None:
                counts["missed"] += 1
                continue
            seen.remove(best)
            if best.label is None:
                counts["unsure"] += 1
            elif best.label == truth.label and (not turns or _same_turn(truth, best)):
                counts["right"] += 1
            else:
                counts["wrong"] += 1
        hidden = [t for t in picture.truths if t.visible < _SEEN]
        counts["ghosts"] += sum(
            s.label is not None and not any(_near(t, s) for t in hidden) for s in seen
        )
    n = max(1, counts["things"])
    return {
        **counts,
        "right %": round(100 * counts["right"] / n, 2),
        "wrong %": round(100 * counts["wrong"] / n, 2),
    }


def _there(truth: Truth, seen: list[Sighting]) -> Sighting | None:
    near = [s for s in seen if s.kind == truth.kind and _near(truth, s)]
    return min(
        near, key=lambda s: np.hypot(*(np.array(s.middle) - truth.quad.mean(0))), default=None
    )


def _near(truth: Truth, one: Sighting) -> bool:
    side = np.linalg.norm(truth.quad[1] - truth.quad[0])
    return bool(np.hypot(*(np.array(one.middle) - truth.quad.mean(0))) < 0.3 * side)


def _same_turn(truth: Truth, one: Sighting) -> bool:
    """The first corner is where it should be, within a quarter of the card."""
    side = np.linalg.norm(truth.quad[1] - truth.quad[0])
    return bool(np.linalg.norm(np.array(one.quad[0]) - truth.quad[0]) < 0.35 * side)


BARS: dict[str, Callable[[range], dict[str, float]]] = {
    "odin, apart, 1280x720": lambda r: judge(Table("odin"), decks.named("odin"), r),
    "odin, apart, 2304x1296": lambda r: judge(
        Table("odin", size=(2304, 1296)), decks.named("odin"), r
    ),
    "odin, 50 % covered, 1280x720": lambda r: judge(
        Table("odin", overlap=0.5), decks.named("odin"), r
    ),
    "odin, 50 % covered, 2304x1296": lambda r: judge(
        Table("odin", overlap=0.5, size=(2304, 1296)), decks.named("odin"), r
    ),
    "odin, hard light": lambda r: judge(Table("odin", light=HARD), decks.named("odin"), r),
    "valhalla": lambda r: judge(Table("valhalla"), decks.named("valhalla"), r),
    "valhal, turned": lambda r: judge(Table("valhal"), decks.named("valhal"), r, turns=True),
    "dice, 1 to 12": lambda r: judge(Table(cards=0, dice=8), decks.named("odin"), r),
    "strangers: playing cards to odin": lambda r: judge(
        Table("playing-cards"), decks.named("odin"), r
    ),
    "strangers: odin to playing cards": lambda r: judge(
        Table("odin"), decks.named("playing-cards"), r
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for name, run in BARS.items():
        if args.only in name:
            result = run(range(args.tables))
            print(
                json.dumps({"set": name, **result}) if args.json else f"{name:<36} {result}",
                flush=True,
            )


if __name__ == "__main__":
    main()


__all__ = ["BARS", "GOOD", "judge", "replace"]
