"""The one line an action is written in: there and back, and what is said of a bad one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.notation import LONGEST_LINE, Seat, Word
from companion.foundation.errors import BadNotation
from companion.games.odin import rules as odin
from companion.games.odin.rules.actions import Carry, Count, Deal, Has, Pass, Play, Shows, Take
from companion.games.odin.rules.cards import GOAT, Card, Colour
from tests.strategies import ODIN_CARDS, examples, odin_actions

R7, B7 = Card(7, Colour.RED), Card(7, Colour.BLUE)
ACE = Card(1, Colour.HEARTS)


@examples(300)
@given(odin_actions())
def test_there_and_back(action: odin.Action) -> None:
    assert odin.parse(odin.format(action)) == action
    assert odin.parse(odin.format(action).upper()) == action
    assert odin.parse(f"  {odin.format(action).lower()}\t") == action


@pytest.mark.parametrize("card", ODIN_CARDS, ids=str)
def test_a_card_there_and_back(card: Card) -> None:
    assert Card.parse(Word(str(card), 1)) == card


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("deal A", Deal(Seat.A)),
        ("A r7", Play(Seat.A, (R7,))),
        ("A r7 b7", Play(Seat.A, (R7, B7))),
        ("A goat hA", Play(Seat.A, (GOAT, ACE))),
        ("A take r7", Take(Seat.A, R7)),
        ("F pass", Pass(Seat.F)),
        ("count 0 4 5", Count((0, 4, 5))),
        ("count 0 4 5 goat=B", Count((0, 4, 5), Seat.B)),
        ("A has 4", Has(Seat.A, 4)),
        ("A shows r7 goat", Shows(Seat.A, (R7, GOAT))),
        ("carry 14 3 7", Carry((14, 3, 7))),
    ],
)
def test_what_is_written_down(text: str, action: odin.Action) -> None:
    assert odin.format(action) == text
    assert odin.parse(text) == action


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a R7", "A r7"),
        ("A takes r7", "A take r7"),
        ("A h1", "A hA"),
        ("A ha s9", "A hA s9"),
        ("DEAL b", "deal B"),
        ("  A \t pass ", "A pass"),
        ("count 00 04 GOAT=b", "count 0 4 goat=B"),
    ],
)
def test_other_ways_to_write_it(text: str, plain: str) -> None:
    assert odin.format(odin.parse(text)) == plain


NO_WORD = " is neither a card such as r7 nor one of pass, take, has, shows"
NO_CARD = (
    " is not a card; write a colour and a number such as r7 "
    "(b r p g k o, or the suits h d s c with A for the ace), or goat"
)
NO_SEAT = " is not a seat; write a letter A to F"
BEGINNINGS = "; write a seat, A to F, or deal, count, carry"
NO_NUMBER = " is not a whole number up to 9999"

BAD = [
    ("", 1, "nothing is written here"),
    (" \t ", 1, "nothing is written here"),
    ("A " + "r7 " * 133, 1, "the line has 401 characters; 400 are the most"),
    ("A", 1, "after 'A' comes cards, or pass, take, has, shows"),
    ("  b", 3, "after 'b' comes cards, or pass, take, has, shows"),
    ("G pass", 1, "no line begins with 'G'" + BEGINNINGS),
    ("AB pass", 1, "no line begins with 'AB'" + BEGINNINGS),
    ("r7", 1, "no line begins with 'r7'" + BEGINNINGS),
    ("pass", 1, "no line begins with 'pass'" + BEGINNINGS),
    ("A pass now", 8, "nothing follows 'pass'"),
    ("A take", 3, "after 'take' comes one card"),
    ("A take 7", 8, "'7'" + NO_CARD),
    ("A r0", 3, "'r0'" + NO_CARD),
    ("A r10", 3, "'r10'" + NO_CARD),
    ("A ra", 3, "'ra'" + NO_WORD),
    ("A 7r", 3, "'7r'" + NO_CARD),
    ("A x7", 3, "'x7'" + NO_CARD),
    ("A r٣", 3, "'r٣'" + NO_CARD),
    ("A goats", 3, "'goats'" + NO_WORD),
    ("A r7,b7", 3, "'r7,b7'" + NO_CARD),
    ("A r7 b7 pass", 9, "'pass'" + NO_CARD),
    ("deal", 1, "after 'deal' comes the seat that leads, such as deal A"),
    ("deal A B", 8, "after 'deal' comes only the seat that leads, such as deal A"),
    ("deal 1", 6, "'1'" + NO_SEAT),
    ("count", 1, "after 'count' comes the cards left in each hand"),
    ("count 0 x", 9, "'x'" + NO_NUMBER),
    ("count 0 -1", 9, "'-1'" + NO_NUMBER),
    ("count 0 12345", 9, "'12345'" + NO_NUMBER),
    ("count 0 4 goat=Z", 16, "'Z'" + NO_SEAT),
    ("count 0 4 goat=", 16, "''" + NO_SEAT),
    ("count goat=B 4", 7, "'goat=B'" + NO_NUMBER),
    ("carry", 1, "after 'carry' comes the points"),
    ("carry 1.5", 7, "'1.5'" + NO_NUMBER),
    ("carry 3 ٣", 9, "'٣'" + NO_NUMBER),
    ("A has", 3, "after 'has' comes a number of cards"),
    ("A has four", 7, "'four'" + NO_NUMBER),
    ("A has 4 5", 9, "after 'has' comes only a number of cards"),
    ("A shows", 3, "after 'shows' comes the cards of the hand"),
    ("A shows r1 b", 12, "'b'" + NO_CARD),
]


@pytest.mark.parametrize(
    ("text", "column", "problem"), BAD, ids=[repr(text[:20]) for text, *_ in BAD]
)
def test_a_bad_line(text: str, column: int, problem: str) -> None:
    with pytest.raises(BadNotation) as raised:
        odin.parse(text)
    assert (raised.value.column, str(raised.value.problem)) == (column, problem)
    assert str(raised.value) == f"column {column}: {problem}"


def test_the_longest_line_is_read() -> None:
    text = ("A" + " r7" * 133).ljust(LONGEST_LINE)
    assert odin.parse(text) == Play(Seat.A, (R7,) * 133)


VERBS = ["deal", "count", "carry", "pass", "take", "takes", "has", "shows"]
OBJECTS = ["A", "b", "F", "G", "r7", "hA", "h1", "goat", "goat=A", "goat=", "0", "9999", "10000"]


def read(text: str) -> odin.Action | BadNotation:
    try:
        return odin.parse(text)
    except BadNotation as bad:
        return bad


@examples(300)
@given(
    st.lists(
        st.sampled_from(VERBS) | st.sampled_from(OBJECTS) | st.text("abr7= \té😀", max_size=4),
        max_size=6,
    ).map(" ".join)
)
def test_any_text_is_an_action_or_bad_notation(text: str) -> None:
    got = read(text)
    if isinstance(got, BadNotation):
        assert 1 <= got.column <= len(text) + 1
    else:
        assert odin.parse(odin.format(got)) == got
