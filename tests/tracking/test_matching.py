"""What a look says of what is known: the same, something else, a glimpse, or nothing at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.tabletop.observations import Sighting, Thing, What
from companion.tracking.matching import (
    PUSHED,
    alike,
    covers,
    differs,
    faint,
    glimpses,
    is_back,
    is_card_aside,
    is_something,
    laid_over,
    not_made_up,
    one_name_each,
    plainly,
    same,
)
from tests.tracking.looks import card, die, quad_at


def known(label: str | int, x: float = 100, y: float = 100, p: float = 0.99, **more: int) -> Thing:
    kind = "die" if isinstance(label, int) else "card"
    turn = more.get("turn", 0)
    size = (16.0, 16.0) if kind == "die" else (63.0, 88.0)
    return Thing(more.get("number", 1), kind, ((label, p),), quad_at(x, y, turn, size), turn)


def found(sighting: Sighting, surely: float) -> Sighting:
    return replace(sighting, found=surely)


@pytest.mark.parametrize(
    ("thing", "seen", "what"),
    [
        (known("r7"), card("r7", 100, 100), None),
        (known("r7"), card("b8", 100, 100), What.APPEARED),
        (known("r7"), card("b8", 100, 100, 0.79), None),  # not clear enough
        (known("r7"), card("b8", 100, 100, 0.9, others=(("r7", 0.05),)), None),  # may be the same
        (known("r7"), card(None, 100, 100), None),
        (known("back"), card("r7", 100, 100), What.FLIPPED),
        (known("r7"), card("odin-back", 100, 100), What.FLIPPED),
        (known("back"), card("odin-back", 100, 100), What.APPEARED),
        (known("r7"), card("r7", 100, 100, turn=90), What.TURNED),
        (known("r7"), card("r7", 100, 100, 0.7, turn=90), None),
        (known(3), die(5, 100, 100), What.ROLLED),
        (known(3), die(3, 100, 100), None),
    ],
)
def test_what_differs(thing: Thing, seen: Sighting, what: What | None) -> None:
    assert differs(thing, seen) is what


def test_a_second_opinion_that_was_likely_all_along_is_no_other_card() -> None:
    unsure = replace(known("r7"), odds=(("r7", 0.7), ("b8", 0.25)))
    assert differs(unsure, card("b8", 100, 100)) is None


@pytest.mark.parametrize(
    ("label", "back"),
    [("back", True), ("odin-back", True), ("r7", False), ("backs", False), (3, False)],
)
def test_which_labels_are_backs(label: str | int, back: bool) -> None:
    assert is_back(label) is back
    assert not is_back(None)


@pytest.mark.parametrize(
    ("seen", "something", "is_faint", "hides"),
    [
        (card("r7", 0, 0), True, False, True),
        (found(card("r7", 0, 0, 0.7), 0.4), False, True, True),
        (found(card("r7", 0, 0, 0.85), 0.4), True, True, True),
        (found(card("r7", 0, 0, 0.98), 0.4), True, False, True),
        (found(card(None, 0, 0), 0.6), True, True, False),
        (found(card(None, 0, 0), 0.8), True, True, True),
        (found(card(None, 0, 0), 0.4), False, True, False),
    ],
)
def test_how_much_a_find_is(seen: Sighting, something: bool, is_faint: bool, hides: bool) -> None:
    assert (is_something(seen), faint(seen), covers(seen)) == (something, is_faint, hides)


@pytest.mark.parametrize(
    ("thing", "seen", "one"),
    [
        (known("r7"), card("r7", 300, 20), True),
        (known("r7"), card("b8", 300, 20), False),
        (known("r7"), card("r7", 300, 20, 0.4), False),
        (known("r7", p=0.4), card("r7", 300, 20), False),
        (known("r7"), die(7, 300, 20), False),
        (known(3), die(5, 300, 20), True),  # a die shows anything
        (replace(known("r7"), covered=True), card("r7", 300, 20), False),
    ],
)
def test_what_may_have_been_carried_there(thing: Thing, seen: Sighting, one: bool) -> None:
    assert alike(thing, seen) is one


def test_a_card_is_pushed_only_so_far() -> None:
    thing = known("r7")
    assert is_card_aside(thing, card("r7", 100 + PUSHED, 100))
    assert not is_card_aside(thing, card("r7", 101 + PUSHED, 100))
    assert not is_card_aside(thing, card("b8", 101, 100))
    assert not is_card_aside(known("back"), card("back", 101, 100)), "one back is like another"
    assert not is_card_aside(known(3), die(3, 101, 100))


def test_a_card_laid_over_its_like_covers_it_from_further_than_a_push() -> None:
    assert laid_over(known("wolf"), card("wolf", 125, 100))
    assert not laid_over(known("wolf"), card("wolf", 115, 100))
    assert not laid_over(known("wolf"), card("wolf", 300, 100))


def test_plainly_the_same() -> None:
    assert plainly(known("r7"), card("r7", 0, 0, 0.8))
    assert not plainly(known("r7"), card("r7", 0, 0, 0.79))
    assert not plainly(known("r7"), card("b7", 0, 0))


def test_the_same_find_twice() -> None:
    one = card("r7", 100, 100)
    assert same(one, card("r7", 103, 100))
    assert not same(one, card("r7", 200, 100))
    assert not same(one, card("b7", 100, 100))
    assert not same(one, card("r7", 100, 100, turn=90))


# Several at once


def test_of_two_that_read_alike_the_known_one_keeps_its_name() -> None:
    here, surer = card("r7", 100, 100, 0.8), card("r7", 300, 100, 0.99)
    assert [each.label for each in one_name_each([surer, here], [known("r7")])] == ["r7", None]
    kept, unread = one_name_each([here, surer], [])
    assert (kept.middle, unread.label, unread.p) == (surer.middle, None, here.found)


def test_backs_and_dice_may_read_alike() -> None:
    finds = [card("back", 100, 100), card("back", 300, 100), die(3, 10, 10), die(3, 40, 10)]
    assert [each.label for each in one_name_each(finds, [])].count(None) == 0


def test_a_glimpse_is_a_find_that_lies_on_a_known_card_and_shows_none_plainly() -> None:
    things = {4: known("r7", 100, 100), 9: known("b8", 300, 100)}
    on_it = found(card(None, 105, 100), 0.9)
    assert glimpses(things, {2: on_it}) == {4: 2}
    assert glimpses(things, {2: card("k1", 105, 100)}) == {}, "that is a card of its own"
    assert glimpses(things, {2: card("k1", 105, 100, 0.7)}) == {4: 2}
    assert glimpses(things, {2: card(None, 135, 100)}) == {}, "too little of it lies there"


def test_each_find_is_a_glimpse_of_one_card_the_one_it_reads_as_first() -> None:
    things = {1: known("r7", 100, 100), 2: known("b8", 110, 100)}
    seen = {5: card("b8", 104, 100, 0.7), 6: card(None, 104, 100)}
    assert glimpses(things, seen) == {2: 5, 1: 6}


def test_what_is_made_of_cards_in_plain_view_is_none() -> None:
    two = [known("r7", 100, 100), known("b8", 163, 100)]
    between = card("k1", 140, 100, 0.6)
    assert not_made_up([between], two) == []
    assert not_made_up([between], two[:1]) == [between], "most of it lies on nothing"
    assert not_made_up([replace(between, p=0.9)], two) == [replace(between, p=0.9)]
    cube = die(3, 100, 100, 0.4)
    assert not_made_up([cube], two) == [cube], "dice lie on cards"
