"""Boards found by their own print, on rendered tables."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sim.render import tables
from companion.sim.render.board_tables import BoardTable, board_table
from companion.vision.boards.finding import BoardFinder

SMALL = {"boards": 2, "light": tables.GOOD, "covered": (0.2, 0.4)}
WITHIN_MM = 1.0


@pytest.mark.parametrize("style", ["landscape", "chart"])
def test_half_covered_boards_are_found_where_they_lie(style: str) -> None:
    what = BoardTable((style,), **SMALL)  # type: ignore[arg-type]
    table = board_table(3, what)
    found = BoardFinder(table.boards).find(table.rendering.image)
    assert [each.board.name for each in found] == ["board-0", "board-1"]
    for each, truth in zip(found, table.quads, strict=True):
        off = np.linalg.norm(each.quad - truth, axis=1).max() / what.px_per_mm
        assert off <= WITHIN_MM


def test_no_board_is_found_where_others_lie() -> None:
    table = board_table(5, BoardTable(("landscape",), strangers=True, **SMALL))  # type: ignore[arg-type]
    assert BoardFinder(table.boards).find(table.rendering.image) == ()


def test_two_boards_of_one_print_are_both_found_in_their_two_places() -> None:
    table = board_table(7, BoardTable(("landscape",), twins=True, **SMALL))  # type: ignore[arg-type]
    finder = BoardFinder(table.boards)
    found = finder.find(table.rendering.image)
    assert [len(group) for group in finder.copies] == [2]
    near = {
        min(
            range(2),
            key=lambda at: float(np.abs(each.quad.mean(0) - table.quads[at].mean(0)).sum()),
        )
        for each in found
    }
    assert near == {0, 1}


def test_a_blank_picture_shows_no_board() -> None:
    table = board_table(3, BoardTable(("landscape",), **SMALL))  # type: ignore[arg-type]
    blank = np.full((240, 320, 3), 127, np.uint8)
    assert BoardFinder(table.boards).find(blank) == ()
