"""The owner's sheet: what the rulebook tells, what is asked for, what contradicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import BadNotation
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.sheet.checking import contradictions, missing
from companion.games.valhal.rules.sheet.filling import filled, sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import Kind
from tests.games.valhal.rules.tables import (
    COPY,
    SHEET,
    A,
    codes,
    commissioning,
    fresh,
    sailing,
    setup,
)
from tests.strategies import examples, played


def unknown(state: State, *kept: str) -> State:
    """The table with the rulebook's sheet, and of the copy only these entries."""
    sheet = RULEBOOK
    for path, value in entries(SHEET):
        if path.startswith(kept):
            sheet = filled(sheet, path, tuple(value.split()))
    return replace(state, sheet=sheet)


def test_what_the_rulebook_tells() -> None:
    warriors, veterans = RULEBOOK.unit("warriors"), RULEBOOK.unit("veterans")
    assert (warriors.healthy.hp, warriors.wounded.hp) == (2, 1)
    assert (veterans.healthy.hp, veterans.wounded.hp) == (4, 2)
    assert veterans.healthy.base is None
    assert RULEBOOK.back(Kind.WARRIORS).stages == 3
    assert RULEBOOK.back(Kind.LONGBOAT).stages is None
    assert contradictions(RULEBOOK) == ()
    wanted = ("build.longboat.stages", "unit.veterans.base", "glory.max", "town", "card.event")
    assert set(wanted) <= set(missing(RULEBOOK))


def test_a_copy_goes_through_its_entries() -> None:
    sheet = RULEBOOK
    for path, value in entries(SHEET):
        sheet = filled(sheet, path, tuple(value.split()))
    assert sheet == SHEET
    assert contradictions(SHEET) == ()
    assert missing(SHEET) == tuple(f"card.{stack}" for stack in COPY["card"])


def test_a_copy_goes_through_the_log() -> None:
    state = valhal.start(setup(4))
    assert state.stack == (None,) * 4
    state = played(valhal, state, *(f"sheet {path} {value}" for path, value in entries(SHEET)))
    assert state == fresh(4)


def test_a_bad_file_names_its_entry() -> None:
    with pytest.raises(ValueError, match=r"glory\.max = many"):
        sheet_from({"glory": {"max": "many"}}, RULEBOOK)
    listed = sheet_from({"dice": {"faces": [0, 1, 1, 2]}}, RULEBOOK)
    assert listed.faces == (0, 1, 1, 2)


# Anything may be typed as an entry: it is read, or it is no entry.

_HEADS = ("unit", "build", "town", "card", "favour", "fast", "glory", "achievement", "dice")
_MORE = ("mainland", "box", "final", "gift", "longhouse", "copy")
_PARTS = (
    *_HEADS,
    *_MORE,
    "turn",
    "defeat",
    "food",
    "edition",
    "max",
    "faces",
    "marker",
    "wrath",
    "change",
    "group",
)
_NAMES = ("warriors", "veterans", "berserkir", "longboat", "altar", "event", "lesser", "double")
_FIELDS = (
    "ability",
    "anvil",
    "hp",
    "base",
    "dice",
    "text",
    "stages",
    "saw",
    "level",
    "rows",
    "loot",
    "village",
    "e1",
)
_PATHS = st.lists(
    st.sampled_from((*_PARTS, *_NAMES, *_FIELDS, "2", "4", "9", "", "Ä")), max_size=4
).map(".".join)
_NUMBERS = ("0", "1", "4", "7", "99", "100", "-1", "2/8/2", "0/1/1", "1/1/1*")
_WORDS = ("none", "nothing", "village", "lesser", "event", "text", "odd", "")
_SIGNS = ("|", "activated", "hourglass", "copies:2", "ability:", "text:Odd", "now", "season:winter")
_ICONS = ("coins", "glory", "food", "usable", "stock", "first", "second", "saw:3", "glory:2")
_BATTLE = ("attack+1", "reroll-own", "hp-1", "battle:hp+1", "ability:none", "ability:reroll")
_EFFECTS = ("coins+2", "later:spring:food+1", "unusable:altar", "block:winter", "coins+0")
_VALUES = st.lists(
    st.sampled_from((*_NUMBERS, *_WORDS, *_SIGNS, *_EFFECTS, *_ICONS, *_BATTLE)), max_size=5
).map(tuple)


@given(path=_PATHS, value=_VALUES)
@examples(600)
def test_whatever_is_typed_is_an_entry_or_none(path: str, value: tuple[str, ...]) -> None:
    try:
        sheet = filled(RULEBOOK, path, value)
    except ValueError:
        return
    contradictions(sheet)
    missing(sheet)
    again = RULEBOOK
    for each, text in entries(sheet):
        again = filled(again, each, tuple(text.split()))
    assert again == sheet


def test_the_fuzz_knows_every_head_of_a_path() -> None:
    """Those the sheet can be read from."""
    assert {path.partition(".")[0] for path, _ in entries(SHEET)} <= set(_PARTS)
    assert {path.partition(".")[0] for path in missing(RULEBOOK)} <= set(_PARTS)
    ends = {path.rpartition(".")[2] for path, _ in entries(SHEET) if path.count(".") == 2}
    assert {"ability", "text", "rows", "anvil"} <= ends & {*_PARTS, *_FIELDS}


