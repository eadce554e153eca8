"""Entry by hand: what forms and chips can say, and what they offer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from companion.dashboard import Parts, create_app
from companion.dashboard.fragments import Fragments
from companion.foundation.errors import BadNotation
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.raid.battle import tableau
from companion.games.valhal.rules.sheet.checking import missing
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.sheet.gluing import glued_card
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS, RULEBOOK, SPECIALS
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import Held, Phase, State
from companion.games.valhal.rules.vocabulary import SEASONS, Season, Stack
from companion.games.valhal.words.correcting import adding, books
from companion.games.valhal.words.entry.answers import answer
from companion.games.valhal.words.entry.chips import card_fields
from companion.games.valhal.words.entry.fields import Field, Form
from companion.games.valhal.words.entry.forms import forms
from companion.games.valhal.words.entry.tour import needed_first, tour
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.planning import reminders
from companion.ledger.journal import Journal
from companion.ledger.referee import Moment, Referee
from companion.ledger.session import Session
from companion.views.speech import Speech
from tests.games.valhal.rules.tables import (
    SHEET,
    A,
    B,
    commissioning,
    rules,
    sailing,
    setup,
    table,
    with_player,
)
from tests.strategies import played

SPEECH = Speech("en", "valhal", ("Anna", "Ben", "Cleo", "Dora"), piece)
ATTACK = "A attacks v1 with warriors on 1"


def fight(*told: str) -> State:
    """Both sides have rolled, and the town is ahead."""
    entries = (f"sheet {each}" for each in ("town.v1.rows 4/1/1", *told))
    return played(valhal, sailing(), *entries, ATTACK, "B stays", "A rolls 1", "town rolls 2")


def in_words(text: str) -> State:
    """Of this town's ability only the words are known."""
    state = sailing()
    town = replace(state.sheet.town("v1"), text=text, plain=False)
    others = tuple(each for each in state.sheet.towns if each.name != "v1")
    state = replace(state, sheet=replace(state.sheet, towns=(*others, town)))
    rows = "sheet town.v1.rows 4/1/1"
    return played(valhal, state, rows, ATTACK, "B stays", "A rolls 1", "town rolls 2")


def abilities(state: State) -> list[Form]:
    return [form for form in forms(SPEECH, state) if form.words == "Abilities in this battle"]


def offered(form: Form) -> list[str]:
    return [choice.action for choice in form.choices]


# Abilities: rules VHAL-BAT-9 and VHAL-BAT-15


@pytest.mark.parametrize(
    "ability",
    ["reroll", "reroll-own", "hp-1", "town-hp+2", "battle:hp+1", "attack+1 reroll-own", "none"],
)
def test_an_ability_may_be_anything_that_happens_in_a_battle(ability: str) -> None:
    for path in ("town.v1.ability", "unit.berserkir.ability"):
        state = played(valhal, sailing(), f"sheet {path} {ability}")
        assert dict(entries(state.sheet))[path] == ability


@pytest.mark.parametrize("ability", ["coins+1", "battle:attack+1", "reroll+1", "block", "dice"])
def test_what_is_no_ability(ability: str) -> None:
    with pytest.raises(BadNotation):
        valhal.parse(f"sheet town.v1.ability {ability}")


@pytest.mark.parametrize("ability", ["reroll-own", "reroll", "hp-1", "attack+1 town-hp-1"])
def test_dice_wait_for_an_ability_that_somebody_may_use(ability: str) -> None:
    """Nobody keeps a card; the dice wait all the same."""
    state = fight(f"town.v1.ability {ability}")
    assert state.phase is Phase.STRIKE
    (form,) = abilities(state)
    used = ability.rsplit(maxsplit=1)[-1]
    assert offered(form) == [f"A resolves {used}"]
    after = played(valhal, state, offered(form)[0])
    assert after != state
    assert played(valhal, state, "strike").phase is Phase.BATTLE


def test_a_special_unit_rolls_again_by_a_tap() -> None:
    state = with_player(sailing(), A, units=("berserkir",))
    state = played(valhal, state, "sheet unit.berserkir.ability reroll-own")
    state = played(valhal, state, "sheet town.v1.rows 4/9/1")
    state = played(valhal, state, "A attacks v1 with berserkir on 1", "B stays")
    state = played(valhal, state, "A rolls 1 1", "town rolls 2")
    assert state.phase is Phase.STRIKE
    assert abilities(state)[0].hint == "Berserkir: rolls again"
    assert played(valhal, state, "A resolves reroll-own").phase is Phase.BATTLE


