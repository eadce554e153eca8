"""Eyes that are told what lies there, and see it badly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, Shot, ViewSettings
from companion.tabletop.observations import Motion, Sighting
from companion.trials.ground_truth_eye import NO_NOISE, EyeNoise, GroundTruthEye, noise_named

TABLE = (Lying("r7", "r7", 200, 130), Lying("b8", "b8", 236, 130), Lying("k3", "k3", 400, 290))
PAINTER = Painter("odin", ViewSettings((320, 180)))
EMPTY = np.zeros((1, 1, 3), np.uint8)


def looks(noise: EyeNoise, many: int, seed: int = 0) -> Iterator[tuple[Sighting, ...]]:
    """So many looks at the same table, each anew."""
    eye = GroundTruthEye(PAINTER, noise, seed)
    eye.shot = Shot(EMPTY, 0.0, TABLE)
    for number in range(many):
        seen = [eye.observe(Frame(EMPTY, 0.1 * at, 10 * number + at)) for at in range(5)]
        yield next(each.sightings for each in seen if each.looked)
        eye.forget()


def test_clear_eyes_see_what_lies_there() -> None:
    (seen,) = looks(NO_NOISE, 1)
    assert [each.label for each in seen] == ["r7", "b8", "k3"]
    assert all(each.p > 0.99 for each in seen)


def test_a_table_is_looked_at_once_it_is_still_and_only_once() -> None:
    eye = GroundTruthEye(PAINTER, NO_NOISE)
    eye.shot = Shot(EMPTY, 0.0, TABLE, hand=True)
    assert eye.observe(Frame(EMPTY, 0.0, 0)).motion is Motion.HANDS
    eye.shot = replace(eye.shot, hand=False)
    seen = [eye.observe(Frame(EMPTY, 0.1 * at, at)) for at in range(1, 9)]
    assert [each.looked for each in seen] == [False, False, True, *[False] * 5]


def test_noise_errs_about_as_often_as_it_says() -> None:
    noise = replace(EyeNoise(), stubborn=0.0, twins=0.0, ghosts=0.0)
    said = Counter(
        "right" if each.label == "k3" else "blank" if each.label is None else "wrong"
        for seen in looks(noise, 1500)
        for each in seen
        if abs(each.middle[0] - 400) < 5
    )
    assert 0.03 < said["blank"] / 1500 < 0.07
    assert 0.007 < said["wrong"] / 1500 < 0.025
    assert said.total() > 1400


def test_the_same_seed_sees_the_same_and_another_does_not() -> None:
    first = list(looks(EyeNoise(), 40, seed=3))
    assert first == list(looks(EyeNoise(), 40, seed=3))
    assert first != list(looks(EyeNoise(), 40, seed=4))


def test_more_noise_is_worse() -> None:
    def wrong(noise: EyeNoise) -> int:
        named = [{each.label for each in seen} for seen in looks(noise, 300)]
        return sum({"r7", "b8", "k3"} != labels for labels in named)

    assert wrong(EyeNoise().times(0.3)) < wrong(EyeNoise()) < wrong(EyeNoise().times(3))


def test_eyes_by_name() -> None:
    assert noise_named("real") is None
    assert noise_named("perfect") == NO_NOISE
    assert noise_named("noisy") == EyeNoise()
    assert noise_named("noisy:2.5") == EyeNoise().times(2.5)
    with pytest.raises(BadInput, match="not 'blind'"):
        noise_named("blind")
