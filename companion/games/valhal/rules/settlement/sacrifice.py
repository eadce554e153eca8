"""Sacrifices at the Runestone and the Altar. Rules VHAL-SAC-1 to -8, A-9."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Offering
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.settlement.books import changed, noted, owing, returned, spent
from companion.games.valhal.rules.settlement.favour import favoured
from companion.games.valhal.rules.state import Due, Happening, Offer, Owed, Player, Sacrifice, State
from companion.games.valhal.rules.vocabulary import Kind, Stack

ALTAR_ONLY = {Offer.WRATH: "VHAL-SAC-5", Offer.FAVOUR: "VHAL-SAC-6"}


def purse(offer: Offer) -> str:
    return "coins" if offer in (Offer.COINS, Offer.WRATH) else "glory"


def price(state: State, player: Player, offer: Offer) -> int:
    """VHAL-SAC-2 to -6; A-9: the Altar takes two coins where the Runestone takes one."""
    match offer:
        case Offer.COINS:
            altar = Kind.ALTAR in player.buildings
            return 2 if altar else state.options.runestone_coin_cost
        case Offer.GLORY | Offer.WRATH:
            return 2
        case Offer.FAVOUR:
            return 7


def offer_objections(state: State, action: Offering) -> Iterator[Reason]:
    seat, offer = action.seat, action.offer
    player = state.players[seat]
    altar = Kind.ALTAR in player.buildings
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if player.sacrifice is not None:  # one a season
        yield reason(Code.SACRIFICE_PLANNED, "VHAL-SAC-1", may_stand=False, seat=seat)
    if player.project(Kind.ALTAR) is not None:
        yield reason(Code.ALTAR_UNDER_WAY, "VHAL-BLD-ALTAR", seat=seat)
    things = (Kind.ALTAR if altar else "runestone", "sacrifices")
    yield from (
        reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=thing)
        for thing in things
        if player.unused(thing, state.season)
    )
    if offer in ALTAR_ONLY and not altar:
        yield reason(Code.ALTAR_MISSING, ALTAR_ONLY[offer], seat=seat)
    if offer is Offer.GLORY and altar:
        yield reason(Code.RUNESTONE_CLOSED, "VHAL-SAC-7", seat=seat)
    if offer is Offer.FAVOUR and _at_the_end(state, player):
        yield reason(Code.LAST_SPACE, "VHAL-SAC-6", seat=seat)
    yield from _affordable(state, seat, offer)


def _affordable(state: State, seat: Seat, offer: Offer) -> Iterator[Reason]:
    player = state.players[seat]
    have, need = int(getattr(player, purse(offer))), price(state, player, offer)
    if have < need:
        rule = {Offer.COINS: "VHAL-SAC-2", Offer.GLORY: "VHAL-SAC-3", **ALTAR_ONLY}[offer]
        if offer is Offer.COINS and Kind.ALTAR in player.buildings:
            rule = "VHAL-SAC-4"
        yield reason(Code.CANNOT_PAY, rule, seat=seat, thing=purse(offer), have=have, need=need)


def _at_the_end(state: State, player: Player) -> bool:
    return player.favour + 1 >= steps_to_win(state.options)


def planned(state: State, action: Offering) -> State:
    """VHAL-SAC-1: laid down now, carried out later; glory moves at once (VHAL-SAC-3 and -6)."""
    seat, offer = action.seat, action.offer
    cost = price(state, state.players[seat], offer)
    cost = min(cost, int(getattr(state.players[seat], purse(offer))))
    state = spent(state, seat, purse(offer), cost)
    return changed(state, seat, sacrifice=Sacrifice(offer, cost))


def sacrifice_withdrawn(state: State, seat: Seat) -> State:
    sacrifice = state.players[seat].sacrifice
    if sacrifice is None:
        return state
    state = changed(state, seat, sacrifice=None)
    return returned(state, seat, purse(sacrifice.offer), sacrifice.cost)


def carried_out(state: State, seat: Seat) -> State:
    player = state.players[seat]
    sacrifice = player.sacrifice
    if sacrifice is None:
        return state
    state = changed(state, seat, sacrifice=None)
    match sacrifice.offer:
        case Offer.COINS | Offer.GLORY:
            return owing(state, [Due(Owed.DRAW, (seat,), Stack.BENEVOLENCE)])
        case Offer.WRATH:
            return owing(state, [Due(Owed.CURSE, (seat,), Stack.WRATH)])
        case Offer.FAVOUR if _at_the_end(state, player):  # VHAL-SAC-6: never onto the last space
            return _given_back(state, seat, sacrifice.cost)
        case Offer.FAVOUR:
            return favoured(state, seat, 1)


def _given_back(state: State, seat: Seat, cost: int) -> State:
    """VHAL-SAC-8: the Raven Head has come so far meanwhile that the step cannot be made."""
    if state.version < 2:
        return state
    state = noted(state, Happening.GIVEN_BACK, seat, "glory", cost)
    most = state.sheet.glory_max or 99
    return changed(state, seat, glory=min(most, state.players[seat].glory + cost))
