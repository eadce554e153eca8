"""Where to sail with whom: for each load the towns, and how a battle for each would go."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from companion.core.notation import Seat
from companion.games.valhal.rules.following import loads
from companion.games.valhal.rules.notation.actions import Attack, Boats
from companion.games.valhal.rules.raid.odds import attack_odds
from companion.games.valhal.rules.raid.vikingfahrt import able, targets
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.words.entry.choices import load_words, town_words
from companion.games.valhal.words.entry.fields import Option
from companion.views.speech import N_, Speech

MOST_LOADS = 10
"""Tabs; the smallest loads are left out, and can be typed."""


@dataclass(frozen=True, slots=True)
class Target:
    """A town, the attack on it, and how it would go; empty where a number is missing."""

    action: str
    words: str
    chance: str
    losses: str
    good: int  # of five parts


@dataclass(frozen=True, slots=True)
class Load:
    key: str
    words: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Sailing:
    seat: Seat
    name: str
    loads: tuple[Load, ...]
    company: tuple[Option, ...]
    more: int  # loads that are not shown


def sailing(speech: Speech, state: State) -> Sailing | None:
    """What the Jarl who chooses can do; None while nobody chooses."""
    if state.phase is not Phase.CHOOSE:
        return None
    seat = state.queue[0]
    found = sorted(loads(state, seat), key=_order)
    shown = _sensible(found)[:MOST_LOADS]
    return Sailing(
        seat=seat,
        name=speech.word(seat),
        loads=tuple(_load(speech, state, seat, each) for each in shown),
        company=_company(speech, state, seat),
        more=len(found) - len(shown),
    )


def _order(load: tuple[tuple[str, ...], Boats]) -> tuple[int, int, int]:
    """The most units on the fewest longboats first, sound ones before damaged ones."""
    units, boats = load
    return (-len(units), boats.count, boats.damaged)


def _sensible(
    found: list[tuple[tuple[str, ...], Boats]],
) -> list[tuple[tuple[str, ...], Boats]]:
    """Each crew once, on its fewest longboats; then the same crews on more of them."""
    first: dict[tuple[str, ...], tuple[tuple[str, ...], Boats]] = {}
    for each in found:
        first.setdefault(each[0], each)
    chosen = list(first.values())
    return [*chosen, *(each for each in found if each not in chosen)]


def _load(speech: Speech, state: State, seat: Seat, load: tuple[tuple[str, ...], Boats]) -> Load:
    units, boats = load
    key = f"{'-'.join(units)}-on-{boats}".replace("+", "-")
    towns = tuple(_target(speech, state, Attack(seat, t, *load)) for t in targets(state, seat))
    return Load(key, load_words(speech, units, boats), towns)


def _target(speech: Speech, state: State, action: Attack) -> Target:
    words = town_words(speech, state, action.town)
    found = attack_odds(state, action.town, action.units) if state.options.odds else None
    if found is None:
        return Target(str(action), words, "", "", 0)
    chance, losses = f"{float(found.win):.0%}", f"{float(found.losses):.1f}"
    return Target(
        str(action),
        words,
        speech.say(N_("%(chance)s to win"), chance=chance),
        speech.say(N_("units lost: %(count)s"), count=losses),
        round(5 * float(found.win)),
    )


def _company(speech: Speech, state: State, seat: Seat) -> tuple[Option, ...]:
    others = [each for each in state.seats if each is not seat and able(state, each)]
    found = [Option("", speech.say(N_("alone")))]
    for size in range(1, len(others) + 1):
        for guests in combinations(others, size):
            words = speech.say(N_("inviting %(seats)s"), seats=guests)
            found.append(Option("inviting " + " ".join(map(str, guests)), words))
    return tuple(found)
