"""Who reads which game. Adding a game is a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from companion.deciding.scene import Scene, odin_word
from companion.games.odin import reading as odin
from companion.games.odin.rules import State as OdinState
from companion.games.valhal import reading as valhal
from companion.games.valhal.rules import State as ValhalState
from companion.games.valhalla import reading as valhalla
from companion.games.valhalla.rules import State as ValhallaState
from companion.tabletop.readings import Desync, Reading

S = TypeVar("S", contravariant=True)


class Reader(Protocol[S]):
    def read(self, state: S, scene: Scene, /) -> tuple[Reading, ...]:
        """What happened since the books' last entry, likeliest first; nothing if nothing did."""
        ...

    def on_table(self, state: S, /) -> frozenset[str]:
        """The cards the books have lying on the table by themselves, not in a pile."""
        ...

    def disagreement(self, state: S, scene: Scene, /) -> Desync | None:
        """Table and books side by side where they differ."""
        ...


_ODIN: Reader[OdinState] = odin
_VALHALLA: Reader[ValhallaState] = valhalla
_VALHAL: Reader[ValhalState] = valhal

READERS: Mapping[str, Reader[Any]] = MappingProxyType(
    {"odin": _ODIN, "valhalla": _VALHALLA, "valhal": _VALHAL}
)

_WRITTEN: Mapping[str, Callable[[str | int], str]] = MappingProxyType({"odin": odin_word})


def word_of(game: str, label: str | int) -> str:
    """The card of that label as the game writes it: the same, unless it has a line above."""
    return _WRITTEN.get(game, str)(label)
