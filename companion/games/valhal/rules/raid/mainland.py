"""The Mainland: laying Town cards, Heidrun's Teat, and the cards that leave the game. Rules
VHAL-SET-5, VHAL-CONC-1, VHAL-CHG-1 and -2, VHAL-VAR-HEID."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count as counting
from itertools import islice

from companion.core.game import Reason, reason
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Heidrun, Laid, Lay, LayOut, Remove
from companion.games.valhal.rules.settlement.books import noted
from companion.games.valhal.rules.sheet.checking import BY_PLAYERS
from companion.games.valhal.rules.sheet.sheet import Asked, Sheet
from companion.games.valhal.rules.state import Change, Happening, Stage, State
from companion.games.valhal.rules.vocabulary import LEVELS, TOWN_INITIALS, Level


def town_stack(seats: int, sheet: Sheet) -> tuple[int | None, ...]:
    """VHAL-SET-5: by the number of players; four use all there are."""
    return BY_PLAYERS.get(seats, sheet.box)


def level_of(state: State, town: str) -> Level | None:
    return state.sheet.town(town).level


def in_stack(state: State, level: Level) -> int | None:
    return state.stack[LEVELS.index(level)]


def lying(state: State, level: Level) -> int:
    return sum(level_of(state, town) is level for town in state.mainland)


def room(state: State) -> int | None:
    """How many Town cards are to be laid; None while nobody knows."""
    spaces = state.sheet.spaces[len(state.seats) - 2]
    stacked = (in_stack(state, Level.VILLAGE),) if first_round(state) else state.stack
    cards = None if None in stacked else sum(each or 0 for each in stacked)
    known = [each for each in (spaces, cards) if each is not None]
    return None if spaces is None else min(known)


def first_round(state: State) -> bool:
    return state.voyages == 0


# Laying


def lay_objections(state: State, action: Lay) -> Iterator[Reason]:
    town = action.town
    most = room(state)
    yield from _real(state, town)
    level = level_of(state, town)
    if first_round(state) and level not in (None, Level.VILLAGE):
        yield reason(Code.LEVEL_WRONG, "VHAL-SET-5", town=town, level=level, need=Level.VILLAGE)
    if most is not None and len(state.mainland) >= most:
        yield reason(Code.MAINLAND_FULL, "VHAL-SET-5", may_stand=False, most=most)
    stacked = None if level is None else in_stack(state, level)
    if level is not None and stacked is not None and lying(state, level) >= stacked:
        yield reason(Code.LEVEL_USED_UP, "VHAL-SET-5", town=town, level=level, most=stacked)


def _real(state: State, town: str) -> Iterator[Reason]:
    """A card can only be in one place, and its level has to be known."""
    if level_of(state, town) is None:
        path = Asked(f"town.{town}.level")
        yield reason(Code.LEVEL_UNKNOWN, "VHAL-SET-5", may_stand=False, path=path)
    if town in state.mainland or town == state.heidrun:
        yield reason(Code.TOWN_ON_TABLE, "VHAL-SET-5", may_stand=False, town=town)
    if town in state.removed:
        yield reason(Code.TOWN_OUT, "VHAL-CHG-1", may_stand=False, town=town)


def lay(state: State, action: Lay) -> State:
    return replace(state, mainland=(*state.mainland, action.town))


def unnamed(state: State, level: Level) -> Iterator[str]:
    """Names that no card has yet."""
    known = {town.name for town in state.sheet.towns} | set(state.mainland)
    every = (f"{TOWN_INITIALS[level]}{number}" for number in counting(1))
    return (name for name in every if name not in known)


def one_by_one(state: State, action: LayOut) -> tuple[Lay, ...]:
    """Each card as an entry of its own would lay it."""
    cards = [Lay(town, level) for town, level in action.cards]
    for level, number in action.new:
        cards += [Lay(name, level) for name in islice(unnamed(state, level), min(number, 24))]
    return tuple(cards)


def laid_objections(state: State, _: Laid) -> Iterator[Reason]:
    most = room(state)
    if not state.mainland and most != 0:
        yield reason(Code.MAINLAND_SHORT, "VHAL-SET-5", may_stand=False, got=0, need=most or 1)
    elif most is not None and len(state.mainland) < most:
        got = len(state.mainland)
        yield reason(Code.MAINLAND_SHORT, "VHAL-SET-5", got=got, need=most)


def laid(state: State, _: Laid) -> State:
    """Where the number of spaces was not known, the table has just shown it."""
    at = len(state.seats) - 2
    if state.sheet.spaces[at] is None and not first_round(state):
        spaces = (*state.sheet.spaces[:at], len(state.mainland), *state.sheet.spaces[at + 1 :])
        state = replace(state, sheet=replace(state.sheet, spaces=spaces))
    return covered(state)


def covered(state: State) -> State:
    """The Mainland is laid: the first Vikingfahrt, or the rest of the season."""
    return replace(state, stage=Stage.ROLL if first_round(state) else Stage.COMMISSION)


# Heidrun's Teat


def heidrun_objections(state: State, action: Heidrun) -> Iterator[Reason]:
    """VHAL-VAR-HEID: one that was not attacked; A-30: the starting player picks it, and if none is
    left any Village is drawn."""
    town = action.town
    if state.mainland and town not in state.mainland:
        yield reason(Code.NOT_ON_MAINLAND, "VHAL-VAR-HEID", may_stand=False, town=town)
    if not state.mainland:
        yield from _real(state, town)
        if level_of(state, town) not in (None, Level.VILLAGE):
            yield reason(Code.LEVEL_WRONG, "VHAL-VAR-HEID", town=town, level=level_of(state, town),
                         need=Level.VILLAGE)  # fmt: skip


def set_aside(state: State, action: Heidrun) -> State:
    level = level_of(state, action.town)
    state = replace(state, heidrun=action.town)
    return gathered(state if level is None else fewer(state, level, 1))


# After a Vikingfahrt


def gathered(state: State) -> State:
    """VHAL-CONC-1: all Town cards are shuffled together again."""
    return replace(state, mainland=(), stage=Stage.REMOVAL)


def fewer(state: State, level: Level, count: int | None) -> State:
    """Cards of a level leave the stack; None: all of them."""
    at = LEVELS.index(level)
    have = state.stack[at]
    now = 0 if count is None else None if have is None else max(0, have - count)
    return replace(state, stack=(*state.stack[:at], now, *state.stack[at + 1 :]))


def change_due(state: State) -> Change | None:
    return next((each for each in state.changes if each.after <= state.voyages), None)


def removal(state: State, change: Change) -> tuple[Level, int]:
    """VHAL-CHG-1: two Villages, three with three or four players. VHAL-CHG-2: four Fortified
    Villages, five with four players; fewer if there are not that many."""
    seats = len(state.seats)
    if change.which == 1:
        level, count = Level.VILLAGE, 2 if seats == 2 else 3
    else:
        level, count = Level.FORTIFIED_VILLAGE, 5 if seats == 4 else 4
    have = in_stack(state, level)
    return level, count if have is None else min(count, have)


def taken_out(state: State, change: Change) -> State:
    """A-20: at random, or the cards the starting player has named."""
    level, count = removal(state, change)
    state = fewer(state, level, count)
    state = noted(state, Happening.TAKEN_OUT, None, level, count)
    if change.which == 2:  # and all Villages that are left
        rest = in_stack(state, Level.VILLAGE) or 0
        state = fewer(state, Level.VILLAGE, None)
        state = noted(state, Happening.TAKEN_OUT, None, Level.VILLAGE, rest)
    return replace(state, changes=tuple(each for each in state.changes if each != change))


def remove_objections(state: State, action: Remove) -> Iterator[Reason]:
    change = change_due(state)
    if change is None:
        return
    level, count = removal(state, change)
    if action.seat is not state.first:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-CHG-1", seat=action.seat)
    if len(set(action.towns)) != count or len(action.towns) != count:
        rule = f"VHAL-CHG-{change.which}"
        yield reason(Code.REMOVE_COUNT, rule, may_stand=False, got=len(action.towns), need=count)
    for town in action.towns:
        yield from _real(state, town)
        if level_of(state, town) not in (None, level):
            got = level_of(state, town)
            yield reason(Code.LEVEL_WRONG, "VHAL-CHG-1", town=town, level=got, need=level)


def removed(state: State, action: Remove) -> State:
    change = change_due(state)
    state = replace(state, removed=(*state.removed, *action.towns))
    return state if change is None else taken_out(state, change)
