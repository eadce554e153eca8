"""From likeness to probability: fitted on looks that no training and no deck was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.sim.faces import playing, random_decks
from companion.sim.render import light, surfaces
from companion.sim.render.crops import DrawnFace, drawn, view
from companion.vision.crops import HIGH, WIDE
from companion.vision.decks import Deck, Sureness, Vectors
from companion.vision.networks import Network

_LOOKS = 6
_NOTHING = 200
SEED = 777_000


def looks(
    faces: Sequence[DrawnFace], network: Network, rng: np.random.Generator
) -> tuple[Vectors, list[str]]:
    """Looks as the finder cuts them, with other cards of the deck over some of them."""
    pixels, names = [], []
    for face in faces:
        for _ in range(_LOOKS):
            others = [faces[int(i)] for i in rng.integers(len(faces), size=3)]
            turn = 180 * int(rng.integers(2))
            pixels.append(view(face, rng, turn=turn, others=others, astray=0.012))
            names.append(face.face.label)
    points = [network.run(np.stack(pixels[i : i + 64])) for i in range(0, len(pixels), 64)]
    return np.concatenate(points), names


def nothing(faces: Sequence[DrawnFace], network: Network, rng: np.random.Generator) -> Vectors:
    """Looks at what a finder may take for a card: print, and places between cards."""
    pixels = []
    for _ in range(_NOTHING):
        table = light.lit(surfaces.surface(rng, HIGH, WIDE), rng, 0.3)
        pixels.append(light.developed(table, rng, 0.3))
        face, *others = (faces[int(i)] for i in rng.integers(len(faces), size=3))
        pixels.append(view(face, rng, others=others, astray=0.35))
    points = [network.run(np.stack(pixels[i : i + 64])) for i in range(0, len(pixels), 64)]
    return np.concatenate(points)


def strangers(network: Network, rng: np.random.Generator, *, cards: bool) -> Vectors:
    """Looks at other people's cards; with `cards`, ordinary playing cards among them."""
    faces = [drawn(f) for _ in range(30) for f in random_decks.family(rng, 3)]
    if cards:
        for _ in range(8):
            style = playing.printing(rng)
            faces += [drawn(playing.face(str(n), style)) for n in rng.choice(playing.LABELS, 6)]
    return looks(faces, network, rng)[0]


def fitted(deck: Deck, known: tuple[Vectors, list[str]], unknown: Vectors) -> Deck:
    """The deck with the steepness and threshold that make its probabilities likeliest."""
    place = {label: i for i, label in enumerate(deck.labels)}
    truth = np.array([place[name] for name in known[1]])
    mine, theirs = deck.likeness(known[0]), deck.likeness(unknown)
    best, least = deck.sure, np.inf
    for steep in (10, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40, 50, 60, 80):
        for enough in np.arange(0.2, 0.96, 0.04):
            cost = _surprise(mine, truth, steep, enough) + _surprise(theirs, None, steep, enough)
            if cost < least:
                best, least = Sureness(float(steep), round(float(enough), 2)), cost
    return replace(deck, sure=best)


def _surprise(alike: Vectors, truth: Vectors | None, steep: float, enough: float) -> float:
    """Mean surprise at the truth: a label's column, or none of them."""
    logits = np.c_[alike, np.full(len(alike), enough)] * steep
    total = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)
    right = logits[:, -1] if truth is None else logits[np.arange(len(alike)), truth]
    return float(np.minimum(total - right, 14.0).mean())
