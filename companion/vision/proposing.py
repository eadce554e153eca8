"""Where cards may lie on a crowded table: a finder puts some middles between two of a row.

Around each find in a crowd the places half a card further are looked at as well. Corner
correction draws all of them to real cards; those that arrive at the same one count once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Quads = npt.NDArray[Any]

_CROWDED = 0.8
"""A find with another nearer than this many of its long sides may be one of a row."""
_FURTHER = (0.13, -0.13, 0.27, -0.27)
"""How far from the find is looked: shares of a side."""


def proposed(quads: Quads) -> tuple[Quads, npt.NDArray[Any]]:
    """The quads and, where they crowd, their surroundings; and which find each comes from."""
    middles = quads.mean(1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    long = np.maximum(np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1))
    # A token on a card is no crowd: both sides must be of like size.
    like = np.abs(np.log(long[:, None] / long[None])) < 0.5
    crowd = np.flatnonzero(np.where(like, apart, np.inf).min(1) < _CROWDED * long)
    moved = [
        quads[crowd] + (share * side[crowd])[:, None]
        for side in (across, down)
        for share in _FURTHER
    ]
    whose = [np.arange(len(quads)), *([crowd] * len(moved))]
    return np.concatenate([quads, *moved]), np.concatenate(whose)


def distinct(quads: Quads, same: float) -> npt.NDArray[Any]:
    """The numbers of those not within the share `same` of a short side of an earlier one."""
    middles = quads.mean(1)
    short = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2).min(1)
    kept: list[int] = []
    for number, middle in enumerate(middles):
        apart = np.linalg.norm(middles[kept] - middle, axis=1)
        if (apart > same * short[number]).all():
            kept.append(number)
    return np.array(kept, np.intp)
