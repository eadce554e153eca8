"""What an action does to the state, and what follows from it by itself. It also works for plays
the table let stand."""

from __future__ import annotations

from dataclasses import replace

from companion.games.valhalla.rules.actions import (
    Acting,
    Action,
    Armory,
    Aside,
    Dare,
    Declare,
    Decline,
    Draw,
    Fetch,
    Fighting,
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
from companion.games.valhalla.rules.asides import corrected, dared, declined
from companion.games.valhalla.rules.phases.battle import added, support_used, took, turned
from companion.games.valhalla.rules.phases.clash import begun, laid, revealed
from companion.games.valhalla.rules.phases.draugr import forgiven, lost, stood
from companion.games.valhalla.rules.phases.ending import fetched, returned
from companion.games.valhalla.rules.phases.strategy import acted, declared
from companion.games.valhalla.rules.phases.turn import onward
from companion.games.valhalla.rules.placing import served
from companion.games.valhalla.rules.state import Stage, State


def after(state: State, action: Action) -> State:
    return onward(_done(replace(state, notes=()) if state.notes else state, action))


def _done(state: State, action: Action) -> State:
    match action:
        case First() | Ready() | Reveal():
            return _laid(state, action)
        case Declare() | Draw() | Take() | Pass():
            return _acted(state, action)
        case Turn() | Armory() | Lose() | Stand():
            return _fought(state, action)
        case Fetch():
            return fetched(state, action)
        case Return():
            return returned(state, action)
        case Dare() | Decline() | Has() | Shows():
            return _said(state, action)


def _laid(state: State, action: Laying) -> State:
    match action:
        case First():
            return begun(state, action)
        case Ready():
            return laid(state, action)
        case Reveal():
            return revealed(state, action)


def _acted(state: State, action: Acting) -> State:
    match action:
        case Declare():
            return declared(state, action)
        case Draw():
            return acted(state, action)
        case Take():
            return took(state, action) if state.stage is Stage.SPOILS else acted(state, action)
        case Pass(seat) if state.debts:
            return forgiven(state, seat)
        case Pass(seat):
            state = served(state, seat)
            return support_used(state, seat) if state.stage is Stage.WOLF else state


def _fought(state: State, action: Fighting) -> State:
    match action:
        case Turn():
            return turned(state, action)
        case Armory():
            return added(state, action)
        case Lose():
            return lost(state, action)
        case Stand():
            return stood(state, action)


def _said(state: State, action: Aside) -> State:
    match action:
        case Dare():
            return dared(state, action)
        case Decline():
            return declined(state, action)
        case Has() | Shows():
            return corrected(state, action)
