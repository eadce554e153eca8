"""How far single photographs may be trusted: `python -m models.train.trust`.

Draws photographs of tables with printings, dice and clutter that nothing was trained on, looks at
them as at anybody's, and fits to what was right how the find and the reading are weighed. Writes
`models/trust.json`; to be run after the networks were made.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces import playing, random_decks
from companion.sim.render.crops import DrawnFace, drawn
from companion.sim.render.scene import Rendering, Truth
from companion.sim.render.training_scenes import PropStock, training_picture
from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.look import look_as_read
from companion.vision.reading.trust import LONE_DIE, TRUST_FILE, kind_of, log_odds
from models.train.witnesses import errs

SEED = 424_242
_PRINTINGS, _STRANGERS = 14, 4
_SIZES = (480, 900)
"""Sides of the drawn photographs, in pixels."""
_LARGER = 4.0
"""How much larger than in training things may be in a photograph."""
_HIDDEN = 0.35
"""Things with less in view than this count neither way."""

Row = tuple[float, float, bool]
"""The reader's probability, the finder's, and whether the label was right."""
Floats = npt.NDArray[np.float64]


def stock(rng: np.random.Generator) -> PropStock:
    """Printings, strangers' cards and dice that no network has seen."""
    printed = [_printing(rng) for _ in range(_PRINTINGS)]
    strangers = [[drawn(f) for f in random_decks.family(rng, 6)] for _ in range(_STRANGERS)]
    return PropStock(rng, [*printed, *strangers], dice=160, grounds=50, odd=0.3)


def _printing(rng: np.random.Generator) -> list[DrawnFace]:
    style = playing.printing(rng)
    return [drawn(playing.face(name, style)) for name in (*playing.LABELS, "back")]


def photograph(props: PropStock) -> Rendering:
    nearer = float(np.exp(props.rng.uniform(0, np.log(_LARGER))))
    return training_picture(props, int(props.rng.integers(*_SIZES)), 0.3, nearer)


def rows_of(many: int, seed: int = SEED) -> Iterator[tuple[str, Row]]:
    rng = np.random.default_rng(seed)
    props = stock(rng)
    deck = decks.named(decks.PLAYING_CARDS)
    for _ in range(many):
        picture = photograph(props)
        seen = look_as_read(picture.image, deck)
        for one in seen:
            if one.label is None:
                continue
            at = [t for t in picture.truths if t.kind == one.kind and _there(t, one)]
            if any(t.visible < _HIDDEN for t in at):
                continue
            right = any(str(t.label) == str(one.label) for t in at)
            yield kind_of(one, seen), (one.p, one.found, right)


def _there(truth: Truth, one: Sighting) -> bool:
    side = float(np.linalg.norm(truth.quad[1] - truth.quad[0]))
    return bool(np.hypot(*(np.array(one.middle) - truth.quad.mean(0))) < 0.4 * side)


def fitted(rows: list[Row]) -> Floats:
    """Weights of the reading, of the find, and what is added: those that make what was right
    likeliest (logistic regression, by Newton's method, with a slight pull to small weights)."""
    x = np.array([(log_odds(p), log_odds(found), 1.0) for p, found, _ in rows])
    y = np.array([right for *_, right in rows], float)
    w = np.zeros(3)
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (p - y) + 0.5 * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + 0.5 * np.eye(3)
        w = w - np.linalg.solve(bend, slope)
    return w


def main() -> None:
    parser = argparse.ArgumentParser(prog="trust", description=__doc__)
    parser.add_argument("--pictures", type=int, default=1500)
    parser.add_argument("--to", type=Path, default=Path("models"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seen: dict[str, list[Row]] = {"card": [], "die": [], LONE_DIE: []}
    wrong = [round(share, 3) for share in errs()]
    print("face and index wrong:", wrong, flush=True)
    _written(args.to, index=wrong)  # looking, below, goes by it
    for kind, row in rows_of(args.pictures):
        seen[kind].append(row)
    out = {kind: [round(float(v), 3) for v in fitted(rows)] for kind, rows in seen.items()}
    for kind, rows in seen.items():
        print(kind, len(rows), "labels,", sum(not r for *_, r in rows), "wrong:", out[kind])
    _written(args.to, **out)


def _written(folder: Path, **rows: list[float]) -> None:
    """Put these rows into the file; the others stay."""
    file = folder / TRUST_FILE
    have = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**have, **rows}) + "\n")


if __name__ == "__main__":
    main()
