"""What somebody at a table of Valhalla could do with the cards, allowed or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import (
    Action,
    Declare,
    Draw,
    Lose,
    Pass,
    Place,
    Return,
    Take,
)
from companion.games.valhalla.rules.cards import Card, is_deity
from companion.games.valhalla.rules.phases.drawing import draw_size
from companion.games.valhalla.rules.state import State
from companion.sim.visitors import Asked

Moving = Take | Lose | Return
"""Actions that move exactly one card."""


def fits(state: State, action: Action) -> bool:
    return isinstance(valhalla.judge(state, action), Accepted)


def asked(what: str, state: State, actions: Iterable[Action]) -> Asked:
    """A question with all these actions to choose from; those against the rules are marked as
    wrong."""
    many = list(actions)
    good = [each for each in many if fits(state, each)]
    wrong = [each for each in many if each not in good]
    return Asked(what, (), _told(good), _told(wrong))


def _told(actions: Iterable[Action]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(valhalla.format, actions)))


def strategies(state: State, seat: Seat, seen: tuple[str, ...]) -> Asked:
    """The question what to do in the Strategy Phase. A draw is offered without its cards, because
    nobody knows them before."""
    open_to = asked("strategy", state, [*aims(state, seat), *takes(state, seat)])
    draw = _told([Draw(seat)]) if draw_size(state, seat) else ()
    leave = "pass" if fits(state, Pass(seat)) else ""
    return replace(open_to, lines=(*draw, *open_to.lines), seen=seen, leave=leave)


def aims(state: State, seat: Seat) -> list[Declare]:
    """The ways the Main can be used now."""
    main = state.players[seat].main
    if main is None:
        return []
    targets: list[Seat | None] = [None] if is_deity(main) else [*state.playing_order]
    return [each for each in (Declare(seat, main, on) for on in targets) if fits(state, each)]


def takes(state: State, seat: Seat) -> list[Take]:
    return [Take(seat, card) for card in dict.fromkeys(state.armory)]


def returns(state: State, seat: Seat) -> list[Return]:
    return [Return(seat, card) for card in dict.fromkeys(state.armory)]


def losses(state: State, seat: Seat, held: Iterable[Card]) -> Iterator[Lose]:
    pile = state.players[seat].discard
    yield from (Lose(seat, card, Place.DISCARD) for card in dict.fromkeys(pile))
    yield from (Lose(seat, card, Place.HAND) for card in held)
    yield from (Lose(seat, card, Place.TABLE) for card in state.players[seat].table)
