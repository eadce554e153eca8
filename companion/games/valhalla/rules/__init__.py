"""Valhalla, a game of elimination: be the last one left.

Each turn everybody lays two cards face down, Main and Support, and all are turned up. Equal Mains
clash: their owners fight. The others may use their Main, then draw or take from the armory. For
each fighter two cards are revealed into the armory; every Draugr among them costs every fighter a
card, then each takes one. Wolves bring back discarded cards, and the armory is trimmed to five.
Who has nothing more to lose makes a last stand: three cards, and out if one is a Draugr.

Where to look: `cards`, `options` (every switch), `actions` (the notation), `state`; by phase
`clash`, `strategy` and `drawing`, `draugr`, `battle`, `ending`; `turn` (what follows by itself),
`census` (can that card be there?), `asides` (dares, setting the books right), `following` (what
could come next), `odds`.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Accepted, Reason, Refused, Setup, Standing, Verdict, reason
from companion.core.notation import seats
from companion.core.seating import problem, seated
from companion.games.valhalla.rules.actions import Action, Draw, format, parse  # noqa: A004
from companion.games.valhalla.rules.cards import DEALT
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.effects import after
from companion.games.valhalla.rules.following import (
    actions,
    expected,
    needs_answer,
    passing,
    to_move,
)
from companion.games.valhalla.rules.objections import objections
from companion.games.valhalla.rules.options import (
    EDITIONS,
    OPTIONS,
    Options,
    cards_in_play,
    most_seats,
)
from companion.games.valhalla.rules.phases.drawing import draw_size
from companion.games.valhalla.rules.state import ENDING, FIGHTING, Fallen, Player, State

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

NAME = "valhalla"
VERSION = 1  # of the rules as coded; written into every game's opening event
SEATS = range(2, 6)  # VLLA-COMP-2 and -3


def start(setup: Setup) -> State:
    """VLLA-SETUP-2: one of each to everybody. VLLA-SETUP-3 and VLLA-SETUP-4: the rest is the deck,
    Draugr and Deities with it. VLLA-SETUP-5: no armory, no piles, no graveyard yet."""
    count = len(setup.names)
    options = seated(setup, SEATS, EDITIONS, Options, lambda each: _too_many(each, count))
    return State(
        seats=seats(count),
        options=options,
        players=(Player(hand=len(DEALT), known=DEALT),) * count,
        deck=sum(cards_in_play(options).values()) - count * len(DEALT),
    )


def _too_many(options: Options, count: int) -> Iterator[Reason]:
    most = most_seats(options)
    if count > most:
        yield problem("seat-count", "VLLA-COMP-2", got=count, least=SEATS[0], most=most)


def judge(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(objections(state, action))
    return Refused(reasons) if reasons else Accepted(after(state, action), _assumes(state, action))


def let_stand(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(each for each in objections(state, action) if not each.may_stand)
    return Refused(reasons) if reasons else Accepted(after(state, action))


def regardless(_mine: Action, _theirs: Action) -> bool:
    """Whatever is done here depends on what was done before."""
    return False


def standing(state: State) -> Standing:
    """Points are the cards a player still owns. Ranks are by survival: the living share the first
    place, then come the fallen, the latest first; who fell in the same phase is equal."""
    points = tuple(player.owned for player in state.players)
    falls = {fallen.seat: _moment(fallen) for fallen in state.fallen}
    latest = (state.turn + 1, 0)
    moments = [falls.get(seat, latest) for seat in state.seats]
    ranks = tuple(1 + sum(other > mine for other in moments) for mine in moments)
    return Standing(points, ranks, state.over, state.winners)


def _moment(fallen: Fallen) -> tuple[int, int]:
    phase = 2 if fallen.stage in ENDING else 1 if fallen.stage in FIGHTING else 0
    return fallen.turn, phase


def _assumes(state: State, action: Action) -> tuple[Reason, ...]:
    """VLLA-STR-4a: only the drawer knows what was put under the deck unseen."""
    if isinstance(action, Draw) and len(action.shown) < draw_size(state, action.seat):
        return (reason("drew-unseen", "VLLA-STR-4a", seat=action.seat),)
    return ()
