"""Building and recruiting: projects, payments, quarter turns. Rules VHAL-COM-1 to -4, VHAL-CON-1
to -4, VHAL-BT-1 to -4, VHAL-BLD-WARE, VHAL-BLD-SMITH, VHAL-BLD-GRAN, VHAL-BLD-ALTAR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Build, PayFor, Withdraw
from companion.games.valhal.rules.settlement.books import (
    boat_gained,
    changed,
    left,
    noted,
    returned,
    spent,
    unit_gained,
)
from companion.games.valhal.rules.settlement.food import granary_built
from companion.games.valhal.rules.sheet.sheet import VETERANS
from companion.games.valhal.rules.state import Happening, Player, Project, State
from companion.games.valhal.rules.vocabulary import BUILDINGS, TOKEN_FOR, Kind, Pay

PURSE = {Pay.COIN: "coins", Pay.WOOD: "wood", Pay.IRON: "iron"}
DOUBLED = (Kind.WARRIORS, Kind.LONGBOAT)  # upgrades are not


def works(state: State, seat: Seat, building: Kind) -> bool:
    """Is it finished, and may it be used? (VHAL-CARD-5)"""
    player = state.players[seat]
    return building in player.buildings and not player.unused(building, state.season)


def slots(state: State, seat: Seat, kind: Kind) -> int:
    """VHAL-BLD-WARE: two Warriors and two Longboats side by side."""
    return 2 if kind in DOUBLED and works(state, seat, Kind.WAREHOUSE) else 1


# The number a project starts with


def start_marks(state: State, seat: Seat, kind: Kind) -> tuple[str, ...]:
    """Which numbers of the back decide: the highest, and those marked with a saw or an anvil."""
    saw = works(state, seat, Kind.WAREHOUSE)
    anvil = kind is Kind.WARRIORS and works(state, seat, Kind.BLACKSMITH)
    if saw and anvil and state.options.both_workshops != "lowest":
        return ("stages", state.options.both_workshops)
    return ("stages", *(("saw",) if saw else ()), *(("anvil",) if anvil else ()))


def start_number(state: State, seat: Seat, kind: Kind) -> int | None:
    """VHAL-COM-2; A-8: the lowest marked number. None while the sheet does not know."""
    back = state.sheet.back(kind)
    numbers = [getattr(back, mark) for mark in start_marks(state, seat, kind)]
    if None in numbers:
        return None
    return min(int(number) for number in numbers if number)


def unnumbered(state: State, seat: Seat) -> Iterator[str]:
    """Paths of the sheet that the projects of a Jarl wait for."""
    for project in state.players[seat].projects:
        if project.left is None:
            back = state.sheet.back(project.kind)
            for mark in start_marks(state, seat, project.kind):
                if getattr(back, mark) is None:
                    yield f"build.{project.kind}.{mark}"


def numbered(state: State) -> State:
    """Projects that waited for a number get it; A-11: running ones keep theirs."""
    for seat in state.seats:
        projects = tuple(
            replace(each, left=start_number(state, seat, each.kind)) if each.left is None else each
            for each in state.players[seat].projects
        )
        if projects != state.players[seat].projects:
            state = changed(state, seat, projects=projects)
    return state


# Commission


def build_objections(state: State, action: Build) -> Iterator[Reason]:
    """VHAL-COM-1 and -3."""
    seat, kind = action.seat, action.kind
    player = state.players[seat]
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if kind in player.buildings:
        yield reason(Code.BUILT_ALREADY, "VHAL-COM-3", may_stand=False, seat=seat, kind=kind)
    if sum(each.kind is kind for each in player.projects) >= slots(state, seat, kind):
        rule = "VHAL-BLD-WARE" if kind in DOUBLED else "VHAL-COM-3"
        yield reason(Code.SITE_TAKEN, rule, may_stand=False, seat=seat, kind=kind)
    for thing in (kind, "commission", f"commission-{kind}"):
        if player.unused(thing, state.season):
            yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=thing)
    if kind is Kind.ALTAR and player.sacrifice is not None:
        yield reason(Code.SACRIFICE_PLANNED, "VHAL-BLD-ALTAR", seat=seat)
    if state.options.supply_limited == "strict" and left(state, kind) < 1:
        yield reason(Code.SUPPLY_EMPTY, "VHAL-SET-4", seat=seat, thing=kind)
    yield from _upgrade(state, action, player)
    yield from _payment(state, seat, Project(kind), action.pay)


def _upgrade(state: State, action: Build, player: Player) -> Iterator[Reason]:
    """VHAL-BLD-SMITH: a Blacksmith, and a unit that can be upgraded (VHAL-VAR-SPEC)."""
    seat = action.seat
    if action.kind is not Kind.VETERANS:
        if action.given:
            yield reason(Code.UNIT_NEEDLESS, "VHAL-COM-1", may_stand=False, seat=seat)
        return
    if not works(state, seat, Kind.BLACKSMITH):
        yield reason(Code.NO_BLACKSMITH, "VHAL-BLD-SMITH", seat=seat)
    if not action.given:
        yield reason(Code.UNIT_UNNAMED, "VHAL-BLD-SMITH", may_stand=False, seat=seat)
    elif action.given not in player.units or action.given == VETERANS:
        yield reason(
            Code.NO_UNIT_TO_UPGRADE, "VHAL-BLD-SMITH", may_stand=False, seat=seat, unit=action.given
        )


def _payment(state: State, seat: Seat, project: Project, pay: tuple[Pay, ...]) -> Iterator[Reason]:
    """VHAL-BT-1 and -2: a coin, a matching token, or both. VHAL-BT-4: tokens count like coins."""
    player, token = state.players[seat], TOKEN_FOR[project.kind]
    laid = (*project.pay, *pay)
    most = state.options.tokens_per_project
    for each in dict.fromkeys(pay):
        if each not in (Pay.COIN, token):
            yield reason(
                Code.WRONG_TOKEN, "VHAL-BT-3", seat=seat, site=project.site, got=each, need=token
            )
        have, need = getattr(player, PURSE[each]), pay.count(each)
        if have < need:
            yield reason(
                Code.CANNOT_PAY, "VHAL-COM-4", seat=seat, thing=PURSE[each], have=have, need=need
            )
    if laid.count(Pay.COIN) > 1 or len(laid) - laid.count(Pay.COIN) > most:
        yield reason(Code.TOO_MUCH_PAID, "VHAL-BT-2", seat=seat, site=project.site)


def built(state: State, action: Build) -> State:
    """A-28: the unit that is upgraded is away from now on."""
    seat, kind = action.seat, action.kind
    player = state.players[seat]
    taken = {each.slot for each in player.projects if each.kind is kind}
    slot = next(number for number in range(1, 9) if number not in taken)
    number = start_number(state, seat, kind)
    project = Project(kind, slot, number, action.pay, given=action.given)
    units = list(player.units)
    if action.given:
        units.remove(action.given)
    state = changed(state, seat, projects=(*player.projects, project), units=tuple(units))
    return _laid_down(state, seat, action.pay)


def _laid_down(state: State, seat: Seat, pay: tuple[Pay, ...]) -> State:
    for each in pay:
        state = spent(state, seat, PURSE[each], 1)
    return state


def pay_objections(state: State, action: PayFor) -> Iterator[Reason]:
    """VHAL-COM-4"""
    seat = action.seat
    player = state.players[seat]
    project = player.project(action.site)
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if project is None:
        yield reason(Code.NO_PROJECT, "VHAL-COM-4", may_stand=False, seat=seat, site=action.site)
        return
    if player.unused(project.kind, state.season):
        yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=project.kind)
    yield from _payment(state, seat, project, action.pay)


def paid(state: State, action: PayFor) -> State:
    seat = action.seat
    projects = tuple(
        replace(each, pay=(*each.pay, *action.pay)) if each.site == action.site else each
        for each in state.players[seat].projects
    )
    return _laid_down(changed(state, seat, projects=projects), seat, action.pay)


def withdraw_objections(state: State, action: Withdraw) -> Iterator[Reason]:
    """VHAL-CON-3: until all agree everything may be changed again."""
    seat = action.seat
    player = state.players[seat]
    project = player.project(action.site)
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if action.site == "sacrifice":
        if player.sacrifice is None:
            yield reason(Code.NOTHING_THERE, "VHAL-SAC-1", may_stand=False, seat=seat)
    elif project is None or not (project.pay or project.fresh):
        yield reason(Code.NO_PROJECT, "VHAL-COM-4", may_stand=False, seat=seat, site=action.site)


def project_withdrawn(state: State, action: Withdraw) -> State:
    seat = action.seat
    player = state.players[seat]
    project = player.project(action.site)
    if project is None:
        return state
    for each in project.pay:
        state = returned(state, seat, PURSE[each], 1)
    others = tuple(each for each in player.projects if each is not project)
    if not project.fresh:
        rest = tuple(replace(e, pay=()) if e is project else e for e in player.projects)
        return changed(state, seat, projects=rest)
    units = tuple(sorted((*player.units, project.given))) if project.given else player.units
    return changed(state, seat, projects=others, units=units)


# Construction


def turned(state: State, seat: Seat, site: str) -> State:
    """VHAL-CON-1: a quarter turn for each payment. VHAL-CON-2: paid at 1 it is finished."""
    player = state.players[seat]
    project = player.project(site)
    if project is None:
        return state
    number = (project.left or 1) - len(project.pay)
    if number <= 0:
        others = tuple(each for each in player.projects if each is not project)
        return _finished(changed(state, seat, projects=others), seat, project.kind)
    rest = replace(project, left=number, pay=())
    projects = tuple(rest if each is project else each for each in player.projects)
    return noted(changed(state, seat, projects=projects), Happening.TURNED, seat, site, number)


def _finished(state: State, seat: Seat, kind: Kind) -> State:
    state = noted(state, Happening.FINISHED, seat, kind)
    if kind in BUILDINGS:
        built_now = (*state.players[seat].buildings, kind)
        state = changed(state, seat, buildings=built_now)
        return granary_built(state, seat) if kind is Kind.GRANARY else state
    if kind is Kind.LONGBOAT:
        return boat_gained(state, seat)
    return unit_gained(state, seat, kind)
