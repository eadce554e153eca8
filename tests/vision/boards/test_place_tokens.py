"""Tokens on the places of boards, many at once."""

from __future__ import annotations

from pathlib import Path

from companion.bench.board_places import PlaceCount, read_one
from companion.tabletop.layout import layouts

SEED = 650
"""A table that was tried out on: the figures are judged on others."""


def test_a_table_full_of_tokens_and_cards_is_read_place_by_place(tmp_path: Path) -> None:
    count = PlaceCount()
    read_one(tmp_path, "valhal", layouts()["valhal"], SEED, count)
    assert count.places > 150
    assert count.right >= 0.96 * count.places
