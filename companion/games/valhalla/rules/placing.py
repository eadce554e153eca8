"""Moving cards from place to place. Whatever the books believed before, afterwards every card is
in one place, and no hand has more known cards than it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.core.notation import Seat
from companion.games.valhalla.rules.cards import ARMORY_ROOM, DRAUGR, Card, is_deity, without
from companion.games.valhalla.rules.state import Fallen, Happening, Note, Player, Stage, State


def changed(state: State, seat: Seat, **fields: Any) -> State:
    """The state with these fields of one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **fields)
    return replace(state, players=tuple(players))


def noted(state: State, what: Happening, seat: Seat | None, cards: tuple[Card, ...] = ()) -> State:
    """The state with one more note of what happened by itself."""
    return replace(state, notes=(*state.notes, Note(what, seat, cards)))


def served(state: State, seat: Seat) -> State:
    """The table no longer waits for this seat, or for one thing less of it."""
    if seat not in state.waiting:
        return state
    at = state.waiting.index(seat)
    return replace(state, waiting=state.waiting[:at] + state.waiting[at + 1 :])


# Hands and discard piles


def to_hand(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    """Cards that everybody saw go to a hand, where they stay known."""
    if not cards:
        return state
    player = state.players[seat]
    return changed(state, seat, hand=player.hand + len(cards), known=player.known + cards)


def known_without(player: Player, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """What is still known of a player's hidden cards once everybody saw these leave them."""
    known, size = player.known, player.hand + player.down
    for card in cards:
        if card in known:
            known = without(known, card)
        elif size == len(known):  # some known card was wrong, and nobody can say which
            known = (Card.DRAUGR,) * player.draugr
        size -= 1
    return known


def to_discard(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    """A player's own cards go onto the own pile. VLLA-DARE-1: whoever discards a Deity can be
    dared."""
    if not cards:
        return state
    state = changed(state, seat, discard=state.players[seat].discard + cards)
    if any(is_deity(card) for card in cards):
        return replace(state, darable=state.darable | {seat})
    return state


# The deck


def stocked(state: State, count: int) -> State:
    """The deck before `count` cards are taken off it. If it is too short the graveyard may go back
    in (A-24), but only once a game: if it did again and again, hardly anybody would ever fall. If
    the cards reach down to what was put under the deck, that is forgotten, because nobody can say
    in which order it lies."""
    wanted = state.options.deck_short == "reshuffle_graveyard_without_draugr"
    if wanted and count > state.deck and not state.reshuffled:
        draugr = tuple(card for card in state.graveyard if card is Card.DRAUGR)
        back = len(state.graveyard) - len(draugr) + state.buried
        if back:
            state = replace(state, graveyard=draugr, buried=0, reshuffled=True)
            state = shuffled_in(state, (), unnamed=back)
    if state.bottom and count > state.deck - len(state.bottom):
        return replace(state, bottom=())
    return state


def off_the_deck(state: State, count: int) -> State:
    """So many cards fewer in a deck that is `stocked`; the caller says where they go."""
    return replace(state, deck=state.deck - count)


def under_the_deck(state: State, cards: Iterable[Card | None]) -> State:
    """Cards that go to the bottom together; None is a card nobody else saw. Nobody knows in which
    order they lie, so nothing is concluded from it."""
    put = tuple(cards)
    if not put:
        return state
    unseen = not state.bottom and not any(put)  # nothing is known of the bottom, as of the rest
    bottom = () if unseen else (*state.bottom, *put)
    return replace(state, deck=state.deck + len(put), bottom=bottom)


def shuffled_in(state: State, cards: tuple[Card, ...], unnamed: int = 0) -> State:
    state = replace(state, deck=state.deck + len(cards) + unnamed, bottom=())
    return noted(state, Happening.SHUFFLED, None, cards)


# The armory and the graveyard


def to_armory(state: State, cards: tuple[Card, ...]) -> State:
    """VLLA-ARM-1: cards go to the armory. VLLA-ARM-4: Deities do not stay there."""
    if not cards:
        return state
    state = replace(state, armory=state.armory + cards)
    return deities_sent_back(state)


def deities_sent_back(state: State) -> State:
    deities = tuple(card for card in state.armory if is_deity(card))
    if not deities:
        return state
    kept = tuple(card for card in state.armory if not is_deity(card))
    return shuffled_in(replace(state, armory=kept), deities)


def out_of_armory(state: State, card: Card) -> State:
    return replace(state, armory=without(state.armory, card))


def buried(state: State, cards: tuple[Card, ...]) -> State:
    return replace(state, graveyard=state.graveyard + cards)


def eliminated(state: State, seat: Seat) -> State:
    """VLLA-DRA-2, A-23: the seat is out, and so are all its cards."""
    player = state.players[seat]
    seen = player.known + player.table + player.discard
    hidden = player.hidden
    state = replace(
        state,
        players=(*state.players[:seat], Player(alive=False), *state.players[seat + 1 :]),
        waiting=tuple(other for other in state.waiting if other is not seat),
        debts=tuple(debt for debt in state.debts if debt.seat is not seat),
        fallen=(*state.fallen, Fallen(seat, state.turn, state.stage)),
    )
    state = noted(state, Happening.OUT, seat, seen)
    if not seen and not hidden:
        return state
    if state.options.eliminated_cards == "shuffle_into_deck":
        return shuffled_in(state, seen, hidden)
    return replace(buried(state, seen), buried=state.buried + hidden)


def draugr_recalled(state: State) -> State:
    """A-10, A-24: at most five Draugr stay in the armory, so at least three can be drawn. With
    options by which Draugr are also buried or held there may be fewer, and the game might never
    end. Then the buried and held ones are put under the deck at the end of the turn."""
    held = sum(player.draugr for player in state.players)
    away = (Card.DRAUGR,) * (held + state.graveyard.count(Card.DRAUGR))
    drawable = DRAUGR - len(away) - state.armory.count(Card.DRAUGR)
    if not away or drawable >= DRAUGR - ARMORY_ROOM:
        return state
    for seat in state.seats:
        player = state.players[seat]
        known = tuple(card for card in player.known if card is not Card.DRAUGR)
        state = changed(state, seat, hand=player.hand - player.draugr, known=known)
    kept = tuple(card for card in state.graveyard if card is not Card.DRAUGR)
    state = noted(replace(state, graveyard=kept), Happening.RECALLED, None, away)
    return under_the_deck(state, away)


def stage_set(state: State, stage: Stage, waiting: tuple[Seat, ...] = ()) -> State:
    return replace(state, stage=stage, waiting=waiting)
