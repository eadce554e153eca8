"""Areas, boxes and what lies in what."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tabletop.polygons import (
    Corner,
    Quad,
    area,
    box_about,
    boxes_meet,
    inside,
    middle_of,
    overlap,
)
from tests.strategies import examples

SQUARE: Quad = ((0, 0), (10, 0), (10, 10), (0, 10))
L_SHAPE = ((0.0, 0.0), (30.0, 0.0), (30.0, 10.0), (10.0, 10.0), (10.0, 30.0), (0.0, 30.0))


@st.composite
def cards(draw: st.DrawFn) -> Quad:
    """A card somewhere on the mat, turned any way."""
    x, y = draw(st.floats(0, 594)), draw(st.floats(0, 420))
    turn = draw(st.floats(0, 2 * pi))
    return turned(x, y, turn)


def turned(x: float, y: float, turn: float) -> Quad:
    def at(across: float, down: float) -> Corner:
        return (
            x + across * cos(turn) - down * sin(turn),
            y + across * sin(turn) + down * cos(turn),
        )

    return at(-31.5, -44), at(31.5, -44), at(31.5, 44), at(-31.5, 44)


def moved(quad: Quad, across: float, down: float) -> Quad:
    a, b, c, d = ((x + across, y + down) for x, y in quad)
    return a, b, c, d


def test_areas_one_can_work_out() -> None:
    assert area(SQUARE) == 100
    assert area(SQUARE[::-1]) == 100
    assert area(L_SHAPE) == 500
    assert area(((0, 0), (4, 0), (0, 3))) == 6
    assert area(((0, 0), (1, 1), (2, 2))) == 0


def test_a_point_in_an_outline_of_any_shape() -> None:
    assert inside(L_SHAPE, (5, 25))
    assert inside(L_SHAPE, (25, 5))
    assert not inside(L_SHAPE, (20, 20))
    assert not inside(L_SHAPE, (-1, 5))


def test_zones_side_by_side_share_no_point() -> None:
    beside = moved(SQUARE, 10, 0)
    for y in (0.0, 3.0, 9.9):
        assert (inside(SQUARE, (10, y)), inside(beside, (10, y))) == (False, True)


def test_the_box_about() -> None:
    assert box_about(L_SHAPE) == (0, 0, 30, 30)
    assert boxes_meet(L_SHAPE, moved(SQUARE, 20, 20))  # their boxes do, they do not
    assert not boxes_meet(SQUARE, moved(SQUARE, 10, 0))  # an edge is no meeting


@pytest.mark.parametrize(
    ("across", "share"), [(0, 1.0), (2, 0.8), (4, 0.6), (8, 0.2), (9.5, 0.0), (50, 0.0)]
)
def test_how_much_lies_under_another(across: float, share: float) -> None:
    assert overlap(SQUARE, [moved(SQUARE, across, 0)]) == share


def test_what_lies_under_two_is_counted_once() -> None:
    left, right = moved(SQUARE, -6, 0), moved(SQUARE, 4, 0)
    assert overlap(SQUARE, [left]) == pytest.approx(0.4)
    assert overlap(SQUARE, [left, left]) == pytest.approx(0.4)
    assert overlap(SQUARE, [left, right]) == pytest.approx(1.0)
    assert overlap(SQUARE, []) == 0.0


@examples(100)
@given(cards())
def test_a_card_is_as_large_however_it_lies(card: Quad) -> None:
    assert area(card) == pytest.approx(63 * 88)
    assert inside(card, middle_of(card))
    assert overlap(card, [card]) == 1.0
    left, top, right, bottom = box_about(card)
    assert area(((left, top), (right, top), (right, bottom), (left, bottom))) >= area(card) - 1e-6


@examples(100)
@given(cards(), cards(), cards())
def test_more_cards_never_cover_less(card: Quad, one: Quad, other: Quad) -> None:
    both = overlap(card, [one, other])
    assert max(overlap(card, [one]), overlap(card, [other])) <= both <= 1.0
    if not boxes_meet(card, one):
        assert overlap(card, [one]) == 0.0
