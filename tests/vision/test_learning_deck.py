"""A deck learns its cards from one picture each: surely, the same every time, and no card of
another deck or another suit is taken for one that was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from companion.cli.enrol import pairs_side_by_side
from companion.foundation.errors import BadInput
from companion.sim.faces import playing, random_decks
from companion.sim.render.crops import DrawnFace, drawn, view
from companion.vision import decks
from companion.vision.crops import corners
from companion.vision.decks import Deck, Match, load
from companion.vision.enrolment.deck_making import (
    Enrolled,
    Sample,
    enrolled,
    learnt,
    opened,
    pictured,
)
from companion.vision.enrolment.deck_training import has_gaps
from companion.vision.networks import network

SPADES = [label for label in playing.LABELS if label.endswith("S")]
CLUBS = [label for label in playing.LABELS if label.endswith("C")]


def _sample(card: DrawnFace) -> Sample:
    """A scan of it, on grey."""
    high, wide = card.pixels.shape[:2]
    page = np.full((high + 80, wide + 80, 3), 120, np.uint8)
    page[40:-40, 40:-40] = card.pixels
    return Sample(card.face.label, page, (corners(wide, high) + 40).astype(np.float64))


def _printed(seed: int) -> dict[str, DrawnFace]:
    style = playing.plain(np.random.default_rng([60, seed]))
    return {label: drawn(playing.face(label, style)) for label in playing.LABELS}


def _read(deck: Deck, cards: Sequence[DrawnFace], seed: int = 1) -> list[Match]:
    """One look at each, in good light."""
    rng = np.random.default_rng(seed)
    cuts = [view(card, rng, hard=0.2, astray=0.01, covered=0.0) for card in cards]
    return deck.match(network("embedder").run(np.stack(cuts)))


@pytest.fixture(scope="module")
def look_alikes() -> list[DrawnFace]:
    """A dozen numbers of one design: only a digit or a colour differs."""
    faces = random_decks._numbers(np.random.default_rng(8), 60)
    return [drawn(face) for face in {face.label: face for face in faces}.values()][:12]


@pytest.fixture(scope="module")
def taught(look_alikes: list[DrawnFace]) -> Enrolled:
    return enrolled("mine", [pictured(_sample(card)) for card in look_alikes])


def test_look_alikes_are_named_surely(taught: Enrolled, look_alikes: list[DrawnFace]) -> None:
    seen = _read(taught.deck, look_alikes)
    assert [match.label for match in seen] == [card.face.label for card in look_alikes]
    by_likeness = _read(replace(taught.deck, head=None), look_alikes)
    surely = [sum(match.p >= 0.9 for match in way) for way in (seen, by_likeness)]
    assert surely[0] >= 10
    assert surely[0] > surely[1]


def test_strangers_are_none_of_them(taught: Enrolled) -> None:
    rng = np.random.default_rng(12)
    others = [drawn(face) for _ in range(20) for face in random_decks.family(rng, 1)]
    assert not [m for m in _read(taught.deck, others) if m.label is not None and m.p >= 0.9]


def test_the_same_pictures_give_the_same_head(taught: Enrolled) -> None:
    again = enrolled("mine", taught.deck.pictures).deck
    assert again.head is not None
    assert taught.deck.head is not None
    assert np.array_equal(again.head.numbers(), taught.deck.head.numbers())


def test_a_forecast_is_given(taught: Enrolled) -> None:
    told = taught.forecast
    assert told is not None
    assert 0.7 < told.right <= 1
    assert told.sure <= told.right
    assert told.wrong < 0.05


def test_a_pair_that_is_hard_to_tell_apart_is_told(look_alikes: list[DrawnFace]) -> None:
    first, *rest = look_alikes[:5]
    marked = first.pixels.copy()
    marked[100:124, 70:94] = 255 - marked[100:124, 70:94]
    twin = DrawnFace(replace(first.face, label="twin"), marked)
    got = enrolled("mine", [pictured(_sample(card)) for card in (first, twin, *rest)])
    assert got.forecast is not None
    assert [set(pair[:2]) for pair in got.forecast.pairs] == [{first.face.label, "twin"}]
    assert got.deck.doubts == got.forecast.pairs
    tiles = pairs_side_by_side(got)
    assert {card for card, _ in tiles} == {first.face.label, "twin"}
    assert all(picture.shape == (224, 160, 3) for _, picture in tiles)


def test_handwritten_six_and_nine_are_told(taught: Enrolled) -> None:
    looks = [replace(look, label="6S") for look in taught.deck.looks[:2]]
    turned = [replace(look, label="9S") for look in looks]
    six = replace(taught.deck, looks=tuple(looks), vectors=taught.deck.vectors[:2], head=None)
    both = six.with_looks(turned, six.vectors[::-1])
    assert both.upside_down() == [("6S", "9S")]
    apart = six.with_looks(turned, taught.deck.vectors[-2:])
    assert apart.upside_down() == []


def test_the_head_is_kept_in_the_file(taught: Enrolled, tmp_path: Path) -> None:
    taught.deck.save(tmp_path / "mine.deck")
    kept = load(tmp_path / "mine.deck").head
    assert kept is not None
    assert taught.deck.head is not None
    assert np.array_equal(kept.numbers(), taught.deck.head.numbers())


@pytest.mark.parametrize("spoilt", ["short", "nan", "no numbers"])
def test_a_damaged_head_is_one_sentence(taught: Enrolled, tmp_path: Path, spoilt: str) -> None:
    file = tmp_path / "mine.deck"
    head = taught.deck.head
    assert head is not None
    short = replace(head, rows=head.rows[:3], lean=head.lean[:3])
    bad = short if spoilt == "short" else replace(head, none_lean=float("nan"))
    replace(taught.deck, head=bad).save(file)
    if spoilt == "no numbers":
        with ZipFile(file) as packed:
            held = {name: packed.read(name) for name in packed.namelist()}
        with ZipFile(file, "w") as packed:
            for name, data in (held | {"head.npy": b"torn"}).items():
                packed.writestr(name, data)
    with pytest.raises(BadInput, match="not a deck, or damaged; show its cards again under Set-up"):
        load(file)


def test_a_deck_from_before_heads_opens_and_learns(taught: Enrolled, tmp_path: Path) -> None:
    file = tmp_path / "mine.deck"
    replace(taught.deck, head=None).save(file)
    with ZipFile(file) as packed:
        held = {name: packed.read(name) for name in packed.namelist()}
    older = held["deck.json"].replace(b'"format": 3', b'"format": 2')
    assert older != held["deck.json"]
    with ZipFile(file, "w") as packed:
        for name, data in (held | {"deck.json": older}).items():
            packed.writestr(name, data)
    assert load(file).head is None
    assert opened("mine", tmp_path).head is not None
    assert load(file).head is not None


@pytest.mark.parametrize("seed", [1, 3])
def test_a_strange_suit_beside_the_built_in_cards_takes_over_no_other(seed: int) -> None:
    cards = _printed(seed)
    before = decks.named("playing-cards")
    after = learnt(before, [_sample(cards[label]) for label in SPADES])
    clubs = [cards[label] for label in CLUBS]
    for was, match in zip(_read(before, clubs), _read(after, clubs), strict=True):
        assert match.label == was.label
        assert match.label is None or match.label[1] == "C"
    spades = _read(after, [cards[label] for label in SPADES])
    assert [match.label for match in spades] == SPADES


@pytest.mark.parametrize(
    ("names", "gaps"),
    [
        (["red 1", "red 2", "blue 1", "blue 2"], False),
        (["red 1", "red 2", "blue 1"], True),
        (["r1", "r2", "r3", "b1", "b3"], True),
        (["fool", "tower", "star"], False),
        (SPADES, True),
        (list(playing.LABELS), False),
        (["0S", "KS", "0H", "KH"], False),
    ],
)
def test_names_tell_whether_cards_are_missing(names: list[str], gaps: bool) -> None:
    assert has_gaps(names) == gaps


def test_of_a_printing_shown_by_half_the_rest_is_not_named_after_it() -> None:
    cards = _printed(5)
    shown = [label for label in playing.LABELS if label[0] in "A3579JK"]
    deck = enrolled("theirs", [pictured(_sample(cards[label])) for label in shown]).deck
    rest = [cards[label] for label in playing.LABELS if label not in shown and label[0] != "Q"]
    named = [m for m in _read(deck, rest) if m.label is not None and m.p >= 0.5]
    assert len(named) <= len(rest) / 8
    read = _read(deck, [cards[label] for label in shown])
    right = [m.label == name for m, name in zip(read, shown, strict=True)]
    assert sum(right) >= 0.95 * len(shown)


def test_of_two_that_are_hard_to_tell_apart_both_are_offered(
    taught: Enrolled, look_alikes: list[DrawnFace]
) -> None:
    a, b = (card.face.label for card in look_alikes[:2])
    unsure = replace(taught.deck, doubts=((a, b, 0.4),))
    before, after = (_read(deck, look_alikes[:1])[0] for deck in (taught.deck, unsure))
    assert before.label == after.label == a
    assert after.p <= 0.61 < before.p
    assert after.others[0][0] == b
    assert after.others[0][1] == pytest.approx(0.4 * (after.p + after.others[0][1]))


def test_cards_that_were_not_shown_are_not_named_after_others() -> None:
    cards = _printed(3)
    shown = [pictured(_sample(cards[label])) for label in SPADES]
    deck = enrolled("playing-cards", shown).deck
    # Kings of one printing may differ in a pip alone; those are not told apart unseen.
    clubs = [cards[label] for label in CLUBS if label[0] not in "JQK"]
    assert not [match for match in _read(deck, clubs) if match.label is not None]
    spades = _read(deck, [cards[label] for label in SPADES])
    assert [match.label for match in spades] == SPADES
