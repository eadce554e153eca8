"""What can be said at a table of Valhalla, and the one line it is written in.

first A                     A goes first in the first turn
A ready                     A's cards lie face down; ready: everybody's do
A reveals hammer wolf       A's Main, and right of it the Support; from a hand of one: A reveals axe
A declares axe on B         A uses the Main on B: axe, hammer, sword
A declares deity            A has looked at two cards; A declares deity shuffles: and shuffled
A draws                     nobody else saw a card of it; what everybody saw is written down:
A draws draugr draugr       ... all of them Draugr, or those of them that may not be ignored
A draws sword draugr keeps sword      ... under an Axe
A draws keeps 2             how many were kept, where the Hammer lets A keep all
A takes wolf                out of the armory
A passes                    A does nothing
C turns sword               the top card, for a Deity as Support
armory draugr               the next card of the battle
A loses hammer from hand    or: from discard, from table
A stands hammer sword axe keeps axe    the last stand; if it is lost, A stands draugr will do
A fetches hammer            out of A's discard pile, for a Wolf as Support
A returns wolf              out of the armory into the deck, where the first player chooses
B dares A                   and: A declines
A has 4                     A holds four cards, not counting the table   (these two correct
A shows hammer wolf         A lays the whole hand open                    the books)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from companion.core.notation import Seat, Word, nothing, only, some, words
from companion.foundation.messages import N_
from companion.games.valhalla.rules.cards import Card


class Place(StrEnum):
    """Where a lost card was."""

    HAND = "hand"
    DISCARD = "discard"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class First:
    seat: Seat

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Ready:
    """One seat has laid its cards; or, without a seat, all have."""

    seat: Seat | None = None

    def __str__(self) -> str:
        return "ready" if self.seat is None else f"{self.seat} ready"


@dataclass(frozen=True, slots=True)
class Reveal:
    """A-29: the Support lies right of the Main, so it is written after it."""

    seat: Seat
    main: Card
    support: Card | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.main,) if self.support is None else (self.main, self.support)

    def __str__(self) -> str:
        return f"{self.seat} reveals {_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Declare:
    seat: Seat
    card: Card
    target: Seat | None = None
    shuffles: bool = False

    def __str__(self) -> str:
        on = "" if self.target is None else f" on {self.target}"
        return f"{self.seat} declares {self.card}{on}{' shuffles' if self.shuffles else ''}"


@dataclass(frozen=True, slots=True)
class Draw:
    """`shown` is what everybody saw; of that `keeps` went to the hand. `kept` counts the cards
    kept unseen where that may be more than one."""

    seat: Seat
    shown: tuple[Card, ...] = ()
    keeps: tuple[Card, ...] = ()
    kept: int | None = None

    def __str__(self) -> str:
        kept = _listed(self.keeps) if self.kept is None else str(self.kept)
        parts = (f"{self.seat} draws", _listed(self.shown), f"keeps {kept}" if kept else "")
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Take:
    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"{self.seat} takes {self.card}"


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} passes"


@dataclass(frozen=True, slots=True)
class Turn:
    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"{self.seat} turns {self.card}"


@dataclass(frozen=True, slots=True)
class Armory:
    card: Card

    def __str__(self) -> str:
        return f"armory {self.card}"


@dataclass(frozen=True, slots=True)
class Lose:
    seat: Seat
    card: Card
    place: Place

    def __str__(self) -> str:
        return f"{self.seat} loses {self.card} from {self.place}"


@dataclass(frozen=True, slots=True)
class Stand:
    seat: Seat
    shown: tuple[Card, ...]
    keeps: Card | None = None

    def __str__(self) -> str:
        keeps = "" if self.keeps is None else f" keeps {self.keeps}"
        return f"{self.seat} stands {_listed(self.shown)}{keeps}"


@dataclass(frozen=True, slots=True)
class Fetch:
    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"{self.seat} fetches {self.card}"


@dataclass(frozen=True, slots=True)
class Return:
    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"{self.seat} returns {self.card}"


@dataclass(frozen=True, slots=True)
class Dare:
    seat: Seat
    target: Seat

    def __str__(self) -> str:
        return f"{self.seat} dares {self.target}"


@dataclass(frozen=True, slots=True)
class Decline:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} declines"


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


Laying: TypeAlias = First | Ready | Reveal
Acting: TypeAlias = Declare | Draw | Take | Pass
Fighting: TypeAlias = Turn | Armory | Lose | Stand
Ending: TypeAlias = Fetch | Return
Aside: TypeAlias = Dare | Decline | Has | Shows  # said at any time; no moves of the game
Action: TypeAlias = Laying | Acting | Fighting | Ending | Aside


def format(action: Action) -> str:  # noqa: A001 - the pair of parse
    return str(action)


def _listed(cards: tuple[Card, ...]) -> str:
    return " ".join(cards)


# Reading


def parse(text: str) -> Action:
    first, *rest = words(text)
    match first.text.lower():
        case "first":
            return First(only(first, rest, N_("the seat that begins, such as first A")).seat())
        case "ready":
            nothing(first, rest)
            return Ready()
        case "armory":
            return Armory(Card.parse(only(first, rest, N_("one card"))))
        case _:
            return _by_seat(first.seat_or("first", "ready", "armory"), first, rest)


def _by_seat(seat: Seat, first: Word, rest: list[Word]) -> Action:
    verb, *objects = some(first, rest, N_("what the seat does, such as draws or takes"))
    if (lone := _LONE.get(verb.text.lower())) is not None:
        nothing(verb, objects)
        return lone(seat)
    if (one := _ONE_CARD.get(verb.text.lower())) is not None:
        return one(seat, Card.parse(only(verb, objects, N_("one card"))))
    if (more := _MORE.get(verb.text.lower())) is not None:
        return more(seat, verb, objects)
    raise verb.bad(
        "nothing-seat-does-try",
        N_("%(text)s is nothing a seat does; try %(known)s"),
        text=repr(verb.text),
        known=", ".join((*_LONE, *_ONE_CARD, *_MORE)),
    )


def _reveal(seat: Seat, verb: Word, rest: list[Word]) -> Reveal:
    main, *support = some(verb, rest, N_("the Main and the Support"))
    if len(support) > 1:
        raise support[1].bad(
            "seat-lays-two-cards", N_("a seat lays two cards at most, Main and Support")
        )
    return Reveal(seat, Card.parse(main), Card.parse(support[0]) if support else None)


def _declare(seat: Seat, verb: Word, rest: list[Word]) -> Declare:
    main, *more = some(verb, rest, N_("the Main, such as declares axe on B"))
    card = Card.parse(main)
    if not more:
        return Declare(seat, card)
    match more[0].text.lower():
        case "on":
            return Declare(seat, card, only(more[0], more[1:], N_("one seat")).seat())
        case "shuffles":
            nothing(more[0], more[1:])
            return Declare(seat, card, shuffles=True)
        case _:
            raise more[0].bad(
                "after-main-comes-on",
                N_("after the Main comes on and a seat, or shuffles, or nothing"),
            )


def _draw(seat: Seat, _: Word, rest: list[Word]) -> Draw:
    shown, keeps = _kept_apart(rest)
    if len(keeps) == 1 and keeps[0].text.isdigit():
        return Draw(seat, _cards(shown), kept=keeps[0].number())
    return Draw(seat, _cards(shown), _cards(keeps))


def _stand(seat: Seat, verb: Word, rest: list[Word]) -> Stand:
    shown, keeps = _kept_apart(some(verb, rest, N_("the cards shown")))
    if not shown:
        raise verb.bad("after-stands-come-cards", N_("after 'stands' come the cards shown"))
    if len(keeps) > 1:
        raise keeps[1].bad("one-card-kept-last", N_("one card is kept of a last stand"))
    return Stand(seat, _cards(shown), Card.parse(keeps[0]) if keeps else None)


def _kept_apart(rest: list[Word]) -> tuple[list[Word], list[Word]]:
    """The words before and after *keeps*."""
    for at, word in enumerate(rest):
        if word.text.lower() == "keeps":
            return rest[:at], some(word, rest[at + 1 :], N_("what is kept"))
    return rest, []


def _lose(seat: Seat, verb: Word, rest: list[Word]) -> Lose:
    card, *more = some(verb, rest, N_("a card and where it was, such as loses axe from hand"))
    lost = Card.parse(card)
    preposition, *place = some(card, more, N_("from hand, from discard or from table"))
    if preposition.text.lower() != "from":
        raise preposition.bad(
            "after-card-comes-from",
            N_("after the card comes from hand, from discard or from table"),
        )
    word = only(preposition, place, N_("hand, discard or table"))
    if word.text.lower() not in tuple(Place):
        raise word.bad(
            "no-place-lose-card",
            N_("%(text)s is no place to lose a card from; hand, discard or table"),
            text=repr(word.text),
        )
    return Lose(seat, lost, Place(word.text.lower()))


def _dare(seat: Seat, verb: Word, rest: list[Word]) -> Dare:
    return Dare(seat, only(verb, rest, N_("one seat")).seat())


def _has(seat: Seat, verb: Word, rest: list[Word]) -> Has:
    return Has(seat, only(verb, rest, N_("a number of cards")).number())


def _shows(seat: Seat, verb: Word, rest: list[Word]) -> Shows:
    return Shows(seat, _cards(some(verb, rest, N_("the cards of the hand"))))


_LONE: Mapping[str, Callable[[Seat], Action]] = MappingProxyType(
    {"ready": Ready, "passes": Pass, "pass": Pass, "declines": Decline}
)
_ONE_CARD: Mapping[str, Callable[[Seat, Card], Action]] = MappingProxyType(
    {"takes": Take, "turns": Turn, "fetches": Fetch, "returns": Return}
)
_MORE: Mapping[str, Callable[[Seat, Word, list[Word]], Action]] = MappingProxyType(
    {
        "reveals": _reveal,
        "declares": _declare,
        "draws": _draw,
        "loses": _lose,
        "stands": _stand,
        "dares": _dare,
        "has": _has,
        "shows": _shows,
    }
)


def _cards(rest: list[Word]) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in rest)
