"""Entry by hand where buttons would be too many or could not know: loading boats, many dice, cards
and towns nobody has named yet, the numbers of the owner's sheet. The fields of a form, in order,
are the words of one action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from companion.core.notation import Seat
from companion.games.valhal.rules.cards import drawable, unnamed_card
from companion.games.valhal.rules.following import loads
from companion.games.valhal.rules.notation.actions import Boats, Lay
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.abilities import able_cards, by_tap, only_in_words
from companion.games.valhal.rules.raid.battle import attack_dice, row_of, strikes_by_itself
from companion.games.valhal.rules.raid.mainland import (
    change_due,
    first_round,
    removal,
    room,
    unnamed,
)
from companion.games.valhal.rules.sheet.sheet import TownCard, UnitCard
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
from companion.games.valhal.words.entry.chips import card_fields, effect_fields
from companion.games.valhal.words.entry.choices import crowded, load_words, town_words
from companion.games.valhal.words.entry.fields import Choice, Field, Form, Option, says
from companion.games.valhal.words.naming import effect, piece
from companion.views.speech import N_, Speech


def forms(speech: Speech, state: State) -> tuple[Form, ...]:
    made = _BY_PHASE.get(state.phase)
    return () if made is None else tuple(made(speech, state))


# Boats


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
    if not crowded(state):
        return
    for seat in state.waiting:
        yield Form(
            speech.say(N_("%(seat)s joins"), seat=seat),
            (says(f"{seat} joins with"), _loads(speech, state, seat)),
            speech.say(N_("Join")),
        )


# Dice


def _choice_rolls(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-VF-1: everybody's die in one entry."""
    if len(state.waiting) < 2:
        return
    dice = tuple(_die(state, speech.word(seat)) for seat in state.waiting)
    words = speech.say(N_("The dice for the choice"))
    yield Form(words, (says("rolls"), *dice), speech.say(N_("So the dice lie")), dice=True)


def _round(speech: Speech, state: State) -> Iterator[Form]:
    yield from _dice(speech, state)
    yield from _abilities(speech, state)


