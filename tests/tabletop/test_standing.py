"""What stands on each place, from what is seen."""

from __future__ import annotations

import pytest

from companion.tabletop.observations import Quad, Sighting
from companion.tabletop.standing import StandingPiece, standing
from companion.tabletop.zones import box

PLACES = {"site": box(0, 0, 60, 60), "food": box(70, 0, 25, 25), "track-3": box(100, 0, 14, 24)}
UPRIGHT: Quad = ((10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0))


def seen(label: str | None, quad: Quad, p: float = 0.99) -> Sighting:
    return Sighting("card", label, p, quad)


def at(x: float, y: float) -> Quad:
    return ((x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8))


def test_an_empty_place_has_nothing_on_it() -> None:
    assert standing([], PLACES) == {"site": (), "food": (), "track-3": ()}


@pytest.mark.parametrize("quarters", range(4))
def test_a_card_is_told_with_its_turn(quarters: int) -> None:
    a, b, c, d = (*UPRIGHT[-quarters:], *UPRIGHT[:-quarters]) if quarters else UPRIGHT
    turned = standing([seen("longboat-back", (a, b, c, d))], PLACES)["site"]
    assert turned == (StandingPiece("longboat-back", (360 - 90 * quarters) % 360),)


def test_tokens_are_counted_and_a_marker_shows_its_number() -> None:
    lying = [seen("coin", at(20, 30)), seen("coin", at(40, 30)), seen("marker", at(107, 12))]
    told = standing(lying, PLACES)
    assert [each.label for each in told["site"]] == ["coin", "coin"]
    assert [each.label for each in told["track-3"]] == ["marker"]
    assert told["food"] == ()


def test_what_is_there_but_cannot_be_read_is_not_taken_for_nothing() -> None:
    for one in (seen(None, at(80, 12)), seen("coin", at(80, 12), p=0.3)):
        (piece,) = standing([one], PLACES)["food"]
        assert not piece.label


def test_what_lies_beside_every_place_stands_on_none() -> None:
    assert not any(standing([seen("coin", at(300, 300))], PLACES).values())
