"""Which entries of the owner's sheet the table cannot go on without: asked for when they first
matter, never guessed."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.valhal.rules.raid.battle import fighters
from companion.games.valhal.rules.settlement.achievements import unasked
from companion.games.valhal.rules.settlement.building import unnumbered
from companion.games.valhal.rules.settlement.gifts import TURN, gift_shown
from companion.games.valhal.rules.sheet.checking import unit_gaps
from companion.games.valhal.rules.state import Owed, Raid, Stage, State

LEAST_GLORY = 7  # every track is at least that long: the Final Stage needs it


def asking(state: State) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_asking(state)))


def _asking(state: State) -> Iterator[str]:
    yield from _track(state)
    yield from unasked(state)
    if state.dues:
        yield from _card(state)
    elif state.stage is Stage.BATTLE and state.raids:
        yield from _battle(state, state.raids[0])
    elif state.stage is Stage.COMMISSION and all(player.agreed for player in state.players):
        for seat in state.seats:
            paths = unnumbered(state, seat)
            yield from (path.rpartition(".")[0] if state.version > 2 else path for path in paths)
        if gift_shown(state, TURN) is None:
            yield "gift.turn"


def _track(state: State) -> Iterator[str]:
    name = "fast" if state.options.variant_fast else "favour"
    if state.display.change is None and any(player.favour for player in state.players):
        yield f"{name}.change"
    if state.sheet.glory_max is None and any(p.glory > LEAST_GLORY for p in state.players):
        yield "glory.max"
    if state.dues and state.dues[0].what is Owed.ARRIVE and state.display.wrath is None:
        yield f"{name}.wrath"


def _card(state: State) -> Iterator[str]:
    due = state.dues[0]
    if due.what is Owed.GIFT and gift_shown(state, due.thing) is None:
        yield f"gift.{due.thing}"
    if due.what is Owed.READ and state.sheet.card(due.stack, due.card) is None:
        yield f"card.{due.stack}.{due.card}"


def _battle(state: State, raid: Raid) -> Iterator[str]:
    town = state.sheet.town(raid.town)
    if town.rows is None and state.version > 2:  # the card is in somebody's hands: all of it
        yield f"town.{raid.town}"
    elif town.rows is None:
        yield f"town.{raid.town}.rows"
    elif raid.row >= len(town.rows):
        if town.glory is None:
            yield f"town.{raid.town}.glory"
        if town.loot is None:
            yield f"town.{raid.town}.loot"
        return
    for _, fighter in fighters(raid):
        gaps = tuple(unit_gaps(state.sheet, fighter.name))
        yield from (f"unit.{fighter.name}",) if gaps and state.version > 2 else gaps
