"""Go on as planned: every project under way is paid for, and the food it needs is laid out. It is
short for the entries it stands for, and costs what they cost. Rules VHAL-COM-4, VHAL-FOOD-1 to -3,
VHAL-BT-1 and -4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Continue, Feed, PayFor
from companion.games.valhal.rules.settlement.books import noted
from companion.games.valhal.rules.settlement.building import PURSE, paid, pay_objections
from companion.games.valhal.rules.settlement.clerk import bare, season_objections
from companion.games.valhal.rules.settlement.food import (
    fed,
    feed_objections,
    longhouse_food,
    needs_food,
)
from companion.games.valhal.rules.state import Happening, Project, State
from companion.games.valhal.rules.vocabulary import TOKEN_FOR, Pay


@dataclass(frozen=True, slots=True)
class Plan:
    """What going on would lay down for one Jarl."""

    payments: tuple[PayFor, ...]
    feeds: tuple[Feed, ...]

    @property
    def cost(self) -> tuple[tuple[str, int], ...]:
        """How much of what, as the books call it; stored food is `food`."""
        spent: Counter[str] = Counter()
        for payment in self.payments:
            spent.update(PURSE[each] for each in payment.pay)
        spent.update("food" if feed.larder else "coins" for feed in self.feeds)
        return tuple(spent.items())


def under_way(state: State, seat: Seat) -> tuple[Project, ...]:
    """Projects that would rest, and need not."""
    player = state.players[seat]
    return tuple(
        each
        for each in player.projects
        if not each.pay and not player.unused(each.kind, state.season)
    )


def plan(state: State, seat: Seat) -> Plan | None:
    """The way to go on with everything: coins where they last, building tokens elsewhere; None if
    nothing is under way, or it cannot be paid."""
    resting = under_way(state, seat)
    if not resting or state.players[seat].agreed:
        return None
    ways = product(*((Pay.COIN, TOKEN_FOR[each.kind]) for each in resting))
    for way in sorted(ways, key=lambda pays: sum(pay is not Pay.COIN for pay in pays)):
        lines = zip(resting, way, strict=True)
        found = _tried(state, seat, [PayFor(seat, each.site, (pay,)) for each, pay in lines])
        if found is not None:
            return found
    return None


def _tried(state: State, seat: Seat, payments: Iterable[PayFor]) -> Plan | None:
    """These payments and the food for them, if nothing speaks against any of it."""
    for payment in (payments := tuple(payments)):
        if any(pay_objections(state, payment)):
            return None
        state = paid(state, payment)
    feeds = []
    for space in bare(state, state.players[seat]) if needs_food(state, state.players[seat]) else ():
        stored = bool(longhouse_food(state) and state.players[seat].larder)
        feed = Feed(seat, space, larder=stored)
        if any(feed_objections(state, feed)):
            return None
        state = fed(state, feed)
        feeds.append(feed)
    return None if any(season_objections(state, seat)) else Plan(payments, tuple(feeds))


def continue_objections(state: State, action: Continue) -> Iterator[Reason]:
    seats = state.seats if action.seat is None else (action.seat,)
    if any(plan(state, seat) is not None for seat in seats):
        return
    if action.seat is not None and state.players[action.seat].agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=action.seat)
    elif stuck := tuple(seat for seat in seats if under_way(state, seat)):
        yield reason(Code.CANNOT_GO_ON, "VHAL-COM-4", may_stand=False, seats=stuck)
    else:
        yield reason(Code.NOTHING_UNDER_WAY, "VHAL-COM-4", may_stand=False)


def continued(state: State, action: Continue) -> State:
    for seat in state.seats if action.seat is None else (action.seat,):
        found = plan(state, seat)
        if found is None:
            continue
        for payment in found.payments:
            state = paid(state, payment)
        for feed in found.feeds:
            state = fed(state, feed)
        for thing, count in found.cost:
            state = noted(state, Happening.LAID_DOWN, seat, thing, count)
    return state
