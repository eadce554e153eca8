"""What a card takes from a Jarl, or turns into something better: which unit, which longboat, and
where it lies. VHAL-CARD-6: also what has sailed and lies at a Town; of several the Jarl chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Give
from companion.games.valhal.rules.settlement.books import (
    boat_lost,
    changed,
    granted,
    hull_hit,
    left,
    noted,
    owing,
    unit_gained,
    unit_lost,
    warriors_like,
)
from companion.games.valhal.rules.sheet.sheet import SPECIALS, VETERANS, WARRIORS
from companion.games.valhal.rules.state import (
    Due,
    Fighter,
    Force,
    Front,
    Happening,
    Owed,
    Raid,
    State,
    boats_of,
    force_of,
    units_of,
)
from companion.games.valhal.rules.vocabulary import AMOUNTS, Effect, Fill, Symbol

LONGBOAT, HULL, UPGRADE = "longboat", "hull", "upgrade"
LIKE_WARRIORS = (WARRIORS, *SPECIALS)  # VHAL-VAR-SPEC: for every cost, loss and upgrade
ASKED_FOR = {WARRIORS: LIKE_WARRIORS, UPGRADE: LIKE_WARRIORS, VETERANS: (VETERANS,)}


@dataclass(frozen=True, slots=True)
class Lying:
    """One thing that could be given: its name, and the Town card it lies at (none: at home)."""

    name: str
    at: str = ""


def lying(state: State, seat: Seat, thing: str) -> tuple[Lying, ...]:
    """Everything a card that takes such a thing could take; what is alike once."""
    if state.version < 2:
        return _first_version(state, seat, thing)
    every = _boats(state, seat) if thing in (LONGBOAT, HULL) else _units(state, seat, thing)
    return tuple(dict.fromkeys(every))


def _boats(state: State, seat: Seat) -> Iterator[Lying]:
    if state.players[seat].boats:
        yield Lying(LONGBOAT)
    for raid, force in _sent(state, seat):
        if force.boats:
            yield Lying(LONGBOAT, raid.town)


def _units(state: State, seat: Seat, thing: str) -> Iterator[Lying]:
    for name in _names(thing, state.players[seat].units):
        yield Lying(name)
    for raid, force in _sent(state, seat):
        for name in _names(thing, tuple(fighter.name for fighter in force.fighters)):
            yield Lying(name, raid.town)


def _names(thing: str, units: tuple[str, ...]) -> list[str]:
    return [unit for unit in units if unit in ASKED_FOR.get(thing, ())]


def _sent(state: State, seat: Seat) -> Iterator[tuple[Raid, Force]]:
    for raid in state.raids:
        force = force_of(raid, seat)
        if force is not None:
            yield raid, force


def _first_version(state: State, seat: Seat, thing: str) -> tuple[Lying, ...]:
    """Only what was at home; Special Units only for an upgrade, and nobody chose."""
    player = state.players[seat]
    if thing in (LONGBOAT, HULL):
        return (Lying(LONGBOAT),) if player.boats else ()
    name = warriors_like(player.units) if thing == UPGRADE else thing
    return (Lying(name),) if name in player.units else ()


# VHAL-CARD-7: can it be done at all?


@dataclass(frozen=True, slots=True)
class Lack:
    thing: str
    have: int
    need: int


def lacking(state: State, seat: Seat, effects: tuple[Effect, ...]) -> Lack | None:
    """The first thing these effects take at once and the Jarl has not; None if all can be done."""
    wanted: Counter[str] = Counter()
    for each in effects:
        if each.symbol is Symbol.VETERANS and each.amount > 0 and each.season is None:
            wanted[WARRIORS] += each.amount
        elif each.symbol in AMOUNTS and each.amount < 0 and each.season is None:
            wanted[each.symbol.value] -= each.amount
    for thing, need in wanted.items():
        have = _to_give(state, seat, thing)
        if have < need:
            return Lack(thing, have, need)
    return None


def _to_give(state: State, seat: Seat, thing: str) -> int:
    player = state.players[seat]
    units = units_of(state, seat)
    match thing:
        case "warriors" | "veterans":
            return sum(unit in ASKED_FOR[thing] for unit in units)
        case "longboat":
            return boats_of(state, seat)
        case "hull":
            away = sum(force.damaged for _, force in _sent(state, seat))
            return 2 * boats_of(state, seat) - player.damaged - away
        case "food":
            return player.food.count(Fill.TOKEN)
        case "benevolence" | "wrath":
            return 99  # nothing is taken
        case _:
            return int(getattr(player, thing))


# Taking it


def demanded(state: State, seat: Seat, thing: str) -> State:
    """At once where there is nothing to choose."""
    found = lying(state, seat, thing)
    if not found:
        return noted(state, Happening.SPARED, seat, WARRIORS if thing == UPGRADE else thing)
    if len(found) == 1:
        return _taken(state, seat, thing, found[0])
    return owing(state, [Due(Owed.GIVE, (seat,), thing=thing)])


def give_objections(state: State, action: Give) -> Iterator[Reason]:
    due = state.dues[0]
    if action.seat not in due.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-CARD-6", may_stand=False, seat=action.seat)
    elif Lying(action.thing, action.at) not in lying(state, action.seat, due.thing):
        yield reason(
            Code.NOT_TO_GIVE, "VHAL-CARD-6", may_stand=False, seat=action.seat, thing=action.thing
        )


def gave(state: State, action: Give) -> State:
    due = state.dues[0]
    state = replace(state, dues=state.dues[1:])
    return _taken(state, action.seat, due.thing, Lying(action.thing, action.at))


def _taken(state: State, seat: Seat, thing: str, what: Lying) -> State:
    if not what.at:
        return _taken_at_home(state, seat, thing, what.name)
    if thing == LONGBOAT:
        return _boat_away(state, seat, what.at)
    if thing == HULL:
        return _hull_away(state, seat, what.at)
    return _unit_away(state, seat, what, upgrade=thing == UPGRADE)


def _taken_at_home(state: State, seat: Seat, thing: str, name: str) -> State:
    if thing == LONGBOAT:
        return boat_lost(state, seat)
    if thing == HULL:
        return hull_hit(state, seat)
    state = unit_lost(state, seat, name)
    return unit_gained(state, seat, VETERANS) if thing == UPGRADE else state


def _unit_away(state: State, seat: Seat, what: Lying, *, upgrade: bool) -> State:
    """Of units of one name a wounded one goes first. Veterans take the place of an upgraded unit,
    whole, in the front line too."""
    raid = _raid_at(state, seat, what.at)
    force = force_of(raid, seat)
    line = () if force is None else force.fighters
    at = min(
        (place for place, fighter in enumerate(line) if fighter.name == what.name),
        key=lambda place: not line[place].wounded,
    )
    state = noted(state, Happening.LOST, seat, what.name, 1)
    better = None
    if upgrade:
        short = left(state, VETERANS) < 1
        better = Fighter(VETERANS) if granted(state, VETERANS, 1) else None
        state = noted(state, Happening.SHORT, seat, VETERANS, 1) if short else state
        if better is not None:
            state = noted(state, Happening.GAINED, seat, VETERANS, 1)
    line = (*line[:at], *(() if better is None else (better,)), *line[at + 1 :])
    front = raid.front
    if better is None and front is not None and front.seat is seat and front.at >= at:
        front = None if front.at == at else Front(seat, front.at - 1)
    return _replaced(state, raid, seat, fighters=line, front=front)


def _boat_away(state: State, seat: Seat, town: str) -> State:
    """A damaged one before a sound one."""
    raid = _raid_at(state, seat, town)
    force = force_of(raid, seat)
    if force is None:
        return state
    state = noted(state, Happening.LOST, seat, LONGBOAT, 1)
    boats, damaged = force.boats - 1, max(0, force.damaged - 1)
    return _replaced(state, raid, seat, boats=boats, damaged=damaged)


def _hull_away(state: State, seat: Seat, town: str) -> State:
    """VHAL-BAT-14"""
    raid = _raid_at(state, seat, town)
    force = force_of(raid, seat)
    if force is None or force.damaged >= force.boats:
        return _boat_away(state, seat, town)
    state = noted(state, Happening.HOLED, seat, LONGBOAT)
    return _replaced(state, raid, seat, damaged=force.damaged + 1)


def mended(state: State, seat: Seat) -> State:
    """A damaged longboat is whole again; one at home first."""
    player = state.players[seat]
    if player.damaged:
        return changed(state, seat, damaged=player.damaged - 1)
    for raid, force in _sent(state, seat):
        if force.damaged and state.version > 1:
            return _replaced(state, raid, seat, damaged=force.damaged - 1)
    return state


def _raid_at(state: State, seat: Seat, town: str) -> Raid:
    return next(raid for raid, _ in _sent(state, seat) if raid.town == town)


def _replaced(state: State, raid: Raid, seat: Seat, **fields: object) -> State:
    """The raid with one force changed; `front` is the raid's own."""
    front = fields.pop("front", raid.front)
    forces = tuple(
        replace(force, **fields) if force.seat is seat else force  # type: ignore[arg-type]
        for force in raid.forces
    )
    after = replace(raid, forces=forces, front=front)  # type: ignore[arg-type]
    return replace(state, raids=tuple(after if each is raid else each for each in state.raids))
