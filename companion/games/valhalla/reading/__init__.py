"""Reading a table of Valhalla. There is a module for each part of a turn, in this order: `laying`,
`strategy`, `battle`, `draugr`, `ending`; `mat` says what lies where.

Cards lie in zones: Main, Support and discard pile of every seat, the armory, the reveal spot and
the graveyard. Copies of a card are alike, so piles and rows are compared with the books by kind.
The mat makes visible what the game leaves open:

- A lost card is first laid crosswise before its owner: over the Main's place if it came from the
  hand, over the Support's, next to the pile, if it came from the pile. Then it goes to the
  graveyard.
- Cards off the deck that all may see are shown on the reveal spot; in a battle they come to the
  armory one by one. No card of the armory is laid over another while there is room.

A camera cannot tell what is drawn unseen, nor whom a Main is aimed at: that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.deciding.scene import Scene, ranked
from companion.games.valhalla.reading import battle, draugr, ending, laying, strategy
from companion.games.valhalla.reading.mat import Found, Row, best
from companion.games.valhalla.rules.state import Phase, State
from companion.tabletop.readings import Desync, Reading


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of what happened since the books' last entry, likeliest first."""
    reading = _BY_PHASE.get(state.phase)
    return () if reading is None else ranked(*reading(state, scene))


def on_table(_state: State) -> frozenset[str]:
    """None: copies of a card are alike, so a name lasts no longer than its thing."""
    return frozenset()


def disagreement(state: State, scene: Scene) -> Desync | None:
    """How the books and the table differ in the armory, whose cards all can always see."""
    row = Row.of(state, scene)
    if state.over or not (row.new or row.missing):
        return None
    lying = tuple(best(state, thing) for thing in scene.cards_in("armory"))
    return Desync(tuple(map(str, state.armory)), lying, (), row.new)


_BY_PHASE: Mapping[Phase, Callable[[State, Scene], Found]] = MappingProxyType(
    {
        Phase.SELECT: laying.ready,
        Phase.REVEAL: laying.revealed,
        Phase.STRATEGY: strategy.acted,
        Phase.SUPPORT: battle.turned,
        Phase.BATTLE: battle.armed,
        Phase.LOSS: draugr.lost,
        Phase.STAND: draugr.stood,
        Phase.SPOILS: battle.taken,
        Phase.WOLF: ending.fetched,
        Phase.TRIM: ending.returned,
    }
)
