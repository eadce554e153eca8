"""Playing cards of many houses: every rank has its pips, every printing can be drawn, and what is
held out of training stays out of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.sim.faces import playing
from companion.sim.faces.canvas import raster
from companion.sim.faces.playing import layouts, outlines, suits
from companion.sim.faces.playing.courts import HELD_OUT, TAUGHT
from companion.sim.faces.playing.indices import boxes
from companion.sim.faces.playing.style import PipStyle

MANY = 60


def taught(seed: int) -> playing.Printing:
    return playing.printing(np.random.default_rng([4, seed]))


@pytest.mark.parametrize("rank", playing.RANKS[:10])
def test_every_layout_has_as_many_pips_as_its_rank_says(rank: str) -> None:
    expected = {"A": 1, "T": 10}.get(rank) or int(rank)
    for manner in layouts.MANNERS[rank]:
        assert len(set(manner)) == len(manner) == expected
        assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in manner)


def test_eights_sevens_and_tens_come_in_several_manners() -> None:
    assert [len(layouts.MANNERS[rank]) for rank in "78T"] == [4, 4, 4]


def test_there_are_outlines_by_the_dozen() -> None:
    assert all(len(outlines.signs(suit)) >= 18 for suit in playing.SUITS)
    assert len(outlines.typefaces()) >= 72


def test_every_label_of_any_printing_can_be_drawn_and_is_a_card() -> None:
    for seed in range(6):
        style = taught(seed)
        for face in playing.faces(style):
            pixels = raster(face, 1.0, finer=1)
            assert pixels.std() > 2, face.label
            assert abs(face.width - style.width * style.scale) < 1e-6


def test_a_seed_draws_the_same_printing_again() -> None:
    a, b = (raster(playing.face("KD", taught(3)), 1.0, finer=1) for _ in range(2))
    assert np.array_equal(a, b)


def test_a_card_shows_as_many_pips_as_its_rank() -> None:
    style = playing.Printing(index=replace(playing.Printing().index, height=1.0, sign=0.0))
    for rank in "23456789T":
        for manner in range(len(layouts.MANNERS[rank])):
            pips = PipStyle(size=9.0, layout={rank: manner})
            pixels = raster(playing.face(f"{rank}D", replace(style, pips=pips)), 4.0)
            ink = (pixels[:, 30:-30, 1] < 128).astype(np.uint8)
            many, _, sizes, _ = cv2.connectedComponentsWithStats(ink)
            assert sum(size[4] > 250 for size in sizes[1:many]) == len(
                layouts.MANNERS[rank][manner]
            )


def test_houses_held_out_share_no_typeface_outline_or_court_with_training() -> None:
    seen = [taught(seed) for seed in range(MANY)]
    letters = {style.index.pen.typeface for style in seen}
    for house in playing.HOUSES_HELD_OUT:
        for seed in range(MANY // 2):
            style = playing.held_out(np.random.default_rng([5, seed]), house)
            assert style.house == house
            assert style.index.pen.typeface not in letters
            for suit, rings in zip(playing.SUITS, style.pips.outlines, strict=True):
                kept = [outlines.sign(name) for name in suits.kept_back(suit)]
                assert any(all(map(np.array_equal, rings, one)) for one in kept)
    assert not set(TAUGHT) & set(HELD_OUT)
    assert {style.house for style in seen} == set(TAUGHT)


def test_a_house_training_sees_cannot_be_asked_for_as_held_out() -> None:
    with pytest.raises(ValueError, match="dense"):
        playing.held_out(np.random.default_rng(1), "dense")


def test_the_index_stands_where_its_box_says() -> None:
    for seed in range(20):
        style = taught(seed)
        if style.wash or style.index.boxed is not None:
            continue
        rank, sign = boxes(style)
        pixels = raster(playing.face("8S", replace(style, scale=1.0)), 4.0).astype(int)
        paper = np.array(style.paper[::-1])
        for box in (rank, sign):
            if box is not None:
                (x0, y0), (x1, y1) = np.round(np.stack([box.min(0), box.max(0)]) * 4).astype(int)
                part = pixels[y0:y1, x0:x1]
                assert (np.abs(part - paper).max(2) > 40).mean() > 0.1
