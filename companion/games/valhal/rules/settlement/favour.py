"""Favour and glory: the Raven Head, the marker, what their spaces bring, and the Final Stage.
Rules VHAL-FAV-1 to -5, VHAL-GLO-1, VHAL-CHG-1 and -2, VHAL-FIN-1 to -3."""

from __future__ import annotations

from dataclasses import replace

from companion.core.notation import Seat
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.settlement.books import changed, noted, owing
from companion.games.valhal.rules.state import (
    Change,
    Due,
    Final,
    Happening,
    Owed,
    Player,
    Stage,
    State,
)
from companion.games.valhal.rules.vocabulary import Stack

FINAL_GLORY = 7
SAILING = (Stage.ROLL, Stage.CHOOSE, Stage.INVITE, Stage.BATTLE)


def gloried(state: State, seat: Seat, count: int) -> State:
    """VHAL-GLO-1; A-36: the marker stays on the last space."""
    have = state.players[seat].glory
    most = state.sheet.glory_max
    now = max(0, have + count) if most is None else min(most, max(0, have + count))
    if now == have:
        return state
    what = Happening.GAINED if now > have else Happening.LOST
    return noted(changed(state, seat, glory=now), what, seat, "glory", abs(now - have))


def favoured(state: State, seat: Seat, steps: int) -> State:
    """VHAL-FAV-1 and -2: a space for each symbol, one after the other; back where a card says so.
    The last space wins at once, in the middle of anything (A-37). VHAL-FAV-5: each space on the
    way is come to before the next step; or after the whole move; or only the last one is."""
    way = state.options.wrath_on_the_way
    for left in range(abs(steps) - 1, -1, -1):
        space = state.players[seat].favour + (1 if steps > 0 else -1)
        if state.winner is not None or space < 0:
            return state
        state = _moved(state, seat, space)
        if steps > 0 and state.winner is None and (way != "no" or not left):
            state = owing(
                state, [Due(Owed.ARRIVE, (seat,), space=space), *_onward(seat, way, left)]
            )
            if way == "yes":
                return state
    return state


def _moved(state: State, seat: Seat, space: int) -> State:
    reached = max(space, state.players[seat].reached)
    state = changed(state, seat, favour=space, reached=reached)
    state = noted(state, Happening.FAVOUR, seat, "favour", space)
    return replace(state, winner=seat) if space >= steps_to_win(state.options) else state


def _onward(seat: Seat, way: str, left: int) -> tuple[Due, ...]:
    return (Due(Owed.STEP, (seat,), space=left),) if left and way == "yes" else ()


def arrived(state: State, due: Due) -> State:
    """VHAL-FAV-3: a Wrath symbol strikes; A-19: each time, or once."""
    seat = due.seats[0]
    player = state.players[seat]
    spaces = state.display.wrath or ()
    spared = state.options.wrath_retrigger == "once" and due.space in player.wraths
    if due.space not in spaces or spared:
        return state
    if due.space not in player.wraths:
        state = changed(state, seat, wraths=(*player.wraths, due.space))
    return owing(state, [Due(Owed.DRAW, (seat,), Stack.WRATH)])


def coming_voyage(state: State) -> int:
    """A-21: the next Vikingfahrt is the next to begin; or the one under way."""
    under_way = state.options.next_vikingfahrt == "current" and state.stage in SAILING
    return state.voyages if under_way else state.voyages + 1


def change_reached(state: State) -> State | None:
    """VHAL-CHG-1: when every Jarl has been there, pushed back since or not. VHAL-CHG-2: when the
    first one is. Once each (A-19)."""
    if state.display.change is None:
        return None
    favours = [_furthest(state, player) for player in state.players]
    first, second = state.display.change
    for which, reached in ((1, min(favours) >= first), (2, max(favours) >= second)):
        if reached and which not in state.changed:
            ahead = (*state.changes, Change(which, coming_voyage(state)))
            return replace(state, changes=ahead, changed=(*state.changed, which))
    return None


def _furthest(state: State, player: Player) -> int:
    return max(player.favour, player.reached if state.version > 1 else 0)


def final_reached(state: State) -> State | None:
    """VHAL-FIN-1: one space before the last, and seven glory. A-22: by itself, and never
    cancelled. A-23: whoever is there first has it."""
    if state.final is not None:
        return None
    last = steps_to_win(state.options) - 1
    for seat in state.order:
        player = state.players[seat]
        if player.favour == last and player.glory >= FINAL_GLORY:
            state = replace(state, final=Final(seat, coming_voyage(state)))
            state = noted(state, Happening.FINAL_STAGE, seat, state.sheet.final_marker)
            return gloried(state, seat, -int(state.options.final_stage_cost))
    return None


def final_over(state: State) -> State | None:
    """VHAL-FIN-2 and -3: its owner wins after that Vikingfahrt, unless somebody has won."""
    if state.final is None or state.final.after > state.voyages:
        return None
    return replace(state, winner=state.final.seat)


def ended(state: State) -> State:
    idle = replace(state, dues=(), steps=(), asks=(), waiting=(), queue=())
    return replace(idle, stage=Stage.OVER)
