"""How the table answers what it is asked about its copy: taps where few answers are possible,
fields elsewhere. The questions themselves stand in `questions`."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from companion.games.valhal.rules.options import Options, steps_to_win
from companion.games.valhal.rules.sheet.sheet import Sheet
from companion.games.valhal.rules.state import State
from companion.games.valhal.rules.vocabulary import (
    ADJUSTED,
    GIFTS,
    HURT,
    LEVELS,
    REROLLS,
    THINGS,
    Effect,
    Stack,
    Symbol,
)
from companion.games.valhal.words.choices import Choice
from companion.games.valhal.words.forms import Field, Form, Option, says
from companion.games.valhal.words.naming import amount, effect
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
MOST_GLORY = 8  # that a tap offers; more can be typed
COUNTED = (
    Symbol.COINS,
    Symbol.FOOD,
    Symbol.WOOD,
    Symbol.IRON,
    Symbol.GLORY,
    Symbol.FAVOUR,
    Symbol.WARRIORS,
    Symbol.VETERANS,
    Symbol.LONGBOAT,
    Symbol.HULL,
    Symbol.BENEVOLENCE,
    Symbol.WRATH,
)
AMOUNTS = (1, 2, 3, -1, -2)


def questions(speech: Speech, state: State) -> tuple[Form, ...]:
    return tuple(answer(speech, state.sheet, path) for path in state.asks)


def answer(speech: Speech, sheet: Sheet, path: str) -> Form:
    """The question with the answers it can have."""
    first, last = path.partition(".")[0], path.rpartition(".")[2]
    match first, last:
        case "build", _:
            return _mark(speech, path, last)
        case "unit", "hp" | "base" | "dice":
            return _sides(speech, sheet, path)
        case "town", _:
            return _town(speech, path, last)
        case "card", _:
            return _card(speech, path)
        case "favour" | "fast", _:
            return _display(speech, path, last)
        case "achievement", "group":
            return _taps(speech, path, {"2": "II", "3": "III", "4": "IV"})
        case "gift" | "longhouse" | "glory", _:
            return _icon(speech, path, first)
        case _:
            return _form(speech, path, Field("text", words=speech.say(N_("answer"))))


def _icon(speech: Speech, path: str, first: str) -> Form:
    match first:
        case "gift":
            return _taps(speech, path, {each: amount(speech, each, 1) for each in GIFTS})
        case "longhouse":
            told = {"usable": speech.say(N_("yes")), "stock": speech.say(N_("no, only stock"))}
            return _taps(speech, path, told)
        case _:
            return _form(speech, path, Field("number", words=speech.say(N_("number")), least=7))


def _mark(speech: Speech, path: str, mark: str) -> Form:
    none = {} if mark == "stages" else {"0": speech.say(N_("no such mark"))}
    return _taps(speech, path, none | {str(n): str(n) for n in range(1, 5)})


def _form(speech: Speech, path: str, *fields: Field, hint: str = "") -> Form:
    words, button = question(speech, path), speech.say(N_("So it says"))
    return Form(words, (says(f"sheet {path}"), *fields), button, hint)


def _taps(speech: Speech, path: str, values: dict[str, str]) -> Form:
    taps = tuple(Choice(f"sheet {path} {value}", told) for value, told in values.items())
    return Form(question(speech, path), (), "", choices=taps)


def _sides(speech: Speech, sheet: Sheet, path: str) -> Form:
    """Both sides of a unit card; what one of them shows may be known."""
    _, unit, stat = path.split(".")
    card, least = sheet.unit(unit), int(stat == "hp")
    sides = ((N_("healthy"), card.healthy), (N_("wounded"), card.wounded))
    fields = []
    for words, side in sides:
        known = getattr(side, stat)
        value = "" if known is None else str(known)
        fields.append(Field("number", value, speech.say(words), least=least, most=21))
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
            hint = N_(
                "From the top, each as hit points/base attack/dice, such as 2/8/2 1/8/2. "
                "A star after it: falls by itself after one round."
            )
            rows = Field("text", words=speech.say(N_("rows")))
            return _form(speech, path, rows, hint=speech.say(hint))


def _loot(speech: Speech, stacks: str) -> str:
    if stacks == "none":
        return speech.say(N_("no card"))
    return " + ".join(speech.word(Stack(each)) for each in stacks.split())


def _card(speech: Speech, path: str) -> Form:
    """Effects are picked one by one; the first may be that it does nothing to the books."""
    at_once = Option("", speech.say(N_("at once")))
    kept = Option("activated", speech.say(N_("when activated: it is kept")))
    effects = tuple(_effects(speech))
    nothing = Option("nothing", speech.say(N_("nothing the books have to know")))
    told = [speech.say(N_("effect %(number)s"), number=number) for number in (1, 2, 3)]
    hint = N_("A choice between lots, other seasons or a text: type it, such as %(entry)s")
    return _form(
        speech,
        path,
        Field("select", words=speech.say(N_("when")), options=(at_once, kept)),
        Field("select", words=told[0], options=(nothing, *effects)),
        Field("select", words=told[1], options=(Option("", "–"), *effects)),
        Field("select", words=told[2], options=(Option("", "–"), *effects)),
        hint=speech.say(hint, entry=f"sheet {path} coins+2 | later:spring:food+1"),
    )


def _effects(speech: Speech) -> list[Option]:
    counted = [Effect(symbol, number) for symbol in COUNTED for number in AMOUNTS]
    counted += [
        Effect(symbol, number) for symbol in (*ADJUSTED, *HURT) for number in (1, 2, -1, -2)
    ]
    plain = [Effect(symbol) for symbol in (Symbol.BLOCK, Symbol.FAMINE, *REROLLS)]
    plain += [Effect(Symbol.UNUSABLE, thing=thing) for thing in THINGS]
    return [Option(str(each), effect(speech, each)) for each in (*counted, *plain)]


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
