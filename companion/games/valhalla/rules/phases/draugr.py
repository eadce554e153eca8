"""Draugr: what each costs, losing cards, the last stand. Rules VLLA-DRA-1 to -3, A-11 to A-14."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules import census
from companion.games.valhalla.rules.actions import Lose, Place, Stand
from companion.games.valhalla.rules.cards import ARMORY_ROOM, Card, draugr_in, without
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.placing import (
    buried,
    changed,
    eliminated,
    known_without,
    noted,
    off_the_deck,
    shuffled_in,
    stocked,
    to_armory,
    to_discard,
    to_hand,
    under_the_deck,
)
from companion.games.valhalla.rules.state import Debt, Happening, Player, State

STAND = 3  # VLLA-DRA-2: cards of a last stand


def draugr_cost(state: State) -> int:
    """VLLA-DRA-3, A-19: what the next Draugr costs. It costs more once five lie in the armory; the
    fifth itself does not."""
    full = draugr_in(state.armory) >= ARMORY_ROOM
    return state.options.five_draugr_value if full else 1


# Being hit


def hit(state: State, seats: tuple[Seat, ...], cost: int) -> State:
    """VLLA-DRA-1: each of these seats owes so many cards. All Draugr of one reveal are counted
    together, so that one last stand is enough for them."""
    for seat in seats:
        state = _owing(state, _debt(state, seat, cost))
    return state


def _debt(state: State, seat: Seat, cost: int) -> Debt:
    """What a seat owes. A-12: the option says when a Draugr means a last stand."""
    player = state.players[seat]
    most = _losable(state, player)
    match state.options.last_stand_trigger:
        case "last_card":  # as many as the player owns, or more: all are lost first
            return Debt(seat, min(cost, most), stand=cost >= most)
        case "empty":  # more than the player owns
            return Debt(seat, min(cost, most), stand=cost > most)
        case "fewer_than_two_in_hand":  # no Main and Support: the stand comes instead of a loss
            if player.layable + len(player.table) < 2:
                return Debt(seat, 0, stand=True)
            return Debt(seat, min(cost, most))
        case _:  # a lone Draugr in hand; also nothing to lose, or nobody could ever fall
            lone = player.hand == 1 and player.draugr == 1
            if lone or most == 0:
                return Debt(seat, 0, stand=True)
            return Debt(seat, min(cost, most))


def _losable(state: State, player: Player) -> int:
    """How many cards a player can lose. A-11: not those of the own pile, if losses go there; and
    never a Draugr in the hand."""
    pile = len(player.discard) if state.options.draugr_loss_goes_to == "graveyard" else 0
    return player.layable + len(player.table) + pile


def _owing(state: State, debt: Debt) -> State:
    """The state with this debt. If it takes all the cards there are and everybody knows them, they
    are lost at once: nobody has to choose."""
    player = state.players[debt.seat]
    others = tuple(each for each in state.debts if each.seat is not debt.seat)
    if debt.cards and debt.cards == _losable(state, player) and player.hidden == 0:
        state = _everything_lost(state, debt.seat)
        debt = replace(debt, cards=0)
    owed = (*others, debt) if debt.cards or debt.stand else others
    return replace(state, debts=_in_order(state, owed) if len(owed) > 1 else owed)


def _in_order(state: State, debts: tuple[Debt, ...]) -> tuple[Debt, ...]:
    order = state.playing_order
    return tuple(sorted(debts, key=lambda debt: order.index(debt.seat)))


def _everything_lost(state: State, seat: Seat) -> State:
    player = state.players[seat]
    held = tuple(card for card in player.known if card is not Card.DRAUGR)
    lost = held + player.table
    kept = (Card.DRAUGR,) * player.draugr
    state = changed(state, seat, hand=len(kept), known=kept, main=None, support=None)
    if state.options.draugr_loss_goes_to == "own_discard":
        return to_discard(noted(state, Happening.LOST, seat, lost), seat, lost)
    lost += player.discard
    state = changed(noted(state, Happening.LOST, seat, lost), seat, discard=())
    return buried(state, lost)


def owed_anew(state: State, seat: Seat, paid: int = 0) -> State:
    """What a seat still owes after it has lost a card, or after its hand was corrected: never more
    than it has."""
    debt = next((each for each in state.debts if each.seat is seat), None)
    if debt is None:
        return state
    most = _losable(state, state.players[seat])
    return _owing(state, replace(debt, cards=min(debt.cards - paid, most)))


def forgiven(state: State, seat: Seat) -> State:
    """The seat owes nothing any more: paid, or let slip by the table."""
    return replace(state, debts=tuple(debt for debt in state.debts if debt.seat is not seat))


# Losing a card


def lose_objections(state: State, action: Lose) -> Iterator[Reason]:
    seat = action.seat
    player = state.players[seat]
    if not any(debt.seat is seat and debt.cards for debt in state.debts):
        yield reason(Code.NO_LOSS_DUE, "VLLA-DRA-1", may_stand=False, seat=seat)
        return
    match action.place:
        case Place.HAND:
            yield from _from_hand(state, player, action)
        case Place.DISCARD:
            yield from _from_pile(state, player, action)
        case Place.TABLE:
            yield from _from_table(state, player, action)


def _from_pile(state: State, player: Player, action: Lose) -> Iterator[Reason]:
    seat, card = action.seat, action.card
    if card not in player.discard:
        yield reason(Code.NOT_IN_DISCARD, "VLLA-DRA-1", may_stand=False, seat=seat, card=card)
    elif state.options.draugr_loss_goes_to == "own_discard":
        yield reason(Code.HAND_FIRST, "VLLA-DRA-1", seat=seat)


def _from_table(state: State, player: Player, action: Lose) -> Iterator[Reason]:
    seat, card = action.seat, action.card
    if card not in player.table:
        yield reason(Code.NOT_ON_TABLE, "VLLA-DRA-1", may_stand=False, seat=seat, card=card)
    elif _losable(state, player) > len(player.table):  # hand or pile first, as the sheet says
        yield reason(Code.TABLE_LAST, "VLLA-DRA-1", seat=seat)


def _from_hand(state: State, player: Player, action: Lose) -> Iterator[Reason]:
    if action.card is Card.DRAUGR:
        yield reason(Code.DRAUGR_IN_HAND, "VLLA-DRA-1", may_stand=False, seat=action.seat)
    elif player.layable == 0:
        yield reason(Code.HAND_EMPTY, "VLLA-DRA-1", may_stand=False, seat=action.seat)
    else:
        yield from census.from_hand(state, action.seat, (action.card,))


def lost(state: State, action: Lose) -> State:
    seat, card = action.seat, action.card
    state = _taken_from(state, action)
    if state.options.draugr_loss_goes_to == "own_discard":
        state = to_discard(state, seat, (card,))
    else:
        state = buried(state, (card,))
    return owed_anew(state, seat, paid=1)


def _taken_from(state: State, action: Lose) -> State:
    seat, card = action.seat, action.card
    player = state.players[seat]
    match action.place:
        case Place.HAND:
            known = known_without(player, (card,))
            return changed(state, seat, hand=player.hand - 1, known=known)
        case Place.DISCARD:
            return changed(state, seat, discard=without(player.discard, card))
        case Place.TABLE:
            if card == player.support:
                return changed(state, seat, support=None)
            return changed(state, seat, main=None)


# The last stand


def stand_size(state: State) -> int:
    """How many cards a last stand shows; A-24: fewer if the deck is too short."""
    return min(STAND, stocked(state, STAND).deck)


def stand_objections(state: State, action: Stand) -> Iterator[Reason]:
    seat, shown = action.seat, action.shown
    if not any(debt.seat is seat and debt.stand for debt in state.debts):
        yield reason(Code.NO_STAND_DUE, "VLLA-DRA-2", may_stand=False, seat=seat)
        return
    if seat is not state.debts[0].seat:
        first = state.debts[0].seat
        yield reason(Code.NOT_YOUR_TURN, "VLLA-DRA-2", seat=seat, to_move=first)
    size, survives = stand_size(state), Card.DRAUGR not in shown
    if len(shown) > size or (survives and len(shown) < size):  # one Draugr says enough
        yield reason(Code.STAND_COUNT, "VLLA-DRA-2", may_stand=False, got=len(shown), due=size)
        return
    yield from census.from_deck(stocked(state, STAND), shown)
    if survives != (action.keeps is not None) or (survives and action.keeps not in shown):
        yield reason(Code.STAND_KEEPS, "VLLA-DRA-2", may_stand=False, seat=seat, survives=survives)


def stood(state: State, action: Stand) -> State:
    """VLLA-DRA-2: with any Draugr the player is out; else one of the cards goes to the hand."""
    seat, shown, keeps = action.seat, action.shown, action.keeps
    state = off_the_deck(stocked(state, STAND), len(shown))
    state = forgiven(state, seat)
    if keeps is None:  # the Draugr shown has no further effect
        return eliminated(shuffled_in(state, shown), seat)
    state = to_hand(state, seat, (keeps,))
    rest = without(shown, keeps)
    if state.options.last_stand_unchosen == "deck_bottom":
        return under_the_deck(state, rest)
    return to_armory(state, rest)
