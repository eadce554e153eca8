"""Trains the reader of corner indices: rank and suit, or that neither can be read there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

import cv2
import numpy as np
import torch
from torch.nn import functional

from companion.sim.faces import drawn_decks, playing, random_decks
from companion.sim.faces.playing.indices import boxes
from companion.sim.render.crops import DrawnFace, corner_lit, corner_view, drawn
from companion.vision.reading.index import RANKS, SUITS
from models.train.nets import IndexReader
from models.train.running import Batch, Plan, train

BATCH = 192
_STOCK = 60
_STRANGERS = 0.12
"""The share of photographs of cards that have no index we know."""
_FOREIGN = 0.08
"""The share of printings with other signs than the four suits: their ranks can be read."""
_SEEN, _HIDDEN = 0.8, 0.35
"""What is in view to this share is to be read; below the second it cannot be."""
_UNASKED = -100
_FRESH, _KEPT = 64, 12_000
"""New cuts in each batch, and how many of those seen are kept to come back."""
Corner = tuple[np.ndarray, float, int, int]
"""A cut, how hard its light is, its rank and its suit."""
NO_RANK, NO_SUIT = len(RANKS), len(SUITS)


class _Stock:
    """Cards of many houses, drawn when they are first wanted."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._houses = [self._house() for _ in range(_STOCK)]
        ours = [drawn(f) for deck in drawn_decks().values() for f in deck.faces()]
        self.strangers = [card for card in ours if card.face.height > 60]
        self.strangers += [drawn(f) for _ in range(20) for f in random_decks.family(rng, 5)]

    def _house(self) -> tuple[playing.Printing, bool, dict[str, DrawnFace]]:
        foreign = self._rng.random() < _FOREIGN
        style = playing.foreign(self._rng) if foreign else playing.printing(self._rng)
        return style, foreign, {}

    def renew(self) -> None:
        self._houses[int(self._rng.integers(_STOCK))] = self._house()
        at = int(self._rng.integers(len(self.strangers) // 2, len(self.strangers)))
        if self._rng.random() < 0.3:
            self.strangers[at] = drawn(random_decks.family(self._rng, 1)[0])

    def house(self) -> tuple[playing.Printing, bool, dict[str, DrawnFace]]:
        return self._houses[int(self._rng.integers(_STOCK))]


def _card(house: tuple[playing.Printing, bool, dict[str, DrawnFace]], label: str) -> DrawnFace:
    style, _, done = house
    if label not in done:
        done[label] = drawn(playing.face(label, style))
    return done[label]


def make(rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of (pixels, rank, suit); the last of each is none."""
    stock = _Stock(rng)
    kept: deque[Corner] = deque(maxlen=_KEPT)
    for step in count():
        if step % 4 == 0:
            stock.renew()
        fresh: list[Corner] = []
        while len(fresh) < (_FRESH if kept else BATCH):
            fresh += _taught(stock, rng)
        kept.extend(fresh)
        # Photographs are dear, so most cuts come back; never in the same light.
        again = [kept[int(i)] for i in rng.integers(len(kept), size=BATCH)]
        rows = [*fresh, *again][:BATCH]
        yield (
            np.stack([corner_lit(cut, rng, hard) for cut, hard, _, _ in rows]),
            np.array([rank for _, _, rank, _ in rows]),
            np.array([suit for _, _, _, suit in rows]),
        )


def _taught(stock: _Stock, rng: np.random.Generator) -> list[Corner]:
    """The corners of one photograph: all that can be read, and some of the others."""
    house = stock.house()
    others = [_card(house, str(name)) for name in rng.choice(playing.LABELS, 2)]
    lot = rng.random()
    if lot < _STRANGERS:
        card = stock.strangers[int(rng.integers(len(stock.strangers)))]
        if lot < _STRANGERS / 4:
            card = _card(house, "back" if rng.random() < 0.6 else "joker")
        seen = corner_view(card, rng, others)
        return [(seen.cuts[int(rng.integers(4))], seen.hard, NO_RANK, NO_SUIT)]
    label = str(rng.choice(playing.LABELS))
    seen = corner_view(_card(house, label), rng, others, turn=180 * int(rng.integers(2)))
    style, foreign, _ = house
    out = []
    for corner in range(4):
        rank, suit = _truth(label, style, corner, _shown(style, corner, seen.home, seen.hidden))
        if 0 <= suit < NO_SUIT and foreign:
            suit = NO_SUIT
        if (rank, suit) != (NO_RANK, NO_SUIT) or rng.random() < 0.25:
            out.append((seen.cuts[corner], seen.hard, rank, suit))
    return out


def _has_index(style: playing.Printing, corner: int) -> bool:
    match style.index.corners:
        case "four":
            return True
        case "one":
            return False  # which of two it is depends on the turn: those cards are not asked
        case _:
            return corner in (0, 2)


def _shown(
    style: playing.Printing, corner: int, home: np.ndarray, hidden: np.ndarray
) -> tuple[float, float]:
    """The shares of rank and sign in that corner that nothing covers."""
    way = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), home.astype(np.float32)
    )
    out = []
    for box in boxes(style):
        if box is None:
            out.append(0.0)
            continue
        at = box / (style.width, style.height)
        if corner in (1, 3):
            at = at + (1 - 2 * style.index.x / style.width, 0)
        if corner > 1:
            at = 1 - at if corner == 2 else np.stack([1 - at[:, 0], 1 - at[:, 1]], 1)
        quad = cv2.perspectiveTransform(at.reshape(-1, 1, 2), way)
        mask = np.zeros(hidden.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
        out.append(1 - float(hidden[mask > 0].mean()) if mask.any() else 0.0)
    return out[0], out[1]


def _truth(
    label: str, style: playing.Printing, corner: int, shown: tuple[float, float]
) -> tuple[int, int]:
    if style.index.corners == "one" and corner in (0, 2):
        return _UNASKED, _UNASKED
    if not _has_index(style, corner):
        return NO_RANK, NO_SUIT
    rank = RANKS.index(label[0]) if shown[0] >= _SEEN else NO_RANK
    suit = SUITS.index(label[1]) if shown[1] >= _SEEN else NO_SUIT
    return (
        _UNASKED if _HIDDEN < shown[0] < _SEEN else rank,
        _UNASKED if _HIDDEN < shown[1] < _SEEN else suit,
    )


def loss_of(net: IndexReader, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, rank, suit = (torch.from_numpy(part) for part in batch)
    ranks, suits = net(pixels).split([NO_RANK + 1, NO_SUIT + 1], 1)
    cost = [
        functional.cross_entropy(out, truth, label_smoothing=0.02, ignore_index=_UNASKED)
        for out, truth in ((ranks, rank), (suits, suit))
    ]
    with torch.no_grad():
        right = [
            (out.argmax(1) == truth)[(truth != _UNASKED) & (truth < out.shape[1] - 1)]
            .float()
            .mean()
            for out, truth in ((ranks, rank), (suits, suit))
        ]
    loss = cost[0] + cost[1]
    return loss, {"loss": loss.item(), "rank": right[0].item(), "suit": right[1].item()}


def run(plan: Plan) -> IndexReader:
    torch.manual_seed(plan.seed)
    net = IndexReader().to(memory_format=torch.channels_last)
    best = train(plan, net, make, lambda batch: loss_of(net, batch))
    return best[0]  # type: ignore[index]
