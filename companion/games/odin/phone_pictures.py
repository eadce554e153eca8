"""Hands laid open at the end of a hand of Odin, as a phone sees them."""

from __future__ import annotations

from dataclasses import replace

from companion.core.game import Accepted, Setup
from companion.games.odin import rules
from companion.games.odin.rules.actions import Deal
from companion.games.odin.rules.state import State
from companion.scanning.scanner import ScannedView, Subject
from companion.sim.phones import ScanDrill, around, as_jpeg, hands_laid_open, phone_rng, taken
from companion.sim.render.scene import Points
from companion.sim.render.tables import faces_of
from companion.sim.steps import names
from companion.tabletop.observations import Quad, Sighting

MOST_CARDS = 8
"""The largest hand: somebody has gone out, and the others have played as well."""


def hand(seed: int) -> ScanDrill:
    """One player's hand, fanned."""
    return _drill(seed, 1)


def hands(seed: int) -> ScanDrill:
    """Two or three players' hands in one picture."""
    return _drill(seed, 2 + seed % 2)


def _drill(seed: int, many: int) -> ScanDrill:
    rng = phone_rng(seed)
    faces = [each for each in faces_of("odin") if not each.face.label.endswith("back")]
    sizes = [int(each) for each in rng.permutation(range(1, MOST_CARDS))[:many]]
    order = iter(rng.permutation(len(faces)))
    dealt = [[faces[int(next(order))] for _ in range(size)] for size in sizes]
    setup = Setup("odin", names(many + 1))
    laid = hands_laid_open(dealt, rng)
    things = [card for cards in laid for card in cards]
    picture = taken(things, around(things), rng)
    seen = tuple(Sighting("card", each.card.face.label, 1.0, _quad(each.quad())) for each in things)
    state = _counting(setup, (0, *sizes))
    seat = state.seats[1] if many == 1 else None
    return ScanDrill(
        setup,
        state,
        Subject("hand", seat) if seat is not None else Subject("hands"),
        as_jpeg(picture.image),
        (ScannedView(seen),),
        cards=tuple(each.card.face.label for each in things),
    )


def _counting(setup: Setup, sizes: tuple[int, ...]) -> State:
    """The books when the first player has gone out and the others hold so many cards."""
    state = rules.start(setup)
    verdict = rules.judge(state, Deal(state.seats[0]))
    if not isinstance(verdict, Accepted) or verdict.state.hand is None:
        raise ValueError("a hand cannot be dealt")
    over = replace(verdict.state.hand, sizes=sizes, out=state.seats[0])
    return replace(verdict.state, hand=over)


def _quad(points: Points) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
