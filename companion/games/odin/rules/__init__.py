"""Odin, a shedding game: be the first to have no cards left.

Everybody holds nine cards. The round's starter leads one card; clockwise, each player lays a
set worth strictly more than the middle, of as many cards or one more, all of one number or one
colour, or passes. Who beats a set takes up one card of it and the rest is discarded. When all
others have passed, the last to have played leads again. An empty hand ends the hand: every card
left costs a point. Once somebody reaches the limit the fewest points win.

Where to look: `cards` (what a set is worth), `options` (editions, every switch), `actions` (the
notation), `state`, `objections` (why a play is refused), `effects` (what it does), `following`
(what could come next).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Accepted, Reason, Refused, Setup, Standing, Verdict, reason
from companion.core.notation import seats
from companion.core.seating import problem, seated
from companion.games.odin.rules.actions import Action, Play, format, parse  # noqa: A004
from companion.games.odin.rules.cards import SUITS, deck_of
from companion.games.odin.rules.effects import after
from companion.games.odin.rules.following import actions, expected, needs_answer, passing, to_move
from companion.games.odin.rules.objections import Code, objections, whole_hand_is_due
from companion.games.odin.rules.options import EDITIONS, OPTIONS, Options, colours_in_play
from companion.games.odin.rules.state import State

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

NAME = "odin"
VERSION = 2  # of the rules as coded; written into every game's opening event
SEATS = range(2, 7)  # ODIN-COMP-4


def start(setup: Setup) -> State:
    count = len(setup.names)
    options = seated(setup, SEATS, EDITIONS, Options, lambda each: _deck_problems(each, count))
    deck = deck_of(colours_in_play(options, count), goat=options.goat)
    version = VERSION if setup.rules is None else setup.rules
    points = (0,) * count
    return State(seats=seats(count), options=options, deck=deck, carried=points, version=version)


def _deck_problems(options: Options, count: int) -> Iterator[Reason]:
    colours = colours_in_play(options, count)
    if options.deck == "valhalla36" and count > 4:  # ODIN-COMP-4, A-ODIN-17
        yield problem("seats-for-36", "ODIN-COMP-4", got=count)
    if 0 < len(set(colours) & set(SUITS)) < len(SUITS):
        yield problem("colours-mixed", "ODIN-COMP-2")
    need, got = count * options.hand_size, len(deck_of(colours, goat=options.goat))
    if need > got:
        yield problem("deck-too-small", "ODIN-SETUP-2", need=need, got=got)


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
    """ODIN-END-2: the fewest points win, equals share (A-ODIN-18)."""
    points = state.points
    ranks = tuple(1 + sum(other < mine for other in points) for mine in points)
    winners = tuple(seat for seat in state.seats if ranks[seat] == 1) if state.over else ()
    return Standing(points, ranks, state.over, winners)


def _assumes(state: State, action: Action) -> tuple[Reason, ...]:
    """A-ODIN-3: only the leader can know whether the whole hand had to be led."""
    hand = state.hand
    if not isinstance(action, Play) or hand is None or hand.middle or len(action.cards) > 1:
        return ()
    if whole_hand_is_due(state, hand, action) is None:
        return (reason("hand-is-no-set", "ODIN-HEND-1", seat=action.seat),)
    return ()
