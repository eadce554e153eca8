"""Trains the die reader: the value on top, or that this is no die."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from companion.sim.crops import drawn
from companion.sim.faces import playing
from companion.sim.lots import Stock, training_picture
from companion.sim.scene import Picture
from companion.vision.cuts import die_cut
from models.train.nets import DieReader
from models.train.running import Batch, Plan, train

BATCH = 128


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of (pixels, value): dice as the finder cuts them, none where it was wrong."""
    decks = []
    for _ in range(4):
        style = playing.printing(rng)
        decks.append(
            [drawn(playing.face(str(name), style)) for name in rng.choice(playing.LABELS, 10)]
        )
    stock = Stock(rng, decks, dice=700)
    pixels: list[npt.NDArray[np.uint8]] = []
    values: list[int] = []
    while True:
        stock.renew()
        stock.renew()
        picture = training_picture(stock, 256, dice_only=0.5)
        for cut, value in _cuts(picture, rng):
            pixels.append(cut)
            values.append(value)
        if len(pixels) >= BATCH:
            order = rng.permutation(len(pixels))[:BATCH]
            yield np.stack([pixels[i] for i in order]), np.array([values[i] for i in order])
            pixels, values = [], []


def _cuts(
    picture: Picture, rng: np.random.Generator
) -> Iterator[tuple[npt.NDArray[np.uint8], int]]:
    dice = [t for t in picture.truths if t.kind == "die"]
    spots = [(t.quad.mean(0), np.ptp(t.quad, 0).mean()) for t in dice]
    for truth, (middle, side) in zip(dice, spots, strict=True):
        if truth.visible < 0.6 or side < 8:
            continue
        for _ in range(2):
            off = rng.normal(0, 0.07, 2) * side
            yield (
                die_cut(picture.image, middle + off, side * np.exp(rng.normal(0, 0.12))),
                int(truth.label),
            )
    for middle, side in _elsewhere(picture, rng):
        if all(np.abs(middle - m).max() > 0.9 * (side + s) / 2 for m, s in spots):
            yield die_cut(picture.image, middle, side), 0


def _elsewhere(
    picture: Picture, rng: np.random.Generator
) -> Iterator[tuple[npt.NDArray[np.float64], float]]:
    """Where a finder may see dice that are none: pips and indices of cards, and anywhere."""
    yield rng.uniform(0, picture.image.shape[0], 2), float(rng.uniform(10, 50))
    for truth in [t for t in picture.truths if t.kind == "card" and t.visible > 0.3][:3]:
        u, v = rng.random(2)
        a, b, _, d = truth.quad
        high = float(np.linalg.norm(d - a))
        yield a + (b - a) * u + (d - a) * v, max(8.0, high * float(rng.uniform(0.07, 0.25)))


def loss_of(net: DieReader, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, value = (torch.from_numpy(part) for part in batch)
    out = net(pixels)
    loss = functional.cross_entropy(out, value, label_smoothing=0.02)
    with torch.no_grad():
        right = (out.argmax(1) == value).float().mean().item()
    return loss, {"loss": loss.item(), "right": right}


def run(plan: Plan) -> DieReader:
    torch.manual_seed(plan.seed)
    net = DieReader()
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
