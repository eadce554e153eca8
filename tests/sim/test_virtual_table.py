"""The virtual table: what is painted is what lies there, and a still table costs little."""

from __future__ import annotations

from itertools import islice, pairwise

import cv2
import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.sim.players import Playing, Step, play
from companion.sim.render.lamp import SceneLamp
from companion.sim.render.tables import plane_of
from companion.sim.virtual_table import LIGHTS, Shot, ViewSettings, VirtualTable, pieces_of
from companion.vision.calibrating.monitor import CalibrationMonitor
from companion.vision.calibration import marker_corners, markers_in, solve

SIZE = (960, 540)


def table(light: str = "good", seed: int = 4, bumps: float = 0.0) -> VirtualTable:
    how = Playing("odin", seats=3, seed=seed, mistakes=1)
    return VirtualTable(play(how), ViewSettings(SIZE, light, seed, bumps=bumps, speed=3))


def shots(of: VirtualTable, many: int) -> list[Shot]:
    return list(islice(of.shots(), many))


@pytest.mark.parametrize("light", LIGHTS)
def test_the_markers_are_found_where_they_are(light: str) -> None:
    shown = table(light)
    image = shots(shown, 1)[0].image
    found = markers_in(image)
    assert sorted(found) == [0, 1, 2, 3]
    for number, quad in found.items():
        off = quad - shown.view.pixels(marker_corners(number))
        assert np.linalg.norm(off, axis=1).max() < 1.5
    solved = solve(found, SIZE)
    mm = np.array([(100.0, 100.0), (500.0, 300.0)])
    assert np.linalg.norm(solved.pixels(mm) - plane_of(shown.view).pixels(mm), axis=1).max() < 1.0


def test_a_seed_is_a_film() -> None:
    one, again = shots(table(), 60), shots(table(), 60)
    assert all(
        np.array_equal(a.image, b.image) and a.table == b.table
        for a, b in zip(one, again, strict=True)
    )
    assert one[-1].image.shape == (SIZE[1], SIZE[0], 3)
    assert [shot.at for shot in one] == pytest.approx([at / 10 for at in range(60)])


def test_still_pictures_differ_by_their_noise_only() -> None:
    still = [shot.image.astype(int) for shot in shots(table(), 4)]
    for one, other in pairwise(still):
        assert 0.3 < np.abs(one - other).mean() < 4


def test_what_is_painted_is_what_lies_there() -> None:
    shown = table()
    for shot in islice(shown.shots(), 250):
        if shot.done is None:
            continue
        truths = shown.painter.truths(shot.table)
        assert [truth.label for truth in truths] == [one.face for one in shot.table]
        for truth, one in zip(truths, shot.table, strict=True):
            assert truth.quad_mm.mean(0) == pytest.approx((one.x, one.y))
        if truths:
            assert truths[-1].visible > 0.97  # the last is on top
        assert shot.table == shot.done.table


def test_a_laid_card_changes_the_picture_there_and_nowhere_else() -> None:
    shown = table()
    before = after = None
    for shot in islice(shown.shots(), 200):
        if shot.done is not None and shot.done.what == "lead":
            after = shot
            break
        if not shot.hand:
            before = shot
    assert before is not None
    assert after is not None
    changed = np.abs(after.image.astype(int) - before.image.astype(int)).max(2) > 25
    quad = shown.painter.truths(after.table)[-1].quad
    rows, columns = np.nonzero(changed)
    low, high = quad.min(0) - 12, quad.max(0) + 12
    inside = (columns > low[0]) & (columns < high[0]) & (rows > low[1]) & (rows < high[1])
    assert inside.mean() > 0.99
    assert inside.sum() > 1000


def test_arms_are_in_the_way_between_still_tables() -> None:
    told = shots(table(), 200)
    hands = [shot.hand for shot in told]
    assert 0.15 < np.mean(hands) < 0.8
    for before, shot in pairwise(told):
        if shot.done is not None and shot.done.table != before.table:
            assert before.hand


def test_a_knock_moves_the_camera_a_little() -> None:
    shown = table(bumps=1.0)
    film = shown.shots()
    keeper = CalibrationMonitor(plane_of(shown.view))
    first = next(film)
    assert keeper.check(first.image).state == "fine"
    seen = {keeper.check(shot.image).state.value for shot in islice(film, 120) if not shot.hand}
    assert "resolved" in seen
    assert "moved" not in seen


def test_the_table_waits_for_whoever_is_slow() -> None:
    asked: list[tuple[Step, float]] = []

    def slow(step: Step, rested: float) -> bool:
        asked.append((step, rested))
        return rested > 3

    shown = VirtualTable(play(Playing("odin", seed=4)), ViewSettings(SIZE, seed=4, speed=3), slow)
    steps = [shot.done for shot in islice(shown.shots(), 120) if shot.done is not None]
    assert len(steps) <= 4
    assert max(rested for _, rested in asked) > 3


def test_presses_come_once_each() -> None:
    shown = table()
    presses, due = [], []
    for shot in islice(shown.shots(), 900):
        if shot.done is not None and shot.done.press:
            due.append(shot.done.press)
        if shot.press:
            presses.append(shot.press)
    assert presses
    assert due[: len(presses)] == presses


def test_a_deck_nobody_has_drawn_says_so() -> None:
    with pytest.raises(BadInput, match="nobody has drawn the deck 'chess'"):
        pieces_of("chess")


@pytest.mark.parametrize("game", ["valhalla", "valhal"])
def test_every_game_can_be_painted(game: str) -> None:
    shown = VirtualTable(
        play(Playing(game, seats=3, seed=10)), ViewSettings((640, 360), seed=1, speed=5)
    )
    kinds = set()
    for shot in islice(shown.shots(), 400):
        if shot.done is not None:
            truths = shown.painter.truths(shot.table)
            assert [str(truth.label) for truth in truths] == [one.face for one in shot.table]
            kinds |= {truth.kind for truth in truths}
    assert kinds == ({"card", "die"} if game == "valhal" else {"card"})


@pytest.mark.parametrize("light", LIGHTS)
def test_a_part_is_lit_like_the_whole(light: str) -> None:
    rng = np.random.default_rng(2)
    raw = cv2.resize(rng.integers(0, 256, (18, 32, 3), np.uint8), (320, 180))
    gloss = np.full((180, 320), 153, np.uint8)
    for seed in range(5):
        lamp = SceneLamp((320, 180), LIGHTS[light], seed)
        whole = lamp.seen(raw, gloss).astype(int)
        box = (slice(40, 120), slice(90, 260))
        part = lamp.seen(raw, gloss, box).astype(int)
        assert np.abs(part - whole[box]).max() <= 1


def test_good_light_is_good_and_hard_light_is_not() -> None:
    grey, gloss = np.full((90, 160, 3), 128, np.uint8), np.zeros((90, 160), np.float32)
    for seed in range(20):
        good = SceneLamp((160, 90), LIGHTS["good"], seed).seen(grey, gloss)
        assert 90 < good.mean() < 175
        assert np.ptp(good.mean((0, 1))) < 25
        hard = SceneLamp((160, 90), LIGHTS["hard"], seed).seen(grey, gloss)
        uneven = hard.max() / max(int(hard.min()), 1)
        assert hard.mean() < 105 or np.ptp(hard.mean((0, 1))) > 20 or uneven > 1.3
