"""Our own faces: complete, told apart at a glance, and the same on every machine."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.core.notation import Word
from companion.games.odin import faces as odin
from companion.games.odin import rules as odin_rules
from companion.games.odin.rules.cards import COLOURS, deck_of
from companion.games.odin.rules.cards import Card as OdinCard
from companion.games.valhal import faces as valhal
from companion.games.valhal import rules as valhal_rules
from companion.games.valhal.faces.towns import SIDE, TOWNS
from companion.games.valhal.rules.sheet.sheet import SPECIALS, UNITS
from companion.games.valhal.rules.vocabulary import Kind
from companion.games.valhalla import faces as valhalla
from companion.games.valhalla.rules.cards import Card as ValhallaCard
from companion.sim.faces.canvas import Area, Face, Shape, raster
from companion.sim.faces.signs import SIGNS
from tests.catalogue import DECKS

EVERY = [face for faces in DECKS.values() for face in faces()]
# The mean difference of two faces' pixels, of 255, at the size the recogniser sees them.
LEAST = 11.0
FLOOR = {"valhalla": 18.0, "valhal": 12.0}


def small(face: Face) -> npt.NDArray[np.int16]:
    pixels = raster(face, 80 / face.width)
    return cv2.resize(pixels, (80, 112), interpolation=cv2.INTER_AREA).astype(np.int16)


def labels(deck: str) -> list[str]:
    return [face.label for face in DECKS[deck]()]


def named(label: str) -> Face:
    return next(face for face in EVERY if face.label == label)


def extent(shape: Shape) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    pen = 0.0 if isinstance(shape, Area) else shape.width / 2
    every = np.concatenate(shape.rings) if isinstance(shape, Area) else shape.line
    return every.min(0) - pen, every.max(0) + pen


@pytest.mark.parametrize("deck", DECKS)
def test_labels_are_used_once(deck: str) -> None:
    assert len(set(labels(deck))) == len(labels(deck))


def test_every_card_of_odin_has_a_face() -> None:
    read = {OdinCard.parse(Word(label, 1)) for label in labels("odin") if label != odin.BACK}
    assert read == deck_of(COLOURS, goat=True)
    for label in labels("odin")[:-1]:
        assert str(odin_rules.parse(f"A {label}")) == f"A {label}"


def test_every_card_of_valhalla_has_a_face() -> None:
    read = [
        ValhallaCard.parse(Word(each, 1)) for each in labels("valhalla") if each != valhalla.BACK
    ]
    # "deity" is not a card but what a table calls any of them
    assert sorted(read) == sorted(set(ValhallaCard) - {ValhallaCard.DEITY})


def test_every_piece_of_valhal_has_a_face() -> None:
    faces = set(labels("valhal"))
    assert faces >= set(UNITS) | set(Kind) | {f"{kind}-back" for kind in Kind}
    for kind in Kind:
        assert f"builds {kind}" in str(valhal_rules.parse(f"A builds {kind} with coin"))
    for unit in SPECIALS:
        assert str(valhal_rules.parse(f"A takes {unit}")) == f"A takes {unit}"
    towns = [label for label in labels("valhal") if label.removeprefix("town-").isdigit()]
    assert len(towns) == TOWNS
    for town in towns:
        assert str(valhal_rules.parse(f"lay {town}")) == f"lay {town}"
    assert faces >= {"food", "wood", "iron", "coin", "season"}


@pytest.mark.parametrize("deck", DECKS)
def test_no_two_faces_look_alike(deck: str) -> None:
    seen = [(face.label, small(face)) for face in DECKS[deck]()]
    for (one, a), (other, b) in combinations(seen, 2):
        for turned in (b, b[::-1, ::-1]):
            assert np.abs(a - turned).mean() > FLOOR.get(deck, LEAST), f"{one} and {other}"


@pytest.mark.parametrize("face", EVERY, ids=lambda face: face.label)
def test_only_what_says_so_is_the_same_upside_down(face: Face) -> None:
    pixels = raster(face, 4).astype(np.int16)
    difference = np.abs(pixels - pixels[::-1, ::-1]).mean()
    assert (difference < 2.0) == face.same_upside_down, difference


def test_the_backs_are_the_same_upside_down_and_unlike_each_other() -> None:
    backs = [named(label) for label in (odin.BACK, valhalla.BACK, valhal.BACK)]
    assert all(back.same_upside_down for back in backs)
    for one, other in combinations(map(small, backs), 2):
        assert np.abs(one - other).mean() > 30


def test_a_wounded_unit_is_unmistakable() -> None:
    for label in (*UNITS, "longboat"):
        pixels = small(named(label))
        assert np.abs(pixels - pixels[::-1, ::-1]).mean() > 40


def test_a_project_shows_which_edge_is_up() -> None:
    for kind in Kind:
        pixels = raster(named(f"{kind}-back"), 2).astype(np.int16)
        for quarter in (1, 2, 3):
            assert np.abs(pixels - np.rot90(pixels, quarter)).mean() > 40, kind


def test_the_square_cards_are_told_apart_without_their_colours() -> None:
    """By pattern alone and out of focus: a coloured lamp leaves no more."""
    seen = [(face.label, grey(face)) for face in DECKS["valhal"]() if face.width == SIDE]
    for (one, a), (other, b) in combinations(seen, 2):
        for turned in (b, b[::-1, ::-1]):
            assert np.abs(a - turned).mean() > 0.2, f"{one} and {other}"


def grey(face: Face) -> npt.NDArray[np.float64]:
    pixels = cv2.GaussianBlur(small(face), (0, 0), 1.5).mean(2)
    spread: npt.NDArray[np.float64] = (pixels - pixels.mean()) / pixels.std()
    return spread


def test_the_left_strip_and_every_corner_of_a_card_of_odin_tell_it() -> None:
    cards = [face for face in DECKS["odin"]() if not face.same_upside_down]
    corner = slice(0, 52)  # two pixels a millimetre
    sights = {
        "strip": (slice(None), slice(0, 50)),
        "left corner": (corner, slice(0, 26)),
        "right corner": (corner, slice(-26, None)),
    }
    for name, sight in sights.items():
        seen = [(f.label, raster(f, 2)[sight].astype(np.int16)) for f in cards]
        for (one, a), (other, b) in combinations(seen, 2):
            assert np.abs(a - b).mean() > 5, f"{one} and {other} by their {name}"


def test_six_is_not_nine_upside_down() -> None:
    for colour in COLOURS:
        six, nine = raster(named(f"{colour}6"), 2), raster(named(f"{colour}9"), 2)
        corner = (slice(0, 40), slice(0, 26))
        turned = nine[::-1, ::-1][corner].astype(np.int16)
        assert np.abs(six[corner].astype(np.int16) - turned).mean() > 20


@pytest.mark.parametrize("px_per_mm", [1, 12])
@pytest.mark.parametrize("label", ["r7", "draugr", "warriors", "coin", odin.BACK])
def test_any_size_can_be_had(label: str, px_per_mm: int) -> None:
    face = named(label)
    pixels = raster(face, px_per_mm)
    assert pixels.shape == (round(face.height * px_per_mm), round(face.width * px_per_mm), 3)
    assert pixels.dtype == np.uint8
    assert pixels.std() > 20


@pytest.mark.parametrize("face", EVERY, ids=lambda face: face.label)
def test_nothing_runs_off_the_card(face: Face) -> None:
    for shape in face.shapes:
        low, high = extent(shape)
        assert (low > -0.01).all(), shape
        assert (high < np.array([face.width, face.height]) + 0.01).all(), shape


def test_a_face_is_drawn_the_same_every_time() -> None:
    for module in (odin, valhalla, valhal):
        again = module.faces.__wrapped__()
        for face, twin in zip(module.faces(), again, strict=True):
            assert (raster(face, 1.5) == raster(twin, 1.5)).all(), face.label


def test_the_signs_are_those_of_the_page() -> None:
    """A colour's sign has one shape on cards and page: as many corners, the same size."""
    corners = {"r": 4, "g": 3, "k": 4, "o": 10}
    for colour, count in corners.items():
        assert len(SIGNS[colour].outline) == count