def test_what_the_books_apply_by_themselves_is_told_and_asks_nothing() -> None:
    state = played(valhal, sailing(), "sheet town.v1.rows 4/1/1")
    state = played(valhal, state, "sheet town.v1.ability town-attack+1", ATTACK, "B stays")
    found = tableau(state)
    assert found is not None
    assert found.town_base == 2
    (form,) = abilities(state)
    assert (form.hint, form.choices) == ("v1: changes this battle: the town's attack +1", ())
    assert played(valhal, state, "A rolls 1", "town rolls 2").phase is Phase.BATTLE


def test_words_alone_offer_every_change_by_a_tap() -> None:
    state = in_words("Palisade")
    assert state.phase is Phase.STRIKE
    (form,) = abilities(state)
    assert form.hint == "v1: Palisade"
    taps = offered(form)
    assert {"A resolves reroll", "A resolves hp-1", "A resolves attack+1"} <= set(taps)
    assert [rules(state, line) for line in taps] == [[]] * len(taps)


def test_dice_may_be_told_and_count_in_one_entry() -> None:
    """VHAL-BAT-3: nobody wants to change them."""
    state = played(valhal, sailing(), "sheet town.v1.rows 4/1/1", "sheet town.v1.ability reroll")
    state = played(valhal, state, ATTACK, "B stays")
    dice = next(form for form in forms(SPEECH, state) if form.dice)
    assert dice.also is not None
    assert dice.also.value == "strike"
    apart = played(valhal, state, "A rolls 6 against 1", "strike")
    line = "A rolls 6 against 1 strike"
    assert str(valhal.parse(line)) == line
    assert played(valhal, state, line).raids == apart.raids
    plain = played(valhal, sailing(), ATTACK, "B stays")
    assert next(form for form in forms(SPEECH, plain) if form.dice).also is None
    with pytest.raises(BadNotation):
        valhal.parse("A rolls 6 against strike")


def test_an_older_game_did_not_wait() -> None:
    """Version 4 of the rules looked at kept cards only."""
    state = replace(sailing(), version=4)
    lines = ("sheet town.v1.rows 4/1/1", "sheet town.v1.ability reroll", ATTACK, "B stays")
    state = played(valhal, state, *lines, "A rolls 1", "town rolls 2")
    assert state.phase is Phase.BATTLE


def test_a_town_without_ability_asks_nothing() -> None:
    assert abilities(fight()) == []
    assert fight().phase is Phase.BATTLE


# None of the sheet is typed, but words that are words


def kinds(form: Form) -> set[str]:
    return {field.kind for field in form.fields}


def test_everything_that_is_printed_is_asked_for() -> None:
    gaps = set(missing(filled(RULEBOOK, "town.v1.level", ("village",))))
    assert {f"unit.{name}.ability" for name in SPECIALS} <= gaps
    assert "town.v1.ability" in gaps
    assert {f"achievement.{token}.text" for token in ACHIEVEMENTS[3:]} <= gaps
    assert not {f"achievement.{token}.text" for token in ACHIEVEMENTS[:3]} & gaps
    assert {"final.marker", "copy.edition"} <= gaps
    assert "unit.warriors.ability" not in gaps, "the book says all there is to say of it"


@pytest.mark.parametrize(
    "path", [*missing(RULEBOOK), "town.v1", "town.v1.ability", "card.wrath.w1"]
)
def test_only_words_are_typed(path: str) -> None:
    """A field of letters that must be filled in is there for words, never for numbers or signs."""
    if path == "town" or (path.count(".") == 1 and path.startswith("card.")):
        return  # whole stacks: the tour has a form for the next card
    form = answer(SPEECH, RULEBOOK, path)
    assert form.choices or form.fields
    words = path.endswith(".text") or path == "final.marker"
    assert ("text" in kinds(form)) == words, path


def test_the_tour_reaches_abilities_and_words() -> None:
    sheet = filled(SHEET, "town.v1.text", ("Palisade",))
    stops = {stop.key: stop for stop in tour(SPEECH, sheet).stops}
    for key, paths in (
        ("units", ["unit.berserkir.ability", "unit.berserkir.text"]),
        ("towns", ["town.v1.ability", "town.v1.text"]),
    ):
        said = {
            option.value
            for form in stops[key].forms
            for field in form.fields
            for option in field.options
        }
        assert {f"sheet {path}" for path in paths} <= said
    boards = {form.words for form in tour(SPEECH, RULEBOOK).stops[-1].forms}
    assert "What does this Achievement ask for: Fourth?" in boards
    assert "What is placed when the Final Stage starts?" in boards


