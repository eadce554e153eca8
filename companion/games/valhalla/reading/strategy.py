"""The Strategy Phase: taking from the armory, declaring a Main, drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.deciding.scene import Guess, Scene
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.reading import laying
from companion.games.valhalla.reading.mat import (
    NOTHING,
    Found,
    Row,
    as_read,
    best,
    gone,
    named,
    on_reveal,
    pile_shows,
    pile_top,
    top,
    unknown,
    weighed,
)
from companion.games.valhalla.rules.actions import Action, Declare, Draw, Stand
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.state import Phase, State

DRAWN = 0.8
"""Who did something nobody saw has more likely drawn than done nothing."""
LIKE = 0.3
"""A card on a pile that shows such a card anyhow: it may have come there, nobody can see it."""
UNSEEN = 0.01
"""A card out of the armory that cannot be seen on the pile of whoever may have it."""
BY_ITSELF = 0.001
"""A pile with another card on top than the books have, that nobody had to do with."""


def acted(state: State, scene: Scene) -> Found:
    shown, unread = _drawn(state, scene)
    taken, in_the_air = _taken(state, scene)
    found = [*taken, *shown, *weighed(state, _declared(state, scene))]
    return (found, unread + in_the_air) if found else _gone_on(state, scene)


# Taking


def _taken(state: State, scene: Scene) -> Found:
    """VLLA-STR-4b: out of the row and onto somebody's pile; or it is still in the air."""
    missing = dict.fromkeys(Row.of(state, scene).missing)
    found = [
        Guess((f"{taker} takes {word}",), weight)
        for word in missing
        for taker in state.playing_order
        if (weight := _onto(state, scene, taker, word)) > 0.0
    ]
    arrived = any(each.weight > LIKE for each in found)
    return weighed(state, found), 0.0 if arrived else UNSEEN


def _onto(state: State, scene: Scene, taker: Seat, word: str) -> float:
    """How well the piles bear out that such a card came to this one and to no other."""
    weight = 1.0
    for seat in state.playing_order:
        like = pile_top(state, seat) == word
        shows = pile_shows(state, scene, seat, word)
        if seat is taker:
            weight *= (LIKE if like else 1.0) if shows else UNSEEN if taker in _next(state) else 0.0
        elif shows and not like:
            weight *= BY_ITSELF
    return weight


def _next(state: State) -> tuple[Seat, ...]:
    simultaneous = state.options.strategy_order == "simultaneous"
    return state.waiting if simultaneous else state.waiting[:1]


# Declaring


def _declared(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-STR-6: a used Main goes to the pile. Whom it is aimed at, nobody sees."""
    for seat in state.playing_order:
        main = state.players[seat].main
        if main is None or main is Card.WOLF or top(scene, f"{seat}.main") is not None:
            continue
        if pile_shows(state, scene, seat, str(main)):
            aims = [a for a in valhalla.actions(state) if _declares(a, seat)]
            yield from (Guess((str(aim),), 1.0 / len(aims)) for aim in aims)


def _declares(action: Action, seat: Seat) -> bool:
    return isinstance(action, Declare) and action.seat is seat


# Drawing


def _drawn(state: State, scene: Scene) -> Found:
    """VLLA-STR-4a, VLLA-AXE: cards shown on the reveal spot."""
    if not on_reveal(scene) or not state.waiting:
        return NOTHING
    seat = state.waiting[0]
    draws = [a for a in valhalla.actions(state) if isinstance(a, Draw) and a.seat is seat]
    return shown_as(state, scene, [a for a in draws if a.shown])


def shown_as(state: State, scene: Scene, actions: list[Draw] | list[Stand]) -> Found:
    """Actions that show cards, held against the reveal spot. A card that is kept may have left it
    again: then the rest of what was shown lies there still."""
    lying = on_reveal(scene)
    since = min((each.since for each in lying), default=0.0)
    left = tuple(
        best(state, each.thing)
        for each in gone(scene, "reveal")
        if each.at >= since and each.thing.number not in scene.names
    )
    rows = as_read(state, lying, 24)
    found = []
    for action in actions:
        for told, p in rows:
            if _fits(action, told, left):
                line = str(replace(action, shown=tuple(map(Card, (*told, *left)))))
                found.append(Guess((line,), p, p, named(lying, told)))
    return weighed(state, found), unknown(state, lying)


def _fits(action: Draw | Stand, told: tuple[str, ...], left: tuple[str, ...]) -> bool:
    """Whether these cards were shown. Which one is kept can be seen once it has left them, or if
    there is but one kind to choose from."""
    if sorted((*told, *left)) != sorted(map(str, action.shown)):
        return False
    kept = (action.keeps,) if isinstance(action.keeps, Card) else action.keeps or ()
    if left:
        return not kept or sorted(left) == sorted(map(str, kept))
    return not kept or len(set(action.shown) - {Card.DRAUGR}) <= 1


def _gone_on(state: State, scene: Scene) -> Found:
    """The table is further than the books: who has not acted drew, or did nothing, unseen."""
    lines: tuple[str, ...] = ()
    ahead, weight = state, 1.0
    while ahead.phase is Phase.STRATEGY and ahead.waiting:
        line = f"{ahead.waiting[0]} draws"
        verdict = valhalla.judge(ahead, valhalla.parse(line))
        if not isinstance(verdict, Accepted):
            return NOTHING
        ahead, lines, weight = verdict.state, (*lines, line), weight * DRAWN
    found: list[Guess] = []
    if ahead.phase is Phase.BATTLE:
        new = Row.of(ahead, scene).new
        found = [
            Guess((*lines, *(f"armory {word}" for word in told)), p * weight, p)
            for told, p in as_read(ahead, new, 6)
            if told
        ]
    elif ahead.phase is Phase.SELECT:
        laid, _ = laying.ready(ahead, scene)
        found = [Guess((*lines, *each.lines), weight) for each in laid if each.legal]
    return weighed(state, found), (1.0 - weight) if found else 0.0
