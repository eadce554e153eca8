"""Whether a thing looks as it did: in other light, under a new card, or with another there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from companion.sim.render.tables import plane_of
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.observations import Quad, Sighting
from companion.vision.calibration import Plane
from companion.vision.observing.portraits import Portrait

SWORD = Lying("sword-1", "sword", 200, 200)
LOW = Lying("axe-1", "axe", 202, 236)
PAINTER = Painter("valhalla", ViewSettings(seed=5))
PLANE: Plane = plane_of(PAINTER.view)


def seen(one: Lying) -> Sighting:
    (truth,) = PAINTER.truths([one])
    a, b, c, d = ((float(x), float(y)) for x, y in truth.quad_mm)
    quad: Quad = (a, b, c, d)
    return Sighting("card", one.face, 0.99, quad)


def portrait(
    *table: Lying, beside: tuple[Lying, ...] = (), light: float = 1.0, of: Lying = SWORD
) -> Portrait:
    image: npt.NDArray[Any] = PAINTER.still(table)
    lit = np.clip(image * light, 0, 255).astype(np.uint8)
    return Portrait.of(lit, PLANE, seen(of).quad, [seen(each) for each in beside])


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
def test_it_is_the_same_in_other_light(light: float) -> None:
    assert portrait(SWORD, light=light).is_like(portrait(SWORD))


def test_another_face_is_not() -> None:
    assert not portrait(Lying("wolf-1", "wolf", 200, 200)).is_like(portrait(SWORD))


def test_nor_is_the_bare_table() -> None:
    assert not portrait().is_like(portrait(SWORD))


def test_a_card_laid_over_it_hides_it_and_changes_nothing_else() -> None:
    covered = portrait(SWORD, LOW, beside=(LOW,))
    assert covered.is_like(portrait(SWORD))
    assert portrait(SWORD).is_like(covered)


def test_unless_nobody_knows_of_that_card() -> None:
    assert not portrait(SWORD, LOW).is_like(portrait(SWORD))


def test_a_card_drawn_from_under_one_that_stays_is_missed() -> None:
    before = portrait(SWORD, LOW, beside=(LOW,))
    assert portrait(SWORD, LOW, beside=(LOW,)).is_like(before)
    assert not portrait(LOW, beside=(LOW,)).is_like(before)


def test_of_what_is_all_covered_nothing_can_be_said() -> None:
    on_it = Lying("hammer-1", "hammer", 200, 200)
    assert not portrait(SWORD, on_it, beside=(on_it,)).is_like(portrait(SWORD))


def test_nor_of_what_only_a_card_that_stayed_shows() -> None:
    left, right = Lying("axe-1", "axe", 168, 200), Lying("wolf-1", "wolf", 232, 200)
    before = portrait(left, SWORD, right, beside=(left, right))
    misplaced = Lying("axe-1", "axe", 176, 200)  # now the sword has gone, that is badly placed
    assert not portrait(left, right, beside=(misplaced, right)).is_like(before)
