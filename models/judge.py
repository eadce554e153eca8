"""Judges the shipped models on rendered tables no training has seen.

Prints one row per bar of models/README.md, or with `--reliability` whether probabilities mean what
they say; `--plots DIR` draws how accuracy falls with distance, blur, light and overlap.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.sim.faces.playing import HOUSES_HELD_OUT
from companion.sim.render import light
from companion.sim.render.scene import Light, Truth
from companion.sim.render.tables import (
    GOOD,
    HARD,
    PRINTINGS,
    Table,
    faces_of,
    held_out_faces,
    plane_of,
    table,
)
from companion.tabletop.observations import Sighting
from companion.trials.reliability import ReliabilitySample, curve, off_by
from companion.vision import decks
from companion.vision.crops import corners
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import Sample, enrol
from companion.vision.look import look

HARDER = Light(hard=0.4, glare=0.35, blur=0.8)
"""The light in which enrolled cards are met again."""
_SEEN, _COUNTED = 0.35, 0.5
"""Things with less than this in view are not asked for, sightings less probable not counted."""


class Judged(NamedTuple):
    """Tables, and the deck they are read with."""

    what: Table
    deck: str
    turns: bool = False
    """Whether how a card is turned must be right, too."""
    enrolled: bool = False
    """The deck is learnt from one picture of each card first."""
    courts: bool = True
    """Whether kings, queens and jacks are asked for."""


def judge(which: Judged, seeds: range) -> dict[str, float]:
    """Counts over rendered tables: right, wrong, missed, and sightings that are nothing."""
    counts = {"things": 0, "right": 0, "wrong": 0, "unsure": 0, "missed": 0, "ghosts": 0}
    both = {d.face.label for d in faces_of(which.what.deck) if d.face.same_upside_down}
    for truths, seen in _looked_at(which, seeds):
        for truth, best in _asked(truths, seen):
            if not which.courts and str(truth.label)[0] in "JQK":
                continue
            counts["things"] += 1
            if best is None:
                counts["missed"] += 1
            elif best.label is None:
                counts["unsure"] += 1
            elif best.label == truth.label and (not which.turns or _same_turn(truth, best, both)):
                counts["right"] += 1
            else:
                counts["wrong"] += 1
        hidden = [t for t in truths if t.visible < _SEEN]
        counts["ghosts"] += sum(
            s.label is not None and not any(_near(t, s) for t in hidden) for s in seen
        )
    n = max(1, counts["things"])
    return {
        **counts,
        "right %": round(100 * counts["right"] / n, 2),
        "wrong %": round(100 * counts["wrong"] / n, 2),
    }


def reliability(which: Judged, seeds: range) -> list[ReliabilitySample]:
    """Of every label given to something that lies there: how probable it was called, and whether
    it was right."""
    return [
        ReliabilitySample(best.p, best.label == truth.label)
        for truths, seen in _looked_at(which, seeds)
        for truth, best in _asked(truths, seen)
        if best is not None and best.label is not None
    ]


@lru_cache(maxsize=PRINTINGS)
def _learnt(house: str, number: int) -> Deck:
    """A deck enrolled from one photograph of each card of a held-out printing, in one light."""
    rng = np.random.default_rng([31, number])
    samples = []
    for card in held_out_faces(house, number):
        high, wide = card.pixels.shape[:2]
        page = np.full((high + 80, wide + 80, 3), rng.integers(60, 160, 3), np.uint8)
        page[40:-40, 40:-40] = card.pixels
        page = light.developed(light.lit(page, rng, 0.2), rng, 0.2)
        quad = (corners(wide, high) + 40).astype(np.float64)
        samples.append(Sample(card.face.label, page, quad))
    return enrol(f"{house}-{number}", samples)


def _looked_at(which: Judged, seeds: range) -> Iterator[tuple[list[Truth], list[Sighting]]]:
    for seed in seeds:
        deck = (
            _learnt(which.what.house, seed % PRINTINGS)
            if which.enrolled
            else decks.named(which.deck)
        )
        picture, view = table(seed, which.what)
        seen = [s for s in look(picture.image, deck, plane=plane_of(view)) if s.p >= _COUNTED]
        yield picture.truths, seen


def _asked(truths: list[Truth], seen: list[Sighting]) -> Iterator[tuple[Truth, Sighting | None]]:
    """What is plain to see and what was seen there; that is taken from what was seen."""
    for truth in truths:
        if truth.visible >= _SEEN:
            best = _there(truth, seen)
            if best is not None:
                seen.remove(best)
            yield truth, best


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


BARS = {
    "odin, apart, 1280x720": Judged(Table("odin"), "odin"),
    "odin, apart, 2304x1296": Judged(Table("odin", size=(2304, 1296)), "odin"),
    "odin, 50 % covered, 1280x720": Judged(Table("odin", overlap=0.5), "odin"),
    "odin, 50 % covered, 2304x1296": Judged(Table("odin", overlap=0.5, size=(2304, 1296)), "odin"),
    "odin, hard light": Judged(Table("odin", light=HARD), "odin"),
    "valhalla": Judged(Table("valhalla"), "valhalla"),
    "valhal, turned": Judged(Table("valhal"), "valhal", turns=True),
    "dice, 1 to 12": Judged(Table("odin", cards=0, dice=8), "odin"),
    "strangers: playing cards to odin": Judged(Table("playing-cards"), "odin"),
    "strangers: odin to playing cards": Judged(Table("odin"), "playing-cards"),
    **{
        f"held-out {house}, pip cards, built in": Judged(
            Table("playing-cards", house=house), "playing-cards", courts=False
        )
        for house in HOUSES_HELD_OUT
    },
    **{
        f"held-out {house}, enrolled": Judged(
            Table("playing-cards", house=house, light=HARDER), "", enrolled=True
        )
        for house in HOUSES_HELD_OUT
    },
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
    seeds = range(500, 500 + tables)
    for name, steps in STEPS.items():
        rows = [(value, judge(Judged(what, "odin"), seeds)) for value, what in steps]
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
    parser.add_argument("--reliability", action="store_true", help="said against right instead")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.plots is not None:
        plots(args.plots, args.tables)
        return
    seeds = range(args.first, args.first + args.tables)
    for name, which in BARS.items():
        if args.only in name:
            result = _reliable(which, seeds) if args.reliability else judge(which, seeds)
            text = json.dumps({"set": name, **result}) if args.json else f"{name:<36} {result}"
            print(text, flush=True)


def _reliable(which: Judged, seeds: range) -> dict[str, object]:
    bins = curve(reliability(which, seeds))
    rows = [(round(each.said, 3), round(each.right, 3), each.many) for each in bins]
    return {"off by %": round(100 * off_by(bins), 2), "said, right, many": rows}


if __name__ == "__main__":
    main()
