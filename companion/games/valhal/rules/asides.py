"""What may be said at any time: entries of the owner's sheet, and setting the books right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Entry, Has
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.raid.mainland import town_stack
from companion.games.valhal.rules.settlement.books import changed
from companion.games.valhal.rules.settlement.building import numbered
from companion.games.valhal.rules.settlement.food import granary_built, on_space, with_space
from companion.games.valhal.rules.sheet.checking import contradictions
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.sheet.sheet import VETERANS, WARRIORS
from companion.games.valhal.rules.state import Player, State, boats_of, units_of
from companion.games.valhal.rules.vocabulary import BUILDINGS, Fill, Kind, Space

UNITS = (WARRIORS, VETERANS)


# The sheet


def entry_objections(state: State, action: Entry) -> Iterator[Reason]:
    """What the rulebook says differently is asked about once more; a copy may be another one."""
    before = contradictions(state.sheet)
    for each in contradictions(filled(state.sheet, action.path, action.value)):
        if each not in before:
            yield each


def entered(state: State, action: Entry) -> State:
    state = replace(state, sheet=filled(state.sheet, action.path, action.value))
    if action.path.startswith("box.") and state.voyages == 0:
        state = replace(state, stack=town_stack(len(state.seats), state.sheet))
    most = state.sheet.glory_max
    if most is not None:
        for seat in state.seats:
            state = changed(state, seat, glory=min(most, state.players[seat].glory))
    return numbered(_rows_kept(state))


def _rows_kept(state: State) -> State:
    """A battle goes on with the rows there are now."""
    raids = []
    for raid in state.raids:
        rows = state.sheet.town(raid.town).rows or ()
        row = min(raid.row, len(rows))
        most = rows[row].hp - 1 if row < len(rows) else 0
        raids.append(replace(raid, row=row, hurt=min(raid.hurt, most)))
    return replace(state, raids=tuple(raids))


# The books


def owned(state: State, action: Has) -> int:
    player: Player = state.players[action.seat]
    if action.thing == "longboats":
        return boats_of(state, action.seat)
    if action.thing in UNITS:
        return units_of(state, action.seat).count(action.thing)
    if action.thing in BUILDINGS:
        return int(action.thing in player.buildings)
    return int(getattr(player, action.thing))


def most_owned(state: State, action: Has) -> int:
    match action.thing:
        case "favour":
            return steps_to_win(state.options) - 1
        case "glory":
            return 99 if state.sheet.glory_max is None else state.sheet.glory_max
        case thing:
            return 1 if thing in BUILDINGS else 99


def has_objections(state: State, action: Has) -> Iterator[Reason]:
    seat, thing, count = action.seat, action.thing, action.count
    have, most = owned(state, action), most_owned(state, action)
    away = have - len([u for u in state.players[seat].units if u == thing]) if thing in UNITS else 0
    if thing == "longboats":
        away = have - state.players[seat].boats
    if not away <= count <= most:
        yield reason(
            Code.COUNT_DIFFERS, "VHAL-SET-4", may_stand=False, seat=seat, thing=thing, have=have
        )
    elif count != have:
        yield reason(Code.COUNT_DIFFERS, "VHAL-SET-4", seat=seat, thing=thing, have=have)


def corrected(state: State, action: Has) -> State:
    seat, thing, count = action.seat, action.thing, action.count
    player = state.players[seat]
    more = count - owned(state, action)
    if thing == "longboats":
        boats = player.boats + more
        return changed(state, seat, boats=boats, damaged=min(boats, player.damaged))
    if thing in UNITS:
        others = [unit for unit in player.units if unit != thing]
        mine = [thing] * (player.units.count(thing) + more)
        return changed(state, seat, units=tuple(sorted(others + mine)))
    if thing in BUILDINGS:
        return _building(state, action)
    return changed(state, seat, **{thing: count})


def _building(state: State, action: Has) -> State:
    seat, kind = action.seat, Kind(action.thing)
    player = state.players[seat]
    others = tuple(each for each in player.buildings if each is not kind)
    projects = tuple(e for e in player.projects if not (action.count and e.kind is kind))
    buildings = (*others, kind) if action.count else others
    state = changed(state, seat, buildings=buildings, projects=projects)
    if kind is Kind.GRANARY and action.count:
        return granary_built(state, seat)
    if kind is Kind.GRANARY and on_space(player, Space.WINTER_2) is Fill.GRANARY:
        return with_space(state, seat, Space.WINTER_2, Fill.EMPTY)
    return state
