"""Dice as they are found and read: hardly found, found twice, taken for print, seen in part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.sim.render.dice import DieLook, sprite
from companion.sim.render.scene import DieOn, Light, camera, render
from companion.sim.render.tables import plane_of
from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.crops import ImagePyramid
from companion.vision.detecting.finding import AROUND, CardHeatmap, Detection
from companion.vision.look import find_on_table
from companion.vision.reading.cards import LiveTable, read

VIEW = camera(1280, 720, 1.5, middle=(200, 120))
PLANE = plane_of(VIEW)
ODIN = decks.named("odin")
AT, BARE = (150.0, 100.0), (250.0, 100.0)
COLD = CardHeatmap(np.full((90, 160), -9.0), np.array([8.0, 8.0]), np.zeros(2))


def picture(value: int = 5) -> ImagePyramid:
    rng = np.random.default_rng(3)
    die = DieOn(sprite(value, DieLook(), rng, 40, tilt=5.0), *AT, 16.0)
    ground = np.full((720, 1280, 3), (110, 140, 120), np.uint8)
    return ImagePyramid(
        render(VIEW, ground, [die], Light(hard=0.1, glare=0.0, blur=0.5), rng).image
    )


def found(mm: tuple[float, float], sure: float, kind: str = "die", side: float = 20.0) -> Detection:
    middle = PLANE.pixels(np.array([mm]))[0]
    return Detection(kind, sure, middle + AROUND * side * PLANE.px_per_mm / 2)


def dice(finds: Sequence[Detection], lying: Sequence[np.ndarray] = ()) -> list[Sighting]:
    seen = read(picture(), finds, ODIN, LiveTable(PLANE, COLD, lying=lying))
    return [one for one in seen if one.kind == "die"]


@pytest.mark.parametrize("sure", [0.9, 0.3, 0.16])
def test_a_die_with_plain_pips_is_read_however_surely_it_was_found(sure: float) -> None:
    (die,) = dice([found(AT, sure)])
    assert die.label == 5
    assert die.p > 0.95
    assert die.found >= 0.3


@pytest.mark.parametrize("sure", [0.9, 0.16])
def test_a_bare_table_is_no_die(sure: float) -> None:
    assert not dice([found(BARE, sure)])


def test_a_die_found_small_is_read() -> None:
    assert [die.label for die in dice([found(AT, 0.8, side=12.0)])] == [5]


def test_a_die_found_as_a_small_card_too_is_one_die() -> None:
    x, y = AT
    twice = [found(AT, 0.5), found((x + 3, y), 0.4, "card", 22.0), found((x, y + 2), 0.2)]
    assert [die.label for die in dice(twice)] == [5]


def test_what_was_hardly_found_on_a_card_is_its_print() -> None:
    card = PLANE.pixels(np.array(AT) + AROUND * (31.5, 44.0))
    assert not dice([found(AT, 0.6)], [card])
    assert len(dice([found(AT, 0.8)], [card])) == 1
    assert len(dice([found(AT, 0.6)], [card + 400])) == 1


@pytest.mark.parametrize("left", [301, 302, 340])
def test_what_is_found_in_a_part_lies_where_it_does_in_the_whole(left: int) -> None:
    (whole,) = find_on_table(picture(), ODIN, PLANE).found
    part = find_on_table(picture(), ODIN, PLANE, part=(left, 133, left + 500, 633))
    assert [one.kind for one in part.found] == [whole.kind]
    assert np.abs(part.found[0].quad - whole.quad).max() < 5
    assert np.abs(part.heatmap.start - (left, 133)).max() < 4
