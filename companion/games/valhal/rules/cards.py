"""What cards do: Events, Benevolence, Wrath, Loot. Rules VHAL-CARD-1 to -5, VHAL-LOOT-2,
VHAL-SEA-3 and -6. VHAL-CARD-2: what a card says in words the table does by hand (`resolves`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from types import MappingProxyType

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Choose, Curse, Draw, Event, Resolve, Use
from companion.games.valhal.rules.raid.battle import healed
from companion.games.valhal.rules.settlement.books import (
    boat_gained,
    changed,
    fighting,
    gained,
    noted,
    owing,
    unit_gained,
)
from companion.games.valhal.rules.settlement.favour import favoured, gloried
from companion.games.valhal.rules.settlement.food import blocked, received, taken
from companion.games.valhal.rules.settlement.giving import (
    HULL,
    LONGBOAT,
    UPGRADE,
    demanded,
    lacking,
    mended,
)
from companion.games.valhal.rules.sheet.sheet import VETERANS, WARRIORS, CardText
from companion.games.valhal.rules.state import (
    OVER_PRINT,
    Due,
    Happening,
    Held,
    Owed,
    Raid,
    Stage,
    State,
    Unusable,
)
from companion.games.valhal.rules.vocabulary import (
    ADJUSTED,
    AMOUNTS,
    CARD_INITIALS,
    HURT,
    LOOT,
    REROLLS,
    Effect,
    Season,
    Stack,
    Symbol,
)

BATTLING = frozenset((*ADJUSTED, *HURT, *REROLLS))

# Effects


def applied(state: State, seat: Seat, effects: tuple[Effect, ...]) -> State:
    for each in effects:
        if state.winner is None:
            state = _one(state, seat, each)
    return state


def _one(state: State, seat: Seat, effect: Effect) -> State:
    symbol, season = effect.symbol, effect.season
    if symbol in AMOUNTS and season is not None:  # VHAL-SEA-6: on the season display
        return changed(state, seat, later=(*state.players[seat].later, effect))
    if symbol in (Symbol.BLOCK, Symbol.FAMINE):
        return blocked(state, seat, season or state.season, famine=symbol is Symbol.FAMINE)
    if symbol is Symbol.UNUSABLE:
        return _unusable(state, seat, effect.thing, season or state.season)
    if symbol in BATTLING:
        after = _battling(state, effect)
        return noted(state, Happening.IDLE, seat, effect.symbol) if after == state else after
    return _AMOUNTS[symbol](state, seat, effect.amount)


def income(state: State, seat: Seat) -> State:
    """VHAL-SEA-6: what lies on the space the season marker has come to."""
    player = state.players[seat]
    now = tuple(each for each in player.later if each.season is state.season)
    state = changed(state, seat, later=tuple(each for each in player.later if each not in now))
    return applied(state, seat, tuple(replace(each, season=None) for each in now))


def _unusable(state: State, seat: Seat, thing: str, season: Season) -> State:
    """VHAL-CARD-5"""
    marker, lying = Unusable(thing, season), state.players[seat].unusable
    return state if marker in lying else changed(state, seat, unusable=(*lying, marker))


def _battling(state: State, effect: Effect) -> State:
    """VHAL-BAT-15: what changes the battle that is being fought; elsewhere nothing."""
    raid = state.raid
    if state.stage is not Stage.BATTLE or raid is None or raid.won:
        return state
    match effect.symbol:
        case Symbol.REROLL:
            again = replace(raid, defence=None, reroll=True)
            return state if raid.defence is None else fighting(state, again)
        case Symbol.REROLL_OWN:
            return fighting(state, replace(raid, attack=None))
        case Symbol.HP:
            beyond = OVER_PRINT if effect.lasting else ""
            return owing(state, [Due(Owed.HURT, raid.seats, space=-effect.amount, thing=beyond)])
        case Symbol.TOWN_HP:
            hurt = healed(raid.hurt, effect.amount, over_print=effect.lasting)
            return fighting(state, replace(raid, hurt=hurt))
        case _:
            return fighting(state, _adjusted(state, raid, effect))


def _adjusted(state: State, raid: Raid, effect: Effect) -> Raid:
    """Dice that came or went while they lay there are told again, as they lie then."""
    raid = replace(raid, adjusted=(*raid.adjusted, effect))
    if effect.symbol is Symbol.DICE and state.version > 3:
        return replace(raid, attack=None)
    if effect.symbol is Symbol.TOWN_DICE and state.version > 3:
        return replace(raid, defence=None)
    return raid


def _food(state: State, seat: Seat, count: int) -> State:
    return received(state, seat, count) if count > 0 else taken(state, seat, -count)


def _warriors(state: State, seat: Seat, count: int) -> State:
    for _ in range(abs(count)):
        state = (unit_gained if count > 0 else demanded)(state, seat, WARRIORS)
    return state


def _veterans(state: State, seat: Seat, count: int) -> State:
    """Warriors are discarded and Veterans taken; without Warriors nothing happens, and it is
    said."""
    for _ in range(abs(count)):
        state = demanded(state, seat, UPGRADE if count > 0 else VETERANS)
    return state


def _longboat(state: State, seat: Seat, count: int) -> State:
    for _ in range(abs(count)):
        state = boat_gained(state, seat) if count > 0 else demanded(state, seat, LONGBOAT)
    return state


def _hull(state: State, seat: Seat, count: int) -> State:
    """VHAL-BAT-14; up: a damaged longboat is mended."""
    for _ in range(abs(count)):
        state = demanded(state, seat, HULL) if count < 0 else mended(state, seat)
    return state


def _drawn_from(stack: Stack) -> Callable[[State, Seat, int], State]:
    def drawing(state: State, seat: Seat, count: int) -> State:
        return owing(state, [Due(Owed.DRAW, (seat,), stack)] * max(0, count))

    return drawing


def _tokens(thing: str) -> Callable[[State, Seat, int], State]:
    return lambda state, seat, count: gained(state, seat, thing, count)


_AMOUNTS: Mapping[Symbol, Callable[[State, Seat, int], State]] = MappingProxyType(
    {
        Symbol.COINS: _tokens("coins"),
        Symbol.IRON: _tokens("iron"),
        Symbol.WOOD: _tokens("wood"),
        Symbol.FOOD: _food,
        Symbol.GLORY: gloried,
        Symbol.FAVOUR: favoured,
        Symbol.WARRIORS: _warriors,
        Symbol.VETERANS: _veterans,
        Symbol.LONGBOAT: _longboat,
        Symbol.HULL: _hull,
        Symbol.BENEVOLENCE: _drawn_from(Stack.BENEVOLENCE),
        Symbol.WRATH: _drawn_from(Stack.WRATH),
    }
)


# Reading


def read(state: State, due: Due, card: CardText) -> State:
    """VHAL-CARD-1: it hits whoever drew it. VHAL-CARD-3: some are kept. VHAL-CARD-4: some leave a
    choice. A-25: all others go under their stack."""
    seat, held = due.seats[0], Held(due.stack, due.card)
    if card.kept:
        return changed(state, seat, kept=(*state.players[seat].kept, held))
    if due.stack in LOOT:
        state = replace(state, drawn=(*state.drawn, held))
    return _lots(state, seat, card)


def _lots(state: State, seat: Seat, card: CardText) -> State:
    if len(card.choices) > 1:
        return owing(state, [Due(Owed.OPTION, (seat,), card.stack, card.name)])
    return applied(state, seat, card.choices[0])


def event_objections(state: State, action: Event) -> Iterator[Reason]:
    yield from _hourglass(state, Stack.EVENT, action.card)


def event_read(state: State, action: Event) -> State:
    """VHAL-SEA-3: it hits everybody, the starting player first."""
    dues = [Due(Owed.READ, (seat,), Stack.EVENT, action.card) for seat in state.order]
    return owing(state, dues)


def drawable(state: State) -> tuple[Due, ...]:
    """The cards that may be drawn now. VHAL-LOOT-1: Loot in any order the Jarl likes."""
    first, *others = state.dues
    found = [first]
    for due in others if first.stack in LOOT and state.version > 1 else ():
        if (due.what, due.seats) != (Owed.DRAW, first.seats) or due.stack not in LOOT:
            break
        found += [due] if due.stack not in [each.stack for each in found] else []
    return tuple(found)


def unnamed_card(state: State, stack: Stack) -> str:
    """A name that no card of the stack has yet."""
    every = (f"{CARD_INITIALS[stack]}{number}" for number in count(1))
    return next(name for name in every if state.sheet.card(stack, name) is None)


def drawn_for(state: State, action: Draw) -> Due:
    """Which of them a card is: by its stack if that is said, else by the name the sheet knows."""
    dues = drawable(state)
    if action.stack is not None:
        return next((due for due in dues if due.stack is action.stack), dues[0])
    known = (due for due in dues if state.sheet.card(due.stack, action.card) is not None)
    return next(known, dues[0])


def draw_objections(state: State, action: Draw) -> Iterator[Reason]:
    due = drawn_for(state, action)
    if action.stack not in (None, due.stack):
        yield reason(Code.STACK_NOT_DUE, "VHAL-LOOT-1", may_stand=False, stack=action.stack)
    if action.seat not in due.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-CARD-1", may_stand=False, seat=action.seat)
    yield from _hourglass(state, due.stack, action.card)


def _hourglass(state: State, stack: Stack, name: str) -> Iterator[Reason]:
    card = state.sheet.card(stack, name)
    if state.options.variant_fast and card is not None and card.hourglass:
        yield reason(Code.HOURGLASS, "VHAL-VAR-FAST", card=name)


def draw_doubts(state: State, action: Draw) -> Iterator[Reason]:
    """All there are of that card lie on the table; it is told, for the sheet may be wrong."""
    due = drawn_for(state, action)
    card, held = state.sheet.card(due.stack, action.card), Held(due.stack, action.card)
    out = (*state.drawn, *(each for player in state.players for each in player.kept))
    if card is not None and card.copies is not None and out.count(held) >= card.copies:
        yield reason(Code.CARD_AGAIN, "VHAL-SET-7", card=action.card, copies=card.copies)


def drawn(state: State, action: Draw) -> State:
    due = drawn_for(state, action)
    at = next(place for place, each in enumerate(state.dues) if each is due)
    state = replace(state, dues=(*state.dues[:at], *state.dues[at + 1 :]))
    return owing(state, [Due(Owed.READ, (action.seat,), due.stack, action.card)])


def choose_objections(state: State, action: Choose) -> Iterator[Reason]:
    """VHAL-CARD-4"""
    due = state.dues[0]
    card = state.sheet.card(due.stack, due.card)
    lots = len(card.choices) if card is not None else 0
    if action.seat not in due.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-CARD-4", may_stand=False, seat=action.seat)
    if not 1 <= action.lot <= lots:
        yield reason(
            Code.NO_SUCH_LOT,
            "VHAL-CARD-4",
            may_stand=False,
            card=due.card,
            got=action.lot,
            most=lots,
        )
    elif card is not None and state.version > 1 and action.seat in due.seats:
        yield from _carrying_out(state, action, card)


def _carrying_out(state: State, action: Choose, card: CardText) -> Iterator[Reason]:
    """VHAL-CARD-7: what cannot be done is not free while something else can be done."""
    seat, lack = action.seat, lacking(state, action.seat, card.choices[action.lot - 1])
    if lack is not None and can_carry_out(state, seat, card):
        yield reason(
            Code.NOT_CARRIED_OUT,
            "VHAL-CARD-7",
            seat=seat,
            card=card.name,
            lot=action.lot,
            thing=lack.thing,
            have=lack.have,
            need=lack.need,
        )


def can_carry_out(state: State, seat: Seat, card: CardText) -> bool:
    return any(lacking(state, seat, lot) is None for lot in card.choices)


def chosen(state: State, action: Choose) -> State:
    due = state.dues[0]
    state = replace(state, dues=state.dues[1:])
    card = state.sheet.card(due.stack, due.card)
    if card is None:
        return state
    return applied(state, action.seat, card.choices[action.lot - 1])


def curse_objections(state: State, action: Curse) -> Iterator[Reason]:
    """A-27: the victim is named when the sacrifice is carried out."""
    if action.seat not in state.dues[0].seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-SAC-5", may_stand=False, seat=action.seat)
    if action.target not in state.seats:
        yield reason(Code.NOT_SEATED, "VHAL-SAC-5", may_stand=False, seat=action.target)


def cursed(state: State, action: Curse) -> State:
    state = replace(state, dues=state.dues[1:])
    return owing(state, [Due(Owed.DRAW, (action.target,), Stack.WRATH)])


# Kept cards, and cards done by hand


def use_objections(state: State, action: Use) -> Iterator[Reason]:
    """VHAL-CARD-3: at any time, once. VHAL-CARD-8: but where it works."""
    seat, name = action.seat, action.card
    held = next((each for each in state.players[seat].kept if each.name == name), None)
    if held is None:
        yield reason(Code.NOT_KEPT, "VHAL-CARD-3", may_stand=False, seat=seat, card=name)
    elif state.version > 1 and _works_not(state, seat, state.sheet.card(held.stack, name)):
        yield reason(Code.CHANGES_NOTHING, "VHAL-CARD-8", seat=seat, card=name)


def _works_not(state: State, seat: Seat, card: CardText | None) -> bool:
    """Would none of its parts change the table? What stands there in words only is not known."""
    if card is None or not all(card.choices):
        return False
    return all(_silent(applied(state, seat, lot)) == _silent(state) for lot in card.choices)


def _silent(state: State) -> State:
    return replace(state, notes=())


def used(state: State, action: Use) -> State:
    seat = action.seat
    kept = list(state.players[seat].kept)
    held = next(each for each in kept if each.name == action.card)
    kept.remove(held)
    state = noted(changed(state, seat, kept=tuple(kept)), Happening.LOST, seat, held.name, 1)
    card = state.sheet.card(held.stack, held.name)
    return state if card is None else _lots(state, seat, card)


def resolved(state: State, action: Resolve) -> State:
    return applied(state, action.seat, action.effects)
