"""Reading the End Phase: what Wolves fetch, and what leaves a full armory."""

from __future__ import annotations

from companion.deciding.scene import Guess, Scene
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.reading.mat import (
    NOTHING,
    Found,
    Row,
    best,
    gone,
    kinds,
    named,
    on_reveal,
    pile_shows,
    unknown,
    weighed,
)
from companion.games.valhalla.rules.actions import Fetch
from companion.games.valhalla.rules.state import State


def fetched(state: State, scene: Scene) -> Found:
    """VLLA-WOL: a card of one's own pile, shown on the reveal spot before it goes to the hand."""
    fetches = {str(a.card): str(a) for a in valhalla.actions(state) if isinstance(a, Fetch)}
    shown = on_reveal(scene)[-1:]
    if not shown:
        return _off_the_pile(state, scene, fetches)
    found = [
        Guess((fetches[word],), p, p, named(shown, (word,)))
        for word, p in kinds(state, shown[0])
        if word in fetches
    ]
    return weighed(state, found), unknown(state, shown)


def _off_the_pile(state: State, scene: Scene, fetches: dict[str, str]) -> Found:
    """A card fetched straight to the hand: it has left the pile, and is no longer on top of it."""
    if not state.waiting:
        return NOTHING
    seat = state.waiting[0]
    left = {best(state, each.thing) for each in gone(scene, f"{seat}.discard")}
    found = [
        Guess((line,), 1.0)
        for word, line in fetches.items()
        if word in left and not pile_shows(state, scene, seat, word)
    ]
    return weighed(state, found), 0.0


def returned(state: State, scene: Scene) -> Found:
    """A-20: cards leave the armory for the deck; their order does not matter."""
    missing = Row.of(state, scene).missing[: len(state.waiting)]
    lines = tuple(f"{state.waiting[0]} returns {word}" for word in missing)
    return weighed(state, [Guess(lines, 1.0)] if lines else []), 0.0
