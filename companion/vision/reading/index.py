"""Reading the corner index of playing cards, beside the whole face.

What the corners say of rank and of suit is told apart, each with how probably nothing can be read
there. Whoever reads cards weighs it against what the face says: see docs/seeing.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.crops import Image, ImagePyramid, index_crops
from companion.vision.networks import network

RANKS = "A23456789TJQK"
SUITS = "SHDC"
Floats = npt.NDArray[Any]
_LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class IndexReading:
    """What the corners of one card say together. The rest to 1 is that nothing can be read."""

    ranks: Floats
    """(13) how probable each of RANKS is,"""
    suits: Floats
    """(4) and each of SUITS."""

    def label(self, rank: int, suit: int) -> str:
        return RANKS[rank] + SUITS[suit]

    @property
    def labels(self) -> dict[str, float]:
        """Every label such as "TD" with its probability, if rank and suit are told apart."""
        both = np.outer(self.suits, self.ranks).ravel()
        names = (rank + suit for suit in SUITS for rank in RANKS)
        return dict(zip(names, both.tolist(), strict=True))


def read_indices(image: Image | ImagePyramid, quads: Floats) -> list[IndexReading]:
    """What the corners of cards say; quads (n, 4, 2) stand upright or upside down, either way."""
    if not len(quads):
        return []
    cuts = index_crops(image, quads)
    said = network("index").run(cuts.reshape(-1, *cuts.shape[2:])).reshape(len(quads), 4, -1)
    ranks, suits = _softmax(said[..., : len(RANKS) + 1]), _softmax(said[..., len(RANKS) + 1 :])
    return [IndexReading(_together(r), _together(s)) for r, s in zip(ranks, suits, strict=True)]


def _softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def _together(corners: Sequence[Floats] | Floats) -> Floats:
    """Each corner counts as far as it can be read; those that agree are surer."""
    each = np.asarray(corners)
    read = 1 - each[:, -1:]
    named = each[:, :-1] / np.maximum(read, _LEAST)
    weight = (read * np.log(np.maximum(named, _LEAST))).sum(0)
    odds = np.exp(weight - weight.max())
    out: Floats = odds / odds.sum() * (1 - float(np.prod(each[:, -1])))
    return out
