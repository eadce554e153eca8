"""Crowded tables: what is proposed between finds, and what is made of surer cards."""

from __future__ import annotations

import numpy as np

from companion.table import Sighting
from companion.vision.looking import tidied
from companion.vision.placing import distinct, proposed


def card(x: float, y: float, width: float = 63.0, height: float = 88.0) -> np.ndarray:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def sighting(quad: np.ndarray, label: str | None, p: float) -> Sighting:
    a, b, c, d = (tuple(corner) for corner in quad)
    return Sighting("card", label, p, (a, b, c, d))


def test_cards_that_lie_apart_propose_nothing_else() -> None:
    quads = np.stack([card(0, 0), card(150, 0), card(0, 200)])
    assert len(proposed(quads)[0]) == 0


def test_one_card_is_no_crowd() -> None:
    assert len(proposed(card(0, 0)[None])[0]) == 0


def test_a_card_found_twice_is_no_crowd() -> None:
    assert len(proposed(np.stack([card(0, 0), card(7, 4)]))[0]) == 0


def test_a_token_on_a_card_is_no_crowd() -> None:
    quads = np.stack([card(0, 0), card(20, 30, 20, 20)])
    assert len(proposed(quads)[0]) == 0


def test_in_a_row_the_places_between_are_looked_at() -> None:
    quads = np.stack([card(0, 0), card(50, 0)])
    further, whose = proposed(quads)
    assert set(whose.tolist()) == {0, 1}
    between = further.mean(1)[:, 0]
    assert any(31.5 + 15 < middle < 81.5 - 15 for middle in between)


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
    assert {s.label for s in tidied(seen)} == {"r3", "b4"}


def test_a_card_nobody_can_read_made_of_two_others_is_dropped() -> None:
    """However sure the finder is: what lies on both would hide them, what lies under is hidden."""
    seen = [
        sighting(card(0, 0), "r3", 0.99),
        sighting(card(56, 0), "b4", 0.99),
        sighting(card(22, 0), None, 0.78),
    ]
    assert {s.label for s in tidied(seen)} == {"r3", "b4"}


def test_a_plain_card_between_two_others_stays() -> None:
    seen = [
        sighting(card(0, 0), "r3", 0.99),
        sighting(card(64, 0), "b4", 0.99),
        sighting(card(32, 0), "g9", 0.98),
    ]
    assert {s.label for s in tidied(seen)} == {"r3", "b4", "g9"}


def test_a_face_that_exists_once_lies_there_once() -> None:
    seen = [sighting(card(0, 0), "r3", 0.99), sighting(card(40, 0), "r3", 0.8)]
    assert len(tidied(seen)) == 1


def test_cards_that_look_alike_may_lie_over_each_other() -> None:
    seen = [sighting(card(0, 0), "draugr", 0.99), sighting(card(28, 0), "draugr", 0.98)]
    assert len(tidied(seen, lambda _: True)) == 2


def test_what_lies_half_over_a_card_and_cannot_be_read_is_none_where_cards_lie_side_by_side() -> (
    None
):
    seen = [sighting(card(0, 0), "r3", 0.99), sighting(card(40, 0), None, 0.6)]
    assert len(tidied(seen)) == 2
    assert [s.label for s in tidied(seen, side_by_side=True)] == ["r3"]
    beside = [sighting(card(0, 0), "r3", 0.99), sighting(card(62, 0), None, 0.6)]
    assert len(tidied(beside, side_by_side=True)) == 2


def test_a_token_in_the_middle_of_a_card_is_not_the_card() -> None:
    whole = card(0, 0)
    token = whole.mean(0) + (whole - whole.mean(0)) * 0.3
    assert distinct(np.stack([token, whole, card(1, 0)]), 0.05).tolist() == [0, 1]


def die(x: float, y: float, side: float = 8.0) -> Sighting:
    a, b, c, d = (tuple(corner) for corner in card(x, y, side, side))
    return Sighting("die", 5, 0.99, (a, b, c, d), found=0.9)


def test_print_on_a_card_is_no_die() -> None:
    seen = [sighting(card(0, 0), "9C", 0.95), die(20, 20)]
    assert [s.kind for s in tidied(seen)] == ["card"]


def test_dice_are_not_lost_in_what_is_hardly_a_card() -> None:
    seen = [sighting(card(0, 0), "9C", 0.5), die(20, 20), die(40, 20)]
    assert sum(s.kind == "die" for s in tidied(seen)) == 2
