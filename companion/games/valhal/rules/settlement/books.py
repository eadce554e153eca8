"""Things going from the supply to a Jarl and back. Numbers never fall below nothing, whatever the
table let stand. A-24: the supply runs short; by default that is only said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.core.notation import Seat
from companion.games.valhal.rules.sheet.sheet import SPECIALS, VETERANS, WARRIORS
from companion.games.valhal.rules.state import (
    Due,
    Happening,
    Note,
    Player,
    Raid,
    State,
    boats_of,
    units_of,
)
from companion.games.valhal.rules.vocabulary import Fill, Kind, Pay

SUPPLY = {"coins": 80, "wood": 16, "iron": 16, WARRIORS: 28, VETERANS: 20, "longboat": 24}


def changed(state: State, seat: Seat, **fields: Any) -> State:
    """One Jarl changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **fields)
    return replace(state, players=tuple(players))


def noted(
    state: State, what: Happening, seat: Seat | None = None, thing: str = "", count: int = 0
) -> State:
    return replace(state, notes=(*state.notes, Note(what, seat, thing, count)))


def owing(state: State, dues: Iterable[Due]) -> State:
    """What a card brings is settled before what was due already."""
    return replace(state, dues=(*dues, *state.dues))


def served(state: State, seat: Seat) -> State:
    return replace(state, waiting=tuple(each for each in state.waiting if each is not seat))


def fighting(state: State, raid: Raid) -> State:
    """The raid at the head of the list as it is now."""
    return replace(state, raids=(raid, *state.raids[1:]))


# The supply


def in_use(state: State, thing: str) -> int:
    """How many of a thing lie anywhere but in the supply."""
    if thing == "longboat":
        return sum(boats_of(state, seat) for seat in state.seats) + _backs(state, Kind.LONGBOAT)
    if thing in (WARRIORS, VETERANS):
        owned = sum(units_of(state, seat).count(thing) for seat in state.seats)
        return owned + _backs(state, Kind(thing))
    return sum(_tokens(player, thing) for player in state.players)


def _backs(state: State, kind: Kind) -> int:
    return sum(each.kind is kind for player in state.players for each in player.projects)


def _tokens(player: Player, thing: str) -> int:
    laid = [pay for project in player.projects for pay in project.pay]
    if thing == "coins":
        offered = player.sacrifice.cost if player.sacrifice is not None else 0
        if player.sacrifice is not None and not player.sacrifice.offer.startswith("coins"):
            offered = 0
        return player.coins + laid.count(Pay.COIN) + player.food.count(Fill.COIN) + offered
    return int(getattr(player, thing)) + laid.count(Pay(thing))


def left(state: State, thing: str) -> int:
    return SUPPLY[thing] - in_use(state, thing) if thing in SUPPLY else 99


def granted(state: State, thing: str, count: int) -> int:
    """How many a Jarl really gets (A-24)."""
    if state.options.supply_limited == "strict":
        return min(count, max(0, left(state, thing)))
    return count


# Coins, wood, iron


def gained(state: State, seat: Seat, thing: str, count: int) -> State:
    """Coins, wood or iron, up or down."""
    have = int(getattr(state.players[seat], thing))
    if count < 0:
        gone = min(have, -count)
        state = changed(state, seat, **{thing: have - gone})
        return noted(state, Happening.LOST, seat, thing, gone) if gone else state
    got = granted(state, thing, count)
    if left(state, thing) < count:
        state = noted(state, Happening.SHORT, seat, thing, count)
    if not got:
        return state
    return noted(changed(state, seat, **{thing: have + got}), Happening.GAINED, seat, thing, got)


def spent(state: State, seat: Seat, thing: str, count: int) -> State:
    return changed(state, seat, **{thing: max(0, int(getattr(state.players[seat], thing)) - count)})


def returned(state: State, seat: Seat, thing: str, count: int) -> State:
    return changed(state, seat, **{thing: int(getattr(state.players[seat], thing)) + count})


# Units and longboats


def unit_gained(state: State, seat: Seat, name: str) -> State:
    if not granted(state, name, 1):
        return noted(state, Happening.SHORT, seat, name, 1)
    if left(state, name) < 1:
        state = noted(state, Happening.SHORT, seat, name, 1)
    units = tuple(sorted((*state.players[seat].units, name)))
    return noted(changed(state, seat, units=units), Happening.GAINED, seat, name, 1)


def unit_lost(state: State, seat: Seat, name: str) -> State:
    """One of that name leaves the settlement, if there is one."""
    units = list(state.players[seat].units)
    if name not in units:
        return state
    units.remove(name)
    return noted(changed(state, seat, units=tuple(units)), Happening.LOST, seat, name, 1)


def boat_gained(state: State, seat: Seat) -> State:
    if not granted(state, "longboat", 1):
        return noted(state, Happening.SHORT, seat, "longboat", 1)
    if left(state, "longboat") < 1:
        state = noted(state, Happening.SHORT, seat, "longboat", 1)
    state = changed(state, seat, boats=state.players[seat].boats + 1)
    return noted(state, Happening.GAINED, seat, "longboat", 1)


def boat_lost(state: State, seat: Seat) -> State:
    """A damaged one before a sound one."""
    player = state.players[seat]
    if not player.boats:
        return state
    state = changed(state, seat, boats=player.boats - 1, damaged=max(0, player.damaged - 1))
    return noted(state, Happening.LOST, seat, "longboat", 1)


def hull_hit(state: State, seat: Seat) -> State:
    """VHAL-BAT-14: the first hit point turns a longboat, the second sinks it."""
    player = state.players[seat]
    if player.damaged < player.boats:
        state = changed(state, seat, damaged=player.damaged + 1)
        return noted(state, Happening.HOLED, seat, "longboat")
    return boat_lost(state, seat)


def warriors_like(units: Iterable[str]) -> str | None:
    """VHAL-VAR-SPEC: Special Units count as Warriors; plain ones go first."""
    return next((u for u in sorted(units, key=lambda u: u in SPECIALS) if u != VETERANS), None)
