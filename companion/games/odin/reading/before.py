"""What may have come before a play of Odin without being told: the hand was counted and dealt, a
card of the beaten set was taken up, people passed."""

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
"""A round is over and nobody said so, while the middle still lies there to be beaten."""
ROUND_CLEARED = 0.6
"""The same, when the middle was cleared away: that is how people say it."""
# A card of a beaten set: is it the one taken, or one of the others?
TAKEN = {"lane": 0.001, "gone": 1.0}
LEFT = {"lane": 0.8, "gone": 0.3, "discard": 1.0}


@dataclass(frozen=True, slots=True)
class Start:
    """Lines that lead to a state in which somebody plays."""

    state: State
    lines: tuple[Action, ...]
    weight: float


def starts(state: State, table: Table) -> Iterator[Start]:
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
    """The points follow from the sizes; only the goat may be anywhere."""
    hand = state.hand
    holders = goat_holders(state, hand) if hand is not None else ()
    for holder in holders:
        assert hand is not None  # noqa: S101 - there are no holders without
        yield from entered(Start(state, (), 1.0 / len(holders)), Count(hand.sizes, holder), 1.0)


def _dealt(start: Start) -> Iterator[Start]:
    following = start.state.next_starter
    seats = start.state.seats if following is None else (following,)
    for seat in seats:
        yield from entered(start, Deal(seat), 1.0 / len(seats))


def _passed(start: Start, table: Table) -> Iterator[Start]:
    """As it stands, or after passes nobody told of."""
    yield start
    before = start.weight
    cleared = bool(table.places) and "lane" not in table.places.values()
    hand = start.state.hand
    for _ in start.state.seats[1:]:
        if hand is None or start.state.phase is not Phase.TURN or start.state.hand is None:
            return
        owner, seat = start.state.hand.owner, start.state.hand.to_move
        after = next(entered(start, Pass(seat), UNSAID), None)
        if after is None:
            return
        start = after
        if after.state.phase is Phase.LEAD:
            if owner is not None:
                told = ROUND_CLEARED * _emptied(hand, table) if cleared else ROUND_UNSAID
                yield replace(after, weight=before * told)
            return
        yield after


def _emptied(hand: Hand, table: Table) -> float:
    """A lone card that left the table was more likely taken up by who beat it."""
    gone = [card for card in hand.middle if table.place(card) == "gone"]
    if not gone:
        return 1.0
    return 0.05 if len(hand.middle) == 1 else 0.3


def entered(start: Start, action: Action, weight: float) -> Iterator[Start]:
    """Nothing, if the rules do not allow it."""
    verdict = odin.judge(start.state, action)
    if isinstance(verdict, Accepted):
        lines = (*start.lines, action)
        yield Start(verdict.state, lines, start.weight * weight)


def takes(state: State, table: Table) -> Iterator[Start]:
    """Which card of the beaten set went to the hand; nothing while all of it lies there."""
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
    here = TAKEN.get(table.place(card), max(0.002, table.doubts.get(card, 0.0)))
    return here * prod(LEFT[table.place(other)] for other in beaten if other != card)


def passes_to_round_end(state: State) -> list[Action]:
    start: Start | None = Start(state, (), 1.0)
    while start is not None and start.state.phase is Phase.TURN and start.state.hand is not None:
        start = next(entered(start, Pass(start.state.hand.to_move), 1.0), None)
    over = start is not None and start.state.phase is Phase.LEAD
    return list(start.lines) if start is not None and over else []
