"""A deck of any cards is kept with its pictures, and so outlives the networks that made it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.games.odin import faces as odin
from companion.games.valhal import faces as valhal
from companion.sim.render.crops import DrawnFace, drawn
from companion.sim.render.tables import plane_of
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.vision.crops import corners
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import Sample, enrol, opened
from companion.vision.enrolment.laid_out import laid_out


@pytest.fixture(scope="module")
def deck() -> Deck:
    faces = {face.label: drawn(face) for face in odin.faces()}
    return enrol("mine", [_sample(name, faces[name]) for name in ("r7", "b2", "goat")])


def _sample(label: str, card: DrawnFace) -> Sample:
    """A scan of it, on grey."""
    high, wide = card.pixels.shape[:2]
    page = np.full((high + 80, wide + 80, 3), 120, np.uint8)
    page[40:-40, 40:-40] = card.pixels
    return Sample(label, page, (corners(wide, high) + 40).astype(np.float64))


def test_another_versions_deck_is_made_again_and_kept(deck: Deck, tmp_path: Path) -> None:
    file = tmp_path / "mine.deck"
    garbled = np.roll(deck.vectors, 1, 1)
    replace(deck, eyes="those of yesterday", vectors=garbled).save(file)
    again = opened("mine", tmp_path)
    assert np.abs(again.vectors - deck.vectors).max() < 0.01
    assert again.looks == deck.looks
    kept = file.read_bytes()
    opened("mine", tmp_path)
    assert file.read_bytes() == kept


def test_without_pictures_it_must_be_enrolled_again(deck: Deck, tmp_path: Path) -> None:
    replace(deck, eyes="those of yesterday", pictures=()).save(tmp_path / "mine.deck")
    with pytest.raises(BadInput, match="another version's eyes; show its cards again under Set-up"):
        opened("mine", tmp_path)


def test_damaged_pictures_are_said(deck: Deck, tmp_path: Path) -> None:
    first, *rest = deck.pictures
    torn = (replace(first, jpeg=first.jpeg[:200]), *rest)
    replace(deck, eyes="those of yesterday", pictures=torn).save(tmp_path / "mine.deck")
    with pytest.raises(BadInput, match="the picture of r7 is damaged"):
        opened("mine", tmp_path)


def test_a_square_card_is_known_four_ways() -> None:
    square = next(drawn(f) for f in valhal.faces() if f.width == f.height and f.height > 40)
    looks = enrol("mine", [_sample("town", square)]).looks
    assert [look.turn for look in looks] == [0, 90, 180, 270]


def test_cards_laid_out_on_the_mat_are_enrolled_and_measured() -> None:
    painter = Painter("odin", ViewSettings((1280, 720), "good", 1001))
    names = ("b1", "b2", "r1", "r2", "g9", "goat")
    at = [(150.0 + 100 * (n % 3), 90.0 + 120 * (n // 3)) for n in range(len(names))]
    table = tuple(Lying(name, name, *spot, 0) for name, spot in zip(names, at, strict=True))
    image = painter.lamp.taken(painter.still(table), np.random.default_rng(1))
    plane = plane_of(painter.view)
    samples = laid_out(image, names, plane)
    assert not isinstance(samples, str)
    for sample, spot in zip(samples, at, strict=True):
        assert sample.quad is not None
        assert np.abs(plane.table(sample.quad).mean(0) - spot).max() < 2
    (size,) = enrol("mine", samples).sizes
    assert size == pytest.approx((63, 88), abs=2)


def test_too_few_cards_on_the_mat_are_said() -> None:
    painter = Painter("odin", ViewSettings((1280, 720), "good", 1001))
    image = painter.lamp.taken(painter.still(()), np.random.default_rng(1))
    assert laid_out(image, ("b1",), plane_of(painter.view)) == "0 cards are seen, 1 were asked for"


def test_a_deck_of_one_card_is_a_deck() -> None:
    card = next(drawn(face) for face in odin.faces() if face.label == "r7")
    made = enrol("one", [_sample("r7", card)])
    assert made.labels == ("r7",)
    assert made.head is not None


def test_pictures_of_other_cards_are_said(deck: Deck, tmp_path: Path) -> None:
    first, second, *rest = deck.pictures
    swapped = (replace(first, jpeg=second.jpeg), replace(second, jpeg=first.jpeg), *rest)
    replace(deck, pictures=swapped).save(tmp_path / "mine.deck")
    with pytest.raises(BadInput, match="its picture of r7 is of another card"):
        opened("mine", tmp_path)


def test_clutter_beside_the_cards_is_not_asked_for() -> None:
    painter = Painter("odin", ViewSettings((1280, 720), "good", 1001))
    names = ("b1", "r2", "g9")
    at = [(150.0 + 100 * n, 150.0) for n in range(3)]
    table = tuple(Lying(name, name, *spot, 0) for name, spot in zip(names, at, strict=True))
    image = painter.lamp.taken(painter.still(table), np.random.default_rng(1))
    image[560:640, 900:960] = 200  # a note, smaller than a card
    samples = laid_out(image, names, plane_of(painter.view))
    assert not isinstance(samples, str)
    assert [sample.label for sample in samples] == list(names)
