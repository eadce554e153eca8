"""Our own faces of every card, tile and token: one drawing that prints and renders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.odin import faces as odin
from companion.games.valhal import faces as valhal
from companion.games.valhalla import faces as valhalla
from companion.sim.faces.canvas import Face, raster

DECKS: Mapping[str, Callable[[], tuple[Face, ...]]] = MappingProxyType(
    {"odin": odin.faces, "valhalla": valhalla.faces, "valhal": valhal.faces}
)

__all__ = ["DECKS", "Face", "raster"]
