"""Entry by hand where buttons would be too many or could not know: loading boats, many dice, cards
and towns nobody has named yet, the numbers of the owner's sheet. The fields of a form, in order,
are the words of one action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count

from companion.core.notation import Seat
from companion.games.valhal.rules.cards import drawable
from companion.games.valhal.rules.following import loads
from companion.games.valhal.rules.notation.actions import Boats, Entry
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.battle import attack_dice, fighters, row_of
from companion.games.valhal.rules.raid.mainland import change_due, first_round, removal
from companion.games.valhal.rules.raid.vikingfahrt import able, targets
from companion.games.valhal.rules.state import Owed, Phase, State
from companion.games.valhal.rules.vocabulary import (
    ADJUSTED,
    HURT,
    LEVELS,
    REROLLS,
    Effect,
    Level,
    Stack,
)
from companion.games.valhal.words.choices import (
    BUTTON_DICE,
    Choice,
    crowded,
    load_words,
    town_words,
)
from companion.games.valhal.words.naming import effect, piece
from companion.views.speech import N_, Speech

INITIALS = {
    Level.VILLAGE: "v",
    Level.FORTIFIED_VILLAGE: "f",
    Level.TOWN: "t",
    Level.FORTIFIED_TOWN: "c",
}
CARD_INITIALS = {
    Stack.EVENT: "e",
    Stack.BENEVOLENCE: "b",
    Stack.WRATH: "w",
    Stack.LESSER: "l",
    Stack.LARGER: "r",
    Stack.GREATER: "g",
}


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Field:
    """`hidden` says its value; `number`, `text`, `select` and `ticks` ask."""

    kind: str
    value: str = ""
    words: str = ""
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 99


@dataclass(frozen=True, slots=True)
class Form:
    words: str
    fields: tuple[Field, ...]
    button: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()  # answers that need no typing
    dice: bool = False


def forms(speech: Speech, state: State) -> tuple[Form, ...]:
    match state.phase:
        case Phase.CHOOSE:
            return tuple(_attack(speech, state)) if crowded(state) else ()
        case Phase.INVITE:
            return tuple(_joins(speech, state)) if crowded(state) else ()
        case Phase.BATTLE | Phase.STRIKE:
            return (*_dice(speech, state), *_abilities(speech, state))
        case Phase.EVENT:
            return (_card(speech, state, Stack.EVENT, "event"),)
        case Phase.DRAW if state.dues[0].what is Owed.DRAW:
            return tuple(_draws(speech, state))
        case Phase.LAYING:
            return tuple(_new_town(speech, state))
        case Phase.REMOVAL:
            return tuple(_removal(speech, state))
        case _:
            return ()


def says(words: str) -> Field:
    return Field("hidden", words)


# Boats


def _attack(speech: Speech, state: State) -> Iterator[Form]:
    seat = state.queue[0]
    towns = tuple(Option(town, town_words(speech, state, town)) for town in targets(state, seat))
    yield Form(
        speech.say(N_("%(seat)s attacks"), seat=seat),
        (
            says(f"{seat} attacks"),
            Field("select", words=speech.say(N_("Town card")), options=towns),
            says("with"),
            _loads(speech, state, seat),
            Field("select", words=speech.say(N_("With whom")), options=_company(speech, state)),
        ),
        speech.say(N_("Attack")),
    )


def _company(speech: Speech, state: State) -> tuple[Option, ...]:
    seat = state.queue[0]
    others = [each for each in state.seats if each is not seat and able(state, each)]
    found = [Option("", speech.say(N_("alone")))]
    for size in range(1, len(others) + 1):
        for guests in combinations(others, size):
            words = speech.say(N_("inviting %(seats)s"), seats=guests)
            found.append(Option("inviting " + " ".join(map(str, guests)), words))
    return tuple(found)


def _loads(speech: Speech, state: State, seat: Seat) -> Field:
    """The most units on the fewest longboats first."""
    found = sorted(loads(state, seat), key=_order)
    options = tuple(
        Option(f"{' '.join(units)} on {boats}", load_words(speech, units, boats))
        for units, boats in found
    )
    return Field("select", words=speech.say(N_("Units and longboats")), options=options)


def _order(load: tuple[tuple[str, ...], Boats]) -> tuple[int, int, int]:
    units, boats = load
    return (-len(units), boats.count, boats.damaged)


def _joins(speech: Speech, state: State) -> Iterator[Form]:
    for seat in state.waiting:
        yield Form(
            speech.say(N_("%(seat)s joins"), seat=seat),
            (says(f"{seat} joins with"), _loads(speech, state, seat)),
            speech.say(N_("Join")),
        )


# Dice


def _dice(speech: Speech, state: State) -> Iterator[Form]:
    raid = state.raids[0]
    row = row_of(state, raid)
    mine, theirs = attack_dice(state, raid), 0 if row is None else row.dice
    if raid.attack is None and mine > BUTTON_DICE:
        seat = raid.seats[0]
        yield _die_form(
            speech, state, f"{seat} rolls", speech.say(N_("%(seat)s rolls"), seat=seat), mine
        )
    if raid.defence is None and theirs > BUTTON_DICE:
        yield _die_form(speech, state, "town rolls", speech.say(N_("The town rolls")), theirs)


def _abilities(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-BAT-9 and -15: what the town and Special Units say in words, to be done by a tap."""
    raid = state.raids[0]
    town = state.sheet.town(raid.town)
    names = dict.fromkeys(fighter.name for _, fighter in fighters(raid))
    texts = {raid.town: town.text, **{name: state.sheet.unit(name).text for name in names}}
    told = [f"{piece(speech, name)}: {text}" for name, text in texts.items() if text]
    if told:
        taps = [Effect(symbol, by) for symbol in (*ADJUSTED, *HURT) for by in (1, -1)]
        taps += [Effect(symbol) for symbol in REROLLS]
        seat = raid.seats[0]
        yield Form(
            speech.say(N_("Abilities in this battle")),
            (),
            "",
            " · ".join(told),
            tuple(Choice(f"{seat} resolves {each}", effect(speech, each)) for each in taps),
        )


