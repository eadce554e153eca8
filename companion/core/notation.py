"""What every game has: seats, and a notation of words in a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from companion.foundation.errors import BadNotation
from companion.foundation.messages import N_, Message, message, phrase

LONGEST_LINE = 400


class Seat(IntEnum):
    """A place at the table, clockwise; the number indexes every per-seat tuple."""

    A = 0
    B = 1
    C = 2
    D = 3
    E = 4
    F = 5

    def __str__(self) -> str:
        return self.name


def seats(count: int) -> tuple[Seat, ...]:
    """The first `count` seats, clockwise."""
    return tuple(Seat)[:count]


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line and the column it starts in, counted from 1."""

    text: str
    column: int

    def seat(self) -> Seat:
        try:
            return Seat[self.text.upper()]
        except KeyError:
            raise self.bad(
                "not-seat-write-letter",
                N_("%(text)s is not a seat; write a letter A to F"),
                text=repr(self.text),
            ) from None

    def seat_or(self, *verbs: str) -> Seat:
        """The seat that begins a line, where it could have begun with one of these words too."""
        if self.text.upper() in Seat.__members__:
            return Seat[self.text.upper()]
        raise self.bad(
            "no-line-begins-so",
            N_("no line begins with %(text)s; write a seat, A to F, or %(verbs)s"),
            text=repr(self.text),
            verbs=", ".join(verbs),
        )

    def number(self) -> int:
        if not re.fullmatch(r"[0-9]{1,4}", self.text):
            raise self.bad(
                "not-whole-number-up",
                N_("%(text)s is not a whole number up to 9999"),
                text=repr(self.text),
            )
        return int(self.text)

    def bad(self, code: str, sentence: str, /, **facts: object) -> BadNotation:
        """This word is wrong here, and why."""
        return BadNotation(message(code, sentence, **facts), self.column)


def words(line: str) -> tuple[Word, ...]:
    """The words of a line; an empty or endless line is refused."""
    if len(line) > LONGEST_LINE:
        raise BadNotation(
            message(
                "line-has-characters-most",
                N_("the line has %(count)s characters; %(longest_line)s are the most"),
                count=len(line),
                longest_line=LONGEST_LINE,
            )
        )
    found = tuple(Word(match[0], match.start() + 1) for match in re.finditer(r"\S+", line))
    if not found:
        raise BadNotation(message("nothing-written-here", N_("nothing is written here")))
    return found


def some(before: Word, rest: list[Word], what: str | Message) -> list[Word]:
    """The words after `before`; there must be some. `what` they are is marked with `N_`."""
    if not rest:
        raise before.bad(
            "after-comes",
            N_("after %(text)s comes %(what)s"),
            text=repr(before.text),
            what=phrase(what) if isinstance(what, str) else what,
        )
    return rest


def only(before: Word, rest: list[Word], what: str) -> Word:
    """The one word after `before`."""
    word, *more = some(before, rest, what)
    if more:
        raise more[0].bad(
            "after-comes-only",
            N_("after %(text)s comes only %(what)s"),
            text=repr(before.text),
            what=phrase(what),
        )
    return word


def nothing(before: Word, rest: list[Word]) -> None:
    if rest:
        raise rest[0].bad("nothing-follows", N_("nothing follows %(text)s"), text=repr(before.text))
