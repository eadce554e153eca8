"""Crowded tables: what is proposed between finds, and what is made of surer cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.tabletop.observations import Sighting
from companion.vision.detecting.finding import CardHeatmap
from companion.vision.detecting.placing import distinct, is_likely_card, neighbour_quads
from companion.vision.plausibility import (
    without_die_lookalikes,
    without_duplicates,
    without_odd_sizes,
)


def card(x: float, y: float, width: float = 63.0, height: float = 88.0) -> np.ndarray:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def sighting(quad: np.ndarray, label: str | None, p: float) -> Sighting:
    a, b, c, d = (tuple(corner) for corner in quad)
    return Sighting("card", label, p, (a, b, c, d))


def heatmap(*middles: tuple[float, float]) -> CardHeatmap:
    """A finder that thought of cards here, in cells of 8 pixels."""
    cells = np.full((40, 40), -6.0)
    for x, y in middles:
        cells[round(y / 8), round(x / 8)] = 0.0
    return CardHeatmap(cells, np.array([8.0, 8.0]), np.zeros(2))


def test_places_further_are_beside_their_cards() -> None:
    quads = np.stack([card(0, 0), card(100, 0)])
    further, whose = neighbour_quads(quads)
    assert sorted(whose.tolist()) == [0] * 4 + [1] * 4
    off = np.abs(further.mean(1) - quads[whose].mean(1))
    assert sorted(off[whose == 0].round(1).tolist()) == [[0, 35.2]] * 2 + [[25.2, 0]] * 2


def test_they_are_looked_at_where_the_finder_thought_of_a_card() -> None:
    quads = card(60, 60)[None]
    further, whose = neighbour_quads(quads)
    thought = heatmap((91.5 + 27, 104), (91.5, 104))
    near = further[is_likely_card(thought, quads[whose], further)].mean(1)
    assert near.round(1).tolist() == [[91.5 + 25.2, 104.0]]
    assert not is_likely_card(heatmap((91.5, 104)), quads[whose], further).any()


def test_quads_that_arrive_at_one_card_count_once() -> None:
    quads = np.stack([card(0, 0), card(1, 1), card(30, 0), card(0.5, 0)])
    assert distinct(quads, 0.05).tolist() == [0, 2]


def test_a_doubtful_card_made_of_two_surer_ones_is_dropped() -> None:
    left, right, between = card(0, 0), card(63, 0), card(31, 0)
    seen = [
        sighting(left, "r3", 0.99),
        sighting(right, "b4", 0.99),
        sighting(between, "g9", 0.55),
    ]
    assert {s.label for s in without_duplicates(seen)} == {"r3", "b4"}


def test_a_card_nobody_can_read_made_of_two_others_is_dropped() -> None:
    """However sure the finder is: what lies on both would hide them, what lies under is hidden."""
    seen = [
        sighting(card(0, 0), "r3", 0.99),
        sighting(card(56, 0), "b4", 0.99),
        sighting(card(22, 0), None, 0.78),
    ]
    assert {s.label for s in without_duplicates(seen)} == {"r3", "b4"}


def test_a_plain_card_between_two_others_stays() -> None:
    seen = [
        sighting(card(0, 0), "r3", 0.99),
        sighting(card(64, 0), "b4", 0.99),
        sighting(card(32, 0), "g9", 0.98),
    ]
    assert {s.label for s in without_duplicates(seen)} == {"r3", "b4", "g9"}


def test_a_face_that_exists_once_lies_there_once() -> None:
    seen = [sighting(card(0, 0), "r3", 0.99), sighting(card(40, 0), "r3", 0.8)]
    assert len(without_duplicates(seen)) == 1


def test_cards_that_look_alike_may_lie_over_each_other() -> None:
    seen = [sighting(card(0, 0), "draugr", 0.99), sighting(card(28, 0), "draugr", 0.98)]
    assert len(without_duplicates(seen, lambda _: True)) == 2


def test_what_lies_half_over_a_card_and_cannot_be_read_is_none_where_cards_lie_side_by_side() -> (
    None
):
    seen = [sighting(card(0, 0), "r3", 0.99), sighting(card(40, 0), None, 0.6)]
    assert len(without_duplicates(seen)) == 2
    assert [s.label for s in without_duplicates(seen, side_by_side=True)] == ["r3"]
    beside = [sighting(card(0, 0), "r3", 0.99), sighting(card(62, 0), None, 0.6)]
    assert len(without_duplicates(beside, side_by_side=True)) == 2


def test_a_token_in_the_middle_of_a_card_is_not_the_card() -> None:
    whole = card(0, 0)
    token = whole.mean(0) + (whole - whole.mean(0)) * 0.3
    assert distinct(np.stack([token, whole, card(1, 0)]), 0.05).tolist() == [0, 1]


def die(x: float, y: float, side: float = 8.0) -> Sighting:
    a, b, c, d = (tuple(corner) for corner in card(x, y, side, side))
    return Sighting("die", 5, 0.99, (a, b, c, d), found=0.9)


def test_print_on_a_card_is_no_die() -> None:
    seen = [sighting(card(0, 0), "9C", 0.95), die(20, 20)]
    assert [s.kind for s in without_duplicates(seen)] == ["card"]


def test_dice_are_not_lost_in_what_is_hardly_a_card() -> None:
    seen = [sighting(card(0, 0), "9C", 0.5), die(20, 20), die(40, 20)]
    assert sum(s.kind == "die" for s in without_duplicates(seen)) == 2


def found_with(one: Sighting, found: float) -> Sighting:
    return replace(one, found=found)


def test_a_card_of_two_halves_of_its_like_is_none() -> None:
    left, right, between = card(0, 0), card(63, 0), card(31, 0)
    sides = [found_with(sighting(quad, "hammer", 0.99), 0.7) for quad in (left, right)]
    made_up = found_with(sighting(between, "hammer", 1.0), 0.4)
    several = lambda _label: True  # noqa: E731
    assert len(without_duplicates([*sides, made_up], several)) == 2
    laid_over = found_with(sighting(between, "hammer", 1.0), 0.8)
    assert len(without_duplicates([*sides, laid_over], several)) == 3


def test_the_ground_of_several_dice_is_no_card() -> None:
    board = found_with(sighting(card(0, 0, 300, 400), "AD", 0.91), 0.38)
    dice = [die(x, 50, 30) for x in (50, 150)]
    assert [s.kind for s in without_die_lookalikes([board, *dice])] == ["die", "die"]
    plain = found_with(board, 0.9)
    assert plain in without_die_lookalikes([plain, *dice]), "dice lie on cards, too"


def test_a_die_that_looks_like_a_small_card_is_a_die() -> None:
    square = found_with(sighting(card(50, 50, 30, 34), "7S", 0.72), 0.23)
    five = die(50, 50, 32)
    assert without_die_lookalikes([square, five]) == [five]


def test_of_cards_of_one_size_a_far_smaller_one_is_print_unless_its_face_exists_once() -> None:
    seen = [
        sighting(card(0, 0), "QS", 0.99),
        sighting(card(100, 0, 30, 42), "7C", 0.99),  # far away, seen from the side
        sighting(card(200, 0, 30, 42), "back", 0.99),  # wood
        sighting(card(300, 0, 30, 42), "9H", 0.6),
        sighting(card(400, 0, 45, 62), "back", 0.99),
    ]
    kept = without_odd_sizes(seen, lambda label: label == "back")
    assert [(s.label, s.quad[0][0]) for s in kept] == [("QS", 0), ("7C", 100), ("back", 400)]


def test_a_back_does_not_tell_how_large_cards_are() -> None:
    tray = sighting(card(0, 0, 50, 52), "back", 0.97)  # any pattern may look like one
    dice = [die(300 + 60 * n, 200, 40) for n in range(3)]
    assert without_odd_sizes([tray, *dice], lambda label: label == "back") == [tray, *dice]
    queen = replace(tray, label="QS")
    assert without_odd_sizes([queen, *dice], lambda label: label == "back") == [queen]
