"""Which of two cards was thrown on a pile under a third: told by its rim, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from companion.foundation.frames import Frame
from companion.sim.render.tables import plane_of
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.observing.observer import Observer

PILE = (
    Lying("r2", "r2", 536, 208, 4),
    Lying("b8", "b8", 534, 210, -5),
)
ROW = (
    Lying("g9", "g9", 200, 290, 2),
    Lying("g4", "g4", 240, 291, 1),
    Lying("g5", "g5", 280, 289, 3),
)
UPPER = Lying("g9", "g9", 536, 210, -9)


def thrown(*lower: Lying, seed: int = 5, light: str = "good") -> tuple[Sighting, ...]:
    """What is seen after all of the row has left it, `lower` and then its nine for the pile."""
    painter = Painter("odin", ViewSettings(seed=seed, light=light))
    eye = Observer(decks.named("odin"), plane_of(painter.view))
    rng = np.random.default_rng(seed)
    seen: tuple[Sighting, ...] = ()
    for table in ((*PILE, *ROW), (*PILE, *lower, UPPER)):
        for number in range(8):
            image = painter.lamp.taken(painter.still(table), rng)
            seen = eye.observe(Frame(image, 0.1 * number, number)).sightings
            if number == 5:
                eye.again()
    return tuple(each for each in seen if each.under)


@pytest.mark.parametrize("card", ["g4", "g5"])
def test_a_card_whose_corner_peeps_out_is_told(card: str) -> None:
    (found,) = thrown(Lying(card, card, 535, 209, 8))
    assert found.label == card
    x, y = found.middle
    assert abs(x - 535) < 2
    assert abs(y - 209) < 2


def test_one_quite_out_of_sight_is_not() -> None:
    assert thrown(Lying("g4", "g4", 536, 210, -9)) == ()


def test_nor_is_one_that_is_not_there() -> None:
    assert thrown() == ()


def test_what_was_told_holds_until_the_upper_card_goes() -> None:
    painter = Painter("odin", ViewSettings(seed=5))
    eye = Observer(decks.named("odin"), plane_of(painter.view))
    under = []
    seen: tuple[Sighting, ...] = ()
    lower = Lying("g5", "g5", 535, 209, 8)
    later = Lying("k3", "k3", 240, 150, 0)
    tables = (
        (*PILE, *ROW),
        (*PILE, lower, UPPER),
        (*PILE, lower, UPPER, later),
        (*PILE, lower, later),
    )
    for table in tables:
        image = painter.still(table)
        for number in range(8):
            seen = eye.observe(Frame(image, 0.1 * number, number)).sightings
        under.append([each.label for each in seen if each.under])
    assert under == [[], ["g5"], ["g5"], []]
