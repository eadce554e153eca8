"""What every game has: seats, and a notation of words in a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from companion.foundation.errors import BadNotation

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
            raise self.bad(f"{self.text!r} is not a seat; write a letter A to F") from None

    def number(self) -> int:
        if not re.fullmatch(r"[0-9]{1,4}", self.text):
            raise self.bad(f"{self.text!r} is not a whole number up to 9999")
        return int(self.text)

    def bad(self, problem: str) -> BadNotation:
        return BadNotation(problem, self.column)


def words(line: str) -> tuple[Word, ...]:
    """The words of a line; an empty or endless line is refused."""
    if len(line) > LONGEST_LINE:
        raise BadNotation(f"the line has {len(line)} characters; {LONGEST_LINE} are the most")
    found = tuple(Word(match[0], match.start() + 1) for match in re.finditer(r"\S+", line))
    if not found:
        raise BadNotation("nothing is written here")
    return found


def some(before: Word, rest: list[Word], what: str) -> list[Word]:
    """The words after `before`; there must be some."""
    if not rest:
        raise before.bad(f"after {before.text!r} comes {what}")
    return rest


def only(before: Word, rest: list[Word], what: str) -> Word:
    """The one word after `before`."""
    word, *more = some(before, rest, what)
    if more:
        raise more[0].bad(f"after {before.text!r} comes only {what}")
    return word


def nothing(before: Word, rest: list[Word]) -> None:
    if rest:
        raise rest[0].bad(f"nothing follows {before.text!r}")
