"""Who plays here. The journal knows people only by the names typed into each game, and it is never
changed; the register beside it says which names are one person, what they are called now, and who
wants to be forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_

EMBLEMS = 13
"""How many emblems there are to give away; the page draws them by their number."""
COLOURS = 12
"""And colours: one less, so that nobody soon looks like another."""
MOST_PEOPLE = 500
"""A table has a few dozen; a file with more than this is not ours."""


@dataclass(frozen=True, slots=True)
class Person:
    number: int
    """It stays theirs, whatever they are called."""
    name: str
    also: tuple[str, ...] = ()
    """Other names of theirs in the journal."""
    emblem: int = 0
    """One of `EMBLEMS`; kept through all games."""
    colour: int = 0
    """One of `COLOURS`, kept too."""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Somebody who is not shown any more: the name in all games up to a number. In later games it
    is a new person's."""

    name: str
    up_to: int


@dataclass(frozen=True, slots=True)
class Register:
    people: tuple[Person, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()

    def person(self, number: int) -> Person:
        found = next((each for each in self.people if each.number == number), None)
        if found is None:
            raise BadInput(
                "nobody-with-number", N_("Nobody here has the number %(number)s."), number=number
            )
        return found

    def known(self, name: str) -> Person | None:
        """Whose name that is now."""
        folded = name.casefold()
        for each in self.people:
            if folded in map(str.casefold, each.names):
                return each
        return None

    def who(self, name: str, game: int) -> Person | None:
        """Who sat in that game under that name; None if they are forgotten or unknown."""
        return None if self.is_forgotten(name, game) else self.known(name)

    def is_forgotten(self, name: str, game: int) -> bool:
        folded = name.casefold()
        return any(each.name.casefold() == folded and game <= each.up_to for each in self.forgotten)


def remembered(register: Register, names: Iterable[str]) -> Register:
    """With everybody of these names; a new one gets the next emblem and colour."""
    for name in names:
        if register.known(name) is None and len(register.people) < MOST_PEOPLE:
            number = 1 + max((each.number for each in register.people), default=0)
            place = number - 1
            new = Person(number, name, emblem=place % EMBLEMS, colour=place % COLOURS)
            register = replace(register, people=(*register.people, new))
    return register


def renamed(register: Register, number: int, name: str) -> Register:
    """Called otherwise from now on; games under the old name stay theirs."""
    person = register.person(number)
    other = register.known(name)
    if other is not None and other.number != number:
        raise BadInput(
            "name-is-taken",
            N_("Somebody else is called %(name)s. If both are one person, merge them."),
            name=name,
        )
    old = (each for each in person.names if each.casefold() != name.casefold())
    return _with(register, replace(person, name=name, also=tuple(dict.fromkeys(old))))


def merged(register: Register, number: int, into: int) -> Register:
    """Two who are one: the first one's games become the second one's."""
    if number == into:
        raise BadInput("merge-with-self", N_("Choose somebody else to merge with."))
    gone, stays = register.person(number), register.person(into)
    left = tuple(each for each in register.people if each.number != number)
    both = replace(stays, also=(*stays.also, *gone.names))
    return _with(replace(register, people=left), both)


def forgotten(register: Register, number: int, up_to: int) -> Register:
    """Not shown any more, in any game up to that one."""
    person = register.person(number)
    gone = tuple(Forgotten(name, up_to) for name in person.names)
    left = tuple(each for each in register.people if each.number != number)
    earlier = tuple(each for each in register.forgotten if each.name not in person.names)
    return Register(left, (*earlier, *gone))


def drawn(register: Register, number: int, emblem: int, colour: int) -> Register:
    """With another emblem and colour."""
    if not (0 <= emblem < EMBLEMS and 0 <= colour < COLOURS):
        raise BadInput("no-such-emblem", N_("Choose one of the emblems that are shown."))
    return _with(register, replace(register.person(number), emblem=emblem, colour=colour))


def _with(register: Register, person: Person) -> Register:
    changed = tuple(person if each.number == person.number else each for each in register.people)
    return replace(register, people=changed)
