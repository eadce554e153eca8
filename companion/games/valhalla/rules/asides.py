"""What can be said at any time: dares (VLLA-DARE-1, A-28), and corrections of the books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules import census
from companion.games.valhalla.rules.actions import Dare, Decline, Has, Shows
from companion.games.valhalla.rules.cards import Card, draugr_in
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.draugr import owed_anew
from companion.games.valhalla.rules.placing import changed
from companion.games.valhalla.rules.state import Dared, Stage, State, others_in_deck, unseen

# Dares


def dare_objections(state: State, action: Dare) -> Iterator[Reason]:
    seat, target = action.seat, action.target
    if state.options.dares == "off":
        yield reason(Code.DARES_OFF, "VLLA-DARE-1", may_stand=False)
    elif target not in state.seats:
        yield reason(Code.NOT_SEATED, "VLLA-COMP-2", may_stand=False, seat=target)
    elif target is seat:
        yield reason(Code.DARE_SELF, "VLLA-DARE-1", may_stand=False, seat=seat)
    elif target not in state.darable:
        yield reason(Code.NOTHING_TO_DARE, "VLLA-DARE-1", seat=target)


def dared(state: State, action: Dare) -> State:
    """A-28: dares are written down and never enforced; there may be several at once."""
    dare = Dared(action.seat, action.target, state.turn)
    return replace(state, dares=(*state.dares, dare))


def decline_objections(state: State, action: Decline) -> Iterator[Reason]:
    if _open_dare(state, action.seat) is None:
        yield reason(Code.NO_DARE, "VLLA-DARE-1", may_stand=False, seat=action.seat)


def declined(state: State, action: Decline) -> State:
    dare = _open_dare(state, action.seat)
    dares = (replace(each, declined=True) if each is dare else each for each in state.dares)
    return replace(state, dares=tuple(dares))


def _open_dare(state: State, seat: Seat) -> Dared | None:
    """The newest dare of this turn that was not declined."""
    own = (each for each in reversed(state.dares) if each.seat is seat and not each.declined)
    return next((each for each in own if each.turn == state.turn), None)


# Hands


def hand_objections(state: State, action: Has | Shows) -> Iterator[Reason]:
    seat, size = action.seat, _size(action)
    player = state.players[seat]
    if not _sound(corrected(state, action)):
        yield reason(Code.HAND_IMPOSSIBLE, "VLLA-COMP-1", may_stand=False, seat=seat, size=size)
    elif size != player.hand:
        yield reason(Code.SIZE_DIFFERS, "VLLA-STR-1", seat=seat, size=size, books=player.hand)
    if isinstance(action, Shows):
        yield from _shown(state, action)


def _shown(state: State, action: Shows) -> Iterator[Reason]:
    player = state.players[action.seat]
    if draugr_in(action.cards) != player.draugr:  # never unseen
        yield reason(Code.DRAUGR_IN_HAND, "VLLA-STR-4a", may_stand=False, seat=action.seat)
        return
    for each in census.from_hand(state, action.seat, action.cards):
        if each.code != Code.HAND_KNOWN:
            yield each
    unshown = Counter(player.known) - Counter(action.cards)
    if unshown.total() > player.down:
        yield reason(Code.HAND_KNOWN, "VLLA-COMP-1", seat=action.seat, cards=player.known)


def _size(action: Has | Shows) -> int:
    return action.size if isinstance(action, Has) else len(action.cards)


def _sound(state: State) -> bool:
    """Whether the cards of the game can be distributed like this."""
    left = unseen(state)
    enough = state.deck >= 0 and min(left.values()) >= 0
    hands = all(player.hidden >= 0 and player.layable >= 0 for player in state.players)
    return enough and hands and others_in_deck(state, left) >= 0


def corrected(state: State, action: Has | Shows) -> State:
    """The hand becomes what it is said to be; the deck has the cards it loses, or loses those it
    gains."""
    seat, size = action.seat, _size(action)
    player = state.players[seat]
    if size != player.hand:
        state = replace(state, deck=state.deck + player.hand - size, bottom=())
    known = player.known
    if isinstance(action, Shows):
        unshown = tuple((Counter(known) - Counter(action.cards)).elements())
        known = action.cards + (unshown if len(unshown) <= player.down else ())
    if len(known) > size + player.down:  # some known card was wrong, nobody knows which
        known = (Card.DRAUGR,) * player.draugr
    state = owed_anew(changed(state, seat, hand=size, known=known), seat)
    if state.stage is not Stage.SELECT:
        return state
    laying = (each for each in state.playing_order if not state.players[each].down)
    return replace(state, waiting=tuple(each for each in laying if state.players[each].layable))
