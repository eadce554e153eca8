"""What could come next. Hidden cards take every value the census leaves them; cards shown
together are told in one order only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations_with_replacement, islice
from types import MappingProxyType

from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import (
    Action,
    Armory,
    Declare,
    Draw,
    Fetch,
    First,
    Lose,
    Pass,
    Place,
    Ready,
    Return,
    Reveal,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card, is_deity
from companion.games.valhalla.rules.objections import objections
from companion.games.valhalla.rules.phases.draugr import STAND, stand_size
from companion.games.valhalla.rules.phases.drawing import draw_size, drawn_from, keeps_all, outcomes
from companion.games.valhalla.rules.placing import stocked
from companion.games.valhalla.rules.state import Phase, State, unseen

_ASKING = (Phase.FIRST, Phase.LOSS, Phase.STAND, Phase.SUPPORT, Phase.BATTLE)
"""Phases in which people have to decide or tell something first."""


def actions(state: State) -> Iterator[Action]:
    """Every move `judge` accepts now. Dares and what sets the books right (has, shows) are no
    moves and can be said at any time."""
    return (action for action in candidates(state) if not any(objections(state, action)))


def to_move(state: State) -> Seat | None:
    """None while the table waits for several at once, or for a card."""
    if state.over:
        return None
    if state.phase is Phase.LOSS:
        owing = [debt.seat for debt in state.debts if debt.cards]
        return owing[0] if len(owing) == 1 else None
    if state.phase is Phase.STAND:
        return state.debts[0].seat
    if not state.waiting or (_together(state) and len(state.waiting) > 1):
        return None
    return state.waiting[0]


def _together(state: State) -> bool:
    if state.phase is Phase.STRATEGY:
        return state.options.strategy_order == "simultaneous"
    return state.phase in (Phase.SELECT, Phase.REVEAL)


def needs_answer(state: State) -> bool:
    """Must people decide or tell something before the play goes on?"""
    return state.phase in _ASKING


def expected(state: State) -> Action | None:
    """The only move there is; and that everybody is ready, which nobody can tell apart."""
    if state.phase is Phase.SELECT:
        return Ready()
    one, *more = (*islice(actions(state), 2), None)
    return one if more == [None] else None


def passing(state: State) -> Action | None:
    """A-4: to do nothing in the Strategy Phase."""
    seat = to_move(state)
    return Pass(seat) if seat is not None and state.phase is Phase.STRATEGY else None


def candidates(state: State) -> Iterator[Action]:
    return iter(()) if state.over else _BY_PHASE[state.phase](state)


def _first(state: State) -> Iterator[Action]:
    return (First(seat) for seat in state.seats)


def _ready(state: State) -> Iterator[Action]:
    yield from (Ready(seat) for seat in state.waiting)
    yield Ready()


def _reveals(state: State) -> Iterator[Action]:
    left = unseen(state)
    for seat in state.waiting:
        cards = _holdable(state, seat, left)
        if state.players[seat].down == 1:
            yield from (Reveal(seat, main) for main in cards)
        else:
            yield from (Reveal(seat, main, support) for main in cards for support in cards)


def _strategy(state: State) -> Iterator[Action]:
    yield from _declares(state)
    armory = dict.fromkeys(state.armory)
    for seat in state.waiting:
        yield from _draws(state, seat)
        yield from (Take(seat, card) for card in armory)
        yield Pass(seat)


def _declares(state: State) -> Iterator[Action]:
    for seat in state.playing_order:
        main = state.players[seat].main
        if main is None or main is Card.WOLF:
            continue
        if is_deity(main):
            yield from (Declare(seat, main, shuffles=shuffles) for shuffles in (False, True))
        else:
            yield from (Declare(seat, main, target) for target in state.playing_order)


def _draws(state: State, seat: Seat) -> Iterator[Action]:
    if state.players[seat].axed:
        yield from _open_draws(state, seat)
        return
    left = unseen(drawn_from(state, seat))
    for looks in sorted(outcomes(state, seat), key=str):
        kept = looks.kept if keeps_all(state, seat) and looks.kept else None
        for others in _combinations(left, looks.others, draugr=False):
            yield Draw(seat, (Card.DRAUGR,) * looks.draugr + others, kept=kept)


def _open_draws(state: State, seat: Seat) -> Iterator[Action]:
    left = unseen(drawn_from(state, seat))
    for shown in _combinations(left, draw_size(state, seat)):
        others = tuple(card for card in shown if card is not Card.DRAUGR)
        if keeps_all(state, seat) or not others:
            yield Draw(seat, shown, others)
        else:
            yield from (Draw(seat, shown, (card,)) for card in dict.fromkeys(others))


def _turns(state: State) -> Iterator[Action]:
    left = unseen(stocked(state, 1))
    return (Turn(seat, card) for seat in state.waiting for card in _available(left))


def _armory(state: State) -> Iterator[Action]:
    left = unseen(stocked(state, 1))
    return (Armory(card) for card in _available(left))


def _losses(state: State) -> Iterator[Action]:
    left = unseen(state)
    for debt in state.debts:
        seat, player = debt.seat, state.players[debt.seat]
        yield from (Lose(seat, card, Place.HAND) for card in _holdable(state, seat, left))
        yield from (Lose(seat, card, Place.DISCARD) for card in dict.fromkeys(player.discard))
        yield from (Lose(seat, card, Place.TABLE) for card in dict.fromkeys(player.table))


def _stands(state: State) -> Iterator[Action]:
    seat, size = state.debts[0].seat, stand_size(state)
    left = unseen(stocked(state, STAND))
    for count in range(1, size + 1):
        for shown in _combinations(left, count):
            if Card.DRAUGR in shown:
                yield Stand(seat, shown)
            elif count == size:
                yield from (Stand(seat, shown, card) for card in dict.fromkeys(shown))


def _spoils(state: State) -> Iterator[Action]:
    return (Take(state.waiting[0], card) for card in dict.fromkeys(state.armory))


def _fetches(state: State) -> Iterator[Action]:
    seat = state.waiting[0]
    return (Fetch(seat, card) for card in dict.fromkeys(state.players[seat].discard))


def _returns(state: State) -> Iterator[Action]:
    return (Return(state.waiting[0], card) for card in dict.fromkeys(state.armory))


_BY_PHASE: Mapping[Phase, Callable[[State], Iterator[Action]]] = MappingProxyType(
    {
        Phase.FIRST: _first,
        Phase.SELECT: _ready,
        Phase.REVEAL: _reveals,
        Phase.STRATEGY: _strategy,
        Phase.SUPPORT: _turns,
        Phase.BATTLE: _armory,
        Phase.LOSS: _losses,
        Phase.STAND: _stands,
        Phase.SPOILS: _spoils,
        Phase.WOLF: _fetches,
        Phase.TRIM: _returns,
    }
)


def _holdable(state: State, seat: Seat, left: Counter[Card]) -> tuple[Card, ...]:
    """Kinds this hand may hold."""
    player = state.players[seat]
    hidden = _available(left) if player.hidden else ()
    kinds = dict.fromkeys((*player.known, *hidden))
    return tuple(card for card in kinds if card is not Card.DRAUGR)


def _available(left: Counter[Card]) -> tuple[Card, ...]:
    return tuple(card for card, count in left.items() if count > 0)


def _combinations(
    left: Counter[Card], count: int, *, draugr: bool = True
) -> Iterator[tuple[Card, ...]]:
    kinds = [card for card in _available(left) if draugr or card is not Card.DRAUGR]
    for cards in combinations_with_replacement(kinds, count):
        if all(cards.count(card) <= left[card] for card in cards):
            yield cards
