"""How large a deck's cards are, learnt from cards that lie alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.foundation.frames import Frame
from companion.sim.render.tables import plane_of
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings, pieces_of
from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.observing.card_sizes import CardSizes
from companion.vision.observing.observer import Observer


def card(label: str, x: float, size: tuple[float, float] = (57.0, 89.0)) -> Sighting:
    wide, high = size
    quad = ((x, 0.0), (x + wide, 0.0), (x + wide, high), (x, high))
    return Sighting("card", label, 0.99, quad, found=0.95)


APART = [card("7H", 0), card("8H", 100), card("9H", 200)]


def test_three_cards_that_lie_alone_tell_the_size() -> None:
    sizes = CardSizes()
    sizes.measure(APART[:2])
    assert sizes.size is None
    sizes.measure(APART[2:])
    assert sizes.size == (57.0, 89.0)


def test_the_same_card_again_is_not_another() -> None:
    sizes = CardSizes()
    for _ in range(5):
        sizes.measure(APART[:1])
    assert sizes.size is None


def test_how_a_card_is_turned_does_not_matter() -> None:
    sizes = CardSizes()
    sizes.measure([replace(one, quad=one.quad[1:] + one.quad[:1]) for one in APART])
    assert sizes.size == (57.0, 89.0)


@pytest.mark.parametrize(
    "other",
    [
        replace(APART[2], p=0.6),
        replace(APART[2], found=0.3),
        replace(APART[2], label=None),
        replace(APART[2], kind="die"),
        card("9H", 130),  # touches the 8H, which then does not lie alone either
        card("9H", 200, (88.0, 89.0)),
        card("9H", 300, (105.0, 160.0)),
        card("9H", 200, (63.0, 99.0)),
    ],
)
def test_what_is_doubtful_covered_or_of_another_shape_tells_nothing(other: Sighting) -> None:
    sizes = CardSizes()
    sizes.measure([*APART[:2], other])
    assert sizes.size is None


def test_one_card_cut_badly_among_many_does_not_count() -> None:
    sizes = CardSizes()
    sizes.measure([*APART, card("TH", 300), card("2S", 400, (63.0, 99.0))])
    assert sizes.size == (57.0, 89.0)


def test_a_watched_table_learns_how_large_its_cards_are() -> None:
    painter = Painter("playing-cards", ViewSettings(seed=3))
    eye = Observer(decks.named("playing-cards"), plane_of(painter.view))
    assert not eye.deck.sizes
    labels = ("7H", "4S", "9D", "5C")
    table = [Lying(each, each, 120 + 110 * n, 200) for n, each in enumerate(labels)]
    image = painter.still(tuple(table))
    for number in range(4):
        eye.observe(Frame(image, 0.1 * number, 1))
    [(short, long)] = eye.deck.sizes
    card = next(piece.face for piece in pieces_of("playing-cards"))
    assert short == pytest.approx(card.width, abs=1.5)
    assert long == pytest.approx(card.height, abs=1.5)
