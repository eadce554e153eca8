"""Tokens on a table: which lie where, what is empty, and where on its track a marker is."""

from __future__ import annotations

import numpy as np
import pytest

from companion.foundation.frames import Frame
from companion.games.valhal import faces as valhal
from companion.sim.render.crops import TOKEN_BELOW_MM, drawn
from companion.sim.render.dice import DieLook, sprite
from companion.sim.render.scene import CardOn, DieOn, Light, Thing, camera, render
from companion.sim.render.tables import plane_of
from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.look import look
from companion.vision.observing.observer import Observer
from companion.vision.reading.tokens import grid_over

VIEW = camera(1280, 720, 1.6, middle=(200, 120))
FACES = {f.label: drawn(f) for f in valhal.faces()}
LARGE = {label for label, card in FACES.items() if card.face.height > TOKEN_BELOW_MM}
CLEAR = Light(hard=0.1, glare=0.0, blur=0.5)


def place(number: int) -> tuple[float, float]:
    return 60.0 + 40 * (number % 8), 60.0 + 45 * (number // 8)


def seen(holds: dict[int, str], seed: int, further: tuple[Thing, ...] = ()) -> dict[int, str]:
    """What a look says lies in which place."""
    rng = np.random.default_rng(seed)
    ground = np.full((720, 1280, 3), (150, 170, 180), np.uint8)
    things: list[Thing] = [*further]
    for number, what in holds.items():
        things.append(CardOn(FACES[what], *place(number), float(rng.normal(0, 8))))
    plane = plane_of(VIEW)
    found = {}
    image = render(VIEW, ground, things, CLEAR, rng).image
    for one in look(image, decks.named("valhal"), plane=plane):
        if one.label in LARGE:
            continue
        x, y = plane.table(np.array([one.middle]))[0]
        near = [n for n in range(24) if np.hypot(*(np.array(place(n)) - (x, y))) < 8]
        assert len(near) == 1, one
        if one.kind == "card" and one.label is not None and one.p > 0.5:
            found[near[0]] = str(one.label)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tokens_and_empty_places_are_told_apart(seed: int) -> None:
    holds = {0: "coin", 2: "food", 3: "iron", 7: "wood", 10: "food", 13: "raven", 22: "season"}
    assert seen(holds, seed) == holds


@pytest.mark.parametrize("step", [0, 3, 6])
def test_a_marker_is_found_on_its_step(step: int) -> None:
    assert seen({8 + step: "marker"}, step) == {8 + step: "marker"}


def test_an_empty_table_holds_nothing() -> None:
    assert seen({}, 4) == {}


def test_a_die_is_no_token() -> None:
    die = sprite(5, DieLook(), np.random.default_rng(3), 40, tilt=5.0)
    x, y = place(12)
    assert seen({1: "coin"}, 5, (DieOn(die, x, y, 16.0),)) == {1: "coin"}


@pytest.mark.parametrize("tile", ["warehouse-back", "blacksmith-back", "warriors-back"])
@pytest.mark.parametrize("seed", [1, 2])
def test_tokens_are_seen_on_the_print_of_a_card(tile: str, seed: int) -> None:
    x, y = place(10)
    under = CardOn(FACES[tile], x + 12, y - 10, 90.0 * seed)
    assert seen({10: "coin"}, seed, (under,)) == {10: "coin"}
    assert seen({}, seed, (under,)) == {}


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_where_a_token_was_taken_the_print_is_none(turn: float) -> None:
    rng, plane = np.random.default_rng(7), plane_of(VIEW)
    ground = np.full((720, 1280, 3), (150, 170, 180), np.uint8)
    backs = ("warehouse", "blacksmith", "longboat", "warriors", "granary", "altar")
    tiles = [
        CardOn(FACES[f"{name}-back"], 20.0 + 75 * at, 120.0, turn + float(rng.normal(0, 3)))
        for at, name in enumerate(backs)
    ]
    coins = [
        CardOn(FACES["coin"], each.x + rng.uniform(-14, 14), each.y + rng.uniform(-14, 14), 0.0)
        for each in tiles
    ]
    eye = Observer(decks.named("valhal"), plane)
    number, seen = 0, tuple[Sighting, ...]()
    for things in (tiles, [*tiles, *coins], tiles):
        image = render(VIEW, ground, things, CLEAR, np.random.default_rng(8)).image
        for pixels in (np.full_like(image, 60), image, image, image, image):  # a hand, then still
            number += 1
            seen = eye.observe(Frame(pixels, number / 10, number)).sightings
    assert [one.label for one in seen if one.label not in LARGE] == []


def test_tokens_turned_any_way_are_read() -> None:
    plane, rng = plane_of(VIEW), np.random.default_rng(6)
    ground = np.full((720, 1280, 3), (150, 170, 180), np.uint8)
    turns = {0: 15.0, 2: 30.0, 4: 45.0, 6: 60.0}
    things = [CardOn(FACES["coin"], *place(number), turn) for number, turn in turns.items()]
    image = render(VIEW, ground, things, CLEAR, rng).image
    seen = look(image, decks.named("valhal"), plane=plane)
    assert [one.label for one in seen] == ["coin"] * 4


def test_a_grid_covers_the_cells_that_changed() -> None:
    cells = np.zeros((20, 30), np.bool_)
    cells[5:9, 10:15] = True
    at = grid_over(cells, 8, 1.5, 0.4)
    assert len(at) > 25
    assert (at >= (80, 40)).all()
    assert (at < (120, 72)).all()
    assert not len(grid_over(np.zeros((20, 30), np.bool_), 8, 1.5, 0.4))
