"""Trains the face embedder: faces of the same kind near each other, all others far.

Half of each batch teaches telling look-alikes of one deck apart (four views of each face, six
faces of a family); the other half teaches the ordinary playing cards, whatever their printing.
The learned directions of those cards become the built-in deck `playing-cards`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.sim.crops import Drawn, drawn, view
from companion.sim.faces import DECKS, playing, strange
from models.train.nets import Embedder
from models.train.running import Batch, Plan, train

LABELS = (*playing.LABELS, "joker", "back")
NONE = len(LABELS)
_VIEWS, _FAMILY, _PLAYING = 4, 6, 64
_TEMPERATURE = 0.07


class Prototypes(nn.Module):
    """One direction per playing card, and how near is near enough to be any of them."""

    def __init__(self, size: int = 128) -> None:
        super().__init__()
        self.directions = nn.Parameter(torch.randn(len(LABELS), size))
        self.none = nn.Parameter(torch.tensor(0.5))
        self.log_scale = nn.Parameter(torch.tensor(3.0))

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        near = points @ functional.normalize(self.directions, dim=1).T
        none = self.none.expand(len(points), 1)
        return torch.cat([near, none], 1) * self.log_scale.exp()


class _Printings:
    """Playing cards of many houses, a few of them replaced as the training goes on."""

    def __init__(self, rng: np.random.Generator, many: int) -> None:
        self._rng = rng
        self._decks: list[tuple[playing.Printing, dict[str, Drawn]]] = [
            (playing.printing(rng), {}) for _ in range(many)
        ]

    def renew(self) -> None:
        at = int(self._rng.integers(len(self._decks)))
        self._decks[at] = (playing.printing(self._rng), {})

    def card(self, label: str, deck: int | None = None) -> Drawn:
        at = int(self._rng.integers(len(self._decks))) if deck is None else deck
        style, done = self._decks[at]
        if label not in done:
            done[label] = drawn(playing.face(label, style))
        return done[label]

    def any_deck(self) -> int:
        return int(self._rng.integers(len(self._decks)))


def make(rng: np.random.Generator, many: int = 40) -> Iterator[Batch]:
    """Batches of (pixels, which face or -1, which playing card or none)."""
    printings = _Printings(rng, many)
    families = [[drawn(f) for f in strange.family(rng, 7)] for _ in range(many)]
    ours = [[drawn(f) for f in deck()] for name, deck in DECKS.items() if name != "playing-cards"]
    step = 0
    while True:
        step += 1
        if step % 4 == 0:
            printings.renew()
        if step % 2 == 0:
            at = int(rng.integers(len(families)))
            families[at] = [drawn(f) for f in strange.family(rng, 7)]
        pixels, which, card = [], [], []
        groups: list[list[tuple[Drawn, int]]] = [
            [(d, NONE) for d in families[int(rng.integers(len(families)))]],
            [(d, NONE) for d in _near(ours[int(rng.integers(len(ours)))], rng)],
            [
                (printings.card(LABELS[i], deck), i)
                for deck in [printings.any_deck()]
                for i in _alike(rng)
            ],
        ]
        number = 0
        for group in groups:
            others = [d for d, _ in group]
            for face, turned, label in _turns(group, rng):
                for _ in range(_VIEWS):
                    pixels.append(view(face, rng, turned=turned, others=others))
                    which.append(number)
                    card.append(label)
                number += 1
        others = [printings.card(LABELS[int(rng.integers(52))]) for _ in range(6)]
        for _ in range(_PLAYING):
            label = int(rng.integers(52)) if rng.random() < 0.94 else int(rng.integers(52, NONE))
            turned = bool(rng.random() < 0.5)
            pixels.append(view(printings.card(LABELS[label]), rng, turned=turned, others=others))
            which.append(-1)
            card.append(label)
        yield np.stack(pixels), np.array(which), np.array(card)


def _near(deck: list[Drawn], rng: np.random.Generator) -> list[Drawn]:
    """Seven faces of a deck that look alike as often as not."""
    first = deck[int(rng.integers(len(deck)))]
    small = np.stack([_thumb(d) for d in deck])
    far = np.abs(small - _thumb(first)).mean((1, 2, 3)) * rng.uniform(0.6, 1.4, len(deck))
    if rng.random() < 0.4:
        far = rng.random(len(deck))
    return [deck[i] for i in np.argsort(far)[:7]]


def _thumb(d: Drawn) -> np.ndarray:
    import cv2

    return cv2.resize(d.pixels, (12, 16), interpolation=cv2.INTER_AREA).astype(np.float32)


def _alike(rng: np.random.Generator) -> list[int]:
    """Seven cards: neighbours in rank, or a rank in all suits and its neighbour."""
    rank, suit = int(rng.integers(13)), int(rng.integers(4))
    if rng.random() < 0.5:
        return [suit * 13 + (rank + i) % 13 for i in range(7)]
    return [s * 13 + (rank + i) % 13 for i in range(2) for s in range(4)][:7]


def _turns(
    group: list[tuple[Drawn, int]], rng: np.random.Generator
) -> list[tuple[Drawn, bool, int]]:
    """Six faces each one way up, the last of them the first one the other way up if it can be."""
    names: dict[str, tuple[Drawn, int]] = {}
    for d, label in group:
        names.setdefault(d.face.label, (d, label))
    picked = [list(names.values())[i] for i in rng.permutation(len(names))[:_FAMILY]]
    out = [(d, bool(rng.random() < 0.5), label) for d, label in picked]
    if len(out) == _FAMILY and not out[0][0].face.same_upside_down:
        first = out[0]
        out[-1] = (first[0], not first[1], first[2])
    return out


def loss_of(
    net: Embedder, cards: Prototypes, batch: Batch
) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, which, card = (torch.from_numpy(part) for part in batch)
    points = net(pixels)
    logits = cards(points)
    named = functional.cross_entropy(logits, card, label_smoothing=0.02)
    own = points[which >= 0]
    ids = which[which >= 0]
    near = own @ own.T / _TEMPERATURE
    near = near - torch.eye(len(own)) * 1e4
    same = (ids[:, None] == ids[None]).float() - torch.eye(len(own))
    log = near - torch.logsumexp(near, 1, keepdim=True)
    contrast = -(log * same).sum(1) / same.sum(1).clamp(min=1)
    alike = contrast.mean()
    with torch.no_grad():
        right = float((logits.argmax(1) == card)[which < 0].float().mean())
        nearest = float((ids[near.argmax(1)] == ids).float().mean())
    figures = {
        "cards": named.item(),
        "alike": alike.item(),
        "card_right": right,
        "nearest": nearest,
    }
    return named + alike, figures


def run(plan: Plan) -> tuple[Embedder, Prototypes]:
    torch.manual_seed(plan.seed)
    net, cards = Embedder(), Prototypes()
    best = train(plan, net, make, lambda batch: loss_of(net, cards, batch), cards)
    return best[0], best[1]  # type: ignore[index]
