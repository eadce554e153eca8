"""Checks every set-up shares: names, number of seats, edition, options. All problems at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from companion.core.game import Reason, Setup, reason
from companion.core.options import Declared, chosen, described
from companion.foundation.errors import BadSetup

LONGEST_NAME = 20
NAME_SIGNS = frozenset(" -'’.")

Editions = Mapping[str, Mapping[str, str]]
T = TypeVar("T", bound=Declared)


def seated(
    setup: Setup,
    seats: range,
    editions: Editions,
    declared: type[T],
    further: Callable[[T], Iterable[Reason]],
) -> T:
    """The typed options of a set-up in which everything is good; else raises `BadSetup` with all
    that is wrong, `further` problems of the game's own included."""
    known = {option.name: option.kind for option in described(declared)}
    changes = {name: text for name, text in setup.changes if name in known}
    options, bad = chosen(declared, {**editions.get(setup.edition, {}), **changes})
    problems = [
        *name_problems(setup.names),
        *_frame_problems(setup, seats, editions),
        *(
            problem("option-unknown", option=name, known=", ".join(known))
            for name, _ in setup.changes
            if name not in known
        ),
        *(
            problem("option-value", option=name, got=changes[name], allowed=known[name].allowed)
            for name in bad
        ),
        *(further(options) if options is not None and len(setup.names) in seats else ()),
    ]
    if problems or options is None:
        raise BadSetup(tuple(problems))
    return options


def problem(code: str, rule: str = "SETUP", **facts: object) -> Reason:
    """Something that has to be put right before the game can start."""
    return reason(code, rule, may_stand=False, **facts)


def _frame_problems(setup: Setup, seats: range, editions: Editions) -> Iterator[Reason]:
    if len(setup.names) not in seats:
        yield problem("seat-count", got=len(setup.names), least=seats[0], most=seats[-1])
    if setup.edition not in editions:
        yield problem("edition-unknown", got=setup.edition, known=", ".join(editions))


def name_problems(names: tuple[str, ...]) -> Iterator[Reason]:
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if not name.strip():
            yield problem("name-empty", place=place)
        elif len(name) > LONGEST_NAME:
            yield problem("name-long", place=place, got=len(name), most=LONGEST_NAME)
        elif not _plain(name):
            yield problem("name-odd", place=place)
        elif _alike(name) in seen:
            yield problem("name-twice", name=name)
        seen.add(_alike(name))


def _alike(name: str) -> str:
    """Names that look the same are the same, however they were typed."""
    return unicodedata.normalize("NFKC", name).casefold()


def _plain(name: str) -> bool:
    """Letters, marks and digits of any script: names are read aloud and typed into records."""
    if name != name.strip() or "  " in name:
        return False
    return all(sign in NAME_SIGNS or unicodedata.category(sign)[0] in "LMN" for sign in name)
