"""Everything that could be said at a small table, sense and nonsense: dice in one order only, cards
only of the stack they come from (one the sheet does not know would be asked about)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from companion.core.notation import Seat, seats
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.notation.actions import (
    Agree,
    Attack,
    Boats,
    Build,
    Choose,
    Curse,
    Decline,
    Disagree,
    Draw,
    Event,
    Feed,
    First,
    FrontLine,
    Give,
    Heidrun,
    Join,
    Laid,
    Lay,
    Offering,
    PayFor,
    Remove,
    Retreat,
    Roll,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Withdraw,
)
from companion.games.valhal.rules.notation.parsing import SITES
from companion.games.valhal.rules.sheet.sheet import SPECIALS, UNITS
from companion.games.valhal.rules.state import Offer, State
from companion.games.valhal.rules.vocabulary import SPACES, Kind, Pay, Stack

SENT = ("berserkir", "veterans", "warriors")
MOST_SENT, MOST_BOATS, MOST_DICE = 3, 2, 3
FLEETS = [Boats(s, d) for s, d in product(range(MOST_BOATS + 1), repeat=2)]
PAYS = [
    (Pay.COIN,) * coins + (token,) * tokens
    for coins, token, tokens in product(range(3), (Pay.WOOD, Pay.IRON), range(3))
    if (coins or tokens) and (tokens or token is Pay.WOOD)
]


def universe(state: State) -> Iterator[valhal.Action]:
    yield from (Laid(), Strike(), Agree())
    towns = [town.name for town in state.sheet.towns]
    stack = state.dues[0].stack if state.dues else None
    cards = [card.name for card in state.sheet.cards if card.stack is stack]
    events = [card.name for card in state.sheet.cards if card.stack is Stack.EVENT]
    yield from (each for town in towns for each in (Lay(town), Heidrun(town)))
    yield from map(Event, events)
    yield from map(TownRoll, rolls())
    around = seats(len(state.seats) + 1)  # and one who is not there
    for seat in around:
        yield from _said(state, seat)
        yield from (Draw(seat, card) for card in cards)
        yield from (Roll(seat, dice) for dice in rolls())
    yield from (Remove(seat, pair) for seat in around for pair in combinations(sorted(towns), 2))


def rolls() -> Iterator[tuple[int, ...]]:
    for count in range(1, MOST_DICE + 1):
        yield from combinations_with_replacement(range(8), count)


def _said(state: State, seat: Seat) -> Iterator[valhal.Action]:
    yield from (First(seat), Decline(seat), Stay(seat), Retreat(seat), Agree(seat), Disagree(seat))
    yield from (Take(seat, unit) for unit in (*SPECIALS, "warriors"))
    yield from (Choose(seat, lot) for lot in range(4))
    yield from (Curse(seat, target) for target in Seat)
    here = ("", *(raid.town for raid in state.raids))
    yield from (Give(seat, thing, at) for thing in (*UNITS, "longboat") for at in here)
    yield from (FrontLine(seat, unit, owner) for unit in UNITS for owner in (None, *Seat)
                if owner is not seat)  # fmt: skip
    yield from (
        Build(seat, kind, pay, unit) for kind, pay, unit in product(Kind, PAYS, ("", *UNITS))
    )
    yield from (PayFor(seat, site, pay) for site, pay in product(SITES, PAYS))
    yield from (Withdraw(seat, site) for site in (*SITES, "sacrifice"))
    yield from (Feed(seat, space, larder) for space, larder in product(SPACES, (False, True)))
    yield from (Unfeed(seat, space) for space in SPACES)
    yield from (Offering(seat, offer) for offer in Offer)
    yield from _sent(state, seat)


def _sent(state: State, seat: Seat) -> Iterator[valhal.Action]:
    guests = [(), *((other,) for other in state.seats), state.seats[1:]]
    for count in range(1, MOST_SENT + 1):
        for units, fleet in product(combinations_with_replacement(SENT, count), FLEETS):
            yield Join(seat, units, fleet)
            for town in (*state.mainland, state.heidrun or "v1"):
                yield from (Attack(seat, town, units, fleet, each) for each in guests)
