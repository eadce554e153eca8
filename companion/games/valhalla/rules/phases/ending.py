"""The End Phase: Wolves, clearing the table, trimming the armory. Rules VLLA-WOL, VLLA-ARM-2 and
-3, VLLA-END-1 (the order is our reading), A-3, A-6, A-15, A-20, A-21."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import Fetch, Return
from companion.games.valhalla.rules.cards import ARMORY_ROOM, Card, without
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.battle import in_order, support_used
from companion.games.valhalla.rules.placing import (
    changed,
    noted,
    out_of_armory,
    served,
    shuffled_in,
    stage_set,
    to_discard,
    to_hand,
)
from companion.games.valhalla.rules.state import Happening, Stage, State

# Wolves


def howled(state: State) -> State:
    """VLLA-WOL: each Wolf used as Main brings back its owner's pile; then Wolves as Support fetch
    a card each."""
    for seat in state.playing_order:
        player = state.players[seat]
        if player.howls or player.main is Card.WOLF:
            state = _pile_taken_up(state, seat)
    fetching = []
    for seat in state.playing_order:
        if state.players[seat].support is Card.WOLF:
            if state.players[seat].discard:
                fetching.append(seat)
            else:
                state = support_used(state, seat)
    return stage_set(state, Stage.WOLF, tuple(fetching))


def _pile_taken_up(state: State, seat: Seat) -> State:
    """The pile goes to the hand. A-3: a Wolf that clashed lies in the pile and comes along. One
    that did not goes to the emptied pile; or to the hand, if the table plays it so."""
    player = state.players[seat]
    pile = player.discard
    wolf = (Card.WOLF,) if player.main is Card.WOLF else ()
    state = changed(state, seat, discard=(), main=None if wolf else player.main, howls=False)
    state = to_hand(noted(state, Happening.HOWLED, seat, pile), seat, pile)
    if state.options.wolf_main_returns_itself:
        return to_hand(state, seat, wolf)
    return to_discard(state, seat, wolf)


def fetch_objections(state: State, action: Fetch) -> Iterator[Reason]:
    yield from in_order(state, action)
    pile = state.players[action.seat].discard
    if action.card not in pile:
        yield reason(
            Code.NOT_IN_DISCARD, "VLLA-WOL", may_stand=False, seat=action.seat, card=action.card
        )
    elif state.options.wolf_support_choice == "top_card" and action.card != pile[-1]:
        yield reason(Code.TOP_ONLY, "VLLA-WOL", seat=action.seat, card=pile[-1])


def fetched(state: State, action: Fetch) -> State:
    """A-21: a card of the own pile goes to the hand; the Wolf goes to the pile afterwards."""
    seat, card = action.seat, action.card
    left = without(state.players[seat].discard, card)
    state = to_hand(changed(state, seat, discard=left), seat, (card,))
    return support_used(served(state, seat), seat)


# Clearing the table


def cleared(state: State) -> State:
    """A-6 and A-15: Mains and Supports that were not used leave the table."""
    options = state.options
    for seat in state.playing_order:
        player = state.players[seat]
        if not player.table:
            continue
        main = () if player.main is None else (player.main,)
        support = () if player.support is None else (player.support,)
        state = changed(state, seat, main=None, support=None)
        state = _put(state, seat, main, back=options.unused_main == "back_to_hand")
        state = _put(state, seat, support, back=options.supports_without_battle == "back_to_hand")
    return trimming(state)


def _put(state: State, seat: Seat, cards: tuple[Card, ...], *, back: bool) -> State:
    if not cards:
        return state
    if back:
        return to_hand(noted(state, Happening.TAKEN_BACK, seat, cards), seat, cards)
    return to_discard(noted(state, Happening.PUT_AWAY, seat, cards), seat, cards)


# The armory


def trimming(state: State) -> State:
    """VLLA-ARM-2 and -3: cards beyond five leave the armory, but only now, at the end of the turn
    (A-20)."""
    surplus = max(0, len(state.armory) - ARMORY_ROOM)
    if state.options.armory_trim == "first_player_chooses":
        return stage_set(state, Stage.TRIM, state.playing_order[:1] * surplus)
    back: tuple[Card, ...] = ()
    for _ in range(surplus):
        card = _newest_surplus(state)
        state = out_of_armory(state, card)
        back += (card,)
    state = shuffled_in(state, back) if back else state
    return stage_set(state, Stage.TRIM)


def _newest_surplus(state: State) -> Card:
    """The next card to leave the armory. A-20: a Draugr only if there is nothing else."""
    others = [card for card in state.armory if card is not Card.DRAUGR]
    return others[-1] if others else Card.DRAUGR


def return_objections(state: State, action: Return) -> Iterator[Reason]:
    yield from in_order(state, action)
    if action.card not in state.armory:
        yield reason(Code.NOT_IN_ARMORY, "VLLA-ARM-2", may_stand=False, card=action.card)
    elif action.card is Card.DRAUGR and _newest_surplus(state) is not Card.DRAUGR:
        yield reason(Code.DRAUGR_STAYS, "VLLA-ARM-3", may_stand=False)


def returned(state: State, action: Return) -> State:
    state = out_of_armory(served(state, action.seat), action.card)
    return shuffled_in(state, (action.card,))
