"""Face and corner index: both together are believed; where they disagree, both are offered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision import decks
from companion.vision.decks import Match
from companion.vision.reading.agreement import both, index_labels
from companion.vision.reading.index import RANKS, SUITS, IndexReading

ERRS = (0.1, 0.1)


def _index(label: str, sure: float = 0.97, read: float = 1.0) -> IndexReading:
    ranks = np.full(len(RANKS), read * (1 - sure) / (len(RANKS) - 1))
    suits = np.full(len(SUITS), read * (1 - sure) / (len(SUITS) - 1))
    ranks[RANKS.index(label[0])] = suits[SUITS.index(label[1])] = read * sure
    return IndexReading(ranks, suits)


def test_two_that_agree_are_surer() -> None:
    after = both(Match("8S", 0, 0.8, (("9S", 0.1),)), _index("8S"), ERRS)
    assert after.label == "8S"
    assert after.p > 0.97


@pytest.mark.parametrize(("face", "index"), [("9D", "8D"), ("5C", "5S")])
def test_where_they_disagree_neither_is_sure_and_both_are_offered(face: str, index: str) -> None:
    after = both(Match(face, 180, 0.995), _index(index), ERRS)
    named = dict([(after.label, after.p), *after.others[:1]])
    assert set(named) == {face, index}
    assert after.p < 0.9
    assert after.turn == 180


def test_a_corner_that_cannot_be_read_changes_little() -> None:
    before = Match("9D", 0, 0.95, (("8D", 0.03),))
    after = both(before, _index("8D", read=0.05), ERRS)
    assert after.label == "9D"
    assert after.p == pytest.approx(0.87, abs=0.05)


def test_a_foreign_court_is_named_by_its_corner() -> None:
    unknown = Match(None, 0, 0.5, (("QH", 0.3), ("KH", 0.1)))
    assert both(unknown, _index("QH"), ERRS).label == "QH"
    nothing = Match(None, 0, 0.999, (("QH", 0.0005),))
    assert both(nothing, _index("QH"), ERRS).label is None


def test_a_back_is_a_back() -> None:
    back = Match("back", 0, 0.9)
    assert both(back, _index("QH"), ERRS) is back


def test_only_playing_cards_that_nobody_showed_have_known_corners() -> None:
    built_in = decks.named("playing-cards")
    assert index_labels(built_in)
    assert not index_labels(decks.named("odin"))
    assert not index_labels(built_in.without("7H"))
    assert index_labels(replace(built_in, name="mine"))


def test_cards_called_by_a_game_s_words_have_corners_as_well() -> None:
    deck = decks.named("playing-cards").renamed(lambda label: f"my {label}")
    names = index_labels(deck)
    assert "my 8S" in names
    seen = both(Match("my 8S", 0, 0.8, (("my 9S", 0.1),)), _index("9S"), ERRS, names)
    assert seen.label == "my 9S"
