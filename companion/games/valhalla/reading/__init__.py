"""What a table of Valhalla means. One module for each part of a turn, in its order: `laying`,
`strategy`, `battle`, `draugr`, `ending`; `mat` says what lies where.

Cards lie in zones: Main, Support and discard pile of every seat, the armory, the reveal spot and
the graveyard. Copies of a card are alike, so piles and rows are compared with the books by kind.
What the game leaves open the mat makes visible:

- A card that is lost is first laid crosswise over the inner end of its owner's places: the Main's
  if it was held, the Support's, next to the pile, if it was there. Then it goes to the graveyard.
- Cards off the deck that all may see are shown on the reveal spot, or, in a battle, come to the
  armory one by one. No card of the armory is laid over another while there is room.

Draws nobody else sees, and whom a Main is aimed at, no camera can tell: they are asked for.
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
    reading = _BY_PHASE.get(state.phase)
    return () if reading is None else ranked(*reading(state, scene))


def on_table(_state: State) -> frozenset[str]:
    return frozenset()  # copies are alike: a name lasts as long as its thing


def disagreement(state: State, scene: Scene) -> Desync | None:
    """The armory, whose cards all can see at all times."""
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
