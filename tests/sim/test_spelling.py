"""Lines that say the same are spelt the same."""

from __future__ import annotations

import pytest

from companion.sim.spelling import one_spelling


@pytest.mark.parametrize(
    ("game", "line", "same", "other"),
    [
        ("odin", "A r7 b7", "A b7 r7", "A b7 r6"),
        ("valhalla", "B draws axe draugr keeps axe", "B draws draugr axe keeps axe", "B draws"),
        ("valhalla", "B reveals axe wolf", "b reveals axe wolf", "B reveals wolf axe"),
        ("valhal", "A rolls 3 5", "A rolls 5 3", "A rolls 3 3"),
    ],
)
def test_one_spelling(game: str, line: str, same: str, other: str) -> None:
    told = one_spelling(game)
    assert told(line) == told(same) != told(other)


def test_what_is_no_line_is_left_alone() -> None:
    assert one_spelling("odin")("nonsense  here") == "nonsense  here"
