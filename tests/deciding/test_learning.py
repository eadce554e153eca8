"""What entries teach: by their links, never by their words. No loop, no referee, no journal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.deciding.confusions import Confusion
from companion.deciding.learning import followed, said_instead
from companion.deciding.memory import REMEMBERED, BookEntry, Books, EnteredReading, Memory
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Reading, ReadingRef
from tests.tracking.looks import quad_at

READ = Reading(("B k8",), 0.98, pixels=0.98, names=((2, "k8"),), id="3.1")
OTHER = Reading(("B o8",), 0.01, names=((2, "o8"),), id="3.2")
LINE = ReadingRef("3.1", 0)
TABLE = (Thing(2, "card", (("k8", 0.98),), quad_at(0, 0)),)
BEFORE = BookEntry(3, "A r7")
SHOWN = Memory(1, 3, TABLE, readings=(READ, OTHER))
ENTERED = Memory(1, 4, TABLE, names={2: "k8"}, entered=(EnteredReading(4, READ),))
NOW = 50.0
PAIR = ("B k8 k3",)


def books(*entries: BookEntry, seq: int | None = None) -> Books:
    """As they stand after these; `seq` if the last event was no entry."""
    newest = max(each.seq for each in entries)
    return Books("odin", 1, seq or newest, None, tuple(reversed(entries)))


# Entered


def test_a_reading_is_entered_if_the_entry_says_so() -> None:
    after = followed(SHOWN, books(BEFORE, BookEntry(4, "B k8", because=LINE)), NOW)
    assert after.names == {2: "k8"}
    assert after.entered == (EnteredReading(4, READ),)
    assert after.seq == 4


def test_the_same_words_without_a_link_are_no_reading() -> None:
    after = followed(SHOWN, books(BEFORE, BookEntry(4, "B k8")), NOW)
    assert (after.names, after.entered) == ({}, ())
    assert after.entered_at == NOW


def test_other_words_with_a_link_are_the_reading() -> None:
    after = followed(SHOWN, books(BEFORE, BookEntry(4, "b K8", because=LINE)), NOW)
    assert after.names == {2: "k8"}


def test_people_who_chose_the_second_named_the_card_and_the_light() -> None:
    chosen = BookEntry(4, "B o8", because=ReadingRef("3.2", 0))
    after = followed(SHOWN, books(BEFORE, chosen), NOW)
    assert after.names == {2: "o8"}
    assert after.confusions == (Confusion(("k", "*"), ("o", "*"), wrong=1),)


def test_what_the_camera_entered_itself_teaches_nothing() -> None:
    entry = BookEntry(4, "B k8", because=LINE)
    doubting = replace(SHOWN, confusions=(Confusion(("k", "*"), ("b", "*"), wrong=1),))
    by_camera = followed(replace(doubting, entering=READ), books(BEFORE, entry), NOW)
    by_people = followed(doubting, books(BEFORE, entry), NOW)
    assert by_camera.confusions == doubting.confusions
    assert by_camera.entered_at < 0
    assert by_people.confusions == (Confusion(("k", "*"), ("b", "*"), wrong=1, right=1),)
    assert by_people.entered_at == NOW


def test_half_of_a_reading_is_not_the_reading() -> None:
    two = Reading(("B pass", "C k8"), 0.97, names=((2, "k8"),), id="3.1")
    half = books(BEFORE, BookEntry(4, "B pass", because=LINE))
    assert followed(replace(SHOWN, readings=(two,)), half, NOW).entered == ()
    whole = books(
        BEFORE,
        BookEntry(4, "B pass", because=LINE),
        BookEntry(5, "C k8", because=ReadingRef("3.1", 1)),
    )
    assert followed(replace(SHOWN, readings=(two,)), whole, NOW).names == {2: "k8"}


# Taken back


def test_what_was_undone_is_barred_and_its_card_unknown() -> None:
    after = followed(ENTERED, books(BEFORE, seq=5), NOW)
    assert (after.barred, after.names, after.entered) == ((READ,), {}, ())
    assert after.put_right == (5,)


def test_what_was_undone_before_it_was_found_in_the_books_is_barred_too() -> None:
    entering = replace(SHOWN, entering=READ)
    at_once = replace(books(BEFORE, seq=5), taken_back=(LINE,))
    assert followed(entering, at_once, NOW).barred == (READ,)
    assert followed(entering, books(BEFORE, seq=5), NOW).barred == ()  # it was never entered


def test_undone_and_entered_again_it_was_right() -> None:
    again = BookEntry(6, "B k8", because=LINE)
    after = followed(ENTERED, books(BEFORE, again), NOW)
    assert after.names == {2: "k8"}
    assert (after.put_right, after.barred) == ((), ())


def test_what_was_said_instead_names_the_card_and_teaches() -> None:
    instead = BookEntry(6, "B b8", instead_of=LINE)
    after = followed(ENTERED, books(BEFORE, instead), NOW)
    assert after.names == {2: "b8"}
    assert after.confusions == (Confusion(("k", "*"), ("b", "*"), wrong=1),)
    assert (after.put_right, after.barred) == ((6,), ())


def test_another_play_that_is_not_said_instead_teaches_nothing() -> None:
    after = followed(ENTERED, books(BEFORE, BookEntry(6, "B b8")), NOW)
    assert (after.names, after.confusions) == ({}, ())
    assert after.disputed == {2}, "but they have spoken, and did not mean the card so"


def test_an_unsure_reading_that_was_wrong_is_no_confusion() -> None:
    unsure = replace(READ, pixels=0.6)
    memory = replace(ENTERED, entered=(EnteredReading(4, unsure),))
    after = followed(memory, books(BEFORE, BookEntry(6, "B b8", instead_of=LINE)), NOW)
    assert (after.names, after.confusions) == ({2: "b8"}, ())


def test_entries_too_old_to_be_looked_back_upon_are_not_taken_for_undone() -> None:
    many = tuple(BookEntry(seq, "A pass") for seq in range(10, 10 + REMEMBERED))
    memory = replace(ENTERED, seq=9 + REMEMBERED)
    assert followed(memory, books(*many), NOW).barred == ()


def test_numbers_of_readings_begin_anew() -> None:
    memory = replace(SHOWN, ids={("B k8",): "3.1"})
    assert followed(memory, books(BEFORE, seq=5), NOW).ids == {}


# Words said instead


@pytest.mark.parametrize(
    ("lines", "names", "entry", "said"),
    [
        (("B k8",), ("k8",), BookEntry(6, "B b8", instead_of=LINE), {"k8": "b8"}),
        (PAIR, ("k8", "k3"), BookEntry(6, "B b8 k3", instead_of=LINE), {"k8": "b8", "k3": "k3"}),
        (("B k8",), ("k8",), BookEntry(6, "B pass", instead_of=LINE), {}),
        (("B k8",), ("k8",), BookEntry(6, "C b8", instead_of=LINE), {}),
        (("B k8",), ("k8",), BookEntry(6, "B b8 b3", instead_of=LINE), {}),
        (("B take k8",), ("k8",), BookEntry(6, "B take b8", instead_of=LINE), {"k8": "b8"}),
        (("B k8",), ("k8",), BookEntry(6, "B k8", because=LINE), {"k8": "k8"}),
        (("B k8",), ("k8",), BookEntry(6, "B b8", instead_of=ReadingRef("9.1", 0)), {}),
        (("B k8",), ("k8",), BookEntry(6, "B b8"), {}),
    ],
)
def test_words_said_instead(
    lines: tuple[str, ...], names: tuple[str, ...], entry: BookEntry, said: dict[str, str]
) -> None:
    reading = Reading(lines, 1.0, names=tuple(enumerate(names)), id="3.1")

    assert said_instead("odin", reading, [entry]) == said
