"""What a table of Mau-Mau means: a new card on the pile was laid by whoever is to move."""

from __future__ import annotations

from collections.abc import Iterator

from companion.deciding.scene import UNSAID, Guess, Scene, judged, ranked, unread
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Desync, Reading
from maumau import rules
from maumau.rules import DECK, State

CENSUS = frozenset({"MAU-DECK-1"})  # who breaks it was misread rather than at fault
SHOWS = 0.3  # so likely, a card that was entered by hand is the one that lies there


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    top = _top(scene)
    if top is None or state.phase == "over":
        return ()
    if _is_known(state, top, scene):
        return (Reading((), 1.0, names=((top.number, state.pile[-1]),)),)
    odds = [(str(label), p) for label, p in top.odds if label in DECK]
    guesses = (guess for card, p in odds for guess in _laid(state, top, card, p))
    return ranked((judged(rules, state, each, CENSUS) for each in guesses), unread([odds]))


def on_table(state: State) -> frozenset[str]:
    return frozenset(state.pile[-1:])


def disagreement(state: State, scene: Scene) -> Desync | None:
    top = _top(scene)
    if top is None or not state.pile or _is_known(state, top, scene):
        return None
    return Desync(state.pile[-1:], (str(top.label or "?"),), (), (top,))


def _top(scene: Scene) -> Thing | None:
    bare = [thing for thing in scene.cards_in("pile") if not thing.covered]
    return max(bare, key=lambda thing: thing.since, default=None)


def _is_known(state: State, top: Thing, scene: Scene) -> bool:
    """Whether it is the card that the books have on top."""
    due = state.pile[-1:]
    if top.number in scene.names or not due:
        return due == (scene.names.get(top.number),)
    by_hand = due[0] not in scene.names.values() and top.since <= scene.entered_at
    return by_hand or top.likely(due[0]) >= SHOWS


def _laid(state: State, top: Thing, card: str, p: float) -> Iterator[Guess]:
    """As it should be; or after draws that nobody told of."""
    before, seat, names = tuple[str, ...](), state.to_move, ((top.number, card),)
    if state.phase == "deal":
        yield Guess((f"deal {card}",), p, p, names)
        return
    if state.phase == "wish":  # whoever follows it knows the wish
        before, seat = (f"{seat} wish {card[1]}",), state.seat_after(seat)
    for draws in range(len(state.sizes)):
        yield Guess((*before, f"{seat} {card}"), p * UNSAID**draws, p, names)
        before, seat = (*before, f"{seat} draw"), state.seat_after(seat)
