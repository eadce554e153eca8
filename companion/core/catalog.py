"""The games the companion knows. Adding one is a line here; docs/add-a-game.md is the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.core.game import Game
from companion.foundation.errors import NoSuchGame
from companion.games.odin import rules as odin
from companion.games.valhal import rules as valhal
from companion.games.valhalla import rules as valhalla

_ODIN: Game[odin.State, odin.Action] = odin
_VALHALLA: Game[valhalla.State, valhalla.Action] = valhalla
_VALHAL: Game[valhal.State, valhal.Action] = valhal

GAMES: Mapping[str, Game[Any, Any]] = MappingProxyType(
    {odin.NAME: _ODIN, valhalla.NAME: _VALHALLA, valhal.NAME: _VALHAL}
)


def game_named(name: str) -> Game[Any, Any]:
    try:
        return GAMES[name]
    except KeyError:
        raise NoSuchGame(f"no game is called {name!r}; known: {', '.join(GAMES)}") from None
