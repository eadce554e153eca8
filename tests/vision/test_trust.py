"""What a photograph of unknown scale shows: what can be real, as probable as it proves to be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.tabletop.observations import Sighting
from companion.vision.plausibility import plausible_in_photograph, without_odd_dice, without_parts
from companion.vision.reading.trust import Trust, trusted


def _at(
    kind: str, label: str | int | None, side: float, x: float = 200.0, y: float = 200.0
) -> Sighting:
    high = side if kind == "die" else 1.4 * side
    quad = ((x, y), (x + side, y), (x + side, y + high), (x, y + high))
    return Sighting(kind, label, 0.99, quad, found=0.85)


def _once(_: object) -> bool:
    return False


def test_half_a_card_inside_a_card_is_part_of_it() -> None:
    whole, half = _at("card", "2C", 200), _at("card", "AC", 120)
    plain = replace(whole, found=0.9)
    assert without_parts([half, plain]) == [plain]


def test_of_a_card_and_one_inside_it_the_plainer_stays() -> None:
    rim = Sighting("card", "KD", 0.6, _at("card", "KD", 200).quad, found=0.5)
    card = _at("card", "QD", 150)
    assert without_parts([rim, card]) == [card]


def test_print_that_reads_like_a_card_by_chance_does_not_tell_how_large_cards_are() -> None:
    back = Sighting("card", "back", 0.91, _at("card", "back", 46, 600).quad, found=0.29)
    dice = [_at("die", n, 50, 100 * n) for n in (1, 2, 3)]
    assert [s for s in plausible_in_photograph([back, *dice], _once, one_size=True) if s in dice]


def test_no_die_lies_in_a_die() -> None:
    die, pip = _at("die", 5, 60), _at("die", 1, 20, 220, 220)
    others = [_at("die", 3, 60, 200, 100 * n) for n in (4, 6, 8)]
    assert pip not in without_odd_dice([pip, die, *others])
    assert die in without_odd_dice([pip, die, *others])


def test_dice_in_one_picture_are_of_one_size() -> None:
    dice = [_at("die", 3, 40, 100 * n) for n in range(1, 5)]
    unlike = Sighting("die", 1, 0.8, _at("die", 1, 110, 700).quad, found=0.6)
    assert without_odd_dice([*dice, unlike]) == dice


@pytest.mark.parametrize("kind", ["card", "die"])
def test_what_was_hardly_found_is_trusted_less(kind: str) -> None:
    plain = _at(kind, 5 if kind == "die" else "5C", 60)
    faint = Sighting(kind, plain.label, plain.p, plain.quad, found=0.3)
    beside = [_at("die", 3, 60, 500)]
    assert trusted(faint, beside).p < 0.9 < trusted(plain, beside).p


def test_a_die_by_itself_may_be_a_button() -> None:
    doubtful = Sighting("die", 1, 0.95, _at("die", 1, 60).quad, found=0.6)
    assert trusted(doubtful, [doubtful]).p < 0.5 < trusted(doubtful, [_at("die", 3, 60, 500)]).p


def test_what_has_no_label_is_as_it_was() -> None:
    one = Sighting("card", None, 0.4, _at("card", None, 60).quad, found=0.4)
    assert trusted(one) is one


def test_a_probability_stays_one() -> None:
    sure = Sighting("die", 6, 1.0, _at("die", 6, 60).quad, found=1.0)
    never = Sighting("die", 6, 0.0, _at("die", 6, 60).quad, found=0.0)
    assert 0 < Trust(3.0, 9.0, 5.0).of(never) < Trust(3.0, 9.0, 5.0).of(sure) <= 1