def test_a_whole_card_is_told_with_its_ability_and_words() -> None:
    line = (
        "sheet town.v6 2 / 8 / 2 glory: 2 lesser: 1 ability: town-dice 1 reroll now text Big Gate"
    )
    town = played(valhal, sailing(), line).sheet.town("v6")
    assert [str(each) for each in town.ability] == ["town-dice+1", "reroll"]
    assert (town.text, town.glory, town.plain) == ("Big Gate", 2, False)
    line = "sheet unit.special-2 3 / 1 / 1 1 / 1 / 1 ability: now"
    unit = played(valhal, table("first A"), line).sheet.unit("special-2")
    assert (unit.plain, unit.ability) == (True, ())


def test_the_owners_words_remind_of_achievements_four_to_seven() -> None:
    state = commissioning(seats=4)
    told = [line for line in reminders(SPEECH, state, A) if "Earned yet?" in line]
    assert [line.rpartition(" ")[0].split("Achievement ")[0] for line in told]
    for words in ("read it on Yggdrasil", "the fifth", "the sixth", "the seventh"):
        assert any(words in line for line in told), words
    owned = played(valhal, state, "A achieves fourth")
    assert not any("read it on Yggdrasil" in line for line in reminders(SPEECH, owned, B))
    two = commissioning()
    assert not any("the sixth" in line for line in reminders(SPEECH, two, A)), "not in play"
    untold = replace(two.sheet, tokens=tuple(replace(t, group=None) for t in two.sheet.tokens))
    unsure = replace(two, sheet=untold)
    assert any("the sixth" in line for line in reminders(SPEECH, unsure, A)), "it may be"


# Chips


def said(fields: Iterable[Field], taps: dict[str, object]) -> str:
    """What a form says whose untouched fields say what they begin with. `taps` are by the words
    that stand on the field or its option; those of a later part begin with its number."""
    words: list[str] = []
    part = 1
    for field in fields:
        if field.kind == "hidden" and field.value == "|":
            part += 1
        mine = {
            key.removeprefix(f"{part}: "): value
            for key, value in taps.items()
            if key.startswith(f"{part}: ")
        }
        words += _said(field, mine)
    return " ".join(glued_card(tuple(" ".join(words).split())))


def _said(field: Field, taps: dict[str, object]) -> list[str]:
    match field.kind:
        case "hidden":
            return [field.value]
        case "stepper" | "free":
            value = str(taps.get(f"{field.words}", field.value))
            return [field.word, value] if value not in ("", "0") else []
        case "ticks":
            return [each.value for each in field.options if each.words in taps]
        case "pick" | "select":
            return [next((e.value for e in field.options if e.words in taps), field.value)]
        case _:
            return []


@pytest.mark.parametrize(
    ("taps", "words"),
    [
        ({"1: winter": 1, "1: can provide no food": 1}, "block:winter"),
        ({"1: can provide no food": 1}, "block"),
        (
            {"1: winter": 1, "1: Sacrificial Altar": 1, "1: Runestone": 1},
            "unusable:altar:winter unusable:runestone:winter",
        ),
        ({"1: Sacrificial Altar": 1, "1: Warehouse": 1}, "unusable:warehouse unusable:altar"),
        ({"1: coins": 1, "2: coins": 2, "3: coins": 3}, "coins+1 | coins+2 | coins+3"),
        ({"1: coins": 1, "2: makes the town roll again": 1}, "coins+1 | reroll"),
    ],
)
def test_chips_can_say(taps: dict[str, object], words: str) -> None:
    fields = [replace(f, words=f.word or f.words) for f in card_fields(SPEECH)]
    once = _first_of_each(fields) if any(key.startswith("1: coins") for key in taps) else fields
    assert said(once, taps) == words


def _first_of_each(fields: list[Field]) -> list[Field]:
    """Of the chips for now, in a battle and for later those for now: they have the same words."""
    seen: set[tuple[int, str]] = set()
    found, part = [], 0
    for field in fields:
        part += field.kind == "hidden" and field.value == "|"
        if field.kind == "stepper" and (part, field.word) in seen:
            continue
        seen.add((part, field.word))
        found.append(field)
    return found


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            "later:spring favour 1 warriors 1 longboat 0 now",
            "later:spring:favour+1 later:spring:warriors+1",
        ),
        ("season:winter block now", "block:winter"),
        (
            "season:spring unusable:altar unusable:food now coins 1",
            "unusable:altar:spring unusable:food:spring coins+1",
        ),
        (
            "coins 1 now | later:winter food 2 now battle attack 1 now | wood 1 now",
            "coins+1 | later:winter:food+2 battle:attack+1 | wood+1",
        ),
        ("coins 1 now now | now now | now", "coins+1"),
    ],
)
def test_what_chips_say_becomes_the_words_of_the_sheet(typed: str, words: str) -> None:
    state = played(valhal, sailing(), f"sheet card.event.x1 {typed}")
    assert dict(entries(state.sheet))["card.event.x1"] == words


