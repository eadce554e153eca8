"""What happens by itself until somebody has to do something, and when the game is decided. Rules
VLLA-WIN-1 and -2, VLLA-END-1, A-22."""

from __future__ import annotations

from dataclasses import replace

from companion.games.valhalla.rules.phases.battle import joined, spoils, struck, supported
from companion.games.valhalla.rules.phases.clash import (
    clashed,
    dawned,
    passed_on,
    revealing,
    selecting,
)
from companion.games.valhalla.rules.phases.draugr import stand_size
from companion.games.valhalla.rules.phases.ending import cleared, howled
from companion.games.valhalla.rules.phases.strategy import takeable
from companion.games.valhalla.rules.placing import draugr_recalled, eliminated, stocked
from companion.games.valhalla.rules.state import FIGHTING, Battle, Phase, Stage, State


def onward(state: State) -> State:
    """The state after everything that follows without anybody's choice."""
    while (following := _following(state)) is not None:
        state = following
    return state


def _following(state: State) -> State | None:
    """The state after the next thing that happens by itself; None if the table waits for people
    or cards."""
    if state.over:
        return None
    if state.options.victory_check == "immediate" and len(state.playing_order) == 1:
        return _decided(state)
    if state.debts:
        if state.phase is Phase.STAND and stand_size(state) == 0:  # nothing to stand on
            return eliminated(state, state.debts[0].seat)
        return None
    if state.waiting:
        return replace(state, waiting=()) if _moot(state) else None
    return _phase_check(state) or _next_stage(state)


def _moot(state: State) -> bool:
    """Whether those the table waits for have nothing to turn or to take. A-18, A-24."""
    if state.stage is Stage.SUPPORT:
        return stocked(state, 1).deck == 0
    return state.stage is Stage.SPOILS and not takeable(state)


def _next_stage(state: State) -> State | None:
    match state.stage:
        case Stage.DAWN:
            return selecting(state)
        case Stage.SELECT:
            return revealing(state)
        case Stage.REVEAL:
            return clashed(state)
        case Stage.STRATEGY:
            return supported(state)
        case Stage.SUPPORT:
            return joined(state)
        case Stage.BATTLE if state.battle is not None:
            return _fought(state, state.battle)
        case _:
            return _towards_the_end(state)


def _fought(state: State, battle: Battle) -> State | None:
    if battle.cost is None and len(battle.revealed) < battle.due and stocked(state, 1).deck:
        return None
    return struck(state, battle) if battle.cost is None else spoils(state, battle)


def _towards_the_end(state: State) -> State | None:
    match state.stage:
        case Stage.SPOILS:
            return howled(state)
        case Stage.WOLF:
            return cleared(state)
        case Stage.TRIM:
            return dawned(passed_on(draugr_recalled(state)))
        case _:
            return None


def _phase_check(state: State) -> State | None:
    """Ends the game if one player is left or none. A-22: at the end of a phase, or as soon as
    nothing more in it can eliminate anybody."""
    if len(state.playing_order) > 1:
        return None
    fought = state.battle is not None and state.battle.cost is not None
    battle_ahead = state.stage in (Stage.SUPPORT, Stage.BATTLE) and state.fighters
    return _decided(state) if fought or not battle_ahead else None


def _decided(state: State) -> State:
    """VLLA-WIN-1: the last one left. VLLA-WIN-2: if all fell in one phase, nobody; A-22: or, in
    a battle, those who fell in it."""
    winners = state.playing_order
    if not winners and state.stage in FIGHTING and state.options.all_out_in_battle == "shared_win":
        winners = tuple(
            fallen.seat
            for fallen in state.fallen
            if fallen.turn == state.turn and fallen.stage in FIGHTING
        )
    return replace(state, stage=Stage.OVER, waiting=(), debts=(), winners=tuple(sorted(winners)))
