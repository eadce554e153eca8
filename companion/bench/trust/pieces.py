"""A long row in pieces. Each piece has chances of its own, and what was counted is written down
after it: a row that was stopped goes on where it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeAlias

import msgspec

from companion.foundation.files import replace_file

FILE = "counted.json"
"""In the row's folder; everything else there belongs to the piece under way."""

Counts: TypeAlias = Counter[str]
Piece: TypeAlias = Callable[[Random, int], Counter[str]]
"""Tries so many, by these chances, and counts what came of them."""


@dataclass
class RowProgress:
    """What has been tried so far of one row, at one size."""

    total: int
    tried: int = 0
    pieces: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def in_pieces(folder: Path, total: int, piece: Piece, *, most: int, seed: int) -> Counts:
    """Tries `total` in pieces of at most `most`; what another run left in the folder counts."""
    file = folder / FILE
    so_far = _left(file, total)
    while so_far.tried < total:
        many = min(most, total - so_far.tried)
        rng = Random(f"{seed} {so_far.pieces}")  # noqa: S311 - the same chances every time
        so_far.counts = dict(Counter(so_far.counts) + piece(rng, many))
        so_far.tried, so_far.pieces = so_far.tried + many, so_far.pieces + 1
        replace_file(file, msgspec.json.encode(so_far))
    return Counter(so_far.counts)


def _left(file: Path, total: int) -> RowProgress:
    """What a run before this one counted; nothing if it was of another size."""
    try:
        left = msgspec.json.decode(file.read_bytes(), type=RowProgress)
    except (OSError, msgspec.MsgspecError):
        return RowProgress(total)
    return left if left.total == total else RowProgress(total)
