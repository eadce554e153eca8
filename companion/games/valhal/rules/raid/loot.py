"""After a battle: glory, Loot cards, the way home; after all of them: the conclusion. Rules
VHAL-LOOT-1, VHAL-JOIN-3, VHAL-BAT-13, VHAL-CONC-1."""

from __future__ import annotations

from dataclasses import replace

from companion.core.notation import Seat
from companion.games.valhal.rules.raid.battle import home
from companion.games.valhal.rules.raid.mainland import gathered
from companion.games.valhal.rules.settlement.books import (
    boat_gained,
    changed,
    fighting,
    noted,
    owing,
    unit_gained,
)
from companion.games.valhal.rules.settlement.favour import final_over, gloried
from companion.games.valhal.rules.sheet.sheet import WARRIORS
from companion.games.valhal.rules.state import (
    Due,
    Happening,
    Owed,
    Raid,
    Stage,
    State,
    boats_of,
    units_of,
)


def looted(state: State, raid: Raid) -> State:
    """Glory first, then the cards one by one. VHAL-JOIN-3: full glory for each, also for who lost
    all units in it; who draws which card they have agreed on. A-29: a town that held out is not
    damaged for anybody else."""
    town = state.sheet.town(raid.town)
    state = fighting(state, replace(raid, won=True))
    for seat in raid.allies:
        state = noted(state, Happening.VICTORY, seat, raid.town)
        state = changed(state, seat, beaten=(*state.players[seat].beaten, raid.town))
        state = gloried(state, seat, town.glory or 0)
    return owing(state, [Due(Owed.DRAW, raid.allies, stack) for stack in town.loot or ()])


def gone_home(state: State, raid: Raid) -> State:
    """The units are whole again (VHAL-CONC-1): none of them fights twice in a Vikingfahrt."""
    state = replace(state, raids=state.raids[1:])
    if not raid.won and not raid.seats and raid.forces:
        for force in raid.forces:
            state = noted(state, Happening.BEATEN_OFF, force.seat, raid.town)
    for force in raid.forces:
        state = home(state, force)
    return state


def rescued(state: State) -> State | None:
    """VHAL-BAT-13: no unit and no longboat left; A-32: projects do not count."""
    for seat in state.seats:
        if not (units_of(state, seat) or boats_of(state, seat) or _only_lent(state, seat)):
            after = boat_gained(unit_gained(state, seat, WARRIORS), seat)
            if after.players != state.players:
                return noted(after, Happening.RESCUED, seat)
    return None


def _only_lent(state: State, seat: Seat) -> bool:
    """A unit given for an upgrade this season is not lost: it can still be taken back."""
    return any(each.given and each.fresh for each in state.players[seat].projects)


def concluded(state: State) -> State:
    """VHAL-CONC-1, and VHAL-FIN-3 if the Final Stage ends here."""
    if (over := final_over(state)) is not None:
        return over
    state = noted(replace(state, drawn=()), Happening.CONCLUDED, None, "", state.voyages)
    for seat in state.seats:
        state = changed(state, seat, damaged=0, beaten=())
    if state.options.variant_heidrun and not state.heidrun:
        return replace(state, stage=Stage.HEIDRUN)
    return gathered(state)
