"""Judges the shipped models on rendered tables no training has seen.

Prints one row per bar of models/README.md; `--plots DIR` also draws how accuracy falls with
distance, blur, light and overlap.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.sim.scene import Truth
from companion.sim.tables import GOOD, HARD, Table, faces_of, plane_of, table
from companion.table import Sighting
from companion.vision import decks
from companion.vision.decks import Deck
from companion.vision.looking import look

_SEEN = 0.35
"""Things with less than this in view are not asked for."""


def judge(what: Table, deck: Deck, seeds: range, *, turns: bool = False) -> dict[str, float]:
    """Counts over rendered tables: right, wrong, missed, and sightings that are nothing."""
    counts = {"things": 0, "right": 0, "wrong": 0, "unsure": 0, "missed": 0, "ghosts": 0}
    both = {d.face.label for d in faces_of(what.deck) if d.face.same_upside_down}
    for seed in seeds:
        picture, view = table(seed, what)
        seen = [s for s in look(picture.image, deck, plane=plane_of(view)) if s.p >= 0.5]
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
            elif best.label == truth.label and (not turns or _same_turn(truth, best, both)):
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


def _same_turn(truth: Truth, one: Sighting, both: set[str]) -> bool:
    """The first corner is where it should be; of a face that is the same `both` ways, the third."""
    side = np.linalg.norm(truth.quad[1] - truth.quad[0])
    firsts = (0, 2) if truth.label in both else (0,)
    return any(
        bool(np.linalg.norm(np.array(one.quad[k]) - truth.quad[0]) < 0.35 * side) for k in firsts
    )


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


STEPS: dict[str, list[tuple[float, Table]]] = {
    "pixels to a millimetre": [
        (v, Table("odin", px_per_mm=v)) for v in (0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5)
    ],
    "blur (pixels)": [
        (v, Table("odin", light=replace(GOOD, blur=v))) for v in (0.3, 1.5, 3.0, 4.0, 5.0, 6.0, 8.0)
    ],
    "hardness of the light": [
        (v, Table("odin", light=replace(GOOD, hard=v, glare=0.1 + 0.6 * v)))
        for v in (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
    ],
    "share covered by the next card": [
        (v, Table("odin", overlap=v)) for v in (0.01, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6)
    ],
}


def plots(folder: Path, tables: int) -> None:
    """One drawing per cause: the share of Odin cards read right, and read wrong."""
    deck = decks.named("odin")
    for name, steps in STEPS.items():
        rows = [(value, judge(what, deck, range(500, 500 + tables))) for value, what in steps]
        print(name, [(v, r["right %"], r["wrong %"]) for v, r in rows], flush=True)
        file = folder / f"seeing-{name.split(' ')[0]}.svg"
        file.write_text(_chart(name, [(v, r["right %"], r["wrong %"]) for v, r in rows]))


def _chart(name: str, rows: list[tuple[float, float, float]]) -> str:
    left, right = rows[0][0], rows[-1][0]

    def at(value: float, percent: float) -> str:
        return f"{60 + 420 * (value - left) / (right - left):.1f},{230 - 2 * percent:.1f}"

    lines = []
    for percent in (0, 25, 50, 75, 100):
        y = 230 - 2 * percent
        lines.append(
            f'<path d="M60 {y}H480" stroke="#ddd"/><text x="52" y="{y + 4}" text-anchor="end">{percent}</text>'
        )
    for value, _, _ in rows:
        x = at(value, 0).split(",")[0]
        lines.append(f'<text x="{x}" y="248" text-anchor="middle">{value:g}</text>')
    for column, colour in ((1, "#2a7f4f"), (2, "#b3261e")):
        way = " ".join(at(row[0], row[column]) for row in rows)
        lines.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    title = f'<text x="270" y="272" text-anchor="middle">{name}</text>'
    key = '<text x="470" y="22" text-anchor="end" fill="#2a7f4f">right, %</text>'
    key += '<text x="470" y="224" text-anchor="end" fill="#b3261e">wrong, %</text>'
    style = 'font-family="sans-serif" font-size="12"'
    body = "".join(lines)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 285" {style}>{body}{title}{key}</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(prog="judge", description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the first table's seed")
    parser.add_argument("--only", default="", help="sets whose name holds this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plots", type=Path, help="draw what accuracy depends on into this folder")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.plots is not None:
        plots(args.plots, args.tables)
        return
    for name, run in BARS.items():
        if args.only in name:
            result = run(range(args.first, args.first + args.tables))
            text = json.dumps({"set": name, **result}) if args.json else f"{name:<36} {result}"
            print(text, flush=True)


if __name__ == "__main__":
    main()
