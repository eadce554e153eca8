"""How the table answers what it is asked about its copy: taps where few answers are possible,
fields elsewhere. The questions themselves stand in `questions`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from companion.games.valhal.rules.options import Options, steps_to_win
from companion.games.valhal.rules.sheet.sheet import COPIES, Sheet, Side, TownCard, UnitCard
from companion.games.valhal.rules.state import State
from companion.games.valhal.rules.vocabulary import GIFTS, LEVELS, LOOT, Kind, Stack
from companion.games.valhal.words.entry.chips import ability_fields, card_fields, words_field
from companion.games.valhal.words.entry.fields import (
    Choice,
    Field,
    Form,
    Option,
    closes,
    opens,
    says,
)
from companion.games.valhal.words.naming import amount
from companion.games.valhal.words.questions import question
from companion.views.speech import N_, Speech

LOOTS = (
    "none",
    "lesser",
    "lesser lesser",
    "larger",
    "larger lesser",
    "larger larger",
    "greater",
    "greater larger",
)
MOST_GLORY = 8  # that a tap offers; more can be stepped to
MOST_ROWS = 4
STAGES = range(1, 5)
PICTURED = ("unit", "town", "card")  # of which a photograph may be taken on the way


def questions(speech: Speech, state: State) -> tuple[Form, ...]:
    return tuple(answer(speech, state.sheet, path) for path in state.asks)


def answer(speech: Speech, sheet: Sheet, path: str) -> Form:
    """The question with the answers it can have."""
    first, last = path.partition(".")[0], path.rpartition(".")[2]
    match first, last:
        case _, "ability":
            return _form(speech, path, *ability_fields(speech))
        case "build" | "unit" | "town" | "card", _ if last != "text":
            return _of_a_card(speech, sheet, path)
        case "favour" | "fast", _:
            return _display(speech, path, last)
        case "achievement", "group":
            return _taps(speech, path, {"2": "II", "3": "III", "4": "IV"})
        case "gift" | "longhouse" | "glory" | "copy", _:
            return _icon(speech, path, first)
        case "mainland" | "box", _:
            number = speech.say(N_("number"))
            return _form(speech, path, Field("stepper", "5", number, least=1, most=24))
        case _:
            return _form(speech, path, Field("text", words=speech.say(N_("answer"))))


def _icon(speech: Speech, path: str, first: str) -> Form:
    match first:
        case "gift":
            return _taps(speech, path, {each: amount(speech, each, 1) for each in GIFTS})
        case "longhouse":
            told = {"usable": speech.say(N_("yes")), "stock": speech.say(N_("no, only stock"))}
            return _taps(speech, path, told)
        case "copy":
            told = {COPIES[0]: speech.say(N_("first")), COPIES[1]: speech.say(N_("second"))}
            return _taps(speech, path, told)
        case _:
            number = speech.say(N_("number"))
            return _form(speech, path, Field("stepper", "20", number, least=7))


def _mark(speech: Speech, path: str, mark: str) -> Form:
    none = {} if mark == "stages" else {"0": speech.say(N_("no such mark"))}
    return _taps(speech, path, none | {str(n): str(n) for n in range(1, 5)})


def _form(speech: Speech, path: str, *fields: Field, hint: str = "") -> Form:
    words, button = question(speech, path), speech.say(N_("So it says"))
    whole = path.partition(".")[0] in PICTURED and "." in path
    said = (says(f"sheet {path}"), *fields)
    return Form(words, said, button, hint, photograph=whole)


def _taps(speech: Speech, path: str, values: dict[str, str]) -> Form:
    taps = tuple(Choice(f"sheet {path} {value}", told) for value, told in values.items())
    return Form(question(speech, path), (), "", choices=taps)


def _of_a_card(speech: Speech, sheet: Sheet, path: str) -> Form:
    """What is printed on a card, or one part of it."""
    first, last = path.partition(".")[0], path.rpartition(".")[2]
    if first == "card":
        return _form(speech, path, *card_fields(speech))
    if path.count(".") == 1:
        return _whole(speech, sheet, path)
    if first == "build":
        return _mark(speech, path, last)
    return _sides(speech, sheet, path) if first == "unit" else _town(speech, path, last)


def _whole(speech: Speech, sheet: Sheet, path: str) -> Form:
    """A whole card in one answer: fortifications, both sides of a unit, or a back."""
    first, name = path.split(".")
    match first:
        case "town":
            parts = (*_rows(speech), *_spoils(speech), *_special(speech, sheet.town(name)))
            return _form(speech, path, *parts)
        case "unit":
            card = sheet.unit(name)
            both = ((N_("healthy"), card.healthy), (N_("wounded"), card.wounded))
            sides = (field for words, side in both for field in _side(speech, words, side))
            return _form(speech, path, *sides, *_special(speech, card))
        case _:
            return _form(speech, path, *_back(speech, sheet, Kind(name)))


def _special(speech: Speech, card: TownCard | UnitCard) -> Iterator[Field]:
    """VHAL-BAT-9: left alone, the card has no ability. What is told stays."""
    if card.ability or card.plain:
        return
    yield opens(speech.say(N_("Special ability, title")))
    yield says("ability:")
    yield from ability_fields(speech)
    yield words_field(speech)
    yield closes()


def _rows(speech: Speech) -> Iterator[Field]:
    """Three steppers for each fortification; one without hit points is none."""
    for number in range(1, MOST_ROWS + 1):
        words = speech.say(N_("Fortification %(number)s"), number=number)
        if number > 1:
            yield opens(words)
        hp = "1" if number == 1 else "0"
        yield Field("stepper", hp, speech.say(N_("hit points")), most=13, sign="wall")
        yield says("/")
        yield Field("stepper", "0", speech.say(N_("base attack")), most=21, sign="sword")
        yield says("/")
        yield Field("stepper", "1", speech.say(N_("dice")), most=9, sign="die")
        falls = Option("*", speech.say(N_("falls by itself after one round")))
        yield Field("ticks", options=(falls,))
        if number > 1:
            yield closes()


def _spoils(speech: Speech) -> Iterator[Field]:
    yield says("glory:")
    yield Field("stepper", "0", speech.say(N_("glory")), most=20, sign="glory")
    for stack in LOOT:
        yield says(f"{stack}:")
        yield Field("stepper", "0", speech.word(stack), most=4, sign="card")


def _side(speech: Speech, words: str, side: Side) -> Iterator[Field]:
    stats = (
        (N_("%(side)s: hit points"), side.hp, 1, 6),
        (N_("%(side)s: base attack"), side.base, 0, 21),
        (N_("%(side)s: dice"), side.dice, 1, 9),
    )
    for at, (sentence, known, least, most) in enumerate(stats):
        if at:
            yield says("/")
        value = str(least if known is None else known)
        told = speech.say(sentence, side=speech.say(words))
        low = 1 if at == 0 else 0
        yield Field("stepper", value, told, least=low, most=most, sign=("wall", "sword", "die")[at])


def _back(speech: Speech, sheet: Sheet, kind: Kind) -> Iterator[Field]:
    """Stages by tapping them, and the numbers with a saw or an anvil."""
    back = sheet.back(kind)
    stages = tuple(Option(str(n), str(n)) for n in STAGES)
    known = "" if back.stages is None else str(back.stages)
    yield Field("pick", known, speech.say(N_("highest number")), stages)
    none = Option("0", speech.say(N_("none")))
    marks = [("saw", N_("number with the saw"), back.saw)]
    if kind is Kind.WARRIORS:
        marks.append(("anvil", N_("number with the anvil"), back.anvil))
    for mark, words, told in marks:
        yield says(f"{mark}:")
        yield Field("pick", str(told or 0), speech.say(words), (none, *stages))


def _sides(speech: Speech, sheet: Sheet, path: str) -> Form:
    """Both sides of a unit card; what one of them shows may be known."""
    _, unit, stat = path.split(".")
    card, least = sheet.unit(unit), int(stat == "hp")
    fields = []
    for words, side in ((N_("healthy"), card.healthy), (N_("wounded"), card.wounded)):
        known = getattr(side, stat)
        value = str(least if known is None else known)
        fields.append(Field("stepper", value, speech.say(words), least=least, most=21))
    return _form(speech, path, *fields)


def _town(speech: Speech, path: str, field: str) -> Form:
    match field:
        case "level":
            return _taps(speech, path, {level: speech.word(level) for level in LEVELS})
        case "glory":
            return _taps(speech, path, {str(n): str(n) for n in range(MOST_GLORY + 1)})
        case "loot":
            return _taps(speech, path, {each: _loot(speech, each) for each in LOOTS})
        case _:
            return _form(speech, path, *_rows(speech))


def _loot(speech: Speech, stacks: str) -> str:
    if stacks == "none":
        return speech.say(N_("no card"))
    return " + ".join(speech.word(Stack(each)) for each in stacks.split())


def _display(speech: Speech, path: str, which: str) -> Form:
    last = steps_to_win(Options(variant_fast=path.startswith("fast")))
    moves = speech.say(N_("Counted in moves of the Raven Head."))
    if which == "change":
        pairs = combinations(range(1, last), 2)
        words = {f"{a} {b}": speech.say(N_("%(a)s and %(b)s"), a=a, b=b) for a, b in pairs}
        return replace(_taps(speech, path, words), hint=moves)
    ticks = Field("ticks", options=tuple(Option(str(n), str(n)) for n in range(1, last + 1)))
    none = Choice(f"sheet {path} none", speech.say(N_("none of them")))
    return replace(_form(speech, path, ticks, hint=moves), choices=(none,))
