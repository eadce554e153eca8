"""How well boards are found on rendered tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.bench.figure import Figure
from companion.sim.faces.board_prints import HELD_OUT
from companion.sim.render.board_tables import BoardTable, board_table
from companion.vision.boards.finding import BoardFinder

WITHIN_MM = 1.0
_FIRST_SEED = 500
"""Nothing was tried out on the tables from here on."""


def measure_boards(*, quick: bool) -> Iterator[Figure]:
    """Six boards a table, of styles never tried out, in hard light, 20 to 60 % covered."""
    tables = 4 if quick else 60
    what = BoardTable(tuple(HELD_OUT))
    there = false = 0
    off: list[float] = []
    for seed in range(_FIRST_SEED, _FIRST_SEED + tables):
        table = board_table(seed, what)
        found = {e.board.name: e for e in BoardFinder(table.boards).find(table.rendering.image)}
        there += len(table.boards)
        for board, quad in zip(table.boards, table.quads, strict=True):
            if board.name in found:
                far = np.linalg.norm(found[board.name].quad - quad, axis=1).max()
                off.append(float(far) / what.px_per_mm)
        others = board_table(seed, BoardTable(tuple(HELD_OUT), strangers=True))
        false += len(BoardFinder(others.boards).find(others.rendering.image))
    near = sum(each <= WITHIN_MM for each in off)
    yield Figure("boards found, half covered, hard light", 100 * len(off) / there, "%")
    yield Figure("of these with every corner within 1 mm", 100 * near / max(len(off), 1), "%")
    yield Figure("boards found where none of them is", false, f"of {there}")