def _dice(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-BAT-2: one entry for a round, or for the side that has not rolled yet."""
    raid = state.raids[0]
    row = row_of(state, raid)
    mine = attack_dice(state, raid) if raid.attack is None else 0
    theirs = row.dice if row is not None and raid.defence is None else 0
    seat, town = raid.seats[0], speech.say(N_("The town rolls"))
    own = speech.say(N_("%(seat)s rolls"), seat=seat)
    if mine and theirs:
        fields = (
            says(f"{seat} rolls"),
            *_each(speech, state, own, mine),
            says("against"),
            *_each(speech, state, town, theirs),
        )
        words = speech.say(N_("The dice of this round"))
        count = Option("strike", speech.say(N_("So they lie, and they count")))
        also = None if strikes_by_itself(state) else count
        yield Form(words, fields, speech.say(N_("So the dice lie")), dice=True, also=also)
    elif mine or theirs:
        verb, words = (f"{seat} rolls", own) if mine else ("town rolls", town)
        fields = (says(verb), *_each(speech, state, words, mine or theirs))
        yield Form(words, fields, speech.say(N_("So the dice lie")), dice=True)


def _each(speech: Speech, state: State, words: str, count: int) -> Iterator[Field]:
    for number in range(1, count + 1):
        die = speech.say(N_("%(who)s, die %(number)s"), who=words, number=number)
        yield _die(state, words if count == 1 else die)


def _die(state: State, words: str) -> Field:
    faces = tuple(Option(str(face), str(face)) for face in sorted(set(state.sheet.faces)))
    return Field("pick", words=words, options=faces)


def _abilities(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-BAT-9 and -15: what the town and Special Units can do here. What the books do not apply
    by themselves is done by a tap; where only words are known, any change is."""
    raid = state.raids[0]
    cards = able_cards(state, raid)
    told = [words for card in cards if (words := _ability_words(speech, card))]
    if not told:
        return
    taps = [each for card in cards for each in by_tap(card)]
    if any(map(only_in_words, cards)):
        taps += [Effect(symbol, by) for symbol in (*ADJUSTED, *HURT) for by in (1, -1)]
        taps += [Effect(symbol) for symbol in REROLLS]
    seat = raid.seats[0]
    yield Form(
        speech.say(N_("Abilities in this battle")),
        (),
        "",
        " · ".join(told),
        tuple(
            Choice(f"{seat} resolves {each}", effect(speech, each)) for each in dict.fromkeys(taps)
        ),
    )


def _ability_words(speech: Speech, card: TownCard | UnitCard) -> str:
    """Its own words; else what is known of it, in every battle the card is in."""
    known = (replace(e, lasting=e.lasting or e.symbol in ADJUSTED) for e in card.ability)
    said = card.text or ", ".join(effect(speech, each) for each in known)
    return f"{piece(speech, card.name)}: {said}" if said else ""


# Cards and towns without a name


def _event(speech: Speech, state: State) -> Iterator[Form]:
    name = unnamed_card(state, Stack.EVENT)
    yield _card(speech, state, Stack.EVENT, (says(f"event {name} says"),), name)


def _draws(speech: Speech, state: State) -> Iterator[Form]:
    """VHAL-LOOT-1: from any stack a card may be drawn from now, by anyone of those who may."""
    if state.dues[0].what is not Owed.DRAW:
        return
    ways = {
        f"{seat} draws {due.stack} {unnamed_card(state, due.stack)} says": (seat, due.stack)
        for due in drawable(state)
        for seat in due.seats
    }
    (first, (_, stack)), *others = ways.items()
    if not others:
        yield _card(speech, state, stack, (says(first),), unnamed_card(state, stack))
        return
    who = N_("%(seat)s: %(stack)s")
    taps = tuple(
        Option(line, speech.say(who, seat=seat, stack=each)) for line, (seat, each) in ways.items()
    )
    which = Field("pick", first, speech.say(N_("Which card")), taps)
    yield _card(speech, state, stack, (which,))


def by_hand(speech: Speech, state: State) -> Form:
    """VHAL-CARD-2: what a card says in words, done with chips."""
    seats = tuple(Option(f"{seat} resolves", speech.word(seat)) for seat in state.seats)
    whom = Field("pick", seats[0].value, speech.say(N_("For whom")), seats)
    words = speech.say(N_("A card does something by hand"))
    fields = (whom, *effect_fields(speech))
    return Form(words, fields, speech.say(N_("Do it")), folded=True)


def _card(
    speech: Speech, state: State, stack: Stack, said: tuple[Field, ...], name: str = ""
) -> Form:
    """A card nobody has named yet: it gets a name by itself, and says what it does."""
    known = any(card.stack is stack for card in state.sheet.cards)
    heading = N_("%(stack)s: a card that was not seen before")
    called = speech.say(N_("This card, called %(name)s"), name=name)
    return Form(
        speech.say(heading, stack=stack) if name else speech.say(N_("A card not seen before")),
        (*said, *card_fields(speech)),
        called if name else speech.say(N_("This card")),
        folded=known,
        photograph=True,
    )


def _layout(speech: Speech, state: State) -> Iterator[Form]:
    """The whole Mainland in one entry: cards that are known by a tick, new ones counted."""
    levels = (Level.VILLAGE,) if first_round(state) else LEVELS
    free = [town for town in state.sheet.towns if not any(objections(state, Lay(town.name)))]
    known = sorted(free, key=lambda town: (LEVELS.index(town.level or LEVELS[0]), town.name))
    ticks = tuple(Option(each.name, town_words(speech, state, each.name)) for each in known)
    most = room(state)
    space = 9 if most is None else most - len(state.mainland)
    fields = [says("lay"), *((Field("ticks", options=ticks),) if ticks else ())]
    for level in levels:
        new = Lay(next(unnamed(state, level)), level)
        if not any(objections(state, new)):
            words = speech.say(N_("new: %(level)s"), level=level)
            start = str(space) if first_round(state) and not known and most is not None else "0"
            fields += [says("new"), Field("stepper", start, words, most=space, sign="wall")]
            fields += [says(level)]
    if most is None:
        last = Option("laid", speech.say(N_("those are all")))
        fields.append(Field("ticks", options=(last,)))
    hint = N_("New cards get names: write them beside the cards.")
    yield Form(
        speech.say(N_("Lay the Mainland")), tuple(fields), speech.say(N_("They lie")),
        speech.say(hint),
    )  # fmt: skip


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


_BY_PHASE: Mapping[Phase, Callable[[Speech, State], Iterator[Form]]] = MappingProxyType(
    {
        Phase.INVITE: _joins,
        Phase.ROLL: _choice_rolls,
        Phase.BATTLE: _round,
        Phase.STRIKE: _round,
        Phase.EVENT: _event,
        Phase.DRAW: _draws,
        Phase.LAYING: _layout,
        Phase.REMOVAL: _removal,
    }
)
