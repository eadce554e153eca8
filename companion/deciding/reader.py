"""What a game brings so that its table can be read."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from companion.core.catalog import pack_named
from companion.deciding.scene import Scene
from companion.tabletop.readings import Desync, Reading

S = TypeVar("S", contravariant=True)


class Reader(Protocol[S]):
    """A module that fits this reads the tables of one game. `S` is the game's state."""

    def read(self, state: S, scene: Scene, /) -> tuple[Reading, ...]:
        """What happened since the books' last entry, likeliest first; nothing if nothing did."""
        ...

    def on_table(self, state: S, /) -> frozenset[str]:
        """The cards the books have lying on the table by themselves, not in a pile."""
        ...

    def disagreement(self, state: S, scene: Scene, /) -> Desync | None:
        """Table and books side by side where they differ."""
        ...


def reader_of(game: str) -> Reader[Any] | None:
    """None: nobody has taught the camera to read that game."""
    reader = pack_named(game).reader
    return None if reader is None else reader()
