"""One tap teaches the camera a further look of a card; it is kept, and known from then on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Setup
from companion.devices.camera.simulated import simulation
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.notices import Notice
from companion.vision import decks
from companion.watch.eyes import MOST_LOOKS, MOST_LOOKS_OF_ONE_CARD, Eyes, TableEye

SETUP = Setup("odin", ("Anna", "Ben"))
CARD = "b4"


@pytest.fixture(scope="module")
def frame() -> Frame:
    """A rendered table with a card led."""
    shots = simulation("odin,seats=2,seed=13,short=yes").tabletop((1280, 720)).shots()
    shot = next(each for each in shots if each.done is not None and f"A {CARD}" in each.done.lines)
    return Frame(shot.image, 0.0, 1)


class Room:
    """A data folder and what was told of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[Notice | None] = []

    def eye(self, frame: Frame) -> TableEye | None:
        eye = Eyes(self.folder, self.told.append)(SETUP, frame)
        assert eye is None or isinstance(eye, TableEye)
        return eye

    def learn(self, word: str, picture: bytes) -> None:
        Eyes(self.folder, self.told.append).learn(SETUP, word, picture)

    def crop(self, frame: Frame) -> bytes:
        """The card as it lies there."""
        eye = self.eye(frame)
        assert eye is not None
        looks = [eye.observe(Frame(frame.pixels, number * 0.1, number)) for number in range(9)]
        cards = [each for each in looks[-1].sightings if each.kind == "card"]
        led = max(cards, key=lambda each: each.middle[0])  # the deck lies at the left
        return eye.crop(frame, led.quad)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_learnt_look_is_known_from_then_on(room: Room, frame: Frame) -> None:
    before = room.eye(frame)
    room.learn(CARD, room.crop(frame))
    after = room.eye(frame)
    assert before is not None
    assert after is not None
    old, new = before.deck, after.deck
    assert len(new.looks) == len(old.looks) + 2  # both ways up
    learnt = new.vectors[-2:]
    assert [look.label for look in new.looks[-2:]] == [CARD, CARD]
    likeness = [deck.likeness(learnt)[:, deck.labels.index(CARD)] for deck in (old, new)]
    assert (likeness[1] >= likeness[0]).all()
    assert np.allclose(likeness[1], 1.0, atol=0.01)


def test_what_cannot_be_learnt_is_said(room: Room, frame: Frame) -> None:
    crop = room.crop(frame)
    with pytest.raises(BadInput, match="has no card x9"):
        room.learn("x9", crop)
    for nothing in (b"", b"not a picture"):
        with pytest.raises(BadInput, match="no picture of that card"):
            room.learn(CARD, nothing)
    for _ in range(MOST_LOOKS_OF_ONE_CARD):
        room.learn(CARD, crop)
    with pytest.raises(BadInput, match="learnt 6 times already"):
        room.learn(CARD, crop)
    looks = room.folder / "decks" / "odin.looks"
    for number in range(MOST_LOOKS):
        (looks / f"r7~{number + 10}.jpg").write_bytes(crop)
    with pytest.raises(BadInput, match="no room for more"):
        room.learn("g2", crop)


def test_damaged_looks_are_left_out(room: Room, frame: Frame) -> None:
    looks = room.folder / "decks" / "odin.looks"
    looks.mkdir(parents=True)
    (looks / "b4~1.jpg").write_bytes(b"\xff\xd8 torn")
    (looks / "chess~1.jpg").write_bytes(room.crop(frame))
    eye, usual = room.eye(frame), Room(room.folder / "elsewhere").eye(frame)
    assert eye is not None
    assert usual is not None
    assert eye.deck.looks == usual.deck.looks


def test_a_damaged_deck_is_said(room: Room, frame: Frame) -> None:
    (room.folder / "decks").mkdir()
    (room.folder / "decks" / "odin.deck").write_bytes(b"torn")
    assert room.eye(frame) is None
    told = room.told[-1]
    assert told is not None
    assert "not a deck, or damaged" in str(dict(told.facts)["why"])
    with pytest.raises(BadInput, match="not a deck, or damaged"):
        room.learn(CARD, b"")


def test_the_owners_joker_is_learnt_as_the_goat(room: Room, frame: Frame) -> None:
    suits = (("deck", "valhalla36"), ("colours", "hearts diamonds spades clubs"), ("goat", "true"))
    setup = Setup("odin", ("Anna", "Ben"), changes=suits)
    eyes = Eyes(room.folder, room.told.append)
    eyes.learn(setup, "goat", room.crop(frame))
    eye = Eyes(room.folder, room.told.append)(setup, frame)
    assert eye is not None
    assert [look.label for look in eye.deck.looks[-2:]] == ["goat", "goat"]


def test_an_owners_deck_is_laid_as_its_game_whatever_it_is_called(room: Room, frame: Frame) -> None:
    mine = replace(decks.named("valhalla"), name="grandmother's")
    (room.folder / "decks").mkdir()
    mine.save(room.folder / "decks" / "valhalla.deck")
    setup = Setup("valhalla", ("Anna", "Ben"))
    eye = Eyes(room.folder, room.told.append)(setup, frame)
    assert eye is not None
    assert eye.deck.labels == mine.labels
    assert eye.deck.several("wolf")
