"""What can be said at a table of Odin, and the one line it is written in.

deal A              the cards are dealt, A leads the first round of the hand
A r7                A lays down one card; or several: A r7 b7
A take b3           of a beaten set of several, A takes up b3
A pass
count 0 4 5         cards left in the hands A, B, C; with the goat: count 0 4 5 goat=B
A has 4             A holds four cards           (these three correct the books;
A shows r1 r5       A lays the whole hand open    they change nothing if the
carry 14 3 7        points from before            books are right already)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.core.notation import Seat, Word, nothing, only, some, words
from companion.foundation.messages import N_
from companion.games.odin.rules.cards import Card, is_card


@dataclass(frozen=True, slots=True)
class Deal:
    starter: Seat

    def __str__(self) -> str:
        return f"deal {self.starter}"


@dataclass(frozen=True, slots=True)
class Play:
    """A lead, or a play on the middle."""

    seat: Seat
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"{self.seat} {_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Take:
    """`more` are cards taken besides: the rules allow none."""

    seat: Seat
    card: Card
    more: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"{self.seat} take {_listed((self.card, *self.more))}"


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} pass"


@dataclass(frozen=True, slots=True)
class Count:
    """Cards left per seat at the end of a hand, and who holds the goat, if anyone."""

    left: tuple[int, ...]
    goat: Seat | None = None

    def __str__(self) -> str:
        goat = f" goat={self.goat}" if self.goat is not None else ""
        return f"count {_listed(self.left)}{goat}"


@dataclass(frozen=True, slots=True)
class Has:
    seat: Seat
    size: int

    def __str__(self) -> str:
        return f"{self.seat} has {self.size}"


@dataclass(frozen=True, slots=True)
class Shows:
    seat: Seat
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"{self.seat} shows {_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Carry:
    points: tuple[int, ...]

    def __str__(self) -> str:
        return f"carry {_listed(self.points)}"


Action: TypeAlias = Deal | Play | Take | Pass | Count | Has | Shows | Carry


def parse(text: str) -> Action:
    first, *rest = words(text)
    match first.text.lower():
        case "deal":
            return Deal(only(first, rest, N_("the seat that leads, such as deal A")).seat())
        case "count":
            return _count(first, rest)
        case "carry":
            return Carry(tuple(word.number() for word in some(first, rest, N_("the points"))))
        case _:
            return _by_seat(first.seat_or("deal", "count", "carry"), first, rest)


def _by_seat(seat: Seat, first: Word, rest: list[Word]) -> Action:
    verb, *objects = some(first, rest, N_("cards, or pass, take, has, shows"))
    match verb.text.lower():
        case "pass":
            nothing(verb, objects)
            return Pass(seat)
        case "take" | "takes":
            card, *more = _cards(some(verb, objects, N_("one card")))
            return Take(seat, card, tuple(more))
        case "has":
            return Has(seat, only(verb, objects, N_("a number of cards")).number())
        case "shows":
            return Shows(seat, _cards(some(verb, objects, N_("the cards of the hand"))))
        case word if word.isalpha() and not is_card(word):
            raise verb.bad(
                "not-card-nor-verb",
                N_("%(text)s is neither a card such as r7 nor one of %(verbs)s"),
                text=repr(verb.text),
                verbs=", ".join(VERBS),
            )
        case _:
            return Play(seat, _cards(rest))


VERBS = ("pass", "take", "has", "shows")


def _cards(rest: list[Word]) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in rest)


def _count(first: Word, rest: list[Word]) -> Count:
    numbers = some(first, rest, N_("the cards left in each hand"))
    goat = None
    if numbers[-1].text.lower().startswith("goat="):
        holder = numbers.pop()
        goat = Word(holder.text[5:], holder.column + 5).seat()
    left = some(first, numbers, N_("the cards left in each hand"))
    return Count(tuple(word.number() for word in left), goat)


def format(action: Action) -> str:  # noqa: A001 - the pair of parse
    return str(action)


def _listed(things: tuple[object, ...]) -> str:
    return " ".join(str(thing) for thing in things)
