"""Reading how Main and Support are laid and turned up: VLLA-STR-1 and -2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from companion.core.notation import Seat
from companion.deciding.scene import ILLEGAL, Guess, Scene, joint, unread
from companion.games.valhalla.reading.mat import NOTHING, Found, kinds, slots, weighed, words
from companion.games.valhalla.rules.state import State
from companion.tabletop.observations import Thing
from companion.tracking.matching import is_back

SEAT_READINGS = 6
"""What one seat's cards may be that is followed up."""


def ready(state: State, scene: Scene) -> Found:
    """VLLA-STR-1: a seat is ready if two backs lie there, or one from a hand of one.

    A card that cannot be read counts as a back: nobody would lay it open yet. Whoever does turn up
    before all are ready is read, too.
    """
    lines, sure, doubt = [], 1.0, 0.0
    for seat in state.waiting:
        things = slots(scene, seat)
        down = prod(_down(state, thing) for thing in things)
        if len(things) >= min(2, state.players[seat].layable) and down > ILLEGAL:
            lines.append(f"{seat} ready")
            sure *= down
            doubt += (1.0 - down) * ILLEGAL
    found = [Guess(tuple(lines), sure, sure)] if lines else []
    return weighed(state, [*found, *_too_early(state, scene)]), doubt


def _down(state: State, thing: Thing) -> float:
    """How likely a card lies face down."""
    return 1.0 - sum(words(state, thing).values())


def _too_early(state: State, scene: Scene) -> Iterator[Guess]:
    """Seats that are ready and have turned up before the others."""
    for seat in state.playing_order:
        things = slots(scene, seat)
        if state.players[seat].down and len(things) >= state.players[seat].down:
            faces = [sorted(words(state, each).items(), key=lambda p: -p[1]) for each in things]
            if all(faces) and not any(is_back(thing.label) for thing in things):
                told, p = joint(faces, 1)[0]
                yield Guess((f"{seat} reveals {' '.join(told)}",), p, p)


def revealed(state: State, scene: Scene) -> Found:
    """VLLA-STR-2: the cards of every seat that has turned up, Main before Support."""
    faces = {
        seat: [_faces(state, thing) for thing in things]
        for seat, things in _turned_up(state, scene).items()
    }
    if not faces:
        return NOTHING
    each = {seat: joint(odds, SEAT_READINGS) for seat, odds in faces.items()}
    best = {seat: options[0] for seat, options in each.items()}
    guesses = [_reveal(best)]
    for seat, options in each.items():  # one seat misread at a time is enough to consider
        guesses += [_reveal({**best, seat: option}) for option in options[1:]]
    return weighed(state, guesses), unread([row for odds in faces.values() for row in odds])


def _turned_up(state: State, scene: Scene) -> dict[Seat, tuple[Thing, ...]]:
    """Seats that have turned up, with their cards.

    Where only one of a seat's two cards seems to be turned up, the other cannot be read. Such seats
    count only if there are no others: if it stays so, the table is asked.
    """
    shown = {}
    for seat in state.waiting:
        things = slots(scene, seat)
        backs = [is_back(thing.label) for thing in things]
        if len(things) >= state.players[seat].down and not all(backs):
            shown[seat] = things
    clear = {s: t for s, t in shown.items() if not any(is_back(thing.label) for thing in t)}
    return clear or shown


def _faces(state: State, thing: Thing) -> list[tuple[str, float]]:
    """What a card may be; of one that shows its back, what the deck is made of."""
    return kinds(state, replace(thing, odds=()) if is_back(thing.label) else thing)


def _reveal(seats: Mapping[Seat, tuple[tuple[str, ...], float]]) -> Guess:
    """All seats' reveals as one guess."""
    pixels = prod(p for _, p in seats.values())
    lines = tuple(f"{seat} reveals {' '.join(told)}" for seat, (told, _) in seats.items())
    return Guess(lines, pixels, pixels)
