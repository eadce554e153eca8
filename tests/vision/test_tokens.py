"""Places of a mat with tokens in them, empty ones, and a marker on a track."""

from __future__ import annotations

import numpy as np

from companion.sim.crops import drawn
from companion.sim.faces import valhal
from companion.sim.scene import CardOn, Light, Thing, camera, render
from companion.sim.tables import plane_of
from companion.vision.cuts import Image
from companion.vision.tokens import EMPTY, Filled, learn_places, marker_on, read_places
from companion.zones import Outline

VIEW = camera(1280, 720, 1.6, middle=(200, 120))
FACES = {f.label: drawn(f) for f in valhal.faces()}
KINDS = ("food", "wood", "iron", "coin")
CLEAR = Light(hard=0.1, glare=0.0, blur=0.5)


def place(number: int) -> Outline:
    x, y = 60.0 + 32 * (number % 8), 60.0 + 40 * (number // 8)
    return ((x, y), (x + 26, y), (x + 26, y + 26), (x, y + 26))


def shot(holds: dict[int, str], seed: int) -> Image:
    rng = np.random.default_rng(seed)
    ground = np.full((720, 1280, 3), (150, 170, 180), np.uint8)
    things: list[Thing] = []
    for number, what in holds.items():
        (x, y), *_ = place(number)
        things.append(CardOn(FACES[what], x + 13, y + 13, float(rng.normal(0, 8))))
    return render(VIEW, ground, things, CLEAR, rng).image


def known() -> list[tuple[str, Image, object, Outline]]:
    holds = dict(enumerate(KINDS))
    image = shot(holds, 1)
    plane = plane_of(VIEW)
    samples = [(what, image, plane, place(number)) for number, what in holds.items()]
    return [*samples, *((EMPTY, image, plane, place(n)) for n in (5, 6, 9))]


def test_tokens_and_empty_places_are_told_apart() -> None:
    deck = learn_places("tokens", known())  # type: ignore[arg-type]
    holds = {0: "coin", 2: "food", 3: "iron", 7: "wood", 10: "food"}
    places = {str(n): place(n) for n in range(12)}
    seen = read_places(shot(holds, 2), plane_of(VIEW), places, deck)
    said = {int(name): filled.what for name, filled in seen.items()}
    assert said == {n: holds.get(n, EMPTY) for n in range(12)}


def test_a_marker_is_where_the_track_is_least_empty() -> None:
    filled = {str(n): Filled(str(n), EMPTY, 0.95) for n in range(6)}
    filled["4"] = Filled("4", "coin", 0.9)
    assert marker_on([str(n) for n in range(6)], filled) is not None
    step, sure = marker_on([str(n) for n in range(6)], filled) or (-1, 0.0)
    assert step == 4
    assert sure > 0.9


def test_an_empty_track_has_no_marker() -> None:
    filled = {str(n): Filled(str(n), EMPTY, 0.95) for n in range(6)}
    assert marker_on([str(n) for n in range(6)], filled) is None


def test_no_places_nothing_to_read() -> None:
    assert read_places(shot({}, 3), plane_of(VIEW), {}, learn_places("t", known())) == {}  # type: ignore[arg-type]
