"""Entry by hand: everything that could come next, as buttons in at most two taps. What the rules
would refuse is not offered; it can still be typed, and is then refused with its reason. Where a
seat has too many possibilities, its cards are picked one after the other (`picking`)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, islice

from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import (
    Action,
    Armory,
    Dare,
    Declare,
    Decline,
    Draw,
    Fetch,
    First,
    Has,
    Laying,
    Lose,
    Pass,
    Ready,
    Return,
    Reveal,
    Shows,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.following import actions, candidates
from companion.games.valhalla.rules.objections import objections
from companion.games.valhalla.rules.state import State
from companion.games.valhalla.words.picking import Picker, picker, seat_of
from companion.games.valhalla.words.sentences import PLACE_WORDS
from companion.views.speech import N_, Speech

MOST = 400  # buttons; with named Deities a draw can look in thousands of ways
PICKED = 40  # so many of one kind for one seat are picked card by card, if there are too many
FLAT = 6  # so many buttons need no first tap to find them


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: the action it says, its words, and the card it shows, if it is about one."""

    action: str
    words: str
    card: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    words: str
    card: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one seat, or the table, can say now; `flat` if no group need be opened first."""

    seat: Seat | None
    name: str
    groups: tuple[Group, ...]
    flat: bool
    pickers: tuple[Picker, ...] = ()


@dataclass(frozen=True, slots=True)
class _Button:
    seat: Seat | None
    words: str
    card: Card | None = None
    group: str = ""
    group_card: Card | None = None


def choices(speech: Speech, state: State) -> tuple[Asked, ...]:
    """By seat."""
    found = list(islice(actions(state), MOST + 1))
    if len(found) <= MOST:
        return _by_seat(speech, found, {})
    few, many = _parted(state)
    pickers: dict[Seat | None, list[Picker]] = {}
    for seat, alike in many:
        pickers.setdefault(seat, []).append(picker(speech, alike))
    return _by_seat(speech, few, pickers)


def _parted(state: State) -> tuple[list[Action], list[tuple[Seat | None, list[Action]]]]:
    """What has a button of its own, and what is picked. Only the former is judged beforehand:
    there may be thousands of the latter."""
    few: list[Action] = []
    many: list[tuple[Seat | None, list[Action]]] = []
    for (seat, _kind), group in groupby(candidates(state), lambda a: (seat_of(a), type(a))):
        alike = list(group)
        if seat is not None and len(alike) > PICKED:
            many.append((seat, alike))
        else:
            few += [action for action in alike if not any(objections(state, action))]
    return few, many


def _by_seat(
    speech: Speech, found: list[Action], pickers: dict[Seat | None, list[Picker]]
) -> tuple[Asked, ...]:
    seats: dict[Seat | None, dict[tuple[str, str], list[Choice]]] = {}
    for action in found:
        button = _button(speech, action)
        key = (button.group, button.group_card or "")
        choice = Choice(str(action), button.words, button.card or "")
        seats.setdefault(button.seat, {}).setdefault(key, []).append(choice)
    return tuple(
        _asked(speech, seat, seats.get(seat, {}), tuple(pickers.get(seat, ())))
        for seat in dict.fromkeys((*seats, *pickers))
    )


def _asked(
    speech: Speech,
    seat: Seat | None,
    groups: dict[tuple[str, str], list[Choice]],
    pickers: tuple[Picker, ...],
) -> Asked:
    count = sum(len(each) for each in groups.values())
    made = tuple(Group(words, card, tuple(each)) for (words, card), each in groups.items())
    name = "" if seat is None else speech.word(seat)
    flat = count <= FLAT or len(groups) == 1
    return Asked(seat, name, made, flat, pickers)


def _button(speech: Speech, action: Action) -> _Button:
    match action:
        case First() | Ready() | Reveal():
            return _laying(speech, action)
        case Declare() | Draw() | Pass():
            return _strategy(speech, action)
        case Lose(seat, card, place):
            return _Button(seat, speech.word(card), card, speech.say(PLACE_WORDS[place]))
        case Stand(seat, shown, keeps):
            draugr = speech.say(N_("A Draugr is among them"))
            title = draugr if keeps is None else speech.say(N_("Keeps %(card)s"), card=keeps)
            return _Button(seat, speech.word(shown), None, title, keeps or Card.DRAUGR)
        case Take(seat, card) | Turn(seat, card) | Fetch(seat, card) | Return(seat, card):
            return _Button(seat, _verb(speech, action, card), card)
        case Armory(card):
            return _Button(None, speech.word(card), card)
        case Dare() | Decline() | Has() | Shows():
            raise ValueError(f"{action} is no move")


def _laying(speech: Speech, action: Laying) -> _Button:
    match action:
        case First(seat):
            return _Button(None, speech.word(seat))
        case Ready(None):
            return _Button(None, speech.say(N_("Everybody is ready")))
        case Ready(seat):
            return _Button(None, speech.say(N_("%(seat)s is ready"), seat=seat))
        case Reveal(seat, main, None):
            return _Button(seat, speech.word(main), main)
        case Reveal(seat, main, support):
            title = speech.say(N_("Main: %(card)s"), card=main)
            return _Button(seat, speech.word(support), support, title, main)


def _verb(speech: Speech, action: Take | Turn | Fetch | Return, card: Card) -> str:
    words = {
        Take: N_("Take %(card)s"),
        Turn: N_("%(card)s"),
        Fetch: N_("Fetch %(card)s"),
        Return: N_("Return %(card)s"),
    }
    return speech.say(words[type(action)], card=card)


def _strategy(speech: Speech, action: Declare | Draw | Pass) -> _Button:
    match action:
        case Pass(seat):
            return _Button(seat, speech.say(N_("Nothing")))
        case Declare(seat, card, None, shuffles):
            look, mix = N_("Look at two cards"), N_("Look at two cards and shuffle")
            return _Button(seat, speech.say(mix if shuffles else look), card)
        case Declare(seat, card, target):
            words = speech.say(N_("%(card)s on %(seat)s"), card=card, seat=target)
            return _Button(seat, words, card)
        case Draw(seat, shown, keeps, kept) if keeps and kept is None:
            title = speech.say(N_("Draws, keeps %(cards)s"), cards=keeps)
            return _Button(seat, speech.word(shown), None, title, keeps[0])
        case Draw(seat, (), (), None):
            return _Button(seat, speech.say(N_("Draw")))
        case Draw(seat, shown, _, None):
            return _Button(seat, speech.say(N_("Draw, shows %(cards)s"), cards=shown))
        case Draw(seat, shown, _, kept):
            words = N_("Draw, shows %(cards)s, keeps %(kept)s unseen")
            return _Button(seat, speech.say(words, cards=shown, kept=kept))
