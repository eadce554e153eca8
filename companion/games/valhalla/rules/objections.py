"""Why an action is against the rules: first who and when, then the rules of its phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from companion.core.game import Reason, reason
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
from companion.games.valhalla.rules.asides import (
    dare_objections,
    decline_objections,
    hand_objections,
)
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.battle import (
    armory_objections,
    spoil_objections,
    turn_objections,
)
from companion.games.valhalla.rules.phases.clash import ready_objections, reveal_objections
from companion.games.valhalla.rules.phases.draugr import lose_objections, stand_objections
from companion.games.valhalla.rules.phases.ending import fetch_objections, return_objections
from companion.games.valhalla.rules.phases.strategy import act_objections, declare_objections
from companion.games.valhalla.rules.state import Phase, State

# The phases in which each action can be done, and the rule that says so. An action that is not here
# has checks of its own.
WHEN: Mapping[type[Action], tuple[tuple[Phase, ...], str]] = MappingProxyType(
    {
        First: ((Phase.FIRST,), "VLLA-SETUP-1"),
        Ready: ((Phase.SELECT,), "VLLA-STR-1"),
        Reveal: ((Phase.REVEAL,), "VLLA-STR-2"),
        Declare: ((Phase.STRATEGY,), "VLLA-STR-5"),
        Draw: ((Phase.STRATEGY,), "VLLA-STR-4a"),
        Take: ((Phase.STRATEGY, Phase.SPOILS), "VLLA-STR-4b"),
        Turn: ((Phase.SUPPORT,), "VLLA-DEI"),
        Armory: ((Phase.BATTLE,), "VLLA-BAT-3"),
        Lose: ((Phase.LOSS,), "VLLA-DRA-1"),
        Stand: ((Phase.STAND,), "VLLA-DRA-2"),
        Fetch: ((Phase.WOLF,), "VLLA-WOL"),
        Return: ((Phase.TRIM,), "VLLA-ARM-2"),
    }
)
OWING_PHASES = (Phase.LOSS, Phase.STAND)  # somebody owes cards or a last stand
FORCED_PHASES = (Phase.SUPPORT, Phase.SPOILS, Phase.WOLF)  # one after the other, nobody may refuse


def objections(state: State, action: Action) -> Iterator[Reason]:
    seat = None if isinstance(action, Armory) else action.seat
    if seat is not None and seat not in state.seats:
        yield reason(Code.NOT_SEATED, "VLLA-COMP-2", may_stand=False, seat=seat)
    elif state.over:
        yield reason(Code.GAME_OVER, "VLLA-WIN-1", may_stand=False)
    elif seat is not None and not state.players[seat].alive:
        yield reason(Code.SEAT_OUT, "VLLA-DRA-2", may_stand=False, seat=seat)
    else:
        yield from _timely(state, action)


def _timely(state: State, action: Action) -> Iterator[Reason]:
    phase = state.phase
    phases, rule = WHEN.get(type(action), ((phase,), ""))
    if phase in phases:
        yield from _by_action(state, action)
    elif phase in OWING_PHASES:
        owing = tuple(debt.seat for debt in state.debts)
        yield reason(Code.SETTLE_FIRST, "VLLA-DRA-1", may_stand=False, seats=owing)
    else:
        yield reason(Code.NOT_NOW, rule, may_stand=False, phase=phase)


def _by_action(state: State, action: Action) -> Iterator[Reason]:
    match action:
        case First() | Ready() | Reveal():
            yield from _laying(state, action)
        case Declare() | Draw() | Take() | Pass():
            yield from _acting(state, action)
        case Turn() | Armory() | Lose() | Stand():
            yield from _fighting(state, action)
        case Fetch():
            yield from fetch_objections(state, action)
        case Return():
            yield from return_objections(state, action)
        case Dare() | Decline() | Has() | Shows():
            yield from _aside(state, action)


def _laying(state: State, action: Laying) -> Iterator[Reason]:
    match action:
        case First():
            return
        case Ready():
            yield from ready_objections(state, action)
        case Reveal():
            yield from reveal_objections(state, action)


def _acting(state: State, action: Acting) -> Iterator[Reason]:
    match action:
        case Declare():
            yield from declare_objections(state, action)
        case Draw():
            yield from act_objections(state, action)
        case Take():
            if state.phase is Phase.SPOILS:
                yield from spoil_objections(state, action)
            else:
                yield from act_objections(state, action)
        case Pass():
            yield from _pass(state, action)


def _pass(state: State, action: Pass) -> Iterator[Reason]:
    """A player may do nothing only in the Strategy Phase; in others the table may let it pass."""
    seat, phase = action.seat, state.phase
    owing = any(debt.seat is seat for debt in state.debts)
    if phase is Phase.STRATEGY:
        yield from act_objections(state, action)
    elif (phase in FORCED_PHASES and seat in state.waiting) or (phase in OWING_PHASES and owing):
        yield reason(Code.MUST_DO, _MUST[phase], seat=seat, phase=phase)
    else:
        yield reason(Code.NOTHING_TO_PASS, "VLLA-STR-4", may_stand=False, seat=seat, phase=phase)


_MUST = {
    Phase.LOSS: "VLLA-DRA-1",
    Phase.STAND: "VLLA-DRA-2",
    Phase.SUPPORT: "VLLA-DEI",
    Phase.SPOILS: "VLLA-BAT-6",
    Phase.WOLF: "VLLA-WOL",
}


def _fighting(state: State, action: Fighting) -> Iterator[Reason]:
    match action:
        case Turn():
            yield from turn_objections(state, action)
        case Armory():
            yield from armory_objections(state, action)
        case Lose():
            yield from lose_objections(state, action)
        case Stand():
            yield from stand_objections(state, action)


def _aside(state: State, action: Aside) -> Iterator[Reason]:
    match action:
        case Dare():
            yield from dare_objections(state, action)
        case Decline():
            yield from decline_objections(state, action)
        case Has() | Shows():
            yield from hand_objections(state, action)
