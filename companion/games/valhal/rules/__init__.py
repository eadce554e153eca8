"""Valhal: build up a settlement, raid the Mainland, win the favour of the gods.

A year has three seasons, each one turn. In summer the Jarls sail on a Vikingfahrt: they choose Town
cards, load units on longboats and fight; victory brings glory and Loot. Then, in every season,
all commission projects together: a coin or a building token turns a card by a quarter, coins want
food for the season, and a sacrifice may be planned. Once all agree construction runs by itself,
the starting token and the season move on, and an Event card follows. The first Raven Head on the
last space of its display wins; or, after the Final Stage, the Jarl who started it. (A-33: the book
spells its title in two ways; here it is always Valhal.)

Where to look: `words`, `sheet` (what is printed on a copy), `filling` (its entries), `checking`
(what it lacks or contradicts), `options`, `actions` and `reading` (the notation), `state`; by
what players look for `seasons`, `food`, `building`, `clerk`, `sacrifice`, `favour`,
`achievements`, `mainland`, `vikingfahrt`, `battle`, `loot`, `cards`; `asking` (which number is
wanted now), `asides`, `following` (what could come next), `odds`.
"""

from __future__ import annotations

from companion.core.game import Accepted, Refused, Setup, Standing, Verdict
from companion.core.notation import seats
from companion.core.seating import seated
from companion.games.valhal.rules.cards import draw_doubts
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.effects import after
from companion.games.valhal.rules.following import (
    actions,
    expected,
    needs_answer,
    passing,
    regardless,
    to_move,
)
from companion.games.valhal.rules.notation.actions import Action, Draw, format  # noqa: A004
from companion.games.valhal.rules.notation.parsing import parse
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.options import EDITIONS, FIRST_EDITIONS, OPTIONS, Options
from companion.games.valhal.rules.raid.mainland import town_stack
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, WARRIORS
from companion.games.valhal.rules.state import Player, State

__all__ = [
    "EDITIONS",
    "NAME",
    "OPTIONS",
    "SEATS",
    "VERSION",
    "Action",
    "Code",
    "State",
    "actions",
    "expected",
    "format",
    "judge",
    "let_stand",
    "needs_answer",
    "parse",
    "passing",
    "regardless",
    "standing",
    "start",
    "to_move",
]

NAME = "valhal"
VERSION = 5  # of the rules as coded; written into every game's opening event
SEATS = range(2, 5)
STORED_FOOD = 3


def start(setup: Setup) -> State:
    """VHAL-SET-1 to -3: coins, iron, food on the summer space, Warriors and a Longboat for each.
    VHAL-SET-4, -7 and -9: the rest is supply, stacks and Yggdrasil. VHAL-SET-8: markers on
    their first spaces. A-3: the food tokens of the longhouse may be laid out if the sheet or an
    option says so."""
    version = VERSION if setup.rules is None else setup.rules
    editions = EDITIONS if version > 1 else FIRST_EDITIONS
    options = seated(setup, SEATS, editions, Options, lambda _: ())
    count = len(setup.names)
    larder = 0 if options.start_food_on_longhouse_usable == "false" else STORED_FOOD
    units = () if options.special_units else (WARRIORS,)
    return State(
        seats=seats(count),
        options=options,
        players=(Player(units=units, larder=larder),) * count,
        stack=town_stack(count, RULEBOOK),
        version=version,
    )


def judge(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(objections(state, action))
    return Refused(reasons) if reasons else _accepted(state, action)


def let_stand(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(each for each in objections(state, action) if not each.may_stand)
    return Refused(reasons) if reasons else _accepted(state, action)


def _accepted(state: State, action: Action) -> Accepted[State]:
    doubts = tuple(draw_doubts(state, action)) if isinstance(action, Draw) else ()
    return Accepted(after(state, action), doubts)


def standing(state: State) -> Standing:
    """Points are the moves of the Raven Head; glory parts equals. The winner is first, whatever
    the others have."""
    points = tuple(player.favour for player in state.players)
    worth = [
        (seat is state.winner, state.players[seat].favour, state.players[seat].glory)
        for seat in state.seats
    ]
    ranks = tuple(1 + sum(other > mine for other in worth) for mine in worth)
    winners = () if state.winner is None else (state.winner,)
    return Standing(points, ranks, state.over, winners if state.over else ())