@given(path=_PATHS, value=_VALUES)
@examples(300)
def test_a_line_of_the_sheet_is_read_or_refused_with_its_place(
    path: str, value: tuple[str, ...]
) -> None:
    try:
        action = valhal.parse(f"sheet {path} {' '.join(value)}")
    except BadNotation:
        return
    valhal.judge(fresh(), action)


@pytest.mark.parametrize("entry", ["card.event e1", "build 3", "card 1", "town.v1 village"])
def test_a_path_that_ends_too_early_is_no_entry(entry: str) -> None:
    with pytest.raises(BadNotation, match="no entry"):
        valhal.parse(f"sheet {entry}")


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("unit.warriors.base 2 0", "unit.warriors.base"),
        ("unit.special-2.hp 7 1", "unit.special-2.hp"),
        ("unit.veterans.base 2 2", "unit.veterans.base"),
        ("build.warriors.stages 4", "build.warriors.stages"),
        ("build.longboat.saw 4", "build.longboat.saw"),
        ("town.v1.rows 14/1/1", "town.v1.rows"),
        ("town.v1.rows 1/22/1", "town.v1.rows"),
        ("box.village 4", "box.village"),
        ("favour.wrath 6", "favour.wrath"),
        ("fast.change 1 5", "fast.change"),
    ],
)
def test_contradictions(entry: str, path: str) -> None:
    name, *value = entry.split()
    found = contradictions(filled(SHEET, name, tuple(value)))
    assert path in [dict(each.facts)["path"] for each in found]
    assert "sheet-contradicts" in codes(fresh(), f"sheet {entry}")


def test_counts_that_contradict() -> None:
    sheet = SHEET
    for number in range(4):
        sheet = filled(sheet, f"card.greater.x{number}", ("copies:3", "coins+1"))
    sheet = filled(sheet, "town.v99.level", ("village",))
    sheet = filled(sheet, "box.village", ("7",))
    sheet = filled(sheet, "unit.berserkir.base", ("2", "0"))
    paths = [dict(each.facts)["path"] for each in contradictions(sheet)]
    assert paths == ["unit.berserkir.base", "card.greater", "town", "box"]


# Asked for when it first matters


def test_a_project_waits_for_its_number() -> None:
    state = unknown(commissioning(), "town", "mainland")
    state = played(valhal, state, "A builds longboat with coin", "A agrees")
    assert state.players[A].projects[0].left is None
    assert state.asks == ()
    state = played(valhal, state, "B agrees")
    assert (state.phase, state.asks) == (Phase.ASK, ("build.longboat", "gift.turn"))
    assert valhal.expected(state) is None
    assert valhal.to_move(state) is None
    assert list(valhal.actions(state)) == []
    state = played(valhal, state, "sheet gift.turn coins", "sheet build.longboat.stages 4")
    assert state.players[A].projects[0].left == 3
    assert (state.season, state.sheet.back(Kind.LONGBOAT).stages) == ("winter", 4)


def test_a_battle_asks_for_its_cards() -> None:
    state = unknown(sailing(), "town.v1.level")
    state = played(valhal, state, "A attacks v1 with warriors on 1", "B stays")
    assert state.asks == ("town.v1", "unit.warriors")
    state = played(valhal, state, "sheet unit.warriors.dice 1 1", "sheet town.v1.rows 1/1/1")
    assert state.phase is Phase.BATTLE
    state = played(valhal, state, "A rolls 6", "town rolls 1")
    assert state.asks == ("town.v1.glory", "town.v1.loot")
    state = played(valhal, state, "sheet town.v1.glory 2", "sheet town.v1.loot lesser")
    state = played(valhal, state, "A draws l7")
    assert (state.asks, state.players[A].glory) == (("card.lesser.l7",), 2)
    state = played(valhal, state, "sheet card.lesser.l7 coins+3")
    assert state.players[A].coins == 6


def test_the_tracks_are_asked_for() -> None:
    state = unknown(commissioning(), "town", "mainland")
    state = played(valhal, state, "A resolves glory+8 favour+1")
    assert state.asks == ("favour.change", "glory.max", "favour.wrath")
    state = played(valhal, state, "sheet favour.change 2 4", "sheet glory.max 7")
    state = played(valhal, state, "sheet favour.wrath none")
    assert (state.phase, state.players[A].glory) == (Phase.COMMISSION, 7)
    state = played(valhal, state, "A resolves longboat+2")
    assert state.asks == ("achievement.longboats.group",)
    state = played(valhal, state, "sheet achievement.longboats.group 3")
    assert (state.asks, state.owners) == ((), ())


def test_spaces_are_shown_by_laying() -> None:
    state = unknown(commissioning(), "town")
    state = replace(state, stage=type(state.stage)("laying"), mainland=())
    state = played(valhal, state, "lay v1", "lay f1", "laid")
    assert state.sheet.spaces == (2, None, None)
    assert state.phase is Phase.COMMISSION


def test_rows_may_be_set_right_in_a_battle() -> None:
    state = sailing("A attacks v1 with warriors on 1", "B stays")
    state = played(valhal, state, "sheet town.v1.rows 5/1/1 5/1/1", "A rolls 3", "town rolls 1")
    assert state.raid is not None
    assert state.raid.hurt == 2
    state = played(valhal, state, "sheet town.v1.rows 1/1/1")
    assert state.raid is not None
    assert (state.phase, state.raid.hurt) == (Phase.BATTLE, 0)
