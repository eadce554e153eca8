"""Reading the Strategy Phase: taking from the armory, declaring a Main, drawing."""

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
"""How likely somebody who acted unseen has drawn, and not done nothing."""
# How likely the piles look as they do, if a card was taken from the armory ...
LIKE = 0.3
"""... and the taker's pile showed such a card before: nobody can see whether another came."""
UNSEEN = 0.01
"""... and it cannot be seen on the taker's pile."""
BY_ITSELF = 0.001
"""... and another pile has a new card like it on top, for no reason."""
MOST_SHOWN = 24
"""What the cards on the reveal spot may be together that is followed up."""
MOST_IN_ROW = 6
"""The same for new cards in the armory."""


def acted(state: State, scene: Scene) -> Found:
    """What was taken, declared or drawn; else whether the table has gone on to the next phase."""
    shown, unread = _drawn(state, scene)
    taken, in_the_air = _taken(state, scene)
    found = [*taken, *shown, *weighed(state, _declared(state, scene))]
    return (found, unread + in_the_air) if found else _gone_on(state, scene)


# Taking


def _taken(state: State, scene: Scene) -> Found:
    """VLLA-STR-4b: a card left the armory for somebody's pile. Until it is seen there it may still
    be in the air."""
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
    """How likely the piles look as they do, if the taker got such a card and nobody else did."""
    weight = 1.0
    for seat in state.playing_order:
        like = pile_top(state, seat) == word
        shows = pile_shows(state, scene, seat, word)
        if seat is taker and not shows:
            weight *= UNSEEN if taker in _next(state) else 0.0
        elif seat is taker:
            weight *= LIKE if like else 1.0
        elif shows and not like:
            weight *= BY_ITSELF
    return weight


def _next(state: State) -> tuple[Seat, ...]:
    """Who may act now."""
    simultaneous = state.options.strategy_order == "simultaneous"
    return state.waiting if simultaneous else state.waiting[:1]


# Declaring


def _declared(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-STR-6: a Main that was used goes to the pile. Whom it is aimed at nobody can see."""
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
    """Those of the actions that fit the cards on the reveal spot.

    A card that is kept may have left it again: then only the rest of what was shown lies there.
    """
    lying = on_reveal(scene)
    since = min((each.since for each in lying), default=0.0)
    left = tuple(
        best(state, each.thing)
        for each in gone(scene, "reveal")
        if each.at >= since and each.thing.number not in scene.names
    )
    rows = as_read(state, lying, MOST_SHOWN)
    found = []
    for action in actions:
        for told, p in rows:
            if _fits(action, told, left):
                line = str(replace(action, shown=tuple(map(Card, (*told, *left)))))
                found.append(Guess((line,), p, p, named(lying, told)))
    return weighed(state, found), unknown(state, lying)


def _fits(action: Draw | Stand, told: tuple[str, ...], left: tuple[str, ...]) -> bool:
    """Whether an action shows the cards that were `told` and those that have `left` again.

    Which card is kept can be told once it has left, or if there is but one kind to choose from.
    """
    if sorted((*told, *left)) != sorted(map(str, action.shown)):
        return False
    kept = (action.keeps,) if isinstance(action.keeps, Card) else action.keeps or ()
    if left:
        return not kept or sorted(left) == sorted(map(str, kept))
    return not kept or len(set(action.shown) - {Card.DRAUGR}) <= 1


def _gone_on(state: State, scene: Scene) -> Found:
    """Readings if the table is further than the books: whoever has not acted drew unseen, and now
    the battle or the next turn has begun."""
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
            for told, p in as_read(ahead, new, MOST_IN_ROW)
            if told
        ]
    elif ahead.phase is Phase.SELECT:
        laid, _ = laying.ready(ahead, scene)
        found = [Guess((*lines, *each.lines), weight) for each in laid if each.legal]
    return weighed(state, found), (1.0 - weight) if found else 0.0
