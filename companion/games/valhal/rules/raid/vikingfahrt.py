"""The Vikingfahrt up to the battles: the choice roll, choosing, loading, joint attacks. Rules
VHAL-VF-1 to -5, VHAL-JOIN-1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import (
    Attack,
    Boats,
    ChoiceRolls,
    Decline,
    Join,
    Roll,
    Stay,
)
from companion.games.valhal.rules.settlement.books import changed, served
from companion.games.valhal.rules.sheet.sheet import SPECIALS, WARRIORS
from companion.games.valhal.rules.state import Fighter, Force, Raid, Stage, State

# The choice roll


def embarked(state: State) -> State:
    """VHAL-SEA-2 and VHAL-VF-1: summer, and everybody rolls one die."""
    return replace(
        state, voyages=state.voyages + 1, stage=Stage.ROLL, waiting=state.order, rolls=(), raids=()
    )


def choice_roll_objections(state: State, action: Roll) -> Iterator[Reason]:
    if action.seat not in state.waiting:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-VF-1", may_stand=False, seat=action.seat)
    if len(action.dice) != 1:
        yield reason(Code.ONE_DIE, "VHAL-VF-1", may_stand=False, got=len(action.dice))
    yield from faces_objections(state, action.dice)


def choice_rolls_objections(state: State, action: ChoiceRolls) -> Iterator[Reason]:
    need = len(state.waiting)
    if len(action.dice) != need:
        got = len(action.dice)
        yield reason(Code.DICE_COUNT, "VHAL-VF-1", may_stand=False, got=got, need=need)
    yield from faces_objections(state, action.dice)


def choice_rolls(state: State, action: ChoiceRolls) -> State:
    for seat, die in zip(state.waiting, action.dice, strict=True):
        state = choice_rolled(state, Roll(seat, (die,)))
    return state


def faces_objections(state: State, dice: tuple[int, ...]) -> Iterator[Reason]:
    for die in dict.fromkeys(dice):
        if die not in state.sheet.faces:
            yield reason(Code.NOT_A_FACE, "VHAL-VF-1", may_stand=False, got=die)


def choice_rolled(state: State, action: Roll) -> State:
    return served(replace(state, rolls=(*state.rolls, (action.seat, action.dice[0]))), action.seat)


def roll_settled(state: State) -> State:
    """The highest chooses first, then clockwise. A-12: who is equal on top rolls again."""
    most = max(die for _, die in state.rolls)
    top = tuple(seat for seat in state.order if (seat, most) in state.rolls)
    if len(top) > 1:
        return replace(state, waiting=top, rolls=())
    queue = (*state.seats[top[0] :], *state.seats[: top[0]])
    return replace(state, stage=Stage.CHOOSE, queue=queue, stays=0, rolls=state.rolls)


# Choosing


def targets(state: State, seat: Seat) -> tuple[str, ...]:
    """VHAL-VAR-HEID: the card set aside may be attacked once by everybody."""
    heidrun = (state.heidrun,) if state.heidrun and not _was_there(state, seat) else ()
    return (*state.mainland, *heidrun)


def _was_there(state: State, seat: Seat) -> bool:
    return any(
        raid.town == state.heidrun and any(force.seat is seat for force in raid.forces)
        for raid in state.raids
    )


def ready_units(state: State, seat: Seat) -> tuple[str, ...]:
    units = state.players[seat].units
    return tuple(unit for unit in units if not _out_of_use(state, seat, unit))


def _out_of_use(state: State, seat: Seat, unit: str) -> bool:
    """VHAL-CARD-5; VHAL-VAR-SPEC: a marker on Warriors is one on Special Units as well."""
    player = state.players[seat]
    if unit not in SPECIALS:
        return player.unused(unit, state.season)
    as_warriors = state.version > 1 and player.unused(WARRIORS, state.season)
    return as_warriors or player.unused("special", state.season)


def able(state: State, seat: Seat) -> bool:
    """VHAL-VF-3: units not yet sent, and boats to send them on."""
    player = state.players[seat]
    return bool(ready_units(state, seat)) and player.boats > 0 and not any(_kept_home(state, seat))


def _kept_home(state: State, seat: Seat) -> Iterator[str]:
    """VHAL-CARD-5: what keeps a Jarl from sailing at all."""
    things = ("vikingfahrt", "longboat") if state.version > 1 else ()
    return (thing for thing in things if state.players[seat].unused(thing, state.season))


def choosing_over(state: State) -> bool:
    return not state.queue or state.stays >= len(state.queue)


def unable(state: State) -> Seat | None:
    """Who is next to choose and cannot."""
    seat = state.queue[0]
    return None if able(state, seat) and targets(state, seat) else seat


def attack_objections(state: State, action: Attack) -> Iterator[Reason]:
    seat, town = action.seat, action.town
    yield from _turn(state, seat)
    if town not in (*state.mainland, state.heidrun):
        yield reason(Code.NOT_ON_MAINLAND, "VHAL-VF-2", may_stand=False, town=town)
    elif town not in targets(state, seat):
        yield reason(Code.HEIDRUN_TWICE, "VHAL-VAR-HEID", seat=seat, town=town)
    if town == state.heidrun and action.invites:
        yield reason(Code.HEIDRUN_ALONE, "VHAL-VAR-HEID", seat=seat)
    yield from load_objections(state, seat, action.units, action.boats)
    for other in action.invites:
        twice = action.invites.count(other) > 1
        if other not in state.seats or other is seat or twice or not able(state, other):
            yield reason(Code.CANNOT_INVITE, "VHAL-JOIN-1", may_stand=False, seat=other)


def _turn(state: State, seat: Seat) -> Iterator[Reason]:
    """VHAL-VF-1 and -3, A-13: round and round."""
    if seat not in state.queue:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-VF-3", may_stand=False, seat=seat)
    elif seat is not state.queue[0]:
        yield reason(Code.NOT_YOUR_TURN, "VHAL-VF-1", seat=seat, to_move=state.queue[0])


def load_objections(
    state: State, seat: Seat, units: tuple[str, ...], boats: Boats
) -> Iterator[Reason]:
    player = state.players[seat]
    for thing in _kept_home(state, seat):
        yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=thing)
    for unit, count in Counter(units).items():
        have = player.units.count(unit)
        if count > have:
            yield reason(
                Code.UNIT_NOT_HOME, "VHAL-VF-3", may_stand=False, seat=seat, unit=unit, have=have
            )
        elif _out_of_use(state, seat, unit):
            yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=unit)
    if boats.sound > player.boats - player.damaged or boats.damaged > player.damaged:
        yield reason(
            Code.BOATS_NOT_HOME, "VHAL-VF-2", may_stand=False, seat=seat, have=player.boats
        )
    if len(units) < boats.count:
        yield reason(Code.BOAT_EMPTY, "VHAL-VF-4", seat=seat, boats=boats.count, units=len(units))
    if len(units) > boats.room:
        yield reason(Code.BOATS_FULL, "VHAL-VF-4", seat=seat, room=boats.room, units=len(units))


def _sent(state: State, seat: Seat, units: tuple[str, ...], boats: Boats) -> tuple[State, Force]:
    player = state.players[seat]
    home = list(player.units)
    for unit in units:
        home.remove(unit)
    state = changed(
        state,
        seat,
        units=tuple(home),
        boats=player.boats - boats.count,
        damaged=player.damaged - boats.damaged,
    )
    fighters = tuple(Fighter(unit) for unit in units)
    return state, Force(seat, fighters, boats.count, boats.damaged)


def attacked(state: State, action: Attack) -> State:
    """VHAL-VF-2 and -5; A-34: battles are fought in this order."""
    state, force = _sent(state, action.seat, action.units, action.boats)
    left = tuple(town for town in state.mainland if town != action.town)
    state = replace(
        state, mainland=left, raids=(*state.raids, Raid(action.town, (force,))), stays=0
    )
    if action.invites:
        return replace(state, stage=Stage.INVITE, waiting=action.invites)
    return _moved_back(state, (action.seat,))


def _moved_back(state: State, seats: tuple[Seat, ...]) -> State:
    """They choose again only after everybody else has."""
    others = tuple(seat for seat in state.queue if seat not in seats)
    return replace(state, queue=(*others, *(seat for seat in seats if seat in state.queue)))


def stay_objections(state: State, action: Stay) -> Iterator[Reason]:
    yield from _turn(state, action.seat)


def stayed(state: State, action: Stay) -> State:
    """A-13: for now, or for this Vikingfahrt."""
    if state.options.pass_in_choice_final:
        return dropped(state, action.seat)
    return replace(_moved_back(state, (action.seat,)), stays=state.stays + 1)


def dropped(state: State, seat: Seat) -> State:
    return replace(state, queue=tuple(each for each in state.queue if each is not seat))


# Joint attacks


def join_objections(state: State, action: Join | Decline) -> Iterator[Reason]:
    """VHAL-JOIN-1"""
    if action.seat not in state.waiting:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-JOIN-1", may_stand=False, seat=action.seat)
    if isinstance(action, Join):
        yield from load_objections(state, action.seat, action.units, action.boats)


def joined(state: State, action: Join) -> State:
    state, force = _sent(state, action.seat, action.units, action.boats)
    raid = state.raids[-1]
    raid = replace(raid, forces=(*raid.forces, force))
    return served(replace(state, raids=(*state.raids[:-1], raid)), action.seat)


def declined(state: State, action: Decline) -> State:
    return served(state, action.seat)


def invited(state: State) -> State:
    """All have answered: who joined has chosen as well."""
    seats = tuple(force.seat for force in state.raids[-1].forces)
    return replace(_moved_back(state, seats), stage=Stage.CHOOSE)
