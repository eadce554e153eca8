"""Valhal in words: everything it can object to, ask for, wait for or do has a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.core.options import Switch
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Action
from companion.games.valhal.rules.settlement.clerk import warnings
from companion.games.valhal.rules.sheet.checking import missing
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS, RULEBOOK, UNITS
from companion.games.valhal.rules.state import (
    Due,
    Happening,
    Note,
    Offer,
    Owed,
    Phase,
    Stage,
    State,
)
from companion.games.valhal.rules.vocabulary import (
    AMOUNTS,
    LEVELS,
    THINGS,
    Fill,
    Kind,
    Level,
    Pay,
    Season,
    Space,
    Stack,
    Symbol,
    effect,
)
from companion.games.valhal.rules.vocabulary import COUNTED as HOW_MANY
from companion.games.valhal.words.chronicle import curves
from companion.games.valhal.words.entry.sailing import sailing as sailing_view
from companion.games.valhal.words.naming import (
    AMOUNT_WORDS,
    FILL_WORDS,
    PHASE_WORDS,
    WORDS,
    amount,
    piece,
)
from companion.games.valhal.words.planning import checklist, reminders
from companion.games.valhal.words.questions import QUESTIONS, question
from companion.games.valhal.words.retelling import retell, spoken
from companion.games.valhal.words.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhal.words.sentences import NOTES, SENTENCES, WAITING, note, notes, waiting
from companion.views.speech import Speech
from companion.views.words import Done
from tests.games.valhal.rules.tables import (
    A,
    B,
    begun,
    commissioning,
    food,
    fresh,
    in_season,
    random_game,
    sailing,
    setup,
    table,
    with_player,
)
from tests.strategies import objections, played

ENGINE = Path(__file__).parents[3] / "companion" / "games" / "valhal" / "rules"
SPEECH = Speech("en", "valhal", ("Anna", "Ben", "Cleo", "Dora"), piece)
TWO = Speech("en", "valhal", ("Anna", "Ben"), piece)
BLANKS = re.compile(r"%\((\w+)\)s")


def told(reason: Reason) -> str:
    return SPEECH.say(SENTENCES[reason.code], **dict(reason.facts))


def refusal(state: State, line: str) -> list[str]:
    return [told(each) for each in objections(valhal.judge(state, valhal.parse(line)))]


# Objections and warnings


@cache
def given() -> dict[str, set[str]]:
    """By code, the facts that every mention of it in the engine carries."""
    facts: dict[str, set[str]] = {}
    for path in ENGINE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or ast.unparse(call.func) not in (
                "reason",
                "problem",
            ):
                continue
            named = {str(each.arg) for each in call.keywords} - {"may_stand"}
            code = ast.unparse(call.args[0])
            facts[code] = facts.get(code, named) & named
    return facts


def test_every_code_has_a_sentence_and_no_other_has() -> None:
    assert set(SENTENCES) == set(Code)


def test_the_engine_speaks_only_in_codes() -> None:
    assert {f"Code.{code.name}" for code in Code} == set(given())


@pytest.mark.parametrize("code", Code)
def test_the_blanks_of_a_sentence_are_the_facts_of_its_reason(code: Code) -> None:
    assert set(BLANKS.findall(SENTENCES[code])) == given()[f"Code.{code.name}"]


@pytest.mark.parametrize(
    ("state", "line", "sentences"),
    [
        (fresh(), "lay v1", ["Not now: somebody is to go first."]),
        (fresh(), "C agrees", ["Nobody sits at Cleo."]),
        (
            table("first A"),
            "lay t1",
            ["t1 is of the wrong kind: Town. It has to be: Village."],
        ),
        (
            table("first A", "lay v1"),
            "laid",
            ["Town cards are missing: 1 of 3 lie on the Mainland."],
        ),
        (table("first A", "lay v1"), "lay v1", ["v1 lies on the table already."]),
        (sailing(), "B stays", ["It is Anna's turn, not Ben's."]),
        (
            sailing(),
            "A attacks v1 with warriors warriors warriors on 1",
            [
                "Anna has not so many at home: warriors, 1.",
                "Anna's Longboats have room for 2, not for 3.",
            ],
        ),
        (
            commissioning(),
            "A builds longboat with coin coin iron",
            [
                "Anna's project Longboat takes wood, not iron.",
                "That is more than one season takes for Anna's project Longboat.",
            ],
        ),
        (
            commissioning(),
            "A sacrifices glory for favour",
            [
                "Anna has no Altar for such a sacrifice.",
                "Anna cannot pay that: glory needed 7, there 0.",
            ],
        ),
        (commissioning(), "A feeds summer", ["The summer space of Anna is taken."]),
        (
            commissioning(),
            "A builds veterans with iron",
            [
                "Anna has no Blacksmith that works; upgrades need one.",
                "Anna has to name the unit that becomes Veterans.",
            ],
        ),
        (
            replace(fresh(), sheet=RULEBOOK),
            "sheet unit.warriors.hp 3 1",
            [
                (
                    "How many hit points has Nordic Warriors, healthy and wounded?"
                    " The rulebook says 2, not 3. Is your copy another one?"
                ),
            ],
        ),
    ],
)
def test_a_refusal_is_told(state: State, line: str, sentences: list[str]) -> None:
    assert refusal(state, line) == sentences


def test_a_doubt_is_told() -> None:
    doubt = reason(Code.CARD_AGAIN, "VHAL-SET-7", card="l1", copies=2)
    assert told(doubt) == (
        "By your sheet there are 2 of l1, and all have been drawn already. Is this another card?"
    )


def test_the_clerk_is_told() -> None:
    state = commissioning("A builds altar with coin", "A builds longboat with coin")
    winter = in_season(state, "winter")
    hungry = with_player(winter, A, food=food("--c-"))
    assert [told(each) for each in warnings(hungry)][:2] == [
        "Anna pays with coins and has no food for winter; empty: winter 1.",
        "Anna is building the Altar; until then nothing is sacrificed.",
    ]
    idle = with_player(winter, A, food=food("tttt"), projects=())
    assert [told(each) for each in warnings(idle)][:2] == [
        "Anna builds nothing, and yet the food on the winter 1 space will be gone.",
        "Anna builds nothing, and yet the food on the winter 2 space will be gone.",
    ]


# Rules and options

COUNTED = {
    "SET": 10,
    "SEA": 6,
    "FOOD": 9,
    "COM": 4,
    "CON": 4,
    "BT": 4,
    "SAC": 8,
    "FAV": 5,
    "CHG": 2,
    "GLO": 1,
    "ACH": 5,
    "FIN": 3,
    "VF": 5,
    "JOIN": 3,
    "BAT": 15,
    "LOOT": 2,
    "CONC": 1,
    "CARD": 8,
}
NAMED = ("BLD-WARE", "BLD-SMITH", "BLD-GRAN", "BLD-ALTAR")
VARIANTS = ("VAR-FAST", "VAR-HEID", "VAR-SPEC", "VAR-MIX")


def test_every_rule_is_told() -> None:
    counted = {f"{part}-{n}" for part, most in COUNTED.items() for n in range(1, most + 1)}
    assert set(RULES) == {f"VHAL-{each}" for each in (*counted, *NAMED, *VARIANTS)}


def test_every_rule_a_refusal_can_rest_on_is_told() -> None:
    code = "\n".join(path.read_text() for path in ENGINE.rglob("*.py"))
    assert set(re.findall(r'"(VHAL-[A-Z]+-[A-Z0-9]+)"', code)) <= set(RULES)


def test_every_option_value_and_edition_has_words() -> None:
    assert set(OPTION_WORDS) == {option.name for option in valhal.OPTIONS}
    assert set(EDITION_WORDS) == set(valhal.EDITIONS)
    chosen = [option.kind for option in valhal.OPTIONS if not isinstance(option.kind, Switch)]
    assert set(VALUE_WORDS) == {word for kind in chosen for word in kind.words}


def test_every_open_question_is_shown_with_a_rule() -> None:
    assert set(READINGS) <= set(RULES)
    read = {name for names in READINGS.values() for name in names}
    assert {option.name for option in valhal.OPTIONS if option.rule.startswith("A-")} <= read
    assert read <= set(OPTION_WORDS)


# Things


def test_everything_there_is_has_a_word() -> None:
    things = (*Kind, *Season, *Space, *Stack, *Level, *Pay, *Offer, *THINGS, *UNITS, *ACHIEVEMENTS)
    assert set(things) <= set(WORDS)
    assert set(AMOUNT_WORDS) == AMOUNTS
    assert set(FILL_WORDS) == set(Fill)
    assert set(PHASE_WORDS) == set(WAITING) == set(Phase)
    assert set(NOTES) == set(Happening)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Kind.ALTAR, "Sacrificial Altar"),
        ("longboat-2", "second Longboat"),
        (Space.WINTER_2, "winter 2"),
        (Fill.GRANARY, "the food of the Granary"),
        (Kind.GRANARY, "Granary"),
        (Phase.CURSE, "somebody is to be named for a Wrath card"),
        ("v1", "v1"),
        (7, "7"),
    ],
)
def test_things_have_words(thing: object, words: str) -> None:
    assert piece(SPEECH, thing) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("coins+2", "gets 2 coins"),
        ("food-1", "loses a food token"),
        ("later:spring:iron+1", "gets an iron token in spring"),
        ("later:winter:hull-2", "loses 2 hit points of Longboats in winter"),
        ("block", "can provide no food"),
        ("famine:winter", "can provide no food in winter without a Granary"),
        ("unusable:altar", "cannot use this: Sacrificial Altar"),
        ("unusable:special:spring", "cannot use this in spring: Special Unit"),
        ("reroll", "makes the town roll again"),
    ],
)
def test_effects_have_words(text: str, words: str) -> None:
    assert piece(SPEECH, effect(text)) == words


@pytest.mark.parametrize("symbol", Symbol)
def test_every_symbol_can_be_said(symbol: Symbol) -> None:
    thing = ":altar" if symbol is Symbol.UNUSABLE else ""
    for text in (f"{symbol}+1", f"{symbol}-3") if symbol in HOW_MANY else (f"{symbol}{thing}",):
        assert "%" not in piece(SPEECH, effect(text))


def test_amounts_are_told_in_one_and_many() -> None:
    assert [amount(SPEECH, "coins", count) for count in (0, 1, 2)] == [
        "0 coins",
        "a coin",
        "2 coins",
    ]
    assert amount(SPEECH, "berserkir", 1) == "Berserkir"


# Questions


def test_every_gap_of_a_sheet_is_asked_for_in_words() -> None:
    gaps = (
        *missing(RULEBOOK),
        *(f"town.v1.{field}" for field in ("level", "rows", "glory", "loot", "text", "ability")),
        *(f"card.{stack}.x1" for stack in Stack),
        *(f"achievement.{token}.text" for token in ACHIEVEMENTS),
        *("unit.berserkir.text", "dice.faces", "final.marker", "box"),
        *("unit.veterans", "build.longboat", "town.v1"),
    )
    asked = {gap: question(SPEECH, gap) for gap in gaps}
    assert not [gap for gap, words in asked.items() if not words.endswith("?")]
    spoken = {template.split("%")[0] for template in QUESTIONS.values()}
    assert all(any(words.startswith(each) for words in asked.values()) for each in spoken)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("town.v1.glory", "How much glory does v1 bring?"),
        ("card.wrath.w9", "What does the Wrath card w9 do?"),
        ("card.wrath", "Which other cards are there: Wrath?"),
        ("box.fortified-town", "How many Town cards of this kind are in the box: Fortified Town?"),
        ("mainland.3", "How many spaces has the Mainland with 3 players?"),
        ("unit.veterans.dice", "How many dice does Nordic Veterans roll, healthy and wounded?"),
        ("no.such", "no.such"),
    ],
)
def test_a_path_is_asked_for(path: str, words: str) -> None:
    assert question(SPEECH, path) == words


# Actions

RETOLD = (
    ("first A", "Anna gets the starting token."),
    ("A takes berserkir", "Anna takes Berserkir."),
    ("lay v1", "On the Mainland: v1."),
    ("laid", "The Mainland is laid."),
    ("event e12", "The Event of the season: e12."),
    ("A rolls 3 5", "Anna rolls 3, 5."),
    ("A attacks v1 with warriors on 1", "Anna attacks v1 with Nordic Warriors on a Longboat."),
    (
        "A attacks v1 with warriors on 0+1 inviting B C",
        "Anna attacks v1 with Nordic Warriors on a Longboat (damaged: 1) and invites Ben, Cleo.",
    ),
    ("B joins with warriors on 1", "Ben joins with Nordic Warriors on a Longboat."),
    ("B declines", "Ben does not join."),
    ("A stays", "Anna does not attack now."),
    ("A fronts veterans", "Anna sends Nordic Veterans to the front line."),
    ("A fronts warriors of B", "Anna sends Nordic Warriors of Ben to the front line."),
    ("town rolls 2 6", "The town rolls 2, 6."),
    ("strike", "The dice count."),
    ("A retreats", "Anna retreats."),
    ("A draws b7", "Anna draws b7."),
    ("A chooses 2", "Anna chooses part 2 of the card."),
    ("A curses B", "Anna lets Ben draw a Wrath card."),
    ("A gives warriors", "Anna gives this, at home: Nordic Warriors."),
    ("A gives longboat at v1", "Anna gives this, at v1: Longboat."),
    ("heidrun v3", "Heidrun's Teat from now on: v3."),
    ("A removes v1 v2", "Anna takes v1, v2 out of the game."),
    ("A builds longboat with coin wood", "Anna commissions Longboat and pays a coin, wood."),
    (
        "A builds veterans from warriors with iron",
        "Anna commissions Nordic Veterans for Nordic Warriors and pays iron.",
    ),
    ("A pays longboat-2 with coin", "Anna pays a coin for a project: second Longboat."),
    ("A withdraws longboat", "Anna takes this back: Longboat."),
    ("A withdraws sacrifice", "Anna takes this back: sacrifice."),
    ("A feeds winter-1", "Anna lays a coin on the winter 1 space."),
    ("A feeds summer food", "Anna lays stored food on the summer space."),
    ("A unfeeds winter-1", "Anna takes the coin off the winter 1 space."),
    ("A sacrifices coins for wrath", "Anna plans a sacrifice: coins for Wrath."),
    ("A agrees", "Anna agrees."),
    ("agree", "Everybody agrees."),
    ("A continues", "Anna goes on as planned."),
    ("rolls 5 2", "For the choice: 5, 2."),
    ("A rolls 5 against 2", "Anna rolls 5, the town 2."),
    ("lay v1 new 2 town laid", "On the Mainland: v1, 2 × Town seen for the first time."),
    ("continue", "Everybody goes on as planned."),
    ("lay f1 town", "On the Mainland, seen for the first time: f1, Town."),
    ("A disagrees", "Anna does not agree after all."),
    ("A uses b7", "Anna uses b7."),
    ("A achieves fourth", "Anna takes an Achievement: Fourth."),
    ("A resolves coins+2 food-1", "By hand: Anna gets 2 coins, loses a food token."),
    ("A has longboats 2", "Put right: Anna has Longboats, 2."),
    ("sheet town.v1.rows 2/8/2 1/8/2", "On the sheet of this copy: town.v1.rows 2/8/2 1/8/2."),
)


@pytest.mark.parametrize(("line", "sentence"), RETOLD)
def test_an_action_is_retold(line: str, sentence: str) -> None:
    assert retell(SPEECH, valhal.parse(line)) == sentence


def test_no_action_is_forgotten() -> None:
    assert {type(valhal.parse(line)) for line, _ in RETOLD} == set(get_args(Action))


# What the table waits for, and what happens by itself

LAYING = "Lay Town cards on the Mainland: 1 of 3 lie there."


@pytest.mark.parametrize(
    ("state", "sentence", "seat"),
    [
        (fresh(), "Set up the settlements. Who gets the starting token?", None),
        (table("first A"), "Lay Villages on the Mainland: 0 of 3 lie there.", None),
        (
            replace(table("first A"), sheet=RULEBOOK),
            "Lay Villages on the Mainland, from the marked space on.",
            None,
        ),
        (
            table("first B", special_units="true"),
            "Choose a Special Unit each: Ben, Anna.",
            None,
        ),
        (
            table("first A", "lay v1", "lay v2", "lay v3", "A rolls 2"),
            "Vikingfahrt! One die each: Ben.",
            B,
        ),
        (sailing(), "Anna chooses a Town card and loads, or stays at home.", A),
        (
            sailing("A attacks v1 with warriors on 1 inviting B"),
            "A joint attack: join or decline? Ben.",
            B,
        ),
        (
            sailing("A attacks v1 with warriors on 1", "B stays"),
            "Battle for v1: dice for Anna 1, for the town 1, rolled by Ben.",
            A,
        ),
        (
            sailing("A attacks v1 with warriors on 1", "B stays", "A rolls 3"),
            "Battle for v1: dice for the town 1, rolled by Ben.",
            B,
        ),
        (
            sailing("A attacks v1 with warriors on 1", "B stays", "town rolls 3"),
            "Battle for v1: dice for Anna 1.",
            A,
        ),
        (
            commissioning("B agrees"),
            "Build, recruit, sacrifice, lay out food; then agree: Anna.",
            A,
        ),
    ],
)
def test_what_the_table_waits_for(state: State, sentence: str, seat: Seat | None) -> None:
    found = waiting(SPEECH, state)
    assert (found.sentence, found.seat) == (sentence, seat)


def test_in_a_joint_attack_anybody_rolls_for_the_town() -> None:
    lines = ("A attacks v1 with warriors on 1 inviting B", "B joins with warriors on 1")
    state = sailing(*lines, "A fronts warriors", "A rolls 6 6")
    assert waiting(SPEECH, state).sentence == (
        "Battle for v1: dice for the town 1, rolled by anybody who likes."
    )


def test_what_a_copy_does_not_tell_is_asked_for() -> None:
    lines = ("A attacks v1 with warriors on 1", "B stays")
    asked = waiting(SPEECH, played(valhal, replace(sailing(), sheet=RULEBOOK), *lines))
    assert asked.urgent
    assert asked.sentence.startswith(
        "Look at your copy. What is printed on v1: rows, glory and Loot?"
    )


def test_every_phase_waits_in_words_and_everything_that_happens_is_told() -> None:
    seen: set[Phase] = set()
    notes: set[Happening] = set()
    for _, action, state in _watched():
        found = waiting(SPEECH, state)
        seen.add(state.phase)
        notes |= {each.what for each in state.notes}
        said = [found.sentence, retell(SPEECH, action), *(note(SPEECH, n) for n in state.notes)]
        assert not [sentence for sentence in said if "%" in sentence or "  " in sentence]
    elsewhere = {Phase.FIRST, Phase.ASK, Phase.CONSTRUCTION, Phase.REMOVAL, Phase.OVER}
    elsewhere |= {Phase.GIVE, Phase.CURSE}
    assert set(Phase) - seen <= elsewhere
    assert Happening.SEASON in notes


@pytest.mark.parametrize(
    ("changes", "sentence", "urgent"),
    [
        ({"stage": Stage.REMOVAL}, "Anna chooses the Town cards that leave the game.", True),
        ({"stage": Stage.HEIDRUN}, "Anna chooses the card for Heidrun's Teat.", True),
        ({"stage": Stage.EVENT}, "A new season, summer: Anna reads an Event card.", False),
        ({"stage": Stage.CONSTRUCTION}, "Construction is under way.", False),
        ({"stage": Stage.OVER}, "The game is over.", False),
        ({"stage": Stage.LAYING, "voyages": 2, "mainland": ("t1",)}, LAYING, False),
        ({"dues": (Due(Owed.DRAW, (A,), Stack.LESSER),)}, "Anna draws a card: Lesser Loot.", True),
        (
            {"dues": (Due(Owed.DRAW, (A, B), Stack.GREATER),)},
            "As agreed, one of them draws a card, Greater Loot: Anna, Ben.",
            True,
        ),
        (
            {"dues": (Due(Owed.OPTION, (B,), Stack.EVENT, "e2"),)},
            "Ben chooses one part of e2.",
            True,
        ),
        ({"dues": (Due(Owed.CURSE, (A,)),)}, "Anna names who draws a Wrath card.", True),
        (
            {"dues": (Due(Owed.GIVE, (A,), thing="longboat"),)},
            "Anna chooses what the card takes: Longboat.",
            True,
        ),
    ],
)
def test_rarer_phases_wait_in_words(changes: dict[str, Any], sentence: str, urgent: bool) -> None:
    found = waiting(SPEECH, replace(commissioning(), **changes))
    assert (found.sentence, found.urgent) == (sentence, urgent)


def _watched() -> Iterator[tuple[State, Action, State]]:
    """Parts of some random games."""
    variants = {"variant_heidrun": "true", "special_units": "true", "mainland_removal": "chosen"}
    for seed in range(8):
        start = begun(setup(2 + seed % 3, **(variants if seed % 2 else {})))
        yield from islice(random_game(start, seed), 400)


@pytest.mark.parametrize(
    ("each", "sentence"),
    [
        (Note(Happening.CLEARED, A, "token winter-1"), "Anna takes a food token off the winter 1"),
        (Note(Happening.GAINED, A, "coins", 2), "Anna gets 2 coins."),
        (Note(Happening.LOST, A, "longboat", 1), "Anna loses a Longboat."),
        (Note(Happening.LOST, A, "b7", 1), "Anna puts this card under its stack: b7."),
        (
            Note(Happening.TURNED, A, "longboat-2", 2),
            "Anna turns a project: second Longboat, now 2",
        ),
        (Note(Happening.TAKEN_OUT, None, LEVELS[0], 2), "Take Town cards out of the game: Village"),
        (Note(Happening.TAKEN_OUT, None, LEVELS[0], 0), "Take all Town cards of this kind out of"),
        (Note(Happening.FINAL_STAGE, A, ""), "Anna starts the Final Stage."),
        (Note(Happening.FINAL_STAGE, A, "token"), "Anna starts the Final Stage and places this: t"),
        (Note(Happening.SEASON, B, "winter", 1), "Year 1, winter: the starting token goes to Ben."),
        (Note(Happening.STRANDED, A, "longboat", 2), "Anna has to leave 2 Longboats behind."),
    ],
)
def test_what_happens_by_itself_is_told(each: Note, sentence: str) -> None:
    assert note(SPEECH, each).startswith(sentence)


@pytest.mark.parametrize("what", Happening)
def test_no_note_lacks_a_fact(what: Happening) -> None:
    composed = {Happening.CLEARED: "coin summer", Happening.MARKED: "2 4 4"}
    thing = composed.get(what, "coins")
    assert "%" not in note(SPEECH, Note(what, A, thing, 1))


# Setting up


SURPLUS = "That takes out of your copy: 2 × Village, 4 × Fortified Village, 3 × Town."


def set_up(seats: int = 2, **changes: str) -> tuple[str, ...]:
    return checklist(SPEECH, fresh(seats, **changes))


@pytest.mark.parametrize(
    ("seats", "towns", "tokens"),
    [
        (
            2,
            "4 × Village, 7 × Fortified Village, 3 × Town, 1 × Fortified Town",
            "On Yggdrasil the Achievement tokens marked II; the others go back.",
        ),
        (
            3,
            "5 × Village, 8 × Fortified Village, 5 × Town, 1 × Fortified Town",
            "On Yggdrasil the Achievement tokens marked II, III; the others go back.",
        ),
    ],
)
def test_the_checklist_is_that_of_so_many_players(seats: int, towns: str, tokens: str) -> None:
    """VHAL-SET-5 and -9."""
    lines = set_up(seats)
    told = f"Town cards in the game: {towns}. The others go back into the box."
    assert {told, tokens} <= set(lines)
    assert "Each Jarl: 1 Nordic Warriors and 1 Longboat." in lines


def test_four_players_take_everything() -> None:
    lines = set_up(4)
    every = {"All Town cards are in the game.", "On Yggdrasil all Achievement tokens."}
    assert every <= set(lines)
    assert not [line for line in lines if "takes out" in line]


def test_the_checklist_knows_what_is_too_much_in_this_box() -> None:
    """VHAL-SET-5: counted once somebody has told how many there are."""
    assert SURPLUS in set_up(2)
    unknown = replace(fresh(), sheet=RULEBOOK)
    assert not [line for line in checklist(SPEECH, unknown) if "takes out" in line]


def test_the_checklist_of_the_fast_game_names_the_hourglass_cards() -> None:
    """VHAL-VAR-FAST"""
    lines = set_up(variant_fast="true")
    assert {"Take out all cards with the hourglass.", "Known to have it: e6."} <= set(lines)
    assert any(line.startswith("The back of the Favour display") for line in lines)
    assert not [line for line in set_up() if "hourglass" in line]


def test_the_checklist_of_the_other_variants() -> None:
    lines = set_up(variant_heidrun="true", special_units="true")
    assert "Each Jarl: a Special Unit or Warriors, and a Longboat." in lines
    assert any(line.startswith("Heidrun's Teat: after the first Vikingfahrt") for line in lines)


def test_the_checklist_is_gone_once_the_mainland_lies() -> None:
    assert checklist(SPEECH, table("first A")) != ()
    assert checklist(SPEECH, table("first A", "lay v1")) == ()
    assert checklist(SPEECH, commissioning()) == ()


# Reminders


def test_a_jarl_is_reminded_of_sacrifices_that_can_be_paid() -> None:
    rich = with_player(commissioning(), A, coins=5, glory=2)
    (line,) = [each for each in reminders(SPEECH, rich, A) if "sacrifice" in each]
    offers = "Coins for a Benevolence card, 2 glory for a Benevolence card"
    assert line == f"A sacrifice could be made: {offers}."
    poor = with_player(commissioning(), A, coins=0, glory=0)
    assert not [each for each in reminders(SPEECH, poor, A) if "sacrifice" in each]


def test_a_jarl_is_reminded_of_achievements_in_the_owners_words() -> None:
    told = [each for each in reminders(SPEECH, commissioning(), A) if "Earned" in each]
    assert len(told) == 1
    assert "read it on Yggdrasil" in told[0]


def test_nobody_is_reminded_who_has_agreed() -> None:
    state = played(valhal, with_player(commissioning(), A, coins=5), "A agrees")
    assert reminders(SPEECH, state, A) == ()
    assert reminders(SPEECH, sailing(), A) == ()


# Curves


def test_curves_follow_the_seasons() -> None:
    assert curves(TWO, commissioning()) == ()
    state = with_player(commissioning(), A, glory=5)
    state = with_player(played(valhal, state, "agree"), A, glory=7)
    found = {curve.key: curve for curve in curves(TWO, state)}
    assert list(found) == ["glory", "favour", "coins", "units"]
    anna, ben = found["glory"].chart.lines
    assert (anna.name, [dot.points for dot in anna.dots]) == ("Anna", [5, 7])
    assert [dot.points for dot in ben.dots] == [0, 0]
    assert [dot.points for dot in found["units"].chart.lines[0].dots] == [1, 1]


def test_the_season_that_is_over_is_told_in_one_line_for_page_and_voice() -> None:
    before = with_player(commissioning(), A, glory=5)
    action = valhal.parse("agree")
    after = played(valhal, before, "agree")
    said = spoken(SPEECH, Done(before, action, after)).summary
    line = "The season is over: summer. Anna: favour 0, glory 5; Ben: favour 0, glory 0."
    assert said == line
    assert notes(SPEECH, after)[-1] == line
    assert line not in notes(SPEECH, before)


# Odds where a target is chosen


def test_targets_come_with_their_odds() -> None:
    view = sailing_view(SPEECH, sailing())
    assert view is not None
    (load,) = view.loads
    assert load.words == "Nordic Warriors on a Longboat"
    first = load.targets[0]
    assert first.action == "A attacks v1 with warriors on 1"
    assert (first.chance, first.losses, first.good) == ("77% to win", "units lost: 0.2", 4)


def test_odds_can_be_hidden() -> None:
    """`odds: false`"""
    view = sailing_view(SPEECH, sailing(odds="false"))
    assert view is not None
    targets = [each for load in view.loads for each in load.targets]
    assert len(targets) == 3
    assert {(each.chance, each.losses, each.good) for each in targets} == {("", "", 0)}
    unknown = sailing_view(SPEECH, replace(sailing(), sheet=RULEBOOK))
    assert unknown is not None
    assert {each.chance for load in unknown.loads for each in load.targets} == {""}


def test_nobody_sails_where_nobody_chooses() -> None:
    assert sailing_view(SPEECH, commissioning()) is None
