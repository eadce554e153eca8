"""Laying Main and Support, turning them up, and who clashes. Rules VLLA-STR-1 to -3, A-2, A-13."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules import census
from companion.games.valhalla.rules.actions import First, Ready, Reveal
from companion.games.valhalla.rules.cards import Card, is_deity
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.placing import (
    changed,
    known_without,
    noted,
    served,
    stage_set,
    to_discard,
)
from companion.games.valhalla.rules.state import Debt, Happening, Player, Stage, State

# A turn begins


def begun(state: State, action: First) -> State:
    """VLLA-SETUP-1: somebody was chosen to go first."""
    return dawned(replace(state, first=action.seat))


def dawned(state: State) -> State:
    """A new turn begins, and nothing of the last one counts any more. A-1: if the first player
    fell, the next one clockwise is first."""
    state = replace(
        state,
        players=tuple(_rested(player) for player in state.players),
        turn=state.turn + 1,
        first=state.playing_order[0],
        stage=Stage.DAWN,
        waiting=(),
        involved=(),
        battle=None,
    )
    if state.options.short_hand != "last_stand":
        return state
    short = [seat for seat in state.playing_order if state.players[seat].layable < 2]
    return replace(state, debts=tuple(Debt(seat, 0, stand=True) for seat in short))


def _rested(player: Player) -> Player:
    if not (player.axed or player.hammered or player.howls):
        return player
    return replace(player, axed=False, hammered=False, howls=False)


def passed_on(state: State) -> State:
    """A-1: the first player stays first, or the next living one is first in each turn."""
    if state.options.first_player == "rotate_left_each_turn":
        order = state.playing_order
        if order[0] is state.first:  # else the first player fell, and the next one is first already
            return replace(state, first=order[1])
    return state


def selecting(state: State) -> State:
    """Everybody lays cards. A-13: but not those who hold none."""
    laying = [seat for seat in state.playing_order if state.players[seat].layable]
    return stage_set(state, Stage.SELECT, tuple(laying))


# Face down


def ready_objections(state: State, action: Ready) -> Iterator[Reason]:
    seat = action.seat
    if seat is None or seat in state.waiting:
        return
    if state.players[seat].down:
        yield reason(Code.DONE_ALREADY, "VLLA-STR-1", may_stand=False, seat=seat)
    else:
        yield reason(Code.NOTHING_TO_LAY, "VLLA-STR-1", may_stand=False, seat=seat)


def laid(state: State, action: Ready) -> State:
    """VLLA-STR-1: two cards lie face down, or one of a hand of one (A-13). Nobody knows which."""
    laying = state.waiting if action.seat is None else (action.seat,)
    players = tuple(
        _laid(player) if seat in laying else player
        for seat, player in zip(state.seats, state.players, strict=True)
    )
    waiting = tuple(seat for seat in state.waiting if seat not in laying)
    return replace(state, players=players, waiting=waiting)


def _laid(player: Player) -> Player:
    down = min(2, player.layable)
    return replace(player, hand=player.hand - down, down=down)


def revealing(state: State) -> State:
    """VLLA-STR-2: cards are turned up only when everybody is ready."""
    down = [seat for seat in state.playing_order if state.players[seat].down]
    return stage_set(state, Stage.REVEAL, tuple(down))


# Face up


def reveal_objections(state: State, action: Reveal) -> Iterator[Reason]:
    seat, cards = action.seat, action.cards
    player = state.players[seat]
    if seat not in state.waiting:
        laid_some = player.main is not None
        code = Code.DONE_ALREADY if laid_some else Code.NOTHING_TO_LAY
        yield reason(code, "VLLA-STR-2", may_stand=False, seat=seat)
        return
    if Card.DRAUGR in cards:
        yield reason(Code.DRAUGR_LAID, "VLLA-STR-1", may_stand=False, seat=seat)
    else:
        yield from census.from_hand(state, seat, cards)
    if len(cards) > player.down:
        yield reason(Code.TOO_MANY_LAID, "VLLA-STR-1", may_stand=False, seat=seat, due=player.down)
    elif len(cards) < player.down:
        yield reason(Code.SUPPORT_MISSING, "VLLA-STR-1", seat=seat)


def revealed(state: State, action: Reveal) -> State:
    """The cards lie face up. One that was laid and is not shown is back in the hand."""
    player = state.players[action.seat]
    state = changed(
        state,
        action.seat,
        known=known_without(player, action.cards),
        hand=player.hand + player.down - len(action.cards),
        down=0,
        main=action.main,
        support=action.support,
    )
    return served(state, action.seat)


# The clash


def clashed(state: State) -> State:
    """VLLA-STR-3: equal Mains go to their owners' discard piles, the Supports back to hand."""
    signs = {seat: _sign(state, seat) for seat in state.playing_order}
    counts = Counter(sign for sign in signs.values() if sign)
    involved = tuple(seat for seat, sign in signs.items() if counts[sign] > 1)
    state = replace(state, involved=involved, darable=frozenset())
    for seat in involved:
        state = _withdrawn(state, seat)
    acting = tuple(seat for seat in state.playing_order if seat not in involved)
    return stage_set(state, Stage.STRATEGY, acting)


def _sign(state: State, seat: Seat) -> str:
    """What two Mains must share to clash. A-2: Deities all do, or only those of one name."""
    main = state.players[seat].main
    if main is None:
        return ""
    if is_deity(main):
        return main.person if state.options.clash_by == "by_name" else "deity"
    return main.value


def _withdrawn(state: State, seat: Seat) -> State:
    player = state.players[seat]
    if player.main is None:
        return state
    main, back = (player.main,), player.table[1:]
    state = changed(
        state,
        seat,
        main=None,
        support=None,
        hand=player.hand + len(back),
        known=player.known + back,
        howls=player.main is Card.WOLF and state.options.clash_wolf_still_resolves,
    )
    state = noted(to_discard(state, seat, main), Happening.CLASHED, seat, main)
    return noted(state, Happening.SUPPORT_BACK, seat, back) if back else state
