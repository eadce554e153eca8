"""One line an action: what is written reads back, what is nonsense says where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import BadNotation
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import (
    Armory,
    Dare,
    Declare,
    Decline,
    Draw,
    Fetch,
    First,
    Has,
    Lose,
    Pass,
    Place,
    Ready,
    Return,
    Reveal,
    Shows,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from tests.games.valhalla.rules.tables import A, B, C
from tests.strategies import any_seat, examples

card = st.sampled_from(Card)
some = st.lists(card, min_size=1, max_size=5).map(tuple)
written = st.one_of(
    st.builds(First, any_seat),
    st.builds(Ready, st.none() | any_seat),
    st.builds(Reveal, any_seat, card, st.none() | card),
    st.builds(Declare, any_seat, card, st.none() | any_seat),
    st.builds(Declare, any_seat, card, st.none(), st.booleans()),
    st.builds(Draw, any_seat, some | st.just(()), some | st.just(())),
    st.builds(Draw, any_seat, some | st.just(()), kept=st.integers(0, 9999)),
    st.builds(Take, any_seat, card),
    st.builds(Pass, any_seat),
    st.builds(Turn, any_seat, card),
    st.builds(Armory, card),
    st.builds(Lose, any_seat, card, st.sampled_from(Place)),
    st.builds(Stand, any_seat, some, st.none() | card),
    st.builds(Fetch, any_seat, card),
    st.builds(Return, any_seat, card),
    st.builds(Dare, any_seat, any_seat),
    st.builds(Decline, any_seat),
    st.builds(Has, any_seat, st.integers(0, 9999)),
    st.builds(Shows, any_seat, some),
)


@given(written)
@examples(400)
def test_round_trip(action: valhalla.Action) -> None:
    text = valhalla.format(action)
    assert valhalla.parse(text) == action
    assert valhalla.format(valhalla.parse(f"  {text.upper()} ")) == text


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("first B", First(B)),
        ("ready", Ready()),
        ("a ready", Ready(A)),
        ("A reveals hammer wolf", Reveal(A, Card.HAMMER, Card.WOLF)),
        ("A reveals axe", Reveal(A, Card.AXE)),
        ("A declares axe on B", Declare(A, Card.AXE, B)),
        ("A declares deity", Declare(A, Card.DEITY)),
        ("A declares freyja shuffles", Declare(A, Card.FREYJA, shuffles=True)),
        ("A draws", Draw(A)),
        ("A draws draugr draugr", Draw(A, (Card.DRAUGR, Card.DRAUGR))),
        (
            "A draws sword draugr keeps sword",
            Draw(A, (Card.SWORD, Card.DRAUGR), (Card.SWORD,)),
        ),
        ("A draws keeps 2", Draw(A, kept=2)),
        ("A draws draugr keeps 1", Draw(A, (Card.DRAUGR,), kept=1)),
        ("A takes wolf", Take(A, Card.WOLF)),
        ("A pass", Pass(A)),
        ("C turns loki-fly", Turn(C, Card.LOKI_FLY)),
        ("armory draugr", Armory(Card.DRAUGR)),
        ("A loses hammer from hand", Lose(A, Card.HAMMER, Place.HAND)),
        ("A loses axe from discard", Lose(A, Card.AXE, Place.DISCARD)),
        (
            "A stands hammer sword axe keeps axe",
            Stand(A, (Card.HAMMER, Card.SWORD, Card.AXE), Card.AXE),
        ),
        ("A stands draugr", Stand(A, (Card.DRAUGR,))),
        ("A fetches hammer", Fetch(A, Card.HAMMER)),
        ("A returns wolf", Return(A, Card.WOLF)),
        ("B dares A", Dare(B, A)),
        ("A declines", Decline(A)),
        ("A has 4", Has(A, 4)),
        ("A shows hammer wolf", Shows(A, (Card.HAMMER, Card.WOLF))),
    ],
)
def test_what_is_meant(text: str, action: valhalla.Action) -> None:
    assert valhalla.parse(text) == action


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("   ", 1),
        ("x" * 401, 1),
        ("first", 1),
        ("first X", 7),
        ("first A B", 9),
        ("ready A", 7),
        ("armory", 1),
        ("armory goat", 8),
        ("armory axe axe", 12),
        ("Z ready", 1),
        ("A", 1),
        ("A sings", 3),
        ("A ready now", 9),
        ("A passes axe", 10),
        ("A declines B", 12),
        ("A reveals", 3),
        ("A reveals axe goat", 15),
        ("A reveals axe wolf sword", 20),
        ("A declares", 3),
        ("A declares axe at B", 16),
        ("A declares axe on", 16),
        ("A declares axe on X", 19),
        ("A declares axe on B C", 21),
        ("A declares deity shuffles twice", 27),
        ("A draws goat", 9),
        ("A draws axe keeps", 13),
        ("A draws keeps 2 3", 15),
        ("A draws keeps ²", 15),
        ("A draws keeps 99999", 15),
        ("A takes", 3),
        ("A takes axe wolf", 13),
        ("A loses axe", 9),
        ("A loses axe of hand", 13),
        ("A loses axe from", 13),
        ("A loses axe from deck", 18),
        ("A loses axe from hand now", 23),
        ("A stands", 3),
        ("A stands keeps axe", 3),
        ("A stands axe keeps axe axe", 24),
        ("B dares", 3),
        ("B dares X", 9),
        ("A has", 3),
        ("A has few", 7),
        ("A shows", 3),
    ],
)
def test_nonsense_says_where(text: str, column: int) -> None:
    with pytest.raises(BadNotation) as caught:
        valhalla.parse(text)
    assert caught.value.column == column
    assert str(caught.value).startswith(f"column {column}: ")


@given(st.text(max_size=60))
@examples(200)
def test_any_text_reads_or_is_bad(text: str) -> None:
    try:
        action = valhalla.parse(text)
    except BadNotation:
        return
    assert valhalla.parse(valhalla.format(action)) == action
