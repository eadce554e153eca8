"""What an eye remembers of a table between looks: nothing comes, and nothing goes, where the
picture has not changed."""

from __future__ import annotations

import numpy as np
import pytest

from companion.foundation.frames import Frame
from companion.sim.render.tables import plane_of
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.vision import decks
from companion.vision.calibration import Plane
from companion.vision.observing.change_detection import card_changes, changed_share, token_changes
from companion.vision.observing.observer import Observer

UNDER = Lying("wolf-1", "wolf", 200, 246)
OVER = Lying("sword-1", "sword", 201, 281)
ASIDE = Lying("axe-1", "axe", 430, 150)


class Watched:
    """One painted table and the eye over it."""

    def __init__(self, deck: str, seed: int = 3) -> None:
        self.painter = Painter(deck, ViewSettings(seed=seed))
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
                    if s.label is not None and s.p > 0.9
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


def test_a_die_as_dark_as_the_cloth_is_seen() -> None:
    table = Watched("valhal", seed=1011)
    town = Lying("town", "town-2", 527.5, 160.1)
    light = Lying("die town  0 4", "4", 491.2, 215.4, 233, "die")
    dark = Lying("die town  1 6", "6", 523.4, 210.2, 343, "die")
    for y in (120, 160, 200, 240):  # long ago the cloth was seen, and much has changed since
        assert table.shows(town, Lying("warriors", "warriors", 66, y)) == ["town-2", "warriors"]
    assert table.shows(town, light, dark) == ["4", "6", "town-2"]
    assert table.shows(town, light) == ["4", "town-2"]


def test_a_token_is_seen_on_the_card_it_was_laid_on() -> None:
    table = Watched("valhal")
    card = Lying("warriors", "warriors-back", 200, 300)
    assert table.shows(card) == ["warriors-back"]
    token = Lying("iron-1", "iron", 188, 288, 20)
    assert table.shows(card, token) == ["iron", "warriors-back"]
    assert table.shows(card) == ["warriors-back"]


def test_a_card_and_what_pays_for_it_are_seen_at_once() -> None:
    table = Watched("valhal")
    other = Lying("altar", "altar-back", 151, 387)
    assert table.shows() == []
    assert table.shows(other) == ["altar-back"]
    card = Lying("longboat", "longboat-back", 92, 387, 90)
    pay = [Lying("c", "coin", 79, 400), Lying("w", "wood", 105, 399), Lying("i", "iron", 92, 375)]
    assert table.shows(other, card, *pay, looks=2) == [
        *("altar-back", "coin", "iron", "longboat-back", "wood"),
    ]
    assert table.shows(other, card, pay[1], looks=3) == ["altar-back", "longboat-back", "wood"]


def test_what_is_printed_on_a_town_is_no_token() -> None:
    table = Watched("valhal")
    for number in (3, 22, 23):
        name = f"town-{number}"
        assert table.shows(Lying(name, name, 527, 160), looks=2) == [name]
        assert table.shows(looks=3) == []


def test_a_card_on_a_cloth_like_itself_is_seen() -> None:
    table = Watched("valhal", 1004)
    aside = Lying("altar", "altar-back", 151, 387)
    assert table.shows() == []
    assert table.shows(aside) == ["altar-back"]
    assert table.shows(aside, Lying("t", "town-16", 415, 237)) == ["altar-back", "town-16"]
    assert table.shows(aside) == ["altar-back"]


PLANE = Plane(np.diag([2.0, 2.0, 1.0]), (640, 480))


def picture(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    image = np.full((480, 640, 3), 90, np.uint8)
    for x, y, width, height in boxes:
        image[y : y + height, x : x + width] = (30, 160, 200)
    return image


def test_something_small_that_came_or_went_is_found_by_that() -> None:
    before, after = picture(), picture((100, 200, 40, 40))
    for one, other in ((before, after), (after, before)):
        (found,) = token_changes(one, other, PLANE, 20)
        assert np.abs(found.middle - (120, 220)).max() < 2
        assert found.side == pytest.approx(40)


def test_what_came_in_the_shape_of_a_card_is_found_by_that() -> None:
    sizes = [(56.0, 56.0), (63.0, 88.0)]
    for box, side in (((100, 200, 126, 176), 176), ((300, 80, 112, 112), 112)):
        (found,) = card_changes(picture(), picture(box), PLANE, sizes)
        x, y, width, height = box
        assert np.abs(found.middle - (x + width / 2, y + height / 2)).max() < 2
        assert found.side == pytest.approx(side)
    assert not card_changes(picture(), picture((100, 200, 40, 40)), PLANE, sizes)
    assert not card_changes(picture(), picture()[:240], PLANE, sizes)


def test_how_much_of_a_place_has_changed() -> None:
    share = changed_share(picture(), picture((100, 200, 40, 40)), 24)
    assert share is not None
    assert share[220, 120] == pytest.approx(1.0)
    assert 0.3 < share[220, 100] < 0.7
    assert share[100, 400] == 0
    assert changed_share(picture(), picture()[:240], 24) is None


def test_what_is_much_larger_or_smaller_is_none() -> None:
    assert not token_changes(picture(), picture((100, 200, 126, 176)), PLANE, 20)
    assert not token_changes(picture(), picture((100, 200, 8, 8)), PLANE, 20)


def test_pictures_of_other_sizes_say_nothing() -> None:
    assert not token_changes(picture(), picture()[:240], PLANE, 20)


def test_a_card_that_exists_once_lies_in_one_place() -> None:
    table = Watched("odin")
    aside = Lying("g3", "g3", 430, 150)
    assert table.shows(aside, Lying("r7", "r7", 200, 250)) == ["g3", "r7"]
    assert table.shows(aside, Lying("r7", "r7", 240, 250)) == ["g3", "r7"]


def test_half_a_card_between_two_others_is_seen_by_every_look() -> None:
    """Its middle is under another card, so that only some looks find it."""
    table = Watched("odin", seed=1101)
    row = (
        Lying("p5", "p5", 227.68, 295.09, -1.09),
        Lying("p3", "p3", 258.0, 292.73, -2.49),
        Lying("p2", "p2", 283.61, 291.03, 0.6),
    )
    assert table.shows(looks=1) == []
    for _ in range(4):
        assert table.shows(*row, looks=1) == ["p2", "p3", "p5"]
