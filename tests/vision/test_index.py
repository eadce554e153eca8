"""The corner index as a second witness: where corners are cut, and what several say together."""

from __future__ import annotations

import numpy as np

from companion.sim.render.tables import held_out_faces
from companion.vision.crops import INDEX_HIGH, INDEX_WIDE, corners, index_crops
from companion.vision.reading.index import RANKS, SUITS, _together, read_indices

QUAD = corners(200, 300) + 20


def marked() -> np.ndarray:
    """A white card on black with a red mark in its first corner and a blue one in its third."""
    image = np.zeros((340, 240, 3), np.uint8)
    image[20:320, 20:220] = 255
    image[30:60, 30:50] = (0, 0, 255)
    image[280:310, 190:210] = (255, 0, 0)
    return image


def test_each_corner_is_cut_so_that_its_index_stands_upright() -> None:
    cuts = index_crops(marked(), QUAD[None])[0]
    assert cuts.shape == (4, INDEX_HIGH, INDEX_WIDE, 3)
    for corner, channel in ((0, 1), (2, 1)):
        ink = np.argwhere(cuts[corner][..., channel] < 100)
        inside = ink[(ink > 3).all(1)]
        assert 5 < inside[:, 0].mean() < 20
        assert 4 < inside[:, 1].mean() < 14
    assert all((cuts[corner][8:, 8:20] > 250).all() for corner in (1, 3))


def test_a_card_upside_down_has_the_same_corners_the_other_way_round() -> None:
    image = marked()
    straight = index_crops(image, QUAD[None])[0]
    turned = index_crops(image, np.roll(QUAD, 2, 0)[None])[0]
    assert np.abs(straight[[2, 3, 0, 1]].astype(int) - turned).mean() < 2


def said(named: dict[int, float], many: int = 14) -> np.ndarray:
    """What one corner says: some answers, the rest none."""
    out = np.zeros(many)
    for at, p in named.items():
        out[at] = p
    out[-1] = 1 - out.sum()
    return out


def test_corners_that_agree_are_surer_than_one() -> None:
    one = _together(np.stack([said({6: 0.8, 7: 0.15}), said({})]))
    two = _together(np.stack([said({6: 0.8, 7: 0.15}), said({6: 0.8, 7: 0.15})]))
    assert two[6] > one[6] > 0.75
    assert one.argmax() == two.argmax() == 6


def test_corners_that_disagree_leave_a_doubt() -> None:
    both = _together(np.stack([said({0: 0.95}), said({3: 0.95})]))
    assert abs(both[0] - both[3]) < 0.01
    assert both[0] < 0.6


def test_where_nothing_can_be_read_nothing_is_said() -> None:
    assert _together(np.stack([said({1: 0.02}), said({2: 0.03})])).sum() < 0.06


def test_no_card_no_reading() -> None:
    assert read_indices(marked(), np.zeros((0, 4, 2), np.float32)) == []


def test_a_card_gets_a_reading_of_every_rank_and_suit() -> None:
    [reading] = read_indices(marked(), QUAD[None])
    assert reading.ranks.shape == (len(RANKS),)
    assert reading.suits.shape == (len(SUITS),)
    assert 0 <= reading.ranks.sum() <= 1 + 1e-6
    assert len(reading.labels) == 52
    assert abs(sum(reading.labels.values()) - reading.ranks.sum() * reading.suits.sum()) < 1e-6


def test_the_shipped_reader_reads_a_house_it_never_saw() -> None:
    right = []
    for card in held_out_faces("deco", 1)[::2]:
        high, wide = card.pixels.shape[:2]
        page = np.full((high + 40, wide + 40, 3), 90, np.uint8)
        page[20:-20, 20:-20] = card.pixels
        [reading] = read_indices(page, (corners(wide, high) + 20)[None])
        right.append(RANKS[int(reading.ranks.argmax())] == card.face.label[0])
        right.append(SUITS[int(reading.suits.argmax())] == card.face.label[1])
    assert np.mean(right) > 0.85
