"""Reading a line of notation; `actions` has its reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from types import MappingProxyType

from companion.core.notation import Seat, Word, some, words
from companion.foundation.messages import N_
from companion.games.valhal.rules.notation.actions import (
    OWNED,
    Achieve,
    Action,
    Agree,
    Attack,
    Boats,
    Build,
    ChoiceRolls,
    Choose,
    Continue,
    Curse,
    Decline,
    Disagree,
    Draw,
    Entry,
    Event,
    Feed,
    First,
    FrontLine,
    Give,
    Has,
    Heidrun,
    Join,
    Laid,
    Lay,
    LayOut,
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
from companion.games.valhal.rules.notation.phrases import (
    all_dice,
    among,
    card_name,
    must,
    nothing,
    only,
    split,
)
from companion.games.valhal.rules.sheet.filling import NAME, card_said, filled
from companion.games.valhal.rules.sheet.gluing import glued, glued_card
from companion.games.valhal.rules.sheet.sheet import (
    ACHIEVEMENTS,
    RULEBOOK,
    SPECIALS,
    UNITS,
    WARRIORS,
)
from companion.games.valhal.rules.state import Offer
from companion.games.valhal.rules.vocabulary import (
    BUILDINGS,
    LEVELS,
    THINGS,
    Kind,
    Level,
    Pay,
    Season,
    Space,
    Stack,
    effect,
)

_TWICE = ("warriors-2", "longboat-2")
MORE_OWNED = (*SPECIALS, "larder", *BUILDINGS)
SITES = (*(kind.value for kind in Kind), *_TWICE)


def parse(text: str) -> Action:
    first, *rest = words(text)
    if (table := _TABLE.get(first.text.lower())) is not None:
        return table(first, rest)
    seat = first.seat_or(*_TABLE)
    verb, *objects = some(first, rest, N_("what the Jarl does, such as builds or attacks"))
    return _by_seat(seat, verb, objects)


def _by_seat(seat: Seat, verb: Word, rest: list[Word]) -> Action:
    name = verb.text.lower()
    if (lone := _LONE.get(name)) is not None:
        nothing(verb, rest)
        return lone(seat)
    if (more := _MORE.get(name)) is not None:
        return more(seat, verb, rest)
    raise verb.bad(
        "nothing-jarl-does-try",
        N_("%(text)s is nothing a Jarl does; try %(known)s"),
        text=repr(verb.text),
        known=", ".join((*_LONE, *_MORE)),
    )


# Said by the table


def _first(verb: Word, rest: list[Word]) -> First:
    return First(only(verb, rest, N_("the seat that begins, such as first A")).seat())


def _lay(verb: Word, rest: list[Word]) -> Lay | LayOut:
    cards: list[tuple[str, Level | None]] = []
    new: list[tuple[Level, int]] = []
    last, words = False, iter(some(verb, rest, N_("the name of a Town card")))
    for word in words:
        if last:
            raise word.bad("nothing-comes-after", N_("nothing comes after %(text)s"), text="'laid'")
        text = word.text.lower()
        if text == "laid":
            last = True
        elif text == "new":
            new += _new(word, list(islice(words, 2)))
        elif text in LEVELS and cards and cards[-1][1] is None:
            cards[-1] = (cards[-1][0], Level(text))
        else:
            cards.append((card_name(word), None))
    if len(cards) == 1 and not new and not last:
        return Lay(*cards[0])
    return LayOut(tuple(cards), tuple(new), last)


def _new(verb: Word, rest: list[Word]) -> list[tuple[Level, int]]:
    """So many cards of a kind that were not seen before; none is nothing said."""
    count, *more = some(verb, rest, N_("a number and a kind, such as new 3 village"))
    level = only(count, more, N_("a kind, such as village"))
    return [(Level(among(level, LEVELS)), count.number())] if count.number() else []


def _rolls(verb: Word, rest: list[Word]) -> ChoiceRolls:
    return ChoiceRolls(all_dice(verb, rest))


def _laid(verb: Word, rest: list[Word]) -> Laid:
    nothing(verb, rest)
    return Laid()


def _event(verb: Word, rest: list[Word]) -> Event:
    rest, says = _says(rest)
    return Event(card_name(only(verb, rest, N_("the name of the card"))), says)


def _town(verb: Word, rest: list[Word]) -> TownRoll:
    rolls, *dice = some(verb, rest, N_("rolls and the dice, such as town rolls 2 6"))
    must(rolls, "rolls", N_("after 'town' comes rolls and the dice"))
    return TownRoll(all_dice(rolls, dice))


def _strike(verb: Word, rest: list[Word]) -> Strike:
    nothing(verb, rest)
    return Strike()


def _heidrun(verb: Word, rest: list[Word]) -> Heidrun:
    return Heidrun(card_name(only(verb, rest, N_("the name of a Town card"))))


def _continue(verb: Word, rest: list[Word]) -> Continue:
    nothing(verb, rest)
    return Continue()


def _agree(verb: Word, rest: list[Word]) -> Agree:
    nothing(verb, rest)
    return Agree()


def _sheet(verb: Word, rest: list[Word]) -> Entry:
    path, *value = some(verb, rest, N_("a path and its value, such as sheet glory.max 20"))
    value = some(path, value, N_("the value"))
    where = path.text.lower()
    entry = Entry(where, glued(where, tuple(word.text for word in value)))
    try:
        filled(RULEBOOK, entry.path, entry.value)
    except ValueError:
        raise path.bad(
            "sheet-has-no-entry",
            N_("the sheet has no entry %(path)s %(value)s"),
            path=entry.path,
            value=" ".join(entry.value),
        ) from None
    return entry


_TABLE: Mapping[str, Callable[[Word, list[Word]], Action]] = MappingProxyType(
    {
        "first": _first,
        "lay": _lay,
        "laid": _laid,
        "rolls": _rolls,
        "event": _event,
        "town": _town,
        "strike": _strike,
        "heidrun": _heidrun,
        "continue": _continue,
        "agree": _agree,
        "sheet": _sheet,
    }
)


# Said of a Jarl


def _take(seat: Seat, verb: Word, rest: list[Word]) -> Take:
    return Take(seat, among(only(verb, rest, N_("a Special Unit")), (*SPECIALS, WARRIORS)))


def _roll(seat: Seat, verb: Word, rest: list[Word]) -> Roll:
    mine, theirs = split(rest, "against")
    if not theirs:
        return Roll(seat, all_dice(verb, mine))
    counts = theirs[-1].text.lower() == "strike"
    against = all_dice(verb, theirs[:-1] if counts else theirs)
    return Roll(seat, all_dice(verb, mine), against, counts)


def _attack(seat: Seat, verb: Word, rest: list[Word]) -> Attack:
    town, *more = some(verb, rest, N_("a Town card and what is sent, such as with warriors on 1"))
    more, invites = split(more, "inviting")
    units, boats = _aboard(town, more)
    return Attack(seat, card_name(town), units, boats, tuple(each.seat() for each in invites))


def _join(seat: Seat, verb: Word, rest: list[Word]) -> Join:
    return Join(seat, *_aboard(verb, rest))


def _aboard(before: Word, rest: list[Word]) -> tuple[tuple[str, ...], Boats]:
    with_, *more = some(before, rest, N_("with and the units, such as with warriors on 1"))
    must(with_, "with", N_("here comes with and the units"))
    units, boats = split(more, "on")
    named = tuple(among(unit, UNITS) for unit in some(with_, units, N_("the units")))
    word = only(units[-1], boats, N_("on and the number of longboats"))
    count = re.fullmatch(r"([0-9]{1,2})(?:\+([1-9][0-9]?))?", word.text)
    if count is None:
        raise word.bad(
            "no-number-longboats-write",
            N_("%(text)s is no number of longboats; write 2, or 1+1 with one damaged"),
            text=repr(word.text),
        )
    return named, Boats(int(count[1]), int(count[2] or 0))


def _front(seat: Seat, verb: Word, rest: list[Word]) -> FrontLine:
    unit, *more = some(verb, rest, N_("the unit, such as fronts veterans"))
    name = among(unit, UNITS)
    if not more:
        return FrontLine(seat, name)
    must(more[0], "of", N_("after the unit comes of and a seat, or nothing"))
    return FrontLine(seat, name, only(more[0], more[1:], N_("one seat")).seat())


def _draw(seat: Seat, verb: Word, rest: list[Word]) -> Draw:
    stacks = tuple(Stack)
    rest, says = _says(rest)
    if len(rest) > 1 and rest[0].text.lower() in stacks:
        stack = Stack(rest[0].text.lower())
        name = card_name(only(rest[0], rest[1:], N_("the name of the card")))
        return Draw(seat, name, stack, says)
    return Draw(seat, card_name(only(verb, rest, N_("the name of the card"))), says=says)


def _says(rest: list[Word]) -> tuple[list[Word], tuple[str, ...]]:
    """What a card that was not seen before does, after the word `says`."""
    before, after = split(rest, "says")
    said = glued_card(tuple(word.text for word in after)) if after else ()
    if not said:
        return before, ()
    try:
        card_said(said)
    except ValueError:
        raise after[0].bad(
            "no-card-says-that",
            N_("no card says %(text)s; write coins+2, food-1 or such"),
            text=repr(" ".join(said)),
        ) from None
    return before, said


def _choose(seat: Seat, verb: Word, rest: list[Word]) -> Choose:
    return Choose(seat, only(verb, rest, N_("which of the card's lots, from 1")).number())


def _curse(seat: Seat, verb: Word, rest: list[Word]) -> Curse:
    return Curse(seat, only(verb, rest, N_("one seat")).seat())


def _give(seat: Seat, verb: Word, rest: list[Word]) -> Give:
    thing, *more = some(verb, rest, N_("what the card takes, such as gives warriors at v1"))
    name = among(thing, (*UNITS, "longboat"))
    if not more:
        return Give(seat, name)
    must(more[0], "at", "after the thing comes at and a Town card, or nothing for home")
    return Give(seat, name, card_name(only(more[0], more[1:], N_("one Town card"))))


def _remove(seat: Seat, verb: Word, rest: list[Word]) -> Remove:
    towns = some(verb, rest, N_("the Town cards that leave the game"))
    return Remove(seat, tuple(card_name(town) for town in towns))


def _build(seat: Seat, verb: Word, rest: list[Word]) -> Build:
    project, *more = some(verb, rest, N_("what is built, such as builds longboat with coin"))
    kind = Kind(among(project, tuple(Kind)))
    given = ""
    if more and more[0].text.lower() == "from":
        unit, *more = some(more[0], more[1:], N_("the unit that becomes Veterans"))
        given = among(unit, UNITS)
    return Build(seat, kind, _pay(project, more), given)


def _pay_for(seat: Seat, verb: Word, rest: list[Word]) -> PayFor:
    site, *more = some(verb, rest, N_("the project, such as pays longboat with coin"))
    return PayFor(seat, among(site, SITES), _pay(site, more))


def _pay(before: Word, rest: list[Word]) -> tuple[Pay, ...]:
    with_, *more = some(before, rest, N_("with and the payment, such as with coin wood"))
    must(with_, "with", N_("here comes with and the payment"))
    pays = some(with_, more, N_("coin, wood or iron"))
    return tuple(Pay(among(pay, tuple(Pay))) for pay in pays)


def _withdraw(seat: Seat, verb: Word, rest: list[Word]) -> Withdraw:
    site = only(verb, rest, N_("the project, or sacrifice"))
    return Withdraw(seat, among(site, (*SITES, "sacrifice")))


def _feed(seat: Seat, verb: Word, rest: list[Word]) -> Feed:
    space, *more = some(verb, rest, N_("a space, such as feeds winter-1"))
    where = Space(among(space, tuple(Space)))
    if more:
        must(more[0], "food", N_("after the space comes food, or nothing for a coin"))
        nothing(more[0], more[1:])
    return Feed(seat, where, larder=bool(more))


def _unfeed(seat: Seat, verb: Word, rest: list[Word]) -> Unfeed:
    space = only(verb, rest, N_("a space, such as unfeeds winter-1"))
    return Unfeed(seat, Space(among(space, tuple(Space))))


def _sacrifice(seat: Seat, verb: Word, rest: list[Word]) -> Offering:
    said = " ".join(word.text.lower() for word in rest)
    if said not in tuple(Offer):
        raise (rest[0] if rest else verb).bad(
            "sacrifice", N_("a sacrifice is %(offer)s"), offer=", ".join(Offer)
        )
    return Offering(seat, Offer(said))


def _use(seat: Seat, verb: Word, rest: list[Word]) -> Use:
    return Use(seat, card_name(only(verb, rest, N_("the name of the card"))))


def _achieve(seat: Seat, verb: Word, rest: list[Word]) -> Achieve:
    return Achieve(seat, among(only(verb, rest, N_("an Achievement")), ACHIEVEMENTS))


def _resolve(seat: Seat, verb: Word, rest: list[Word]) -> Resolve:
    some(verb, rest, N_("effects, such as resolves coins+2 food-1"))
    said = glued_card(tuple(word.text.lower() for word in rest))
    whole = said == tuple(word.text.lower() for word in rest)
    found = []
    for at, text in enumerate(said):
        try:
            found.append(effect(text))
        except ValueError:
            raise rest[at if whole else 0].bad(
                "no-effect-write-coins",
                N_("%(text)s is no effect; write coins+2, food-1 or such"),
                text=repr(rest[at].text if whole else text),
            ) from None
    return Resolve(seat, tuple(found))


def _has(seat: Seat, verb: Word, rest: list[Word]) -> Has:
    thing, *more = some(verb, rest, N_("a thing and a number, such as has coins 5"))
    named = _dotted(thing) if "." in thing.text else among(thing, (*OWNED, *MORE_OWNED))
    return Has(seat, named, only(thing, more, N_("how many")).number())


def _dotted(word: Word) -> str:
    """What lies on something: food.winter-1, stage.longboat, benevolence.b7, block.winter"""
    first, *rest = word.text.lower().split(".")
    places: dict[str, tuple[tuple[str, ...], ...]] = {
        "food": (tuple(Space),),
        "coin": (tuple(Space),),
        "stage": (SITES,),
        "block": (tuple(Season),),
        "unusable": (THINGS, tuple(Season)),
    }
    if first in tuple(Stack):
        good = len(rest) == 1 and NAME.fullmatch(rest[0]) is not None
    else:
        wanted = places.get(first, ())
        good = bool(wanted) and len(rest) == len(wanted)
        good = good and all(a in b for a, b in zip(rest, wanted, strict=True))
    if not good:
        raise word.bad(
            "nothing-a-jarl-has",
            N_(
                "%(text)s is nothing a Jarl has; write food.winter-1, stage.longboat,"
                " benevolence.b7, block.winter or unusable.altar.winter"
            ),
            text=repr(word.text),
        )
    return word.text.lower()


_LONE: Mapping[str, Callable[[Seat], Action]] = MappingProxyType(
    {
        "stays": Stay,
        "declines": Decline,
        "retreats": Retreat,
        "continues": Continue,
        "agrees": Agree,
        "disagrees": Disagree,
    }
)
_MORE: Mapping[str, Callable[[Seat, Word, list[Word]], Action]] = MappingProxyType(
    {
        "takes": _take,
        "rolls": _roll,
        "attacks": _attack,
        "joins": _join,
        "fronts": _front,
        "draws": _draw,
        "chooses": _choose,
        "curses": _curse,
        "gives": _give,
        "removes": _remove,
        "builds": _build,
        "pays": _pay_for,
        "withdraws": _withdraw,
        "feeds": _feed,
        "unfeeds": _unfeed,
        "sacrifices": _sacrifice,
        "uses": _use,
        "achieves": _achieve,
        "resolves": _resolve,
        "has": _has,
    }
)
