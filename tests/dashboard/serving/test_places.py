"""How many may be in at once."""

from __future__ import annotations

import pytest

from companion.dashboard.serving.places import Places


@pytest.mark.parametrize(
    ("already", "asks", "let_in"),
    [
        ([], "10.0.0.1", True),
        (["10.0.0.1"], "10.0.0.1", True),
        (["10.0.0.1", "10.0.0.1"], "10.0.0.1", False),  # two from one address are enough
        (["10.0.0.1", "10.0.0.1"], "10.0.0.2", True),
        (["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"], "10.0.0.5", False),  # it is full
        (["127.0.0.1", "127.0.0.1", "127.0.0.1"], "127.0.0.1", True),  # this machine itself
        (["127.0.0.1"] * 4, "127.0.0.1", False),
    ],
)
def test_places_are_limited_in_all_and_from_one_address(
    already: list[str], asks: str, let_in: bool
) -> None:
    places = Places(4, 2)
    assert all(places.take(each) for each in already)
    assert places.take(asks) is let_in


def test_a_place_that_was_left_can_be_taken_again() -> None:
    places = Places(1, 1)
    for _ in range(3):
        assert places.take("10.0.0.1")
        assert not places.take("10.0.0.1")
        places.leave("10.0.0.1")
    assert places.taken == 0
