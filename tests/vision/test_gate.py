"""The gate: hands, motion, stillness; lamps and noise are neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from companion.tabletop.observations import Motion
from companion.vision.observing.gate import Gate

Image = npt.NDArray[Any]


def _table(seed: int = 1) -> Image:
    rng = np.random.default_rng(seed)
    return (rng.integers(90, 110, (720, 1280, 3))).astype(np.uint8)


def _noisy(image: Image, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.5, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def _settled(image: Image) -> Gate:
    gate = Gate()
    for number in range(6):
        gate.step(_noisy(image, number))
    gate.settle()
    return gate


def test_a_quiet_table_becomes_still_and_nothing_changed() -> None:
    image = _table()
    gate = _settled(image)
    assert gate.step(_noisy(image, 50)) is Motion.STILL
    assert not gate.changed().any()


def test_the_first_frames_are_not_still() -> None:
    gate = Gate()
    assert gate.step(_table()) is Motion.MOVING
    assert gate.step(_table()) is Motion.MOVING


def test_a_hand_as_bright_as_the_cloth_is_seen_by_its_hue() -> None:
    image = np.empty((720, 1280, 3), np.uint8)
    image[:] = (187, 112, 52)
    gate = _settled(image)
    hand = image.copy()
    hand[300:720, 500:640] = (103, 115, 133)
    assert [gate.step(_noisy(hand, n)) for n in range(60, 66)][-1] is Motion.HANDS
    coin = image.copy()
    coin[300:330, 500:530] = (40, 112, 150)
    assert [gate.step(_noisy(coin, n)) for n in range(70, 76)][-1] is Motion.STILL
    assert gate.changed().any()


def test_a_card_laid_down_is_a_change_where_it_lies() -> None:
    image = _table()
    gate = _settled(image)
    card = image.copy()
    card[200:330, 500:590] = 240
    motions = [gate.step(_noisy(card, n)) for n in range(60, 66)]
    assert motions[0] is Motion.MOVING
    assert motions[-1] is Motion.STILL
    rows, columns = np.nonzero(gate.changed())
    assert 190 / 8 - 2 <= rows.min() <= rows.max() <= 330 / 8 + 2
    assert 490 / 8 - 2 <= columns.min() <= columns.max() <= 590 / 8 + 2
    gate.settle()
    gate.step(_noisy(card, 70))
    assert not gate.changed().any()


def test_a_resting_arm_is_a_hand_in_view() -> None:
    image = _table()
    gate = _settled(image)
    arm = image.copy()
    arm[400:720, 600:760] = 180
    motions = [gate.step(_noisy(arm, n)) for n in range(60, 70)]
    assert set(motions) == {Motion.HANDS}
    back = [gate.step(_noisy(image, n)) for n in range(80, 88)]
    assert back[-1] is Motion.STILL
    assert not gate.changed().any()


def test_a_lamp_dimmed_is_no_change() -> None:
    image = _table()
    gate = _settled(image)
    dim = (image * 0.7).astype(np.uint8)
    motions = [gate.step(_noisy(dim, number)) for number in range(60, 66)]
    assert motions[-1] is Motion.STILL
    assert not gate.changed().any()


def test_another_size_of_picture_starts_anew() -> None:
    gate = _settled(_table())
    assert gate.step(np.zeros((480, 640, 3), np.uint8)) is Motion.MOVING
    assert gate.changed().all()


def test_what_is_left_lying_at_the_edge_is_no_hand_for_ever() -> None:
    image = _table()
    gate = _settled(image)
    left = image.copy()
    left[:140, 300:520] = 240  # cards laid down before a player, cut by the picture's edge
    motions = [gate.step(_noisy(left, n)) for n in range(100, 130)]
    assert motions[5] is Motion.HANDS
    assert motions[-1] is Motion.STILL
    assert gate.changed().any()


def test_looking_anew_finds_everything_changed_at_once() -> None:
    image = _table()
    gate = _settled(image)
    gate.look_anew()
    assert gate.step(_noisy(image, 50)) is Motion.STILL
    assert gate.changed().all()
    gate.settle()
    assert not gate.changed().any()


def _patchwork() -> Image:
    """A table with dark and bright things on it."""
    image = _table()
    image[100:400, 100:500] = (225, 222, 218)
    image[300:700, 700:1200] = (24, 30, 28)
    return image


@pytest.mark.parametrize("gain", [0.75, 0.9, 1.12, 1.35])
def test_a_camera_that_changes_its_exposure_is_no_motion(gain: float) -> None:
    image = _patchwork()
    gate = _settled(image)
    cast = np.array([1.03, 1.0, 0.97]) * gain
    other = np.clip(image * cast, 0, 255).astype(np.uint8)
    assert [gate.step(_noisy(other, n)) for n in range(60, 66)] == [Motion.STILL] * 6
    assert not gate.changed().any()


def test_a_hand_in_other_exposure_is_still_a_hand() -> None:
    image = _patchwork()
    gate = _settled(image)
    hand = image.copy()
    hand[300:720, 500:640] = (103, 115, 173)
    darker = np.clip(hand * 0.8, 0, 255).astype(np.uint8)
    assert [gate.step(_noisy(darker, n)) for n in range(60, 66)][-1] is Motion.HANDS
