"""Trains the finder: where the middles of cards and dice are, and how each lies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from companion.sim.crops import Drawn, drawn
from companion.sim.faces import DECKS, playing, strange
from companion.sim.lots import Stock, training_picture
from companion.sim.scene import Picture
from models.train.nets import OUT, Detector
from models.train.running import Batch, Plan, train

SIZE, STRIDE, BATCH = 192, 4, 24
_CELLS = SIZE // STRIDE
_OURS = 8
"""Our own three decks lie there as often as all the others together."""
_SEEN, _HIDDEN = 0.3, 0.15
"""A card is taught from this share in view; below the second it may be passed over unpunished."""


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of (pixels, heat, weight of heat, how cards and dice lie, where that counts)."""
    ours, loose = decks_at_hand(rng)
    stock = Stock(rng, [*ours * _OURS, *loose])
    step = 0
    while True:
        step += 1
        stock.renew()
        if step % 6 == 0:
            loose[int(rng.integers(len(loose)))] = fresh_deck(rng)
            stock.decks = [*ours * _OURS, *loose]
        yield tuple(
            np.stack(part)
            for part in zip(
                *(_taught(training_picture(stock, SIZE)) for _ in range(BATCH)), strict=True
            )
        )


def decks_at_hand(rng: np.random.Generator) -> tuple[list[list[Drawn]], list[list[Drawn]]]:
    """Our own decks, and some of other people's."""
    ours = [[drawn(f) for f in deck()] for name, deck in DECKS.items() if name != "playing-cards"]
    return ours, [fresh_deck(rng) for _ in range(24)]


def fresh_deck(rng: np.random.Generator) -> list[Drawn]:
    if rng.random() < 0.6:
        style = playing.printing(rng)
        names = [*rng.choice(playing.LABELS, 9), "back"]
        return [drawn(playing.face(str(name), style)) for name in names]
    return [drawn(f) for f in strange.family(rng, 6)]


def _taught(picture: Picture) -> tuple[npt.NDArray[np.generic], ...]:
    heat = np.zeros((2, _CELLS, _CELLS), np.float32)
    weight = np.ones((2, _CELLS, _CELLS), np.uint8)
    lies = np.zeros((OUT - 2, _CELLS, _CELLS), np.float32)
    counts = np.zeros((2, _CELLS, _CELLS), np.uint8)
    y, x = np.mgrid[:_CELLS, :_CELLS].astype(np.float32)
    for truth in picture.truths:
        quad = truth.quad / STRIDE
        middle = _middle(quad)
        if not ((middle > -0.5) & (middle < _CELLS - 0.5)).all():
            continue
        kind = 0 if truth.kind == "card" else 1
        sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
        sigma = (
            max(0.8, 0.09 * float(sides.min()))
            if kind == 0
            else max(0.7, 0.13 * float(sides.mean()))
        )
        spot = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * sigma**2))
        if truth.visible < _SEEN:
            if truth.visible > _HIDDEN:
                weight[kind][spot > 0.05] = 0
            continue
        at = np.round(middle).astype(int).clip(0, _CELLS - 1)
        spot[at[1], at[0]] = 1.0
        rows, columns = np.nonzero((spot > heat[kind]) & (spot > 0.35))
        heat[kind] = np.maximum(heat[kind], spot)
        counts[kind, rows, columns] = 1
        off = middle[:, None] - np.stack([columns, rows])
        if kind == 1:
            lies[10:12, rows, columns] = off
            lies[12, rows, columns] = np.log(max(float(sides.mean()) * STRIDE / 2, 1.0))
        else:
            lies[:2, rows, columns] = off
            lies[2:10, rows, columns] = _posture(truth.quad)[:, None]
    return picture.image, heat, weight, lies, counts


def _posture(quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Logs of half height and half width; twice the angle of each; four times their mean."""
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    a, b = np.arctan2(down[1], down[0]), np.arctan2(across[1], across[0])
    both = np.angle(np.exp(4j * a) + np.exp(4j * b))
    logs = np.log([max(np.hypot(*down), 1.0), max(np.hypot(*across), 1.0)])
    return np.array(
        [
            *logs,
            np.cos(2 * a),
            np.sin(2 * a),
            np.cos(2 * b),
            np.sin(2 * b),
            np.cos(both),
            np.sin(both),
        ]
    )


def _middle(quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Where the diagonals cross: the card's own middle, whatever the slant."""
    a, c = quad[0], quad[2]
    b, d = quad[1], quad[3]
    m = np.stack([c - a, b - d], 1)
    if abs(np.linalg.det(m)) < 1e-6:
        return quad.mean(0)
    return a + (c - a) * np.linalg.solve(m, b - a)[0]


def loss_of(net: Detector, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, heat, weight, lies, counts = (
        torch.from_numpy(np.ascontiguousarray(part)) for part in batch
    )
    out = net(pixels)
    p = out[:, :2].sigmoid()
    peak = heat.ge(1.0)
    hit = -((1 - p) ** 2) * functional.logsigmoid(out[:, :2]) * peak
    miss = -(p**2) * functional.logsigmoid(-out[:, :2]) * (1 - heat) ** 4 * ~peak
    found = ((hit + miss) * weight).sum() / peak.sum().clamp(min=1)
    off = functional.smooth_l1_loss(out[:, 2:], lies, reduction="none", beta=0.03)
    card, die = counts[:, :1].float(), counts[:, 1:].float()
    cards = card.sum().clamp(min=1)
    place = (off[:, :2] * card).sum() / cards / 2
    size = (off[:, 2:4] * card).sum() / cards / 2
    turn = (off[:, 4:8] * card).sum() / cards / 4
    quarter = (off[:, 8:10] * card).sum() / cards / 2
    dice = (off[:, 10:] * die).sum() / die.sum().clamp(min=1) / 3
    figures = {
        "found": found.item(),
        "place": place.item(),
        "size": size.item(),
        "turn": turn.item(),
        "dice": dice.item(),
    }
    return found + place + 6 * size + 4 * turn + quarter + 2 * dice, figures


def run(plan: Plan) -> Detector:
    torch.manual_seed(plan.seed)
    net = Detector()
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
