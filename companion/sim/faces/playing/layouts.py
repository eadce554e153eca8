"""How many pips lie where: (column, row) from -1 to 1 for each pip, several manners for a rank."""

from __future__ import annotations

import numpy as np

Spots = tuple[tuple[float, float], ...]


def _rows(*rows: tuple[float, str]) -> Spots:
    """Rows from the top: how far down, and which columns hold a pip: l, m, r."""
    column = {"l": -1.0, "m": 0.0, "r": 1.0, "i": -0.5, "j": 0.5}
    return tuple((column[c], at) for at, names in rows for c in names)


def _pairs(many: int) -> Spots:
    """Two columns of so many."""
    return _rows(*((float(at), "lr") for at in np.linspace(-1, 1, many)))


_T = 1 / 3
MANNERS: dict[str, tuple[Spots, ...]] = {
    "A": (((0.0, 0.0),),),
    "2": (_rows((-1, "m"), (1, "m")), ((-0.8, -0.8), (0.8, 0.8))),
    "3": (_rows((-1, "m"), (0, "m"), (1, "m")), ((-0.9, -0.9), (0.0, 0.0), (0.9, 0.9))),
    "4": (_pairs(2), _rows((-1, "m"), (0, "lr"), (1, "m"))),
    "5": (_rows((-1, "lr"), (0, "m"), (1, "lr")), _rows((-1, "m"), (0, "lmr"), (1, "m"))),
    "6": (_pairs(3), _rows((-0.5, "lmr"), (0.5, "lmr"))),
    "7": (
        _rows((-1, "lr"), (-0.5, "m"), (0, "lr"), (1, "lr")),
        _rows((-1, "lr"), (0, "lmr"), (1, "lr")),
        _rows((-1, "lr"), (0, "lr"), (0.5, "m"), (1, "lr")),
        _rows((-1, "lr"), (-_T, "m"), (_T, "lr"), (1, "lr")),
    ),
    "8": (
        _rows((-1, "lr"), (-0.5, "m"), (0, "lr"), (0.5, "m"), (1, "lr")),
        _pairs(4),
        _rows((-1, "lmr"), (0, "lr"), (1, "lmr")),
        _rows((-1, "lr"), (0, "lr"), (-_T, "m"), (_T, "m"), (1, "lr")),
    ),
    "9": (
        _rows((-1, "lr"), (-_T, "lr"), (0, "m"), (_T, "lr"), (1, "lr")),
        _rows((-1, "lmr"), (0, "lmr"), (1, "lmr")),
        _rows((-1, "lr"), (-2 * _T, "m"), (-_T, "lr"), (_T, "lr"), (1, "lr")),
    ),
    "T": (
        _rows((-1, "lr"), (-2 * _T, "m"), (-_T, "lr"), (_T, "lr"), (2 * _T, "m"), (1, "lr")),
        _pairs(5),
        _rows((-1, "lmr"), (-_T, "lr"), (_T, "lr"), (1, "lmr")),
        _rows((-1, "lr"), (-_T, "lr"), (-0.25, "m"), (0.25, "m"), (_T, "lr"), (1, "lr")),
    ),
}
"""The usual manner of each rank first."""


def choice(rng: np.random.Generator) -> dict[str, int]:
    """One manner for each rank: mostly the usual one, in some printings hardly ever."""
    odd = float(rng.choice([0.0, 0.25, 0.7], p=[0.35, 0.4, 0.25]))
    return {
        rank: int(rng.integers(1, len(manners)))
        for rank, manners in MANNERS.items()
        if len(manners) > 1 and rng.random() < odd * (0.35 if rank in "23456" else 1.0)
    }


def spots(rank: str, layout: dict[str, int]) -> Spots:
    return MANNERS[rank][layout.get(rank, 0)]
