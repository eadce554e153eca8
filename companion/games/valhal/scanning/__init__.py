"""Pictures of Valhal's table beside the books: settlements, dice, a card that was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from types import MappingProxyType
from typing import Any

from companion.foundation.messages import N_
from companion.games.valhal import reading, rules
from companion.games.valhal.rules.notation.actions import Has
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.scanning.settlement import settled
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.retelling import retell
from companion.scanning.scanner import ScannedFact, ScannedView, Scanner, Subject
from companion.scanning.scenes import scene_in
from companion.tabletop.observations import Sighting

SETTLEMENT, DIE, ATTACK, TOWN, CARD = "settlement", "die", "attack", "town", "card"
CARDS = (Phase.EVENT, Phase.DRAW, Phase.LAYING, Phase.HEIDRUN)
"""Phases in which the table waits for a card."""
MISCOUNTED = 0.5
"""More or fewer dice than were thrown are never surer."""


def subjects(state: State) -> tuple[Subject, ...]:
    if state.over or state.phase is Phase.ASK:
        return ()
    homes = tuple(Subject(SETTLEMENT, seat, on_places=True) for seat in state.seats)
    return (*_due(state), *homes)


def _due(state: State) -> Iterator[Subject]:
    """What the table waits for, if a picture can tell it."""
    if state.phase is Phase.ROLL:
        yield from (Subject(DIE, seat) for seat in state.waiting[:1])
    elif state.phase is Phase.BATTLE:
        raid = state.raids[0]
        if raid.attack is None:
            yield Subject(ATTACK, raid.seats[0])
        if raid.defence is None and row_of(state, raid) is not None:
            yield Subject(TOWN)
    elif state.phase in CARDS:
        yield Subject(CARD)


def read(state: State, subject: Subject, views: tuple[ScannedView, ...]) -> tuple[ScannedFact, ...]:
    match subject.kind:
        case "settlement":
            return tuple(settled(state, subject, views))
        case "card":
            return tuple(_card(state, views))
        case _:
            return tuple(_thrown(state, subject, views))


def _thrown(
    state: State, subject: Subject, views: tuple[ScannedView, ...]
) -> Iterator[ScannedFact]:
    """The dice in the picture, as the throw that is waited for."""
    dice = [s for view in views for s in view.sightings if s.kind == "die" and s.label is not None]
    if not dice:
        return
    due = _due_dice(state, subject)
    sure = prod(each.p for each in dice)
    who = "town" if subject.kind == TOWN else str(subject.seat)
    line = f"{who} rolls {_pips(dice)}"
    yield ScannedFact(line, sure if len(dice) == due else min(sure, MISCOUNTED))


def _due_dice(state: State, subject: Subject) -> int:
    if subject.kind == DIE:
        return 1
    raid = state.raids[0]
    row = row_of(state, raid)
    if subject.kind == ATTACK:
        return attack_dice(state, raid)
    return 0 if row is None else row.dice


def _pips(dice: Sequence[Sighting]) -> str:
    return " ".join(sorted(str(each.label) for each in dice))


def _card(state: State, views: tuple[ScannedView, ...]) -> Iterator[ScannedFact]:
    """The card that the table waits for, as the reader names it."""
    readings = reading.read(state, scene_in("reading", views))
    if readings and len(readings[0].lines) == 1:
        yield ScannedFact(readings[0].lines[0], readings[0].p)


def told(speech: Any, line: str) -> str:
    """What somebody has, in few words; anything else as in the history."""
    action = rules.parse(line)
    if not isinstance(action, Has):
        return retell(speech, action)
    words = piece(speech, action.thing)
    return f"{words[:1].upper()}{words[1:]}: {action.count}"


SCANNER = Scanner(
    subjects=subjects,
    read=read,
    words=MappingProxyType(
        {
            SETTLEMENT: N_("The settlement of %(seat)s"),
            DIE: N_("The die of %(seat)s"),
            ATTACK: N_("The attackers' dice"),
            TOWN: N_("The town's dice"),
            CARD: N_("The card on the table"),
        }
    ),
    rounds=MappingProxyType({SETTLEMENT: N_("Scan all settlements before the season turns")}),
    tell=told,
)
