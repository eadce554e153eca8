"""Why an action is against the rules: first who and when, then the rules of its phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from companion.core.game import Reason, reason
from companion.games.valhal.rules.asides import entered, entry_objections, told_with
from companion.games.valhal.rules.cards import (
    choose_objections,
    curse_objections,
    draw_objections,
    event_objections,
    use_objections,
)
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.corrections import has_objections
from companion.games.valhal.rules.notation import actions as say
from companion.games.valhal.rules.notation.actions import Action, Take
from companion.games.valhal.rules.raid.battle import (
    front_objections,
    retreat_objections,
    roll_objections,
    strike_objections,
    town_roll_objections,
)
from companion.games.valhal.rules.raid.mainland import (
    heidrun_objections,
    laid_objections,
    lay,
    lay_objections,
    one_by_one,
    remove_objections,
)
from companion.games.valhal.rules.raid.vikingfahrt import (
    attack_objections,
    choice_roll_objections,
    choice_rolls_objections,
    join_objections,
    stay_objections,
)
from companion.games.valhal.rules.settlement.achievements import achieve_objections
from companion.games.valhal.rules.settlement.building import (
    build_objections,
    pay_objections,
    withdraw_objections,
)
from companion.games.valhal.rules.settlement.clerk import agree_objections, disagree_objections
from companion.games.valhal.rules.settlement.food import feed_objections, unfeed_objections
from companion.games.valhal.rules.settlement.giving import give_objections
from companion.games.valhal.rules.settlement.planning import continue_objections
from companion.games.valhal.rules.settlement.sacrifice import offer_objections
from companion.games.valhal.rules.sheet.sheet import WARRIORS, Asked
from companion.games.valhal.rules.state import Phase, State

SETTLING = (Phase.DRAW, Phase.OPTION, Phase.CURSE, Phase.GIVE)

# When each thing is done, and the rule that says so; what is not here may be said at any time
WHEN: Mapping[type[Action], tuple[tuple[Phase, ...], str]] = MappingProxyType(
    {
        say.First: ((Phase.FIRST,), "VHAL-SET-10"),
        say.Take: ((Phase.SPECIALS,), "VHAL-VAR-SPEC"),
        say.Lay: ((Phase.LAYING,), "VHAL-SET-5"),
        say.LayOut: ((Phase.LAYING,), "VHAL-SET-5"),
        say.Laid: ((Phase.LAYING,), "VHAL-SET-5"),
        say.Event: ((Phase.EVENT,), "VHAL-SEA-3"),
        say.Roll: ((Phase.ROLL, Phase.BATTLE, Phase.STRIKE), "VHAL-VF-1"),
        say.ChoiceRolls: ((Phase.ROLL,), "VHAL-VF-1"),
        say.Attack: ((Phase.CHOOSE,), "VHAL-VF-2"),
        say.Stay: ((Phase.CHOOSE,), "VHAL-VF-2"),
        say.Join: ((Phase.INVITE,), "VHAL-JOIN-1"),
        say.Decline: ((Phase.INVITE,), "VHAL-JOIN-1"),
        say.FrontLine: ((Phase.FRONT,), "VHAL-BAT-4"),
        say.TownRoll: ((Phase.BATTLE, Phase.STRIKE), "VHAL-BAT-2"),
        say.Strike: ((Phase.BATTLE, Phase.STRIKE), "VHAL-BAT-3"),
        say.Retreat: ((Phase.FRONT, Phase.BATTLE, Phase.STRIKE), "VHAL-BAT-10"),
        say.Draw: ((Phase.DRAW,), "VHAL-CARD-1"),
        say.Choose: ((Phase.OPTION,), "VHAL-CARD-4"),
        say.Curse: ((Phase.CURSE,), "VHAL-SAC-5"),
        say.Give: ((Phase.GIVE,), "VHAL-CARD-6"),
        say.Heidrun: ((Phase.HEIDRUN,), "VHAL-VAR-HEID"),
        say.Remove: ((Phase.REMOVAL,), "VHAL-CHG-1"),
        say.Build: ((Phase.COMMISSION,), "VHAL-COM-1"),
        say.PayFor: ((Phase.COMMISSION,), "VHAL-COM-4"),
        say.Continue: ((Phase.COMMISSION,), "VHAL-COM-4"),
        say.Withdraw: ((Phase.COMMISSION,), "VHAL-CON-3"),
        say.Feed: ((Phase.COMMISSION,), "VHAL-FOOD-4"),
        say.Unfeed: ((Phase.COMMISSION,), "VHAL-FOOD-4"),
        say.Offering: ((Phase.COMMISSION,), "VHAL-SAC-1"),
        say.Agree: ((Phase.COMMISSION,), "VHAL-CON-3"),
        say.Disagree: ((Phase.COMMISSION,), "VHAL-CON-3"),
    }
)


def objections(state: State, action: Action) -> Iterator[Reason]:
    seat = getattr(action, "seat", None)
    if seat is not None and seat not in state.seats:
        yield reason(Code.NOT_SEATED, "VHAL-SET-1", may_stand=False, seat=seat)
    elif state.over:
        yield reason(Code.GAME_OVER, "VHAL-FAV-1", may_stand=False)
    else:
        yield from _timely(state, action)


def _timely(state: State, action: Action) -> Iterator[Reason]:
    phase = state.phase
    phases, rule = WHEN.get(type(action), ((phase,), ""))
    if phase in phases:
        if (entry := told_with(state, action)) is not None:
            yield from entry_objections(state, entry)
            state = entered(state, entry)
        check = _CHECKS.get(type(action))
        if check is not None:
            yield from check(state, action)
    elif phase is Phase.ASK:
        yield reason(Code.ASKED_FIRST, "VHAL-CARD-2", may_stand=False, path=Asked(state.asks[0]))
    elif phase in SETTLING:
        due = state.dues[0]
        yield reason(
            Code.SETTLE_FIRST, "VHAL-CARD-1", may_stand=False, phase=phase, seat=due.seats[0]
        )
    else:
        early = phase is Phase.FRONT and isinstance(action, say.Roll | say.TownRoll)
        rule = "VHAL-BAT-4" if early else rule
        yield reason(Code.NOT_NOW, rule, may_stand=False, phase=phase)


def _roll(state: State, action: say.Roll) -> Iterator[Reason]:
    if state.phase is Phase.ROLL:
        yield from choice_roll_objections(state, action)
        return
    yield from roll_objections(state, action)
    if action.against:
        yield from town_roll_objections(state, say.TownRoll(action.against))


def _layout(state: State, action: say.LayOut) -> Iterator[Reason]:
    """Card by card, each on the table the one before has left."""
    for card in one_by_one(state, action):
        found = tuple(_timely(state, card))
        if found:
            yield from found
            return
        if (entry := told_with(state, card)) is not None:
            state = entered(state, entry)
        state = lay(state, card)
    if action.last:
        yield from laid_objections(state, say.Laid())


def _take(state: State, action: Take) -> Iterator[Reason]:
    """VHAL-VAR-SPEC: each of the four once; who wants none keeps the Warriors."""
    if action.seat not in state.waiting:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-VAR-SPEC", may_stand=False, seat=action.seat)
    taken = any(action.unit in player.units for player in state.players)
    if taken and action.unit != WARRIORS:
        yield reason(Code.SPECIAL_TAKEN, "VHAL-VAR-SPEC", may_stand=False, unit=action.unit)


_CHECKS: Mapping[type[Action], Callable[[State, Any], Iterator[Reason]]] = MappingProxyType(
    {
        say.Take: _take,
        say.Lay: lay_objections,
        say.LayOut: _layout,
        say.Laid: laid_objections,
        say.Event: event_objections,
        say.Roll: _roll,
        say.ChoiceRolls: choice_rolls_objections,
        say.Attack: attack_objections,
        say.Stay: stay_objections,
        say.Join: join_objections,
        say.Decline: join_objections,
        say.FrontLine: front_objections,
        say.TownRoll: town_roll_objections,
        say.Strike: strike_objections,
        say.Retreat: retreat_objections,
        say.Draw: draw_objections,
        say.Choose: choose_objections,
        say.Curse: curse_objections,
        say.Give: give_objections,
        say.Heidrun: heidrun_objections,
        say.Remove: remove_objections,
        say.Build: build_objections,
        say.PayFor: pay_objections,
        say.Continue: continue_objections,
        say.Withdraw: withdraw_objections,
        say.Feed: feed_objections,
        say.Unfeed: unfeed_objections,
        say.Offering: offer_objections,
        say.Agree: agree_objections,
        say.Disagree: disagree_objections,
        say.Use: use_objections,
        say.Achieve: achieve_objections,
        say.Has: has_objections,
        say.Entry: entry_objections,
    }
)