def _die_form(speech: Speech, state: State, verb: str, words: str, number: int) -> Form:
    faces = state.sheet.faces
    dice = tuple(
        Field(
            "number",
            words=speech.say(N_("die %(number)s"), number=each),
            least=min(faces),
            most=max(faces),
        )
        for each in range(1, number + 1)
    )
    return Form(words, (says(verb), *dice), speech.say(N_("So the dice lie")), dice=True)


# Cards and towns without a name


def _draws(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-LOOT-1: one for each stack a card may be drawn from now."""
    for due in drawable(state):
        for seat in due.seats:
            yield _card(speech, state, due.stack, f"{seat} draws {due.stack}")


def _card(speech: Speech, state: State, stack: Stack, verb: str) -> Form:
    known = sum(card.stack is stack for card in state.sheet.cards)
    name = f"{CARD_INITIALS[stack]}{known + 1}"
    field = Field("text", name, speech.say(N_("a name for it")))
    return Form(
        speech.say(N_("%(stack)s: a card that was not seen before"), stack=stack),
        (says(verb), field),
        speech.say(N_("This card")),
        speech.say(N_("What it does is asked for next, once for this copy of the game.")),
    )


def _new_town(speech: Speech, state: State) -> Iterator[Form]:
    """Only of a kind the box has more of."""
    levels = (Level.VILLAGE,) if first_round(state) else LEVELS
    named = [(level, Entry(f"town.{_free(state, level)}.level", (level,))) for level in levels]
    taps = tuple(
        _naming(speech, state, level, entry)
        for level, entry in named
        if not any(objections(state, entry))
    )
    if taps:
        yield Form(
            speech.say(N_("A Town card that was not seen before")),
            (),
            "",
            speech.say(N_("It gets a name first; write it down beside the card, then lay it.")),
            taps,
        )


def _free(state: State, level: Level) -> str:
    names = {town.name for town in state.sheet.towns}
    every = (f"{INITIALS[level]}{number}" for number in count(1))
    return next(name for name in every if name not in names)


def _naming(speech: Speech, state: State, level: Level, entry: Entry) -> Choice:
    words = N_("%(level)s, call it %(name)s")
    return Choice(str(entry), speech.say(words, level=level, name=_free(state, level)), "wall")


def _removal(speech: Speech, state: State) -> Iterator[Form]:
    change = change_due(state)
    if change is None:
        return
    level, number = removal(state, change)
    towns = sorted(town.name for town in state.sheet.towns if town.level is level)
    gone = set(state.removed) | {state.heidrun}
    ticks = tuple(Option(town, town) for town in towns if town not in gone)
    yield Form(
        speech.say(N_("%(count)s of %(level)s leave the game"), count=number, level=level),
        (says(f"{state.first} removes"), Field("ticks", options=ticks)),
        speech.say(N_("These leave")),
    )
