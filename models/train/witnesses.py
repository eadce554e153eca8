"""How often the face and the index of a playing card are read wrongly: measured on printings drawn
for this alone, each card photographed once. `python -m models.train.trust` writes it down."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sim.faces import playing
from companion.sim.render import light
from companion.sim.render.crops import drawn
from companion.vision import decks
from companion.vision.crops import Image, card_crops, corners
from companion.vision.networks import network
from companion.vision.reading.index import RANKS, SUITS, read_indices

SEED = 99_001
_PRINTINGS, _CARDS = 36, 16
_NAMED = 0.5


def errs(printings: int = _PRINTINGS, seed: int = SEED) -> tuple[float, float]:
    """The shares of named faces that are wrong, and of named ranks and suits in corners."""
    rng = np.random.default_rng(seed)
    deck = decks.named(decks.PLAYING_CARDS)
    faces, parts = [], []
    for _ in range(printings):
        style = playing.printing(rng)
        for label in (str(name) for name in rng.choice(playing.LABELS, _CARDS, replace=False)):
            page, quad = _photographed(label, style, rng)
            [match] = deck.match(network("embedder").run(card_crops(page, quad[None])))
            if match.label is not None and match.p >= _NAMED:
                faces.append(match.label != label)
            [index] = read_indices(page, quad[None])
            said = ((index.ranks, RANKS, label[0]), (index.suits, SUITS, label[1]))
            parts += [
                names[int(p.argmax())] != truth for p, names, truth in said if p.max() >= _NAMED
            ]
    return float(np.mean(faces)), float(np.mean(parts))


def _photographed(
    label: str, style: playing.Printing, rng: np.random.Generator
) -> tuple[Image, np.ndarray]:
    """The card on a plain table at some size in some light, and its corners, a little off."""
    pixels = drawn(playing.face(label, style)).pixels
    high, wide = pixels.shape[:2]
    page = np.full((high + 60, wide + 60, 3), rng.integers(40, 200, 3), np.uint8)
    page[30:-30, 30:-30] = pixels
    size = float(rng.uniform(0.4, 1.0))
    page = cv2.resize(page, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    hard = float(rng.uniform(0, 0.5))
    seen = light.lit(light.blurred(page, rng, 0.6), rng, hard)
    seen = light.developed(light.grainy(seen, rng, hard), rng, hard)
    quad = (corners(wide, high) + 30) * size + rng.normal(0, 0.008 * high * size, (4, 2))
    return seen, quad.astype(np.float32)
