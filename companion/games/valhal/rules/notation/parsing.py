"""Reading a line of notation; `actions` has its reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.core.notation import Seat, Word, some, words
from companion.foundation.messages import N_, Message, message, phrase
from companion.games.valhal.rules.notation.actions import (
    OWNED,
    Achieve,
    Action,
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
    Give,
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
from companion.games.valhal.rules.sheet.filling import NAME, filled
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
    THINGS,
    Kind,
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
    seat = first.seat()
    verb, *objects = some(first, rest, N_("what the Jarl does, such as builds or attacks"))
    return _by_seat(seat, verb, objects)


def _by_seat(seat: Seat, verb: Word, rest: list[Word]) -> Action:
    name = verb.text.lower()
    if (lone := _LONE.get(name)) is not None:
        _nothing(verb, rest)
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
    return First(_only(verb, rest, N_("the seat that begins, such as first A")).seat())


def _lay(verb: Word, rest: list[Word]) -> Lay:
    return Lay(_name(_only(verb, rest, N_("the name of a Town card"))))


def _laid(verb: Word, rest: list[Word]) -> Laid:
    _nothing(verb, rest)
    return Laid()


def _event(verb: Word, rest: list[Word]) -> Event:
    return Event(_name(_only(verb, rest, N_("the name of the card"))))


def _town(verb: Word, rest: list[Word]) -> TownRoll:
    rolls, *dice = some(verb, rest, N_("rolls and the dice, such as town rolls 2 6"))
    _must(rolls, "rolls", N_("after 'town' comes rolls and the dice"))
    return TownRoll(_dice(rolls, dice))


def _strike(verb: Word, rest: list[Word]) -> Strike:
    _nothing(verb, rest)
    return Strike()


def _heidrun(verb: Word, rest: list[Word]) -> Heidrun:
    return Heidrun(_name(_only(verb, rest, N_("the name of a Town card"))))


def _agree(verb: Word, rest: list[Word]) -> Agree:
    _nothing(verb, rest)
    return Agree()


def _sheet(verb: Word, rest: list[Word]) -> Entry:
    path, *value = some(verb, rest, N_("a path and its value, such as sheet glory.max 20"))
    value = some(path, value, N_("the value"))
    entry = Entry(path.text.lower(), tuple(word.text for word in value))
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
        "event": _event,
        "town": _town,
        "strike": _strike,
        "heidrun": _heidrun,
        "agree": _agree,
        "sheet": _sheet,
    }
)


# Said of a Jarl


def _take(seat: Seat, verb: Word, rest: list[Word]) -> Take:
    return Take(seat, _among(_only(verb, rest, N_("a Special Unit")), (*SPECIALS, WARRIORS)))


def _roll(seat: Seat, verb: Word, rest: list[Word]) -> Roll:
    return Roll(seat, _dice(verb, rest))


def _attack(seat: Seat, verb: Word, rest: list[Word]) -> Attack:
    town, *more = some(verb, rest, N_("a Town card and what is sent, such as with warriors on 1"))
    more, invites = _split(more, "inviting")
    units, boats = _aboard(town, more)
    return Attack(seat, _name(town), units, boats, tuple(each.seat() for each in invites))


def _join(seat: Seat, verb: Word, rest: list[Word]) -> Join:
    return Join(seat, *_aboard(verb, rest))


def _aboard(before: Word, rest: list[Word]) -> tuple[tuple[str, ...], Boats]:
    with_, *more = some(before, rest, N_("with and the units, such as with warriors on 1"))
    _must(with_, "with", N_("here comes with and the units"))
    units, boats = _split(more, "on")
    named = tuple(_among(unit, UNITS) for unit in some(with_, units, N_("the units")))
    word = _only(units[-1], boats, N_("on and the number of longboats"))
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
    name = _among(unit, UNITS)
    if not more:
        return FrontLine(seat, name)
    _must(more[0], "of", N_("after the unit comes of and a seat, or nothing"))
    return FrontLine(seat, name, _only(more[0], more[1:], N_("one seat")).seat())


def _draw(seat: Seat, verb: Word, rest: list[Word]) -> Draw:
    stacks = tuple(Stack)
    if len(rest) > 1 and rest[0].text.lower() in stacks:
        stack = Stack(rest[0].text.lower())
        return Draw(seat, _name(_only(rest[0], rest[1:], N_("the name of the card"))), stack)
    return Draw(seat, _name(_only(verb, rest, N_("the name of the card"))))


def _choose(seat: Seat, verb: Word, rest: list[Word]) -> Choose:
    return Choose(seat, _only(verb, rest, N_("which of the card's lots, from 1")).number())


def _curse(seat: Seat, verb: Word, rest: list[Word]) -> Curse:
    return Curse(seat, _only(verb, rest, N_("one seat")).seat())


def _give(seat: Seat, verb: Word, rest: list[Word]) -> Give:
    thing, *more = some(verb, rest, N_("what the card takes, such as gives warriors at v1"))
    name = _among(thing, (*UNITS, "longboat"))
    if not more:
        return Give(seat, name)
    _must(more[0], "at", "after the thing comes at and a Town card, or nothing for home")
    return Give(seat, name, _name(_only(more[0], more[1:], N_("one Town card"))))


def _remove(seat: Seat, verb: Word, rest: list[Word]) -> Remove:
    towns = some(verb, rest, N_("the Town cards that leave the game"))
    return Remove(seat, tuple(_name(town) for town in towns))


def _build(seat: Seat, verb: Word, rest: list[Word]) -> Build:
    project, *more = some(verb, rest, N_("what is built, such as builds longboat with coin"))
    kind = Kind(_among(project, tuple(Kind)))
    given = ""
    if more and more[0].text.lower() == "from":
        unit, *more = some(more[0], more[1:], N_("the unit that becomes Veterans"))
        given = _among(unit, UNITS)
    return Build(seat, kind, _pay(project, more), given)


def _pay_for(seat: Seat, verb: Word, rest: list[Word]) -> PayFor:
    site, *more = some(verb, rest, N_("the project, such as pays longboat with coin"))
    return PayFor(seat, _among(site, SITES), _pay(site, more))


def _pay(before: Word, rest: list[Word]) -> tuple[Pay, ...]:
    with_, *more = some(before, rest, N_("with and the payment, such as with coin wood"))
    _must(with_, "with", N_("here comes with and the payment"))
    pays = some(with_, more, N_("coin, wood or iron"))
    return tuple(Pay(_among(pay, tuple(Pay))) for pay in pays)


def _withdraw(seat: Seat, verb: Word, rest: list[Word]) -> Withdraw:
    site = _only(verb, rest, N_("the project, or sacrifice"))
    return Withdraw(seat, _among(site, (*SITES, "sacrifice")))


def _feed(seat: Seat, verb: Word, rest: list[Word]) -> Feed:
    space, *more = some(verb, rest, N_("a space, such as feeds winter-1"))
    where = Space(_among(space, tuple(Space)))
    if more:
        _must(more[0], "food", N_("after the space comes food, or nothing for a coin"))
        _nothing(more[0], more[1:])
    return Feed(seat, where, larder=bool(more))


def _unfeed(seat: Seat, verb: Word, rest: list[Word]) -> Unfeed:
    space = _only(verb, rest, N_("a space, such as unfeeds winter-1"))
    return Unfeed(seat, Space(_among(space, tuple(Space))))


def _sacrifice(seat: Seat, verb: Word, rest: list[Word]) -> Offering:
    said = " ".join(word.text.lower() for word in rest)
    if said not in tuple(Offer):
        raise (rest[0] if rest else verb).bad(
            "sacrifice", N_("a sacrifice is %(offer)s"), offer=", ".join(Offer)
        )
    return Offering(seat, Offer(said))


def _use(seat: Seat, verb: Word, rest: list[Word]) -> Use:
    return Use(seat, _name(_only(verb, rest, N_("the name of the card"))))


def _achieve(seat: Seat, verb: Word, rest: list[Word]) -> Achieve:
    return Achieve(seat, _among(_only(verb, rest, N_("an Achievement")), ACHIEVEMENTS))


def _resolve(seat: Seat, verb: Word, rest: list[Word]) -> Resolve:
    found = []
    for word in some(verb, rest, N_("effects, such as resolves coins+2 food-1")):
        try:
            found.append(effect(word.text.lower()))
        except ValueError:
            raise word.bad(
                "no-effect-write-coins",
                N_("%(text)s is no effect; write coins+2, food-1 or such"),
                text=repr(word.text),
            ) from None
    return Resolve(seat, tuple(found))


def _has(seat: Seat, verb: Word, rest: list[Word]) -> Has:
    thing, *more = some(verb, rest, N_("a thing and a number, such as has coins 5"))
    named = _dotted(thing) if "." in thing.text else _among(thing, (*OWNED, *MORE_OWNED))
    return Has(seat, named, _only(thing, more, N_("how many")).number())


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


# Words


def _name(word: Word) -> str:
    if not NAME.fullmatch(word.text.lower()):
        raise word.bad(
            "no-name-card-letters",
            N_("%(text)s is no name of a card; letters, digits and dashes"),
            text=repr(word.text),
        )
    return word.text.lower()


def _among(word: Word, allowed: tuple[str, ...]) -> str:
    if word.text.lower() not in allowed:
        raise word.bad(
            "none",
            N_("%(text)s is none of %(allowed)s"),
            text=repr(word.text),
            allowed=", ".join(allowed),
        )
    return word.text.lower()


def _dice(verb: Word, rest: list[Word]) -> tuple[int, ...]:
    return tuple(word.number() for word in some(verb, rest, N_("the dice")))


def _split(rest: list[Word], at: str) -> tuple[list[Word], list[Word]]:
    """The words before and after one of them; if it is said, something has to follow."""
    for place, word in enumerate(rest):
        if word.text.lower() == at:
            return rest[:place], some(word, rest[place + 1 :], _belonging_to(at))
    return rest, []


def _belonging_to(word: str) -> Message:
    return message("what-belongs", N_("what belongs to %(word)s"), word=repr(word))


def _must(word: Word, wanted: str, problem: str) -> None:
    if word.text.lower() != wanted:
        raise word.bad("another-word-wanted", problem)


def _only(before: Word, rest: list[Word], wanted: str) -> Word:
    if len(rest) > 1:
        raise rest[1].bad(
            "only-belongs-here", N_("only %(wanted)s belongs here"), wanted=phrase(wanted)
        )
    return some(before, rest, wanted)[0]


def _nothing(before: Word, rest: list[Word]) -> None:
    if rest:
        raise rest[0].bad(
            "nothing-comes-after", N_("nothing comes after %(text)s"), text=repr(before.text)
        )
