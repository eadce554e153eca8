"""One line an action: what is written reads back, what is nonsense says where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import BadNotation
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.notation.actions import (
    OWNED,
    Achieve,
    Agree,
    Attack,
    Boats,
    Build,
    Choose,
    Curse,
    Decline,
    Disagree,
    Draw,
    Entry,
    Event,
    Feed,
    First,
    FrontLine,
    Has,
    Heidrun,
    Join,
    Laid,
    Lay,
    Offering,
    PayFor,
    Remove,
    Resolve,
    Retreat,
    Roll,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Use,
    Withdraw,
)
from companion.games.valhal.rules.notation.parsing import SITES
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS, SPECIALS, UNITS
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import Offer
from companion.games.valhal.rules.vocabulary import (
    AMOUNTS,
    SEASONAL,
    THINGS,
    Effect,
    Kind,
    Pay,
    Season,
    Space,
    Symbol,
    effect,
)
from tests.games.valhal.rules.tables import SHEET, A, B, C
from tests.strategies import any_seat, examples

name = st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True)
season = st.sampled_from(Season)
amount = st.integers(1, 99) | st.integers(-99, -1)
effects = st.one_of(
    st.builds(Effect, st.sampled_from(sorted(AMOUNTS)), amount, st.none() | season),
    st.builds(Effect, st.sampled_from(sorted(SEASONAL)), st.just(1), st.none() | season),
    st.builds(
        Effect,
        st.just(Symbol.UNUSABLE),
        st.just(1),
        st.none() | season,
        st.sampled_from(THINGS),
    ),
    st.just(Effect(Symbol.REROLL)),
)


def some(each: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(each, min_size=1, max_size=most).map(tuple)


dice = st.lists(st.integers(0, 9), min_size=1, max_size=6).map(tuple)
units = some(st.sampled_from(UNITS))
boats = st.builds(Boats, st.integers(0, 24), st.integers(0, 24))
guests = st.lists(any_seat, max_size=3).map(tuple)
pays = st.lists(st.sampled_from(Pay), min_size=1, max_size=3).map(tuple)
site = st.sampled_from(SITES)
written: st.SearchStrategy[valhal.Action] = st.one_of(
    st.builds(First, any_seat),
    st.builds(Take, any_seat, st.sampled_from(SPECIALS)),
    st.builds(Lay, name),
    st.just(Laid()),
    st.builds(Event, name),
    st.builds(Roll, any_seat, dice),
    st.builds(Attack, any_seat, name, units, boats, guests),
    st.builds(Join, any_seat, units, boats),
    st.builds(Decline, any_seat),
    st.builds(Stay, any_seat),
    st.builds(FrontLine, any_seat, st.sampled_from(UNITS), st.none() | any_seat),
    st.builds(TownRoll, dice),
    st.just(Strike()),
    st.builds(Retreat, any_seat),
    st.builds(Draw, any_seat, name),
    st.builds(Choose, any_seat, st.integers(0, 9999)),
    st.builds(Curse, any_seat, any_seat),
    st.builds(Heidrun, name),
    st.builds(Remove, any_seat, some(name)),
    st.builds(Build, any_seat, st.sampled_from(Kind), pays, st.sampled_from(("", *UNITS))),
    st.builds(PayFor, any_seat, site, pays),
    st.builds(Withdraw, any_seat, site | st.just("sacrifice")),
    st.builds(Feed, any_seat, st.sampled_from(Space), st.booleans()),
    st.builds(Unfeed, any_seat, st.sampled_from(Space)),
    st.builds(Offering, any_seat, st.sampled_from(Offer)),
    st.builds(Agree, st.none() | any_seat),
    st.builds(Disagree, any_seat),
    st.builds(Use, any_seat, name),
    st.builds(Achieve, any_seat, st.sampled_from(ACHIEVEMENTS)),
    st.builds(Resolve, any_seat, st.lists(effects, min_size=1, max_size=4).map(tuple)),
    st.builds(Has, any_seat, st.sampled_from(OWNED), st.integers(0, 9999)),
    st.sampled_from([Entry(path, tuple(value.split())) for path, value in entries(SHEET)]),
)


@given(written)
@examples(400)
def test_round_trip(action: valhal.Action) -> None:
    text = valhal.format(action)
    assert valhal.parse(text) == action
    if not isinstance(action, Entry):  # free text keeps its capitals
        assert valhal.format(valhal.parse(f"  {text.upper()} ")) == text


@given(effects)
@examples(200)
def test_an_effect_is_one_word(each: Effect) -> None:
    assert effect(str(each)) == each
    assert " " not in str(each)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("first B", First(B)),
        ("A takes berserkir", Take(A, "berserkir")),
        ("lay v1", Lay("v1")),
        ("laid", Laid()),
        ("event e12", Event("e12")),
        ("A rolls 3 5", Roll(A, (3, 5))),
        (
            "A attacks v1 with warriors veterans on 1+1 inviting B C",
            Attack(A, "v1", ("warriors", "veterans"), Boats(1, 1), (B, C)),
        ),
        ("B joins with warriors on 1", Join(B, ("warriors",), Boats(1))),
        ("A fronts warriors of B", FrontLine(A, "warriors", B)),
        ("town rolls 2 6", TownRoll((2, 6))),
        ("A chooses 2", Choose(A, 2)),
        (
            "A builds veterans from warriors with coin iron",
            Build(A, Kind.VETERANS, (Pay.COIN, Pay.IRON), "warriors"),
        ),
        ("A pays longboat-2 with wood", PayFor(A, "longboat-2", (Pay.WOOD,))),
        ("A withdraws sacrifice", Withdraw(A, "sacrifice")),
        ("A feeds summer food", Feed(A, Space.SUMMER, larder=True)),
        ("A sacrifices glory for favour", Offering(A, Offer.FAVOUR)),
        ("agree", Agree()),
        ("a agrees", Agree(A)),
        (
            "A resolves later:spring:coins+1 unusable:altar",
            Resolve(
                A,
                (
                    Effect(Symbol.COINS, 1, Season.SPRING),
                    Effect(Symbol.UNUSABLE, thing="altar"),
                ),
            ),
        ),
        ("A has granary 1", Has(A, "granary", 1)),
        ("sheet town.v1.text Freyja waits", Entry("town.v1.text", ("Freyja", "waits"))),
    ],
)
def test_what_is_meant(text: str, action: valhal.Action) -> None:
    assert valhal.parse(text) == action


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("x" * 401, 1),
        ("first", 1),
        ("first X", 7),
        ("first A B", 9),
        ("lay", 1),
        ("lay V_1", 5),
        ("laid now", 6),
        ("event", 1),
        ("town", 1),
        ("town falls 3", 6),
        ("town rolls", 6),
        ("town rolls x", 12),
        ("strike now", 8),
        ("heidrun", 1),
        ("agree A", 7),
        ("sheet", 1),
        ("sheet glory.max", 7),
        ("sheet glory.max 3", 7),
        ("sheet goat.horns 2", 7),
        ("sheet card.lesser.l1 coins+x", 7),
        ("sheet unit.warriors.hp 2", 7),
        ("Z agrees", 1),
        ("A", 1),
        ("A sings", 3),
        ("A stays home", 9),
        ("A takes veterans", 9),
        ("A rolls", 3),
        ("A attacks v1", 11),
        ("A attacks v1 on 1", 14),
        ("A attacks v1 with goats on 1", 19),
        ("A attacks v1 with warriors", 19),
        ("A attacks v1 with warriors on", 28),
        ("A attacks v1 with warriors on x", 31),
        ("A attacks v1 with warriors on 1 inviting", 33),
        ("A attacks v1 with warriors on 1 inviting Z", 42),
        ("A joins", 3),
        ("A fronts", 3),
        ("A fronts goats", 10),
        ("A fronts warriors by B", 19),
        ("A fronts warriors of", 19),
        ("A draws", 3),
        ("A draws b1 b2", 12),
        ("A chooses first", 11),
        ("A curses", 3),
        ("A removes", 3),
        ("A builds", 3),
        ("A builds goat with coin", 10),
        ("A builds altar", 10),
        ("A builds altar for coin", 16),
        ("A builds altar with", 16),
        ("A builds altar with gold", 21),
        ("A builds veterans from", 19),
        ("A pays altar-2 with coin", 8),
        ("A withdraws food", 13),
        ("A feeds autumn", 9),
        ("A feeds summer coin", 16),
        ("A unfeeds", 3),
        ("A sacrifices", 3),
        ("A sacrifices goats for favour", 14),
        ("A uses", 3),
        ("A achieves eighth", 12),
        ("A resolves", 3),
        ("A resolves coins", 12),
        ("A resolves coins+0", 12),
        ("A resolves reroll:summer", 12),
        ("A resolves unusable:goat", 12),
        ("A has coins", 7),
        ("A has goats 3", 7),
    ],
)
def test_nonsense_says_where(text: str, column: int) -> None:
    with pytest.raises(BadNotation) as caught:
        valhal.parse(text)
    assert caught.value.column == column


@given(st.text(max_size=60))
@examples(200)
def test_any_text_reads_or_is_bad(text: str) -> None:
    try:
        action = valhal.parse(text)
    except BadNotation:
        return
    assert valhal.parse(valhal.format(action)) == action
