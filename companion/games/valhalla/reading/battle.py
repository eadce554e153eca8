"""Reading the Battle Phase: cards turned for Deities, the battle card by card, the spoils."""

from __future__ import annotations

from itertools import permutations

from companion.deciding.scene import Guess, Scene
from companion.games.valhalla.reading.mat import (
    NOTHING,
    Found,
    Row,
    as_read,
    came,
    kinds,
    named,
    on_reveal,
    pile_shows,
    pile_top,
    top,
    unknown,
    weighed,
)
from companion.games.valhalla.rules.state import State

READINGS = 24
"""What new cards may be together that is followed up."""


def turned(state: State, scene: Scene) -> Found:
    """VLLA-DEI: a card is turned up on the reveal spot, or put where it belongs at once."""
    if not state.waiting:
        return NOTHING
    seat = state.waiting[0]
    lying = on_reveal(scene) or Row.of(state, scene).new
    pile = top(scene, f"{seat}.discard")
    if not lying and pile is not None and came(scene, pile):
        lying = () if pile_shows(state, scene, seat, pile_top(state, seat)) else (pile,)
    found = [
        Guess((f"{seat} turns {word}",), p, p, named(lying[-1:], (word,)))
        for thing in lying[-1:]
        for word, p in kinds(state, thing)
    ]
    return weighed(state, found), unknown(state, lying[-1:])


def armed(state: State, scene: Scene) -> Found:
    """VLLA-BAT-3: new cards come to the armory; read in the order in which they came."""
    new = Row.of(state, scene).new
    if not new:
        return NOTHING
    rows = as_read(state, new, READINGS)
    found = [Guess(tuple(f"armory {word}" for word in told), p, p) for told, p in rows]
    return weighed(state, found), unknown(state, new)


def taken(state: State, scene: Scene) -> Found:
    """VLLA-BAT-6: cards leave the armory, in playing order. If two went at once, either seat may
    have either card."""
    missing = Row.of(state, scene).missing[: len(state.waiting)]
    seats = state.waiting[: len(missing)]
    found = {
        tuple(f"{seat} takes {word}" for seat, word in zip(seats, told, strict=True)): 1.0
        for told in permutations(missing)
        if told
    }
    return weighed(state, [Guess(lines, weight) for lines, weight in found.items()]), 0.0
