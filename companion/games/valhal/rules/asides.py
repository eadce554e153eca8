"""Entries of the owner's sheet: said by themselves at any time, or with a card that was not seen
before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason
from companion.games.valhal.rules.cards import drawn_for
from companion.games.valhal.rules.notation.actions import Draw, Entry, Event, Lay
from companion.games.valhal.rules.raid.mainland import first_round, town_stack
from companion.games.valhal.rules.settlement.books import changed
from companion.games.valhal.rules.settlement.building import numbered
from companion.games.valhal.rules.settlement.gifts import gifts_put_right
from companion.games.valhal.rules.sheet.checking import contradictions
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.state import State
from companion.games.valhal.rules.vocabulary import Level, Stack


def told_with(state: State, action: object) -> Entry | None:
    """What an action tells of a card that is new to the sheet. VHAL-SET-5: what is laid in the
    first round is a Village."""
    match action:
        case Lay(town, level):
            known = state.sheet.town(town).level
            if level is None and known is None and first_round(state) and state.version > 2:
                level = Level.VILLAGE
            new = level not in (None, known)
            return Entry(f"town.{town}.level", (str(level),)) if new else None
        case Event(card, says) if says:
            return Entry(f"card.{Stack.EVENT}.{card}", says)
        case Draw(_, card, _, says) if says and state.dues:
            return Entry(f"card.{drawn_for(state, action).stack}.{card}", says)
        case _:
            return None


def entry_objections(state: State, action: Entry) -> Iterator[Reason]:
    """What the rulebook says differently is asked about once more; a copy may be another one."""
    before = contradictions(state.sheet)
    for each in contradictions(filled(state.sheet, action.path, action.value)):
        if each not in before:
            yield each


def entered(state: State, action: Entry) -> State:
    before = state
    state = replace(state, sheet=filled(state.sheet, action.path, action.value))
    state = gifts_put_right(before, state)
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
