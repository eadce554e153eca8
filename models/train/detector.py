"""Trains the finder: where the middles of cards and dice are, and how each lies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from companion.sim.faces import drawn_decks, playing, random_decks
from companion.sim.render.crops import DrawnFace, drawn
from companion.sim.render.scene import Rendering, Truth
from companion.sim.render.training_scenes import PropStock, training_picture
from models.train.nets import CARD, DIE, Detector
from models.train.running import Batch, Plan, train

SIZE, BATCH = 192, 24
_STRIDES = {"card": 8, "die": 4}
_LIES = {"card": CARD - 1, "die": DIE - 1}
_OURS = 8
"""Our own three decks lie there as often as all the others together."""
_SEEN, _HIDDEN = 0.3, 0.15
"""A card is taught from this share in view; below the second it may be passed over unpunished."""
_TINY = 10
"""Pixels; smaller tokens than this may be passed over, too."""


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of pixels and what is to be said of cards and of dice in them."""
    ours, loose = decks_at_hand(rng)
    stock = PropStock(rng, [*ours * _OURS, *loose])
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


def decks_at_hand(rng: np.random.Generator) -> tuple[list[list[DrawnFace]], list[list[DrawnFace]]]:
    """Our own decks, and some of other people's."""
    ours = [[drawn(f) for f in deck.faces()] for deck in drawn_decks().values()]
    return ours, [fresh_deck(rng) for _ in range(24)]


def fresh_deck(rng: np.random.Generator) -> list[DrawnFace]:
    if rng.random() < 0.6:
        style = playing.printing(rng)
        names = [*rng.choice(playing.LABELS, 9), "back"]
        return [drawn(playing.face(str(name), style)) for name in names]
    return [drawn(f) for f in random_decks.family(rng, 6)]


def _taught(picture: Rendering) -> tuple[npt.NDArray[np.generic], ...]:
    """The pixels, and for cards and for dice: heat, its weight, how they lie, where that counts."""
    return picture.image, *_map(picture.truths, "card"), *_map(picture.truths, "die")


def _map(truths: list[Truth], kind: str) -> tuple[npt.NDArray[np.generic], ...]:
    stride = _STRIDES[kind]
    cells = SIZE // stride
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.uint8)
    lies = np.zeros((_LIES[kind], cells, cells), np.float32)
    counts = np.zeros((cells, cells), np.uint8)
    y, x = np.mgrid[:cells, :cells].astype(np.float32)
    for truth in truths:
        quad = truth.quad / stride
        middle = _middle(quad)
        if truth.kind != kind or not ((middle > -0.5) & (middle < cells - 0.5)).all():
            continue
        sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
        sigma = (
            max(0.6, 0.09 * float(sides.min()))
            if kind == "card"
            else max(0.7, 0.13 * float(sides.mean()))
        )
        spot = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * sigma**2))
        tiny = kind == "card" and sides.min() * stride < _TINY
        if truth.visible < _SEEN or tiny:
            if truth.visible > _HIDDEN or tiny:
                weight[spot > 0.05] = 0
            continue
        at = np.round(middle).astype(int).clip(0, cells - 1)
        spot[at[1], at[0]] = 1.0
        rows, columns = np.nonzero((spot > heat) & (spot > 0.35))
        heat = np.maximum(heat, spot)
        counts[rows, columns] = 1
        lies[:2, rows, columns] = middle[:, None] - np.stack([columns, rows])
        if kind == "die":
            lies[2, rows, columns] = np.log(max(float(sides.mean()) * stride / 2, 1.0))
        else:
            lies[2:, rows, columns] = _posture(truth.quad)[:, None]
    return heat, weight, lies, counts


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
    pixels, *maps = (torch.from_numpy(np.ascontiguousarray(part)) for part in batch)
    out = net(pixels)
    cards = _missed(out[:, :CARD], *maps[:4])
    dice = _missed(functional.pixel_shuffle(out[:, CARD:], 2), *maps[4:])
    place, size, turn, quarter = (part.mean() for part in cards[1].split([2, 2, 4, 2]))
    figures = {
        "cards": cards[0].item(),
        "dice": dice[0].item(),
        "place": place.item(),
        "size": size.item(),
        "turn": turn.item(),
        "die": dice[1].mean().item(),
    }
    lie = place + 6 * size + 4 * turn + quarter + 2 * dice[1].mean()
    return cards[0] + dice[0] + lie, figures


def _missed(
    out: torch.Tensor,
    heat: torch.Tensor,
    weight: torch.Tensor,
    lies: torch.Tensor,
    counts: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """How badly middles were found, and how far off on the mean each number of theirs was."""
    logit = out[:, 0]
    p = logit.sigmoid()
    peak = heat.ge(1.0)
    hit = -((1 - p) ** 2) * functional.logsigmoid(logit) * peak
    miss = -(p**2) * functional.logsigmoid(-logit) * (1 - heat) ** 4 * ~peak
    found = ((hit + miss) * weight).sum() / peak.sum().clamp(min=1)
    off = functional.smooth_l1_loss(out[:, 1:], lies, reduction="none", beta=0.03)
    there = counts[:, None].float()
    return found, (off * there).sum((0, 2, 3)) / there.sum().clamp(min=1)


def run(plan: Plan) -> Detector:
    torch.manual_seed(plan.seed)
    net = Detector()
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
