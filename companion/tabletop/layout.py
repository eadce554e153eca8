"""How the cards of a game lie on the table, as far as the eyes must know. A game without a line
here has every card once, laid over each other as people like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Customs:
    copies: bool = False
    """There are cards that look alike; else every face but the back is there once."""
    side_by_side: bool = False
    """Every card has a place of its own: none is laid half over another."""
    paid_on_backs: bool = False
    """Projects lie back up, with what pays for them on top."""


_USUAL = Customs()
_CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "valhalla": Customs(copies=True),
        "valhal": Customs(copies=True, side_by_side=True, paid_on_backs=True),
    }
)


def customs_of(game: str) -> Customs:
    return _CUSTOMS.get(game, _USUAL)
