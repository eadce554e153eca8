"""Laying Main and Support, and turning them up: VLLA-STR-1 and -2."""

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


def ready(state: State, scene: Scene) -> Found:
    """VLLA-STR-1: two backs, or one from a hand of one. A card that cannot be read is a back: who
    would lay it open? And whoever turns up before all are ready is seen, too."""
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
    return 1.0 - sum(words(state, thing).values())


def _too_early(state: State, scene: Scene) -> Iterator[Guess]:
    for seat in state.playing_order:
        things = slots(scene, seat)
        if state.players[seat].down and len(things) >= state.players[seat].down:
            faces = [sorted(words(state, each).items(), key=lambda p: -p[1]) for each in things]
            if all(faces) and not any(is_back(thing.label) for thing in things):
                told, p = joint(faces, 1)[0]
                yield Guess((f"{seat} reveals {' '.join(told)}",), p, p)


def revealed(state: State, scene: Scene) -> Found:
    """VLLA-STR-2: every seat whose cards lie face up, Main before Support. Where only one of the
    two seems to be turned up the other cannot be read: if it stays so, it is asked for."""
    shown = {
        seat: things
        for seat in state.waiting
        if len(things := slots(scene, seat)) >= state.players[seat].down
        and not all(is_back(thing.label) for thing in things)
    }
    clear = {s: t for s, t in shown.items() if not any(is_back(thing.label) for thing in t)}
    shown = clear or shown
    if not shown:
        return NOTHING
    each = {
        seat: joint([_faces(state, thing) for thing in things], SEAT_READINGS)
        for seat, things in shown.items()
    }
    best = {seat: options[0] for seat, options in each.items()}
    guesses = [_reveal(best)]
    for seat, options in each.items():  # one seat misread at a time is enough to consider
        guesses += [_reveal({**best, seat: option}) for option in options[1:]]
    everything = [_faces(state, thing) for things in shown.values() for thing in things]
    return weighed(state, guesses), unread(everything)


def _faces(state: State, thing: Thing) -> list[tuple[str, float]]:
    return kinds(state, replace(thing, odds=()) if is_back(thing.label) else thing)


def _reveal(seats: Mapping[Seat, tuple[tuple[str, ...], float]]) -> Guess:
    pixels = prod(p for _, p in seats.values())
    lines = tuple(f"{seat} reveals {' '.join(told)}" for seat, (told, _) in seats.items())
    return Guess(lines, pixels, pixels)
