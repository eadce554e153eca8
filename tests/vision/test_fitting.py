"""Cards of known size: hidden corners follow from those in view."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.sim.render.tables import over_mat, plane_of
from companion.vision.detecting.fitting import KnownSizes
from companion.vision.enrolment.deck_making import sizes_of

CARD, TILE = (63.0, 88.0), (56.0, 56.0)
PLANE = plane_of(over_mat((1280, 720), np.random.default_rng(4)))
SIZES = KnownSizes(PLANE, (TILE, CARD))


def laid(x: float, y: float, turn: float, size: tuple[float, float]) -> np.ndarray:
    """A card's corners in pixels, from its middle in millimetres."""
    w, h = size[0] / 2, size[1] / 2
    flat = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return PLANE.pixels(flat @ spin + (x, y))


places = st.tuples(
    st.floats(60, 530), st.floats(60, 360), st.floats(-3.1, 3.1), st.sampled_from([CARD, TILE])
)


@given(places)
def test_a_card_that_is_exact_stays(place: tuple[float, float, float, tuple[float, float]]) -> None:
    quad = laid(*place)
    assert np.allclose(SIZES.fitted(quad[None], np.ones((1, 4)))[0], quad, atol=0.02)


@given(
    place=places,
    side=st.integers(0, 3),
    off=st.floats(-20, 20),
)
def test_hidden_corners_are_put_where_the_size_says(
    place: tuple[float, float, float, tuple[float, float]], side: int, off: float
) -> None:
    quad = laid(*place)
    guessed = quad.copy()
    hidden = [side, (side + 1) % 4]
    guessed[hidden] += off
    wide = np.full((1, 4), 0.002)
    wide[0, hidden] = 0.5
    assert np.allclose(SIZES.fitted(guessed[None], wide)[0], quad, atol=0.2)


def test_what_is_of_another_size_is_left_alone() -> None:
    phone = laid(300, 200, 0.3, (75.0, 150.0))
    assert np.array_equal(SIZES.fitted(phone[None], np.ones((1, 4)))[0], phone)


@given(places)
def test_a_find_of_about_the_right_size_is_tried_once(
    place: tuple[float, float, float, tuple[float, float]],
) -> None:
    x, y, turn, (wide, high) = place
    rough = laid(x, y, turn, (wide * 0.95, high * 1.04))
    tries, whose = SIZES.candidates(rough[None])
    assert whose.tolist() == [0]
    assert np.allclose(tries[0], laid(*place), atol=0.5)


@given(places)
def test_the_square_printed_on_a_tile_leads_to_the_tile(
    place: tuple[float, float, float, tuple[float, float]],
) -> None:
    x, y, turn, _ = place
    printed = laid(x, y, turn + np.pi / 4, (TILE[0] / np.sqrt(2), TILE[1] / np.sqrt(2)))
    fine = laid(400, 200, 0.1, CARD)
    tries, whose = SIZES.candidates(np.stack([fine, printed]))
    assert whose.tolist().count(0) == 1
    tile = laid(x, y, turn, TILE)
    off = [
        np.abs(np.roll(each, by, 0) - tile).max()
        for each, number in zip(tries, whose, strict=True)
        if number == 1
        for by in range(4)
    ]
    assert min(off) < 1.0


def test_without_known_sizes_or_cards_nothing_moves() -> None:
    quad = laid(300, 200, 0.3, CARD)[None]
    assert np.array_equal(KnownSizes(PLANE, ()).fitted(quad, np.ones((1, 4))), quad)
    assert SIZES.fitted(np.zeros((0, 4, 2)), np.zeros((0, 4))).shape == (0, 4, 2)


def test_sizes_are_learned_from_what_was_measured() -> None:
    measured = [(62.8, 88.3), (63.1, 87.8), (56.2, 56.9), (63.0, 88.1), (55.8, 56.5)]
    assert sizes_of(measured) == ((56.0, 56.7), (63.0, 88.1))
    assert sizes_of([]) == ()
