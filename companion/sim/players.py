"""Bots that play a whole game on a table, by the name of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.catalog import pack_named, packs
from companion.foundation.errors import NoSuchGame
from companion.sim.goals import Goal
from companion.sim.steps import By, Lying, Playing, Script, Step
from companion.sim.visitors import Visitors

__all__ = ["Bots", "By", "Lying", "Playing", "Script", "Step", "bots_of", "play", "played_games"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bots:
    """What a game brings so that it can be shown and measured on a simulated table."""

    script: Callable[[Playing, Visitors], Script]
    """The game these bots play; the same settings give the same game, unless visitors join in."""
    short: tuple[tuple[str, str], ...] = ()
    """Options that cut a game short, if it can be."""
    in_order: Callable[[list[str]], list[str]] = lambda words: words
    """The words of a line in one order, where some may be said in any."""
    goals: tuple[Goal, ...] = ()
    """What following it must reach: the rows of `companion track --bars`."""


def played_games() -> tuple[str, ...]:
    """Games that can be shown."""
    return tuple(name for name, pack in packs().items() if pack.bots is not None)


def bots_of(game: str) -> Bots:
    bots = pack_named(game).bots if game in packs() else None
    if bots is None:
        known = ", ".join(played_games())
        raise NoSuchGame(f"nobody plays {game!r} on the simulated table; they play {known}")
    return bots()


def play(how: Playing, visitors: Visitors | None = None) -> Script:
    return bots_of(how.game).script(how, visitors or Visitors())
