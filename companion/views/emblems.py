"""A colour and an emblem for every person, the same in all games: whoever came first to this table
chose first, so the first dozen people share neither."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from companion.ledger.events import Opened
from companion.ledger.journal import Journal, Kept

COLOURS = 12
"""As many as the style sheet has: `--p0` to `--p11`."""
SHAPES = (
    "ship",
    "raven",
    "hammer",
    "tree",
    "wolf",
    "shield",
    "horn",
    "axe",
    "mountain",
    "serpent",
    "antlers",
    "helmet",
    "sun",
)
"""One more than there are colours: only after 156 people would somebody look like another."""
GAMES_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class Emblem:
    shape: str
    colour: int


def emblem_number(number: int) -> Emblem:
    """That of the person who came as the `number`th, counted from 0."""
    return Emblem(SHAPES[number % len(SHAPES)], number % COLOURS)


class Emblems:
    """Who has which. The journal is read again only when somebody is new and so is a game."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._games = 0

    def __call__(self, name: str) -> Emblem:
        plain = _plain(name)
        with self._lock:
            if plain not in self._numbers and (games := self._journal.count_games()) > self._games:
                self._numbers, self._games = (
                    _numbered(name for _, name in names_in(self._journal)),
                    games,
                )
            known = self._numbers.get(plain)
        return emblem_number(crc32(plain.encode()) if known is None else known)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(map(_plain, names)))}


def _plain(name: str) -> str:
    """Names that differ in case only are one person's."""
    return " ".join(name.split()).casefold()


def names_in(journal: Journal) -> list[tuple[int, str]]:
    """Everybody of all games with the number of the game, the oldest game first."""
    kept: list[Kept] = []
    while batch := journal.games(GAMES_AT_A_TIME, len(kept)):
        kept += batch
    return [
        (game.number, name)
        for game in sorted(kept, key=lambda each: each.number)
        if game.opened is not None and isinstance(game.opened.fact, Opened)
        for name in game.opened.fact.setup.names
    ]
