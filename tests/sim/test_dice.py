"""Dice as they are drawn: as many pips as they are worth, whatever they are made of."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.odin import faces as odin
from companion.sim.render.crops import drawn
from companion.sim.render.dice import DieLook, everyday_style, hard_style, sprite
from companion.sim.render.training_scenes import PropStock, dice_picture

HOLLOW = DieLook(bowl=0.2, pit=0.6, narrow=0.85, ball=1.5, rim=4.0)


def pips(value: int, style: DieLook) -> int:
    """Dark spots of a white die seen from straight above."""
    die = sprite(value, style, np.random.default_rng(value), 60, tilt=0.0)
    within = cv2.erode(die.cover, np.ones((9, 9), np.uint8)) > 200
    dark = ((die.colour.max(2) < 100) & within).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return int((stats[1:, cv2.CC_STAT_AREA] > 20).sum())


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("style", [DieLook(), HOLLOW])
def test_a_die_shows_its_value(value: int, style: DieLook) -> None:
    assert pips(value, style) == value


def test_lamps_are_mirrored() -> None:
    plain, lit = (
        sprite(1, DieLook(body=(0.1, 0.1, 0.1), shine=0.0, bowl=0.3, lamps=n), rng, 40, tilt=0.0)
        for n, rng in ((0, np.random.default_rng(5)), (4, np.random.default_rng(5)))
    )
    assert lit.colour.astype(int).sum() > plain.colour.astype(int).sum()
    assert (lit.cover == plain.cover).all()


def test_pips_of_any_die_differ_from_its_body() -> None:
    styles = [hard_style(np.random.default_rng(seed)) for seed in range(200)]
    unlike = [np.abs(np.subtract(s.body, s.pip)).max() for s in styles]
    assert min(unlike) > 0.05
    assert min(unlike) < 0.25, "none are dim"


def lightness(colour: tuple[float, float, float]) -> float:
    return float(cv2.cvtColor(np.array([[colour]], np.float32), cv2.COLOR_BGR2LAB)[0, 0, 0])


def test_pips_of_dice_people_play_with_are_plainly_lighter_or_darker() -> None:
    styles = [everyday_style(np.random.default_rng(seed)) for seed in range(200)]
    grounds = [
        (s.pip, ground) for s in styles for ground in (s.body, s.vein)[: 1 + bool(s.marbled)]
    ]
    assert min(abs(lightness(pip) - lightness(ground)) for pip, ground in grounds) > 25
    assert len({s.pip for s in styles}) > 20, "all are black or white"


def test_a_picture_of_dice_says_where_they_are_and_what_is_none() -> None:
    stock = PropStock(
        np.random.default_rng(2), [[drawn(f) for f in odin.faces()[:3]]], 40, 4, odd=0.7
    )
    seen = [dice_picture(stock) for _ in range(12)]
    dice = [t for picture, _ in seen for t in picture.truths if t.kind == "die"]
    assert {t.label for t in dice} == set(range(1, 7))
    assert any(blanks for _, blanks in seen)
    assert all(picture.image.shape == (144, 144, 3) for picture, _ in seen)
