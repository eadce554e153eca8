"""Setting the books right: `A has coins 5`, and everything else a Jarl can have.

coins, iron, wood, glory, favour          warriors, veterans, berserkir ...; longboats; damaged
warehouse, granary, blacksmith, altar     1 or 0
food.winter-1, coin.winter-1              a food token or a coin on a space: 1 or 0
larder                                    food tokens on the longhouse that may be laid out
stage.longboat-2                          the number on top of a project; 0: there is none
benevolence.b7                            copies of a card beside the settlement
block.winter, unusable.altar.winter       markers: 1 or 0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Has
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.settlement.books import changed
from companion.games.valhal.rules.settlement.food import granary_built, on_space, with_space
from companion.games.valhal.rules.sheet.sheet import SPECIALS, UNITS
from companion.games.valhal.rules.state import (
    Held,
    Player,
    Project,
    State,
    Unusable,
    boats_of,
    units_of,
)
from companion.games.valhal.rules.vocabulary import BUILDINGS, Fill, Kind, Season, Space, Stack

FILLS = {"food": Fill.TOKEN, "coin": Fill.COIN}
ONCE = ("food", "coin", "block", "unusable")
MOST_STAGES = 4


def owned(state: State, action: Has) -> int:
    player = state.players[action.seat]
    if "." in action.thing:
        return _marked(player, action.thing)
    if action.thing == "longboats":
        return boats_of(state, action.seat)
    if action.thing in UNITS:
        return units_of(state, action.seat).count(action.thing)
    if action.thing in BUILDINGS:
        return int(action.thing in player.buildings)
    return int(getattr(player, action.thing))


def _marked(player: Player, thing: str) -> int:
    first, *rest = thing.split(".")
    match first:
        case "food" | "coin":
            return int(on_space(player, Space(rest[0])) is FILLS[first])
        case "stage":
            project = player.project(rest[0])
            return 0 if project is None else project.left or 0
        case "block":
            return int(Season(rest[0]) in player.blocked)
        case "unusable":
            return int(player.unused(rest[0], Season(rest[1])))
        case stack:
            return player.kept.count(Held(Stack(stack), rest[0]))


def _bounds(state: State, action: Has) -> tuple[int, int]:
    """The fewest and the most there can be; what has sailed is not set right."""
    seat, thing = action.seat, action.thing
    player, have = state.players[seat], owned(state, action)
    if "." in thing:
        return 0, _most_marked(player, thing)
    match thing:
        case "favour":
            return 0, steps_to_win(state.options) - 1
        case "glory":
            return 0, 99 if state.sheet.glory_max is None else state.sheet.glory_max
        case "longboats":
            return have - player.boats, 99
        case "damaged":
            return 0, player.boats
        case unit if unit in UNITS:
            return have - player.units.count(unit), 1 if unit in SPECIALS else 99
        case _:
            return 0, 1 if thing in BUILDINGS else 99


def _most_marked(player: Player, thing: str) -> int:
    first, *rest = thing.split(".")
    if first in FILLS and on_space(player, Space(rest[0])) is Fill.GRANARY:
        return 0
    if first == "stage":
        kind = _kind(rest[0])
        return 0 if kind in player.buildings else MOST_STAGES
    return 1 if first in ONCE else 99


def has_objections(state: State, action: Has) -> Iterator[Reason]:
    seat, thing, count = action.seat, action.thing, action.count
    have, (least, most) = owned(state, action), _bounds(state, action)
    if not least <= count <= most:
        yield reason(
            Code.COUNT_DIFFERS, "VHAL-SET-4", may_stand=False, seat=seat, thing=thing, have=have
        )
    elif count != have:
        yield reason(Code.COUNT_DIFFERS, "VHAL-SET-4", seat=seat, thing=thing, have=have)


def corrected(state: State, action: Has) -> State:
    seat, thing, count = action.seat, action.thing, action.count
    player = state.players[seat]
    more = count - owned(state, action)
    if "." in thing:
        return _put_right(state, action)
    if thing == "longboats":
        boats = player.boats + more
        return changed(state, seat, boats=boats, damaged=min(boats, player.damaged))
    if thing in UNITS:
        others = [unit for unit in player.units if unit != thing]
        mine = [thing] * (player.units.count(thing) + more)
        return changed(state, seat, units=tuple(sorted(others + mine)))
    if thing in BUILDINGS:
        return _building(state, action)
    if thing == "favour":
        return _favour(state, action)
    return changed(state, seat, **{thing: count})


def _favour(state: State, action: Has) -> State:
    """The furthest space was a wrong one too, unless a card has pushed the Raven Head back."""
    player = state.players[action.seat]
    pushed = player.reached if player.reached > player.favour else 0
    reached = max(action.count, pushed)
    return changed(state, action.seat, favour=action.count, reached=reached)


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


def _put_right(state: State, action: Has) -> State:
    seat, count = action.seat, action.count
    first, *rest = action.thing.split(".")
    player = state.players[seat]
    match first:
        case "food" | "coin":
            return _space(state, seat, Space(rest[0]), FILLS[first] if count else None)
        case "stage":
            return _stage(state, action, rest[0])
        case "block":
            others = tuple(each for each in player.blocked if each != rest[0])
            return changed(state, seat, blocked=(*others, *(Season(rest[0]),) * count))
        case "unusable":
            marker = Unusable(rest[0], Season(rest[1]))
            markers = tuple(each for each in player.unusable if each != marker)
            return changed(state, seat, unusable=(*markers, *(marker,) * count))
        case stack:
            held = Held(Stack(stack), rest[0])
            kept = tuple(each for each in player.kept if each != held)
            return changed(state, seat, kept=(*kept, *(held,) * count))


def _space(state: State, seat: Seat, space: Space, fill: Fill | None) -> State:
    """A token where a coin was takes its place; nothing is left only where nothing else lies."""
    return with_space(state, seat, space, Fill.EMPTY if fill is None else fill)


def _stage(state: State, action: Has, site: str) -> State:
    player = state.players[action.seat]
    others = tuple(each for each in player.projects if each.site != site)
    if not action.count:
        return changed(state, action.seat, projects=others)
    slot = 2 if site.endswith("-2") else 1
    project = player.project(site) or Project(_kind(site), slot, fresh=False)
    project = replace(project, left=action.count)
    return changed(state, action.seat, projects=(*others, project))


def _kind(site: str) -> Kind:
    return Kind(site.removesuffix("-2"))
