"""Entries that may be missing before a play of Odin, because nobody told the companion.

The hand was counted and dealt, a card of the beaten set was taken up, or people passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from companion.core.game import Accepted
from companion.deciding.scene import UNSAID
from companion.games.odin import rules as odin
from companion.games.odin.reading.lanes import Table
from companion.games.odin.rules.actions import Action, Count, Deal, Pass, Take
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, Phase, State, goat_holders

ROUND_UNSAID = 0.0002
"""How likely a round ended untold while its last set still lies in the middle."""
ROUND_CLEARED = 0.6
"""The same if the middle was cleared away: that is how people end a round."""
# How likely a card of a beaten set lies where it does ...
TAKEN = {"lane": 0.001, "gone": 1.0}
"""... if it is the one that was taken up. On the discard pile: see `_taken`."""
LEFT = {"lane": 0.8, "gone": 0.3, "discard": 1.0}
"""... if it is one of the others."""
TAKEN_LEAST = 0.002
"""How likely a card on the discard pile was taken up, at least: it may be misread."""
LONE_TAKEN_UP = 0.05
"""How likely a round was cleared if its last set, a single card, has left the table: more likely
somebody beat it and took it up."""
TAKEN_UP = 0.3
"""The same for a larger set of which some card has left the table."""


@dataclass(frozen=True, slots=True)
class Start:
    """Missing entries, the state they lead to, and how likely they are."""

    state: State
    lines: tuple[Action, ...]
    weight: float


def starts(state: State, table: Table) -> Iterator[Start]:
    """All ways in which somebody may have come to play, as the books stand."""
    match state.phase:
        case Phase.COUNT if table.clear and len(table.new) == 1:
            for counted in counts(state):
                yield from _dealt(counted)
        case Phase.DEAL:
            yield from _dealt(Start(state, (), 1.0))
        case Phase.TAKE:
            for taken in takes(state, table):
                yield from _passed(taken, table)
        case Phase.LEAD | Phase.TURN:
            yield from _passed(Start(state, (), 1.0), table)
        case _:
            return


def counts(state: State) -> Iterator[Start]:
    """The count of a hand: points follow from the hands' sizes, only who holds the goat is open."""
    hand = state.hand
    holders = goat_holders(state, hand) if hand is not None else ()
    for holder in holders:
        assert hand is not None  # noqa: S101 - there are no holders without
        yield from entered(Start(state, (), 1.0 / len(holders)), Count(hand.sizes, holder), 1.0)


def _dealt(start: Start) -> Iterator[Start]:
    """The next hand is dealt; if nobody is due to start, anybody may."""
    following = start.state.next_starter
    seats = start.state.seats if following is None else (following,)
    for seat in seats:
        yield from entered(start, Deal(seat), 1.0 / len(seats))


def _passed(start: Start, table: Table) -> Iterator[Start]:
    """The state as it stands, or after passes nobody told of, up to the end of the round."""
    yield start
    before = start
    for _ in start.state.seats[1:]:
        hand = start.state.hand
        if hand is None or start.state.phase is not Phase.TURN:
            return
        after = next(entered(start, Pass(hand.to_move), UNSAID), None)
        if after is None:
            return
        if after.state.phase is Phase.LEAD:
            if hand.owner is not None:
                yield replace(after, weight=before.weight * _round_ended(before.state, table))
            return
        yield after
        start = after


def _round_ended(state: State, table: Table) -> float:
    """How likely all have passed and the round has ended, untold."""
    cleared = bool(table.places) and "lane" not in table.places.values()
    if state.hand is None or not cleared:
        return ROUND_UNSAID
    return ROUND_CLEARED * _emptied(state.hand, table)


def _emptied(hand: Hand, table: Table) -> float:
    """How likely an empty middle was cleared away, and not taken up by whoever beat it."""
    gone = [card for card in hand.middle if table.place(card) == "gone"]
    if not gone:
        return 1.0
    return LONE_TAKEN_UP if len(hand.middle) == 1 else TAKEN_UP


def entered(start: Start, action: Action, weight: float) -> Iterator[Start]:
    """The start with one more entry; nothing, if the rules do not allow it."""
    verdict = odin.judge(start.state, action)
    if isinstance(verdict, Accepted):
        lines = (*start.lines, action)
        yield Start(verdict.state, lines, start.weight * weight)


def takes(state: State, table: Table) -> Iterator[Start]:
    """Which card of the beaten set was taken up; nothing while all of it lies in its lane.

    Where a card that seems to lie there may be one that seems to be gone, the weight is shared.
    """
    hand = state.hand
    if hand is None or all(table.place(card) == "lane" for card in hand.beaten):
        return
    weights = {card: _taken(card, hand.beaten, table) for card in hand.beaten}
    for gone, here in product(hand.beaten, repeat=2):
        if table.place(gone) == "gone" and table.place(here) == "lane":
            moved = weights[gone] * table.mistaken(here, gone)
            weights[gone] -= moved
            weights[here] += moved
    whole = sum(weights.values())
    for card, weight in weights.items():
        yield from entered(Start(state, (), 1.0), Take(hand.to_move, card), weight / whole)


def _taken(card: Card, beaten: tuple[Card, ...], table: Table) -> float:
    """How likely the table looks as it does if that card was taken up."""
    misread = max(TAKEN_LEAST, table.doubts.get(card, 0.0))
    here = TAKEN.get(table.place(card), misread)
    return here * prod(LEFT[table.place(other)] for other in beaten if other != card)


def passes_to_round_end(state: State) -> list[Action]:
    """The passes that end the round; none if passing does not end it."""
    start: Start | None = Start(state, (), 1.0)
    while start is not None and start.state.phase is Phase.TURN and start.state.hand is not None:
        start = next(entered(start, Pass(start.state.hand.to_move), 1.0), None)
    over = start is not None and start.state.phase is Phase.LEAD
    return list(start.lines) if start is not None and over else []
