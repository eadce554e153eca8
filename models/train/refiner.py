"""Trains the refiner: from a card cut roughly to where its corners really are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.nn import functional

from companion.sim.render.crops import TOKEN_BELOW_MM, Spread, spread
from companion.vision.crops import corner_crops, shares_of
from models.train.detector import decks_at_hand, fresh_deck
from models.train.nets import Refiner
from models.train.running import Batch, Plan, train

BATCH = 128
_CUTS = 5
"""Rough cuts taken of each photograph."""
_ROUGH, _BETWEEN = 0.6, 0.85
"""From these lots on cuts are rougher than a finder's are of cards that lie apart, and between
cards altogether."""
_TOKENS = 0.25
"""Photographs of tokens among all: they have no corners to be drawn to, and must be learned."""
_REACH = 0.3
"""A share of the cut: whatever card has its corners nearer than this is the one that is meant."""
_SEEN = 0.3
"""A card of which less is in view is neither asked for nor denied."""


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of (pixels, shares, whether a card is there)."""
    ours, loose = decks_at_hand(rng)
    with_tokens = next(deck for deck in ours if any(c.face.height < TOKEN_BELOW_MM for c in deck))
    step = 0
    while True:
        step += 1
        if step % 4 == 0:
            loose[int(rng.integers(len(loose)))] = fresh_deck(rng)
        cuts: list[tuple[np.ndarray, np.ndarray, float]] = []
        while len(cuts) < BATCH:
            deck = (
                loose[int(rng.integers(len(loose)))]
                if rng.random() < 0.5
                else ours[int(rng.integers(len(ours)))]
            )
            cards = deck
            if rng.random() < _TOKENS:
                deck, cards = (
                    with_tokens,
                    [c for c in with_tokens if c.face.height < TOKEN_BELOW_MM],
                )
            table = spread(cards[int(rng.integers(len(cards)))], rng, deck)
            cuts += [cut for _ in range(_CUTS) for cut in _cut(table, _astray(table.home, rng))]
        pixels, shares, there = zip(*cuts[:BATCH], strict=True)
        yield np.stack(pixels), np.stack(shares), np.array(there, np.float32)


def _cut(table: Spread, rough: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """One cut and where the corners of the card it means are; none if that is hardly in view."""
    nearest = [
        min(
            (shares_of(np.roll(quad, turn, 0), rough).ravel() for turn in range(4)),
            key=lambda off: np.abs(off).max(),
        )
        for quad in table.laid
    ]
    far = [float(np.abs(off).max()) for off in nearest]
    best = int(np.argmin(far))
    if far[best] < _REACH and table.seen[best] < _SEEN:
        return
    pixels = corner_crops(table.image, rough[None])[0]
    yield pixels, nearest[best].astype(np.float32), float(far[best] < _REACH)


def _astray(home: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Where a finder may have put the corners: moved, turned, grown; now and then far off.

    Of a card half covered, a finder may take the half in view for the whole, or put the middle
    between two cards of a row: then it is off by up to a third of a side. Now and then it is
    right: good corners are to be left alone.
    """
    middle = home.mean(0)
    high = float(np.linalg.norm(home[3] - home[0]))
    lot = rng.random()
    much = 5.0 if lot < 0.1 else rng.choice([0.06, 0.35, 1.0, 1.6])
    a = rng.normal(0, 0.07) * much
    size = np.exp(rng.normal(0, 0.045, 2) * much)
    shift = rng.normal(0, 0.04, 2) * much * high
    if lot > _BETWEEN:
        aside = rng.uniform(0.25, 0.75) * rng.choice([-1, 1])
        shift = (home[1] - home[0] if rng.random() < 0.7 else home[3] - home[0]) * aside
    elif lot > _ROUGH:
        along, across = home[1] - home[0], home[3] - home[0]
        if rng.random() < 0.3:
            along, across = across, along
        a = rng.normal(0, 0.12)
        size = np.exp(rng.uniform(-0.25, 0.1, 2)) if rng.random() < 0.5 else np.ones(2)
        shift = along * rng.uniform(-0.3, 0.3) + across * rng.normal(0, 0.06)
    spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    moved = (home - middle) * size @ spin + middle
    return moved + shift + rng.normal(0, 0.012, (4, 2)) * min(much, 1.6) * high


def loss_of(net: Refiner, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, shares, there = (torch.from_numpy(part) for part in batch)
    out = net(pixels)
    # Laplace's law with a width of its own for every corner: a hidden one may be far off.
    off = functional.smooth_l1_loss(out[:, :8], shares, reduction="none", beta=0.004)
    off = off.view(-1, 4, 2).sum(2)
    wide = out[:, 9:].clamp(-6.5, 0.0)
    surprise = (off * torch.exp(-wide) + 2 * wide).mean(1)
    corners = (surprise * there).sum() / there.sum().clamp(min=1)
    card = functional.binary_cross_entropy_with_logits(out[:, 8], there)
    with torch.no_grad():
        far = ((out[:, :8] - shares).abs().mean(1) * there).sum() / there.sum().clamp(min=1)
    figures = {"corners": far.item(), "surprise": corners.item(), "card": card.item()}
    return corners + card, figures


def run(plan: Plan) -> Refiner:
    torch.manual_seed(plan.seed)
    net = Refiner()
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
