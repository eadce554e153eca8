"""Trains the die reader: the value on top, or that this is no die."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
import torch
from torch.nn import functional

from companion.sim.faces import drawn_decks, playing
from companion.sim.faces.canvas import Image
from companion.sim.render import light
from companion.sim.render.crops import TOKEN_BELOW_MM, drawn
from companion.sim.render.scene import Rendering
from companion.sim.render.training_scenes import PropStock, Spot, dice_picture
from companion.vision.crops import die_crop
from models.train.nets import DieReader
from models.train.running import Batch, Plan, train

BATCH = 128
_ODD = 0.75
_KEPT = 8000


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of (pixels, value): dice as the finder cuts them, none where it was wrong."""
    decks = [[drawn(face) for face in deck.faces()] for deck in drawn_decks().values()]
    for _ in range(3):
        style = playing.printing(rng)
        decks.append(
            [drawn(playing.face(str(name), style)) for name in rng.choice(playing.LABELS, 10)]
        )
    stock = PropStock(rng, decks, dice=700, odd=_ODD)
    kept: deque[tuple[Image, int]] = deque(maxlen=_KEPT)
    fresh: list[tuple[Image, int]] = []
    while True:
        stock.renew()
        fresh.extend(_cuts(*dice_picture(stock), rng))
        if len(fresh) < BATCH // 2:
            continue
        kept.extend(fresh)
        # Drawing is dear, so half of every batch was seen before; never the same way round.
        again = [kept[int(i)] for i in rng.integers(len(kept), size=BATCH - len(fresh))]
        both = [*fresh, *((light.developed(cut, rng, 0.3), value) for cut, value in again)]
        yield np.stack([_turned(cut, rng) for cut, _ in both]), np.array([v for _, v in both])
        fresh = []


def _turned(cut: Image, rng: np.random.Generator) -> Image:
    """By a quarter or more, or mirrored: as many pips."""
    turned = np.rot90(cut, int(rng.integers(4)))
    return turned if rng.random() < 0.5 else turned[:, ::-1]


def _cuts(
    picture: Rendering, blanks: list[Spot], rng: np.random.Generator
) -> Iterator[tuple[Image, int]]:
    dice = [t for t in picture.truths if t.kind == "die"]
    spots = [(t.quad.mean(0), float(np.ptp(t.quad, 0).mean())) for t in dice]
    for truth, (middle, side) in zip(dice, spots, strict=True):
        if truth.visible < 0.85 or side < 8:
            continue
        for _ in range(2):
            off = rng.normal(0, 0.06, 2) * side
            yield (
                die_crop(picture.image, middle + off, side * np.exp(rng.normal(0, 0.12))),
                int(truth.label),
            )
        if rng.random() < 0.2:  # one pip of it, or more than it
            near = middle + rng.uniform(-0.3, 0.3, 2) * side
            size = rng.uniform(0.22, 0.4) if rng.random() < 0.6 else rng.uniform(2.2, 3)
            yield die_crop(picture.image, near, side * float(size)), 0
    for middle, side in _elsewhere(picture, blanks, rng):
        inside = (middle > 0).all() and (middle < picture.image.shape[0]).all()
        if inside and all(np.abs(middle - m).max() > 0.8 * (side + s) / 2 for m, s in spots):
            yield die_crop(picture.image, middle, side), 0


def _elsewhere(picture: Rendering, blanks: list[Spot], rng: np.random.Generator) -> Iterator[Spot]:
    """Where a finder may see dice that are none: print and pieces of cards, discs, anywhere."""
    yield rng.uniform(0, picture.image.shape[0], 2), float(rng.uniform(10, 50))
    for middle, side in blanks:
        yield middle, side * float(rng.uniform(0.8, 1.3))
    for truth in [t for t in picture.truths if t.kind == "card" and t.visible > 0.3][:3]:
        a, b, _, d = truth.quad
        high = float(np.linalg.norm(d - a))
        if np.ptp(truth.quad_mm, 0).max() < TOKEN_BELOW_MM:
            yield truth.quad.mean(0), high * float(rng.uniform(0.8, 1.3))
            continue
        size = max(8.0, high * float(rng.uniform(0.07, 0.25)))
        ways = rng.random((5, 2))
        places = [a + (b - a) * u + (d - a) * v for u, v in ways]
        # The busiest place of some: plain paper is easily told from a die.
        yield max(places, key=lambda at: float(die_crop(picture.image, at, size).std())), size


def loss_of(net: DieReader, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, value = (torch.from_numpy(part) for part in batch)
    with torch.autocast("cpu", torch.bfloat16):  # a third quicker where processors know it
        out = net(pixels).float()
    loss = functional.cross_entropy(out, value, label_smoothing=0.02)
    with torch.no_grad():
        right = (out.argmax(1) == value).float().mean().item()
    return loss, {"loss": loss.item(), "right": right}


def run(plan: Plan) -> DieReader:
    torch.manual_seed(plan.seed)
    net = DieReader().to(memory_format=torch.channels_last)
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
