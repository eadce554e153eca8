"""Trains the face embedder: faces of the same kind near each other, all others far.

Some of each batch teaches telling look-alikes of an unknown deck apart (four views of each face,
a few faces of a family), so that any deck can be enrolled. The rest teaches the known decks, our
own and the ordinary playing cards whatever their printing: a direction for every look of every
face, learned with the network, and how near is near enough to be any of them. These directions
become the built-in decks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.sim.faces import drawn_decks, playing, random_decks
from companion.sim.faces.canvas import Face
from companion.sim.render.crops import TOKEN_BELOW_MM, DrawnFace, drawn, print_on, view
from companion.vision.decks import Look
from models.train.nets import Embedder
from models.train.running import Batch, Plan, train

CARDS = "playing-cards"
LABELS = (*playing.LABELS, "joker", "back")
_VIEWS = 4
_STRANGERS, _PRINTED = 6, 4
"""Faces of each family in a batch."""
_SHARES = {"odin": 28, "valhalla": 8, "valhal": 18, CARDS: 56}
"""Views of each known deck in a batch."""
_FOREIGN = 5
"""Views of cards with signs that are none of the four suits, which are none."""
_PRINT = 14
"""Views of print on cards that hold tokens, which are none."""
_COVERED = 0.4
_TEMPERATURE, _MARGIN = 0.07, 0.08


@lru_cache(maxsize=1)
def known() -> dict[str, tuple[Look, ...]]:
    """Every look of every known deck, in the order of the learned directions."""
    if missing := set(drawn_decks()) - set(_SHARES):
        raise SystemExit(f"no share of a batch is of {', '.join(sorted(missing))}: see _SHARES")
    decks = {
        name: tuple(
            Look(face.label, turn, short_first(face))
            for face in deck.faces()
            for turn in turns(drawn(face))
        )
        for name, deck in drawn_decks().items()
        if name != CARDS
    }
    return {**decks, CARDS: tuple(Look(label) for label in LABELS)}


def short_first(face: Face) -> tuple[float, float]:
    return min(face.width, face.height), max(face.width, face.height)


def turns(of: DrawnFace) -> tuple[int, ...]:
    """The ways a face can lie and look different; a square may lie in four."""
    square = of.face.width == of.face.height
    if of.face.same_upside_down:
        return (0, 90) if square and of.face.height >= TOKEN_BELOW_MM else (0,)
    return (0, 90, 180, 270) if square else (0, 180)


class Prototypes(nn.Module):
    """A direction per look of each known deck, and how near is near enough to be of that deck."""

    def __init__(self, size: int = 128) -> None:
        super().__init__()
        looks = known()
        self.directions = nn.ParameterDict(
            {name: nn.Parameter(torch.randn(len(rows), size)) for name, rows in looks.items()}
        )
        self.none = nn.ParameterDict({name: nn.Parameter(torch.tensor(0.5)) for name in looks})
        self.log_scale = nn.Parameter(torch.tensor(3.0))

    def forward(self, points: torch.Tensor, deck: str) -> torch.Tensor:
        """A row per point: how near it is to each look of the deck and, last, to none."""
        near = points @ functional.normalize(self.directions[deck], dim=1).T
        return torch.cat([near, self.none[deck].expand(len(points), 1)], 1)


class _Printings:
    """Playing cards of many houses, a few of them replaced as the training goes on."""

    def __init__(self, rng: np.random.Generator, many: int) -> None:
        self._rng = rng
        self._decks: list[tuple[playing.Printing, dict[str, DrawnFace]]] = [
            (playing.printing(rng), {}) for _ in range(many)
        ]

    def renew(self) -> None:
        at = int(self._rng.integers(len(self._decks)))
        self._decks[at] = (playing.printing(self._rng), {})

    def card(self, label: str, deck: int | None = None) -> DrawnFace:
        at = int(self._rng.integers(len(self._decks))) if deck is None else deck
        style, done = self._decks[at]
        if label not in done:
            done[label] = drawn(playing.face(label, style))
        return done[label]

    def foreign(self) -> DrawnFace:
        """A card that is like ours, but of no suit we know."""
        label = LABELS[int(self._rng.integers(52))]
        return drawn(playing.face(label, playing.foreign(self._rng)))

    def any_deck(self) -> int:
        return int(self._rng.integers(len(self._decks)))


def make(rng: np.random.Generator, many: int = 60) -> Iterator[Batch]:
    """Batches of (pixels, which face of a family or -1, which known deck or -1, which look)."""
    printings = _Printings(rng, many)
    families = [[drawn(f) for f in random_decks.family(rng, 7)] for _ in range(many)]
    ours = {name: [drawn(f) for f in deck.faces()] for name, deck in drawn_decks().items()}
    large = [card for card in ours["valhal"] if card.face.height > TOKEN_BELOW_MM]
    step = 0
    while True:
        step += 1
        if step % 2 == 0:
            printings.renew()
        if step % 2 == 0:
            at = int(rng.integers(len(families)))
            families[at] = [drawn(f) for f in random_decks.family(rng, 7)]
        rows: list[tuple[np.ndarray, int, int, int]] = []
        deck = printings.any_deck()
        alike = [printings.card(LABELS[i], deck) for i in _alike(rng)]
        number = 0
        for group, faces in (
            (families[int(rng.integers(len(families)))], _STRANGERS),
            (alike, _PRINTED),
        ):
            for face, turn in _turned(group, faces, rng):
                pixels = [view(face, rng, turn=turn, others=group) for _ in range(_VIEWS)]
                at = LABELS.index(face.face.label) if group is alike else -1
                rows += [(p, number, _DECK[CARDS] if group is alike else -1, at) for p in pixels]
                number += 1
        for name, share in _SHARES.items():
            rows += [_one_of(name, ours, printings, rng) for _ in range(share)]
        prints = [large[int(i)] for i in rng.integers(len(large), size=_PRINT)]
        rows += [(print_on(card, rng), -1, -1, -1) for card in prints]
        rows += [
            (view(printings.foreign(), rng, others=alike), -1, -1, -1) for _ in range(_FOREIGN)
        ]
        yield tuple(np.stack(part) for part in zip(*rows, strict=True))


_DECK = {name: i for i, name in enumerate(_SHARES)}


def _one_of(
    name: str, ours: dict[str, list[DrawnFace]], printings: _Printings, rng: np.random.Generator
) -> tuple[np.ndarray, int, int, int]:
    looks = known()[name]
    if name == CARDS:
        at = int(rng.integers(52)) if rng.random() < 0.94 else int(rng.integers(52, len(LABELS)))
        face, turn = printings.card(LABELS[at]), 180 * int(rng.integers(2))
        others = [printings.card(LABELS[int(rng.integers(52))]) for _ in range(2)]
    else:
        deck = ours[name]
        at = int(rng.integers(len(looks)))
        face = next(d for d in deck if d.face.label == looks[at].label)
        turn = looks[at].turn
        if face.face.same_upside_down:
            turn += 180 * int(rng.integers(2))
        others = [deck[int(rng.integers(len(deck)))] for _ in range(2)]
    return view(face, rng, turn=turn, others=others, covered=_COVERED), -1, _DECK[name], at


def _alike(rng: np.random.Generator) -> list[int]:
    """Seven cards: neighbours in rank, or a rank in all suits and its neighbour."""
    rank, suit = int(rng.integers(13)), int(rng.integers(4))
    if rng.random() < 0.5:
        return [suit * 13 + (rank + i) % 13 for i in range(7)]
    return [s * 13 + (rank + i) % 13 for i in range(2) for s in range(4)][:7]


def _turned(
    group: list[DrawnFace], many: int, rng: np.random.Generator
) -> list[tuple[DrawnFace, int]]:
    """Some faces each one way up, the last of them the first the other way up if it can be."""
    names: dict[str, DrawnFace] = {}
    for d in group:
        names.setdefault(d.face.label, d)
    picked = [list(names.values())[i] for i in rng.permutation(len(names))[:many]]
    out = [(d, 180 * int(rng.integers(2))) for d in picked]
    if len(out) == many and not out[0][0].face.same_upside_down:
        out[-1] = (out[0][0], 180 - out[0][1])
    return out


def loss_of(
    net: Embedder, cards: Prototypes, batch: Batch
) -> tuple[torch.Tensor, dict[str, float]]:
    pixels, which, deck, look = (torch.from_numpy(part) for part in batch)
    points = net(pixels)
    scale = cards.log_scale.exp()
    named, figures = points.new_zeros(()), {}
    for name, number in _DECK.items():
        near = cards(points, name)
        mine = deck == number
        truth = torch.where(mine, look, near.shape[1] - 1)
        # Asking the truth to win by a margin keeps look-alikes further apart.
        margin = functional.one_hot(truth, near.shape[1]) * _MARGIN * mine[:, None]
        cost = functional.cross_entropy(
            (near - margin) * scale, truth, label_smoothing=0.02, reduction="none"
        )
        named = named + _WEIGHTS[name] * (cost[mine].mean() + 0.5 * cost[~mine].mean())
        with torch.no_grad():
            figures[name] = float((near.argmax(1) == truth)[mine].float().mean())
    own = points[which >= 0]
    ids = which[which >= 0]
    near = own @ own.T / _TEMPERATURE
    near = near - torch.eye(len(own)) * 1e4
    same = (ids[:, None] == ids[None]).float() - torch.eye(len(own))
    log = near - torch.logsumexp(near, 1, keepdim=True)
    alike = (-(log * same).sum(1) / same.sum(1).clamp(min=1)).mean()
    with torch.no_grad():
        figures["nearest"] = float((ids[near.argmax(1)] == ids).float().mean())
    figures |= {"named": named.item(), "alike": alike.item()}
    return named + alike, figures


_WEIGHTS = {"odin": 0.45, "valhalla": 0.15, "valhal": 0.3, CARDS: 0.5}


def run(plan: Plan) -> tuple[Embedder, Prototypes]:
    torch.manual_seed(plan.seed)
    net, cards = Embedder(), Prototypes()
    best = train(plan, net, make, lambda batch: loss_of(net, cards, batch), cards)
    return best[0], best[1]  # type: ignore[index]
