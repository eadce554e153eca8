"""Finds the games: every package that offers an entry point of the group `companion.games`.

The games that come along use the same door as a stranger's package. A package that cannot be
loaded is left out and named in `broken_games`, so that the others can still be played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from companion.core.game import Game
from companion.core.pack import GamePack
from companion.foundation.errors import NoSuchGame
from companion.foundation.messages import N_

GROUP = "companion.games"


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """A package that says it has a game, and why the game cannot be had."""

    name: str
    why: str


def packs() -> Mapping[str, GamePack]:
    """Every game by its name, in the order of the page."""
    return _found()[0]


def broken_games() -> tuple[BrokenGame, ...]:
    return _found()[1]


def pack_named(name: str) -> GamePack:
    try:
        return packs()[name]
    except KeyError:
        raise NoSuchGame(
            "no-game-called-known",
            N_("no game is called %(name)s; known: %(packs)s"),
            name=repr(name),
            packs=", ".join(packs()),
        ) from None


def game_named(name: str) -> Game[Any, Any]:
    """The rules of that game."""
    return pack_named(name).rules


@cache
def _found() -> tuple[Mapping[str, GamePack], tuple[BrokenGame, ...]]:
    found: dict[str, GamePack] = {}
    broken = []
    # Sorted, so that of two packages with one name the same one is taken on every machine.
    for entry in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        try:
            pack = _loaded(entry)
            if pack.name in found:
                raise ValueError(f"another package has a game called {pack.name}")
            found[pack.name] = pack
        except Exception as bad:  # a stranger's package may fail in any way
            broken.append(BrokenGame(entry.name, f"{type(bad).__name__}: {bad}"))
    in_order = sorted(found.values(), key=lambda pack: (pack.order, pack.name))
    return MappingProxyType({pack.name: pack for pack in in_order}), tuple(broken)


def _loaded(entry: EntryPoint) -> GamePack:
    pack = entry.load()
    if not isinstance(pack, GamePack):
        raise TypeError(f"{entry.value} is no GamePack")
    return pack
