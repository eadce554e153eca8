"""What an action does to the table, and what follows from it by itself. It also works for plays
the table let stand."""

from __future__ import annotations

from dataclasses import replace

from companion.games.valhal.rules.asides import entered, told_with
from companion.games.valhal.rules.cards import chosen, cursed, drawn, resolved, used
from companion.games.valhal.rules.corrections import corrected
from companion.games.valhal.rules.notation import actions as say
from companion.games.valhal.rules.notation.actions import (
    Action,
    Aside,
    Commissioning,
    Opening,
    Reading,
    Sailing,
)
from companion.games.valhal.rules.raid.battle import (
    fronted,
    marked,
    retreated,
    rolled,
    struck,
    town_rolled,
)
from companion.games.valhal.rules.raid.mainland import laid, lay, one_by_one, removed, set_aside
from companion.games.valhal.rules.raid.vikingfahrt import (
    attacked,
    choice_rolled,
    choice_rolls,
    declined,
    joined,
    stayed,
)
from companion.games.valhal.rules.settlement.achievements import awarded
from companion.games.valhal.rules.settlement.books import changed
from companion.games.valhal.rules.settlement.building import built, paid, project_withdrawn
from companion.games.valhal.rules.settlement.food import fed, unfed
from companion.games.valhal.rules.settlement.giving import gave
from companion.games.valhal.rules.settlement.planning import continued
from companion.games.valhal.rules.settlement.sacrifice import planned, sacrifice_withdrawn
from companion.games.valhal.rules.settlement.seasons import (
    agreed,
    begun,
    happened,
    onward,
    special_taken,
)
from companion.games.valhal.rules.state import Stage, State


def after(state: State, action: Action) -> State:
    quiet = replace(state, notes=()) if state.notes else state
    return marked(state, onward(_done(quiet, action)))


def _done(state: State, action: Action) -> State:
    if (entry := told_with(state, action)) is not None:
        state = entered(state, entry)
    match action:
        case say.First() | say.Take() | say.Lay() | say.LayOut() | say.Laid() | say.Event():
            return _opened(state, action)
        case say.Attack() | say.Join() | say.Decline() | say.Stay():
            return _sailed(state, action)
        case say.Roll() | say.ChoiceRolls():
            return _rolled(state, action)
        case say.FrontLine() | say.TownRoll() | say.Strike() | say.Retreat():
            return _fought(state, action)
        case say.Draw() | say.Choose() | say.Curse() | say.Give() | say.Heidrun() | say.Remove():
            return _read(state, action)
        case say.Use() | say.Achieve() | say.Resolve() | say.Has() | say.Entry():
            return _said(state, action)
        case _:
            return _commissioned(state, action)


def _opened(state: State, action: Opening) -> State:
    match action:
        case say.First():
            return begun(state, action)
        case say.Take():
            return special_taken(state, action)
        case say.Lay():
            return lay(state, action)
        case say.LayOut():
            return _laid_out(state, action)
        case say.Laid():
            return laid(state, action)
        case say.Event():
            return happened(state, action)


def _sailed(state: State, action: Sailing) -> State:
    match action:
        case say.Attack():
            return attacked(state, action)
        case say.Join():
            return joined(state, action)
        case say.Decline():
            return declined(state, action)
        case say.Stay():
            return stayed(state, action)


def _laid_out(state: State, action: say.LayOut) -> State:
    for card in one_by_one(state, action):
        state = _done(state, card)
    return laid(state, say.Laid()) if action.last else state


def _rolled(state: State, action: say.Roll | say.ChoiceRolls) -> State:
    if isinstance(action, say.ChoiceRolls):
        return choice_rolls(state, action)
    if state.stage is Stage.ROLL:
        return choice_rolled(state, action)
    state = rolled(state, action)
    if action.against:
        state = town_rolled(state, say.TownRoll(action.against))
    return struck(state) if action.counts else state


def _fought(state: State, action: say.FrontLine | say.TownRoll | say.Strike | say.Retreat) -> State:
    match action:
        case say.FrontLine():
            return fronted(state, action)
        case say.TownRoll():
            return town_rolled(state, action)
        case say.Strike():
            return struck(state, action)
        case say.Retreat():
            return retreated(state, action)


def _read(state: State, action: Reading) -> State:
    match action:
        case say.Draw():
            return drawn(state, action)
        case say.Choose():
            return chosen(state, action)
        case say.Curse():
            return cursed(state, action)
        case say.Give():
            return gave(state, action)
        case say.Heidrun():
            return set_aside(state, action)
        case say.Remove():
            return removed(state, action)


def _commissioned(state: State, action: Commissioning) -> State:
    match action:
        case say.Build():
            return built(state, action)
        case say.PayFor():
            return paid(state, action)
        case say.Continue():
            return continued(state, action)
        case say.Withdraw():
            return _withdrawn(state, action)
        case say.Feed() | say.Unfeed():
            return fed(state, action) if isinstance(action, say.Feed) else unfed(state, action)
        case say.Offering():
            return planned(state, action)
        case say.Agree() | say.Disagree():
            return _agreed(state, action)


def _withdrawn(state: State, action: say.Withdraw) -> State:
    if action.site == "sacrifice":
        return sacrifice_withdrawn(state, action.seat)
    return project_withdrawn(state, action)


def _agreed(state: State, action: say.Agree | say.Disagree) -> State:
    if isinstance(action, say.Agree):
        return agreed(state, action)
    return changed(state, action.seat, agreed=False)


def _said(state: State, action: Aside) -> State:
    match action:
        case say.Use():
            return used(state, action)
        case say.Achieve():
            return awarded(state, action.seat, action.token)
        case say.Resolve():
            return resolved(state, action)
        case say.Has():
            return corrected(state, action)
        case say.Entry():
            return entered(state, action)
