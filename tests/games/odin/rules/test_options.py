"""Every switch does something, the editions set what their leaflets say, bad set-ups say why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields

import pytest
from hypothesis import given

from companion.core.game import Accepted, Reason, Setup, reason
from companion.core.notation import Seat
from companion.core.options import Option, Several, Whole
from companion.foundation.errors import BadSetup
from companion.games.odin import rules as odin
from companion.games.odin.rules.cards import GOAT, Card, Colour
from companion.games.odin.rules.objections import Code
from companion.games.odin.rules.options import Options
from companion.games.odin.rules.state import Phase
from tests.strategies import (
    NAMES,
    examples,
    objections,
    odin_setup,
    odin_setups,
    odin_table,
    played,
)

KNOWN = ", ".join(option.name for option in odin.OPTIONS)
EDITIONS = ", ".join(odin.EDITIONS)


def codes(state: odin.State, line: str) -> list[str]:
    return [each.code for each in objections(odin.judge(state, odin.parse(line)))]


def counted(carried: str, count: str) -> Callable[[odin.State], object]:
    """Is the game over after this hand, and with what points?"""

    def probe(start: odin.State) -> object:
        before = played(odin, start, f"carry {carried}", "deal A")
        verdict = odin.let_stand(before, odin.parse(count))
        assert isinstance(verdict, Accepted)
        return (verdict.state.points, verdict.state.phase)

    return probe


def against(line: str, *before: str) -> Callable[[odin.State], object]:
    """What the referee has against this line."""
    return lambda start: codes(played(odin, start, *before), line)


def sizes(start: odin.State) -> object:
    hand = played(odin, start, "deal A").hand
    return None if hand is None else hand.sizes


@dataclass(frozen=True, slots=True)
class Switched:
    """An option that is not at its default, and something that shows it."""

    option: str
    value: str
    probe: Callable[[odin.State], object]
    shows: object
    by_default: object
    others: dict[str, str] = field(default_factory=dict)
    seats: int = 2


WITH_GOAT = {"goat": "true"}

SWITCHED = (
    Switched("deck", "valhalla36", lambda start: len(start.deck), 36, 54),
    Switched("deck", "two_player_36", lambda start: len(start.deck), 36, 54),
    Switched(
        "colours",
        "hearts diamonds spades clubs",
        against("A hA", "deal A"),
        [],
        [Code.NOT_IN_DECK],
        others={"deck": "valhalla36"},
    ),
    Switched("goat", "true", lambda start: GOAT in start.deck, True, False),
    Switched(
        "goat_in_number_set",
        "true",
        against("B r5 b5 goat", "deal A", "! A k1 g1"),
        [],
        [Code.NOT_A_SET],
        others=WITH_GOAT,
    ),
    Switched(
        "goat_points",
        "6",
        counted("0 0", "count 0 4 goat=B"),
        ((0, 9), Phase.DEAL),
        ((0, 8), Phase.DEAL),
        others=WITH_GOAT,
    ),
    Switched(
        "goat_forced_into_a_hand",
        "true",
        against("count 0 9", "deal A", "! A has 0"),
        [Code.GOAT_MISSING],
        [],
        others=WITH_GOAT,
    ),
    Switched(
        "limit", "10", counted("1 5", "count 0 5"), ((1, 10), Phase.OVER), ((1, 10), Phase.DEAL)
    ),
    Switched(
        "limit", "20", counted("1 9", "count 0 7"), ((1, 16), Phase.DEAL), ((1, 16), Phase.OVER)
    ),
    Switched(
        "limit", "one_hand", counted("0 0", "count 0 1"), ((0, 1), Phase.OVER), ((0, 1), Phase.DEAL)
    ),
    Switched(
        "limit_test", ">", counted("0 9", "count 0 6"), ((0, 15), Phase.DEAL), ((0, 15), Phase.OVER)
    ),
    Switched(
        "first_starter",
        "loudest_laugh",
        lambda start: start.options.first_starter,
        "loudest_laugh",
        "random",
    ),
    Switched(
        "next_hand_starter",
        "last_to_act",
        lambda start: (
            played(
                odin, start, "deal A", "A r1", "B r2", "! C has 1", "C r3", "count 8 9 0"
            ).next_starter
        ),
        Seat.C,
        Seat.B,
        seats=3,
    ),
    Switched(
        "whole_hand_lead",
        "forced",
        against("A r1", "deal A", "! A shows r1 r5"),
        [Code.WHOLE_HAND_FORCED],
        [],
    ),
    Switched(
        "whole_hand_lead_on_first_lead",
        "false",
        against("A r1 r5", "deal A", "! A shows r1 r5"),
        [Code.WHOLE_HAND_NOT_YET],
        [],
    ),
    Switched(
        "reenter_after_pass",
        "false",
        lambda start: odin.to_move(played(odin, start, "deal A", "A r1", "B pass", "C r2", "A r3")),
        Seat.C,
        Seat.B,
        seats=3,
    ),
    Switched("hand_size", "5", sizes, (5, 5), (9, 9)),
    Switched(
        "discards_public",
        "false",
        lambda start: start.options.discards_public,
        False,
        True,
    ),
)


def probed(case: Switched, edition: str = "en", **changes: str) -> object:
    return case.probe(odin.start(odin_setup(case.seats, edition, **case.others, **changes)))


@pytest.mark.parametrize("case", SWITCHED, ids=lambda case: f"{case.option}={case.value}")
def test_a_switch_shows(case: Switched) -> None:
    assert probed(case, "en", **{case.option: case.value}) == case.shows
    assert probed(case) == case.by_default
    assert case.shows != case.by_default


def other_values(option: Option) -> set[str]:
    """Every word but the default; of numbers and choices of several words, one stands for all."""
    if isinstance(option.kind, Several):
        return {"hearts diamonds spades clubs"}
    if isinstance(option.kind, Whole):
        return {"goat_points": {"6"}, "limit": {"10", "20", "one_hand"}, "hand_size": {"5"}}[
            option.name
        ]
    return {*option.kind.words} - {option.default}


def test_every_other_value_of_every_option_is_tried() -> None:
    tried = {(case.option, case.value) for case in SWITCHED}
    assert tried == {(each.name, value) for each in odin.OPTIONS for value in other_values(each)}


def test_the_defaults() -> None:
    assert {option.name: option.default for option in odin.OPTIONS} == {
        "deck": "odin54",
        "colours": "blue red green orange",
        "goat": "false",
        "goat_in_number_set": "false",
        "goat_points": "5",
        "goat_forced_into_a_hand": "false",
        "limit": "15",
        "limit_test": ">=",
        "first_starter": "random",
        "next_hand_starter": "left_of_previous_starter",
        "whole_hand_lead": "optional",
        "whole_hand_lead_on_first_lead": "true",
        "reenter_after_pass": "true",
        "hand_size": "9",
        "discards_public": "true",
    }


# Decks


@pytest.mark.parametrize(("count", "size"), [(2, 36), (3, 54), (4, 54), (5, 54), (6, 54)])
def test_two_colours_go_only_for_two_a_odin_9(count: int, size: int) -> None:
    assert len(odin_table(seats=count, deck="two_player_36").deck) == size


@pytest.mark.parametrize(
    ("deck", "count", "left"),
    [
        *(("odin54", count, 54 - 9 * count) for count in range(2, 7)),
        *(("valhalla36", count, 36 - 9 * count) for count in range(2, 5)),
    ],
)
@pytest.mark.parametrize("goat", ["false", "true"])
def test_cards_left_over_odin_setup_5(deck: str, count: int, left: int, goat: str) -> None:
    state = odin_table("deal A", seats=count, deck=deck, goat=goat)
    assert state.hand is not None
    assert len(state.deck) - sum(state.hand.sizes) == left + (goat == "true")


def test_the_colours_of_the_small_deck_can_be_chosen_odin_comp_2() -> None:
    state = odin_table(deck="valhalla36", colours="pink black red orange")
    chosen = (Colour.PINK, Colour.BLACK, Colour.RED, Colour.ORANGE)
    assert state.deck == {Card(number, colour) for number in range(1, 10) for colour in chosen}


def test_hands_may_be_as_large_as_half_the_deck_odin_setup_2() -> None:
    state = odin_table("deal A", hand_size="27")
    assert state.hand is not None
    assert state.hand.sizes == (27, 27)
    assert len(list(odin.actions(state))) == 54


# Editions


@pytest.mark.parametrize("edition", ["en", "de", "fr", "es", "it", "nl"])
def test_editions_odin_setup_3_odin_next_2(edition: str) -> None:
    german = edition == "de"
    options = odin.start(odin_setup(3, edition)).options
    plain = Options()
    differing = {
        each.name: getattr(options, each.name)
        for each in fields(Options)
        if getattr(options, each.name) != getattr(plain, each.name)
    }
    laugh = {"first_starter": "loudest_laugh", "next_hand_starter": "last_to_act"}
    assert differing == (laugh if german else {})
    assert dict(odin.EDITIONS[edition]) == (laugh if german else {})


def test_there_are_six_editions() -> None:
    assert set(odin.EDITIONS) == {"en", "de", "fr", "es", "it", "nl"}


@pytest.mark.parametrize("edition", sorted(odin.EDITIONS))
@pytest.mark.parametrize("case", SWITCHED, ids=lambda case: f"{case.option}={case.value}")
def test_any_option_can_be_changed_on_top_of_an_edition(edition: str, case: Switched) -> None:
    assert probed(case, edition, **{case.option: case.value}) == case.shows


def test_the_german_presets_can_be_changed_back() -> None:
    setup = odin_setup(
        3, "de", first_starter="random", next_hand_starter="left_of_previous_starter"
    )
    assert odin.start(setup).options == Options()


@examples(60)
@given(odin_setups())
def test_every_drawn_set_up_starts(setup: Setup) -> None:
    state = odin.start(setup)
    assert state.phase is Phase.DEAL
    assert state.points == (0,) * len(setup.names)
    for name, text in setup.changes:
        kind = next(option.kind for option in odin.OPTIONS if option.name == name)
        assert getattr(state.options, name) == kind.read(text)


# Set-ups that cannot be used


def problem(code: str, rule: str = "SETUP", **facts: object) -> Reason:
    return reason(code, rule, may_stand=False, **facts)


ALLOWED = {
    "goat": "true, false",
    "deck": "odin54, valhalla36, two_player_36",
    "limit": "1–1000, one_hand",
    "goat_points": "5–6",
    "hand_size": "1–27",
    "colours": "4 × blue, red, pink, green, black, orange, hearts, diamonds, spades, clubs",
}


def bad_value(option: str, got: str) -> Reason:
    return problem("option-value", option=option, got=got, allowed=ALLOWED[option])


def problems(setup: Setup) -> tuple[Reason, ...]:
    with pytest.raises(BadSetup) as raised:
        odin.start(setup)
    return raised.value.problems


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(("Anna", ""), problem("name-empty", place=2), id="empty"),
        pytest.param(("  ", "Bo"), problem("name-empty", place=1), id="blank"),
        pytest.param(
            ("Anna", "B" * 40), problem("name-long", place=2, got=40, most=20), id="forty-long"
        ),
        pytest.param(
            ("A" * 21, "Bo"), problem("name-long", place=1, got=21, most=20), id="one-too-long"
        ),
        pytest.param(("Anna", "Bo 🐐"), problem("name-odd", place=2), id="emoji"),
        pytest.param(("Anna\n", "Bo"), problem("name-odd", place=1), id="line-end"),
        pytest.param(("An  na", "Bo"), problem("name-odd", place=1), id="two-blanks"),
        pytest.param(("<b>", "Bo"), problem("name-odd", place=1), id="markup"),
        pytest.param(("Anna", "Anna"), problem("name-twice", name="Anna"), id="twice"),
        pytest.param(("Anna", "ANNA"), problem("name-twice", name="ANNA"), id="twice-loud"),
        pytest.param(("Anna",), problem("seat-count", got=1, least=2, most=6), id="alone"),
        pytest.param((*NAMES, "Gunnar"), problem("seat-count", got=7, least=2, most=6), id="seven"),
        pytest.param((), problem("seat-count", got=0, least=2, most=6), id="nobody"),
    ],
)
def test_names_that_cannot_be_used(names: tuple[str, ...], expected: Reason) -> None:
    assert problems(Setup("odin", names)) == (expected,)


@pytest.mark.parametrize(
    "names",
    [
        ("Anna", "Bo"),
        ("A" * 20, "B" * 20),
        ("Jean-Luc", "O'Neill"),
        ("Åse 2", "花子"),
        ("J. R.", "नेहा"),
    ],
)
def test_names_that_can(names: tuple[str, ...]) -> None:
    assert odin.start(Setup("odin", names)).phase is Phase.DEAL


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"goats": "true"}, problem("option-unknown", option="goats", known=KNOWN)),
        ({"goat": "yes"}, bad_value("goat", "yes")),
        ({"goat": "True"}, bad_value("goat", "True")),
        ({"deck": "odin36"}, bad_value("deck", "odin36")),
        ({"limit": "0"}, bad_value("limit", "0")),
        ({"limit": "1001"}, bad_value("limit", "1001")),
        ({"limit": "-5"}, bad_value("limit", "-5")),
        ({"limit": "٣"}, bad_value("limit", "٣")),
        ({"goat_points": "4"}, bad_value("goat_points", "4")),
        ({"goat_points": "7"}, bad_value("goat_points", "7")),
        ({"hand_size": "0"}, bad_value("hand_size", "0")),
        ({"hand_size": "28"}, bad_value("hand_size", "28")),
        ({"hand_size": "nine"}, bad_value("hand_size", "nine")),
        ({"colours": "red blue"}, bad_value("colours", "red blue")),
        (
            {"colours": "red red blue green"},
            bad_value("colours", "red red blue green"),
        ),
        (
            {"colours": "red blue green mauve"},
            bad_value("colours", "red blue green mauve"),
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_options_that_cannot_be_used(changes: dict[str, str], expected: Reason) -> None:
    assert problems(odin_setup(2, "en", **changes)) == (expected,)


def test_an_edition_that_does_not_exist() -> None:
    assert problems(odin_setup(2, "xx")) == (problem("edition-unknown", got="xx", known=EDITIONS),)


def test_thirty_six_cards_are_for_four_odin_comp_4_a_odin_17() -> None:
    assert problems(odin_setup(5, "en", deck="valhalla36", hand_size="7")) == (
        problem("seats-for-36", "ODIN-COMP-4", got=5),
    )
    assert len(odin_table(seats=4, deck="valhalla36").deck) == 36


def test_suits_stand_in_for_all_colours_or_none_odin_comp_2() -> None:
    mixed = odin_setup(2, "en", deck="valhalla36", colours="red blue hearts spades")
    assert problems(mixed) == (problem("colours-mixed", "ODIN-COMP-2"),)
    # Colours that are not in play are nobody's problem.
    assert len(odin_table(colours="red blue hearts spades").deck) == 54


def test_the_deck_has_to_be_large_enough_odin_setup_2() -> None:
    assert problems(odin_setup(6, "en", hand_size="10")) == (
        problem("deck-too-small", "ODIN-SETUP-2", need=60, got=54),
    )
    assert problems(odin_setup(5, "en", hand_size="12", goat="true")) == (
        problem("deck-too-small", "ODIN-SETUP-2", need=60, got=55),
    )


def test_all_problems_with_names_and_options_come_at_once() -> None:
    names = ("Anna", "", "B" * 40, "🐐", "anna", "Dirk", "Elin")
    changes = (("goats", "true"), ("limit", "none"), ("goat", "maybe"))
    assert problems(Setup("odin", names, "xx", changes)) == (
        problem("name-empty", place=2),
        problem("name-long", place=3, got=40, most=20),
        problem("name-odd", place=4),
        problem("name-twice", name="anna"),
        problem("seat-count", got=7, least=2, most=6),
        problem("edition-unknown", got="xx", known=EDITIONS),
        problem("option-unknown", option="goats", known=KNOWN),
        bad_value("limit", "none"),
        bad_value("goat", "maybe"),
    )


def test_all_problems_with_the_deck_come_at_once() -> None:
    setup = odin_setup(5, "en", deck="valhalla36", colours="red blue hearts spades")
    assert problems(setup) == (
        problem("seats-for-36", "ODIN-COMP-4", got=5),
        problem("colours-mixed", "ODIN-COMP-2"),
        problem("deck-too-small", "ODIN-SETUP-2", need=45, got=36),
    )


def test_a_bad_set_up_names_its_codes_in_one_line() -> None:
    with pytest.raises(BadSetup) as raised:
        odin.start(Setup("odin", ("Anna",), "xx"))
    assert str(raised.value) == (
        "seat-count [SETUP] (got=1, least=2, most=6); edition-unknown [SETUP]"
        f" (got=xx, known={EDITIONS})"
    )
