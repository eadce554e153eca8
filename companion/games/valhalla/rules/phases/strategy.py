"""The Strategy Phase: declaring a Main, drawing, taking from the armory, doing nothing. Rules
VLLA-STR-4 to -6, the Mains of VLLA-AXE, -HAM, -SWO and -DEI, A-4 to A-7, A-30."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import Declare, Draw, Pass, Take
from companion.games.valhalla.rules.cards import Card, is_deity
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.drawing import draw_objections, draw_size, drew
from companion.games.valhalla.rules.placing import changed, out_of_armory, served, to_discard
from companion.games.valhalla.rules.state import State

# Declaring a Main


def declare_objections(state: State, action: Declare) -> Iterator[Reason]:
    seat, card = action.seat, action.card
    player = state.players[seat]
    if card != player.main:
        yield reason(Code.NOT_THE_MAIN, "VLLA-STR-6", may_stand=False, seat=seat, card=card)
    elif card is Card.WOLF:  # it has its time in the End Phase
        yield reason(Code.WOLF_WAITS, "VLLA-WOL", may_stand=False, seat=seat)
    elif is_deity(card):
        yield from _deity(state, action)
    else:
        yield from _aimed(state, action)


def _deity(state: State, action: Declare) -> Iterator[Reason]:
    """A-30: a Deity has no target, and is used before its owner acts."""
    if action.target is not None:
        yield reason(Code.TARGET_NEEDLESS, "VLLA-DEI", may_stand=False, card=action.card)
    if action.seat not in state.waiting:
        yield reason(Code.DEITY_LATE, "VLLA-DEI", seat=action.seat)


def _aimed(state: State, action: Declare) -> Iterator[Reason]:
    target, card = action.target, action.card
    rule = "VLLA-STR-5"
    if action.shuffles:
        yield reason(Code.SHUFFLE_NEEDLESS, "VLLA-DEI", may_stand=False, card=card)
    if target is None:
        yield reason(Code.TARGET_MISSING, rule, may_stand=False, card=card)
    elif target not in state.seats or not state.players[target].alive:
        yield reason(Code.TARGET_OUT, rule, may_stand=False, seat=target)
    else:
        yield from _target(state, action, target)


def _target(state: State, action: Declare, target: Seat) -> Iterator[Reason]:
    """A-7: a Sword can be used on anybody else; Axe and Hammer only on somebody who has yet to
    act."""
    anyone = state.options.main_targets == "anyone"
    if target is action.seat and not anyone:
        yield reason(Code.TARGET_SELF, "VLLA-STR-5", seat=target, card=action.card)
    if action.card is Card.SWORD:
        return
    if target in state.involved:
        if not anyone:
            yield reason(Code.TARGET_CLASHED, "VLLA-STR-5", seat=target, card=action.card)
    elif target not in state.waiting:
        yield reason(Code.TARGET_ACTED, "VLLA-STR-5", seat=target, card=action.card)


def declared(state: State, action: Declare) -> State:
    """VLLA-STR-6: a used Main goes to the discard pile, the Support stays. What a Sword (VLLA-SWO)
    or a Deity (VLLA-DEI) shows its owner is not public, so the books do not have it."""
    state = changed(state, action.seat, main=None)
    state = to_discard(state, action.seat, (action.card,))
    if action.target is not None and action.card is Card.AXE:
        state = changed(state, action.target, axed=True)
    if action.target is not None and action.card is Card.HAMMER:
        state = changed(state, action.target, hammered=True)
    return replace(state, bottom=()) if action.shuffles else state


# One action each


def act_objections(state: State, action: Draw | Take | Pass) -> Iterator[Reason]:
    yield from _turn(state, action.seat)
    match action:
        case Draw():
            yield from draw_objections(state, action)
        case Take():
            if state.players[action.seat].hammered:  # VLLA-HAM: the draw is forced
                yield reason(Code.MUST_DRAW, "VLLA-HAM", seat=action.seat)
            yield from take_objections(state, action)
        case Pass():
            mandatory = state.options.strategy_action == "mandatory"
            if mandatory and _can_act(state, action.seat):
                yield reason(Code.MUST_ACT, "VLLA-STR-4", seat=action.seat)
            elif state.players[action.seat].hammered and draw_size(state, action.seat):
                yield reason(Code.MUST_DRAW, "VLLA-HAM", seat=action.seat)


def _turn(state: State, seat: Seat) -> Iterator[Reason]:
    if seat in state.involved:  # VLLA-STR-3
        yield reason(Code.CLASHED, "VLLA-STR-3", seat=seat)
    elif seat not in state.waiting:
        yield reason(Code.ACTED_ALREADY, "VLLA-STR-4", seat=seat)
    elif seat is not state.waiting[0] and state.options.strategy_order != "simultaneous":
        yield reason(Code.NOT_YOUR_TURN, "VLLA-STR-4", seat=seat, to_move=state.waiting[0])


def _can_act(state: State, seat: Seat) -> bool:
    takes = not state.players[seat].hammered and bool(takeable(state))
    return takes or draw_size(state, seat) > 0


def takeable(state: State) -> tuple[Card, ...]:
    """A-32: each kind in the armory except Draugr and Deities, which do not stay there anyway
    (VLLA-ARM-4)."""
    kinds = dict.fromkeys(state.armory)
    return tuple(card for card in kinds if card is not Card.DRAUGR and not is_deity(card))


def take_objections(state: State, action: Take) -> Iterator[Reason]:
    if action.card not in state.armory:
        yield reason(Code.NOT_IN_ARMORY, "VLLA-ARM-1", may_stand=False, card=action.card)
    elif action.card is Card.DRAUGR:
        yield reason(Code.DRAUGR_STAYS, "VLLA-BAT-5", may_stand=False)


def acted(state: State, action: Draw | Take) -> State:
    state = served(state, action.seat)
    match action:
        case Draw():
            return drew(state, action)
        case Take(seat, card):  # VLLA-STR-4b: to the discard pile, not to the hand
            pile = (*state.players[seat].discard, card)
            return changed(out_of_armory(state, card), seat, discard=pile)
