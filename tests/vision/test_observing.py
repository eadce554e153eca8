"""What an eye remembers of a table between looks: nothing comes, and nothing goes, where the
picture has not changed."""

from __future__ import annotations

import numpy as np
import pytest

from companion.frames import Frame
from companion.sim.playing.steps import Lying
from companion.sim.tables import plane_of
from companion.sim.tabletop import Painter, Seen
from companion.vision import decks
from companion.vision.arriving import small_changes
from companion.vision.calibrating import Plane
from companion.vision.observing import Observer

UNDER = Lying("wolf-1", "wolf", 200, 246)
OVER = Lying("sword-1", "sword", 201, 281)
ASIDE = Lying("axe-1", "axe", 430, 150)


class Watched:
    """One painted table and the eye over it."""

    def __init__(self, deck: str, seed: int = 3) -> None:
        self.painter = Painter(deck, Seen(seed=seed))
        self.eye = Observer(decks.named(deck), plane_of(self.painter.view))
        self.number = 0

    def shows(self, *table: Lying, looks: int = 4) -> list[str]:
        """What is seen of it after some looks."""
        image = self.painter.still(table)
        seen: list[str] = []
        for _ in range(looks):
            for _ in range(4):
                self.number += 1
                seen = [
                    str(s.label)
                    for s in self.eye.observe(Frame(image, 0.1 * self.number, 1)).sightings
                    if s.label is not None
                ]
            self.eye.again(everywhere=True)
        return sorted(seen)


def test_a_card_two_thirds_under_another_is_still_there() -> None:
    table = Watched("valhalla")
    assert table.shows(ASIDE, UNDER) == ["axe", "wolf"]
    assert table.shows(ASIDE, UNDER, OVER) == ["axe", "sword", "wolf"]
    other = Lying("hammer-1", "hammer", 500, 300)
    assert table.shows(ASIDE, UNDER, OVER, other) == ["axe", "hammer", "sword", "wolf"]


def test_and_is_gone_when_it_is_drawn_from_under_it() -> None:
    table = Watched("valhalla")
    table.shows(ASIDE, UNDER)
    table.shows(ASIDE, UNDER, OVER)
    assert table.shows(ASIDE, OVER) == ["axe", "sword"]


def test_a_forgotten_table_is_seen_anew() -> None:
    table = Watched("valhalla")
    table.shows(ASIDE, UNDER)
    table.eye.forget()
    assert table.shows(ASIDE) == ["axe"]


def test_a_token_is_seen_on_the_card_it_was_laid_on() -> None:
    table = Watched("valhal")
    card = Lying("warriors", "warriors-back", 200, 300)
    assert table.shows(card) == ["warriors-back"]
    token = Lying("iron-1", "iron", 188, 288, 20)
    assert table.shows(card, token) == ["iron", "warriors-back"]
    assert table.shows(card) == ["warriors-back"]


PLANE = Plane(np.diag([2.0, 2.0, 1.0]), (640, 480))


def picture(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    image = np.full((480, 640, 3), 90, np.uint8)
    for x, y, width, height in boxes:
        image[y : y + height, x : x + width] = (30, 160, 200)
    return image


def test_something_small_that_came_or_went_is_found_by_that() -> None:
    before, after = picture(), picture((100, 200, 40, 40))
    for one, other in ((before, after), (after, before)):
        (found,) = small_changes(one, other, PLANE, 20)
        assert np.abs(found.middle - (120, 220)).max() < 2
        assert found.side == pytest.approx(40)


def test_what_is_much_larger_or_smaller_is_none() -> None:
    assert not small_changes(picture(), picture((100, 200, 126, 176)), PLANE, 20)
    assert not small_changes(picture(), picture((100, 200, 8, 8)), PLANE, 20)


def test_pictures_of_other_sizes_say_nothing() -> None:
    assert not small_changes(picture(), picture()[:240], PLANE, 20)


def test_a_card_that_exists_once_lies_in_one_place() -> None:
    table = Watched("odin")
    aside = Lying("g3", "g3", 430, 150)
    assert table.shows(aside, Lying("r7", "r7", 200, 250)) == ["g3", "r7"]
    assert table.shows(aside, Lying("r7", "r7", 240, 250)) == ["g3", "r7"]