def test_later_seasons_have_a_chip_for_everything_that_can_come_later() -> None:
    fields = list(card_fields(SPEECH))
    later = next(n for n, f in enumerate(fields) if f.words == "In a later season")
    chips = {field.word for field in fields[later:] if field.kind == "stepper"}
    assert {"favour", "warriors", "veterans", "longboat", "benevolence"} <= chips


# A card may be drawn from several stacks: one form


def test_one_form_for_all_the_stacks_a_card_may_come_from() -> None:
    state = sailing(ATTACK, "B stays")
    state = played(valhal, state, "sheet town.v1.loot lesser larger", "A rolls 6", "town rolls 1")
    (form,) = forms(SPEECH, state)
    assert [each.value for each in form.fields[0].options] == [
        "A draws lesser l5 says",
        "A draws larger r3 says",
    ]
    assert form.photograph
    assert rules(state, "A draws larger r3 says coins+1") == []


# The books are wrong


def test_what_the_books_lack_can_be_added_by_tapping() -> None:
    state = with_player(commissioning(), B, kept=(Held(Stack.BENEVOLENCE, "b1"),))
    for form in adding(SPEECH, state):
        whose, which, count = form.fields
        numbers = [each.value for each in count.options] or [count.value]
        for thing in which.options:
            line = f"{whose.options[0].value} {thing.value} {numbers[-1]}"
            assert rules(state, line)[0].startswith("count-differs"), line
            after = played(valhal, state, f"!{line}")
            assert rules(after, line) == [], line
    said = [option.value for form in adding(SPEECH, state) for option in form.fields[1].options]
    assert {"stage.longboat-2", "benevolence.b2", "block.winter"} <= set(said)
    assert {f"unusable.altar.{season}" for season in SEASONS} <= set(said)
    assert "benevolence.b7" in said, "one that nobody has named"


def test_buildings_can_be_put_right_by_tapping() -> None:
    things = {each.thing for each in books(SPEECH, commissioning(), A).owned}
    assert {"warehouse", "granary", "blacksmith", "altar"} <= things


# On the page


class Inputs(HTMLParser):
    """Form by form what can be told on a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[dict[str, str | None], list[dict[str, str | None]]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "form":
            self.forms.append((dict(attrs), []))
        elif tag == "input" and self.forms:
            self.forms[-1][1].append(dict(attrs))


def page_of(referee: Referee, journal: Journal, state: State) -> str:
    parts = Parts(referee, journal)
    moment = Moment(1, Session(valhal, setup(), 1, state, 1))
    return Fragments(create_app(parts), parts).table(moment, "en")


def test_a_new_card_can_be_photographed_where_it_is_entered(
    referee: Referee, journal: Journal
) -> None:
    state = played(valhal, commissioning(), "agree")
    assert state.phase is Phase.EVENT
    page = page_of(referee, journal, state)
    (form, fields), *_ = [
        (form, fields)
        for form, fields in Inputs(page).forms
        if any(each.get("type") == "file" for each in fields)
    ]
    assert (form["enctype"], form["action"]) == ("multipart/form-data", "/act/photographed")
    assert "data-live" in form
    (file,) = [each for each in fields if each.get("type") == "file"]
    assert (file["name"], file["capture"], "required" in file) == (
        "photograph",
        "environment",
        False,
    )


def test_ticks_of_the_set_up_are_kept_by_the_browser(referee: Referee, journal: Journal) -> None:
    page = page_of(referee, journal, table())
    ticks = re.findall(
        r'<input type="checkbox" value="1\.\d+" data-kept\s+data-stored="([^"]+)"', page
    )
    assert len(ticks) == len(set(ticks)) > 5
    assert all(tick.startswith("checklist.1.") for tick in ticks)


# What is asked first


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_mainland_is_asked_for_as_many_as_play(seats: int) -> None:
    state = valhal.start(setup(seats))
    asked = [path for path in needed_first(RULEBOOK, state) if path.startswith("mainland")]
    assert asked == [f"mainland.{seats}"]
    assert [p for p in needed_first(RULEBOOK, None) if p.startswith("mainland")] == ["mainland.2"]


def test_seasons_are_told_apart() -> None:
    state = played(valhal, commissioning(), "A resolves season:winter block unusable:altar now")
    assert state.players[A].blocked == (Season.WINTER,)
    assert [(e.thing, e.season) for e in state.players[A].unusable] == [("altar", Season.WINTER)]
