"""The bots of each game, which play it on the simulated table; found by the game's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.catalog import pack_named, packs
from companion.foundation.errors import NoSuchGame
from companion.foundation.messages import N_
from companion.sim.goals import Goal
from companion.sim.phones import ScanDrill
from companion.sim.steps import By, Lying, Playing, Script, Step
from companion.sim.visitors import Visitors

__all__ = ["Bots", "By", "Lying", "Playing", "Script", "Step", "bots_of", "play", "played_games"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bots:
    """What a game brings so that it can be shown and measured on a simulated table."""

    script: Callable[[Playing, Visitors], Script]
    """Plays one game. The same settings give the same game, unless visitors join in."""
    short: tuple[tuple[str, str], ...] = ()
    """Options that make a game short, if there are any."""
    in_order: Callable[[list[str]], list[str]] = lambda words: words
    """Brings the words of a line into a fixed order, where the notation allows several."""
    goals: tuple[Goal, ...] = ()
    """How well it must be followed: its rows of `companion track --bars`."""
    drills: tuple[Callable[[int], ScanDrill], ...] = ()
    """Hand-held pictures of its table, by a seed: scans are judged by them."""


def played_games() -> tuple[str, ...]:
    """The names of the games that have bots."""
    return tuple(name for name, pack in packs().items() if pack.bots is not None)


def bots_of(game: str) -> Bots:
    bots = pack_named(game).bots if game in packs() else None
    if bots is None:
        known = ", ".join(played_games())
        raise NoSuchGame(
            "nobody-plays-on-simulated",
            N_("nobody plays %(game)s on the simulated table; they play %(known)s"),
            game=repr(game),
            known=known,
        )
    return bots()


def play(how: Playing, visitors: Visitors | None = None) -> Script:
    return bots_of(how.game).script(how, visitors or Visitors())
