"""Bots that play a whole game on a table, by the name of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.foundation.errors import NoSuchGame
from companion.games.odin import bots as odin
from companion.games.valhal import bots as valhal
from companion.games.valhalla import bots as valhalla
from companion.sim.steps import By, Lying, Playing, Script, Step
from companion.sim.visitors import Visitors

__all__ = ["PLAYED", "By", "Lying", "Playing", "Script", "Step", "play"]

_SCRIPTS: Mapping[str, Callable[[Playing, Visitors], Script]] = MappingProxyType(
    {"odin": odin.script, "valhalla": valhalla.script, "valhal": valhal.script}
)
PLAYED = tuple(_SCRIPTS)
"""Games that can be shown."""


def play(how: Playing, visitors: Visitors | None = None) -> Script:
    """The game these bots play; the same settings give the same game, unless visitors join in."""
    try:
        script = _SCRIPTS[how.game]
    except KeyError:
        raise NoSuchGame(
            f"nobody plays {how.game!r} on the simulated table; they play {', '.join(_SCRIPTS)}"
        ) from None
    return script(how, visitors or Visitors())
