"""Everybody who plays here, and their figures: the register and the games of one journal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from companion.foundation.errors import BadInput
from companion.ledger.events import Opened
from companion.ledger.journal import Journal
from companion.people.register import Register
from companion.people.register_file import RegisterFile
from companion.people.statistics import Statistics
from companion.people.summaries import Summaries, Summary
from companion.views.emblems import SHAPES, Emblem, Emblems, names_in

RECENT_GAMES = 30
"""People who have played lately are offered first."""
MOST_SECONDS = 1.0
"""A page does not wait longer for games to be folded; the rest is folded for the next."""


class Roster:
    """Any thread may call."""

    def __init__(self, journal: Journal) -> None:
        folder = journal.path.parent
        self._journal = journal
        self._file = RegisterFile(folder)
        self._summaries = Summaries(journal, folder)
        self._others = Emblems(journal)
        self._lock = threading.Lock()
        self._games = -1
        self._made: tuple[Register, tuple[Summary, ...], Statistics] | None = None

    @property
    def register(self) -> Register:
        """With everybody of every game so far."""
        with self._lock:
            games = self._journal.count_games()
            if games != self._games:
                self._file.remember(self._unforgotten())
                self._games = games
        return self._file.register

    def _unforgotten(self) -> Iterable[str]:
        register = self._readable
        for game, name in names_in(self._journal):
            if not register.is_forgotten(name, game):
                yield name

    def change(self, how: Callable[[Register], Register]) -> Register:
        return self._file.change(how)

    @property
    def summaries(self) -> tuple[Summary, ...]:
        return self._summaries.all(MOST_SECONDS)

    @property
    def waiting(self) -> int:
        """Games that are not in the figures yet."""
        return self._summaries.waiting

    @property
    def statistics(self) -> Statistics:
        register, games = self.register, self.summaries
        with self._lock:
            if self._made is None or self._made[0] != register or self._made[1] != games:
                self._made = (register, games, Statistics(register, games))
            return self._made[2]

    @property
    def last_game(self) -> int:
        """The highest number of any game."""
        return max((number for number, _ in self._journal.ends_after(0)), default=0)

    def emblem(self, name: str) -> Emblem:
        person = self._readable.known(name)
        if person is None:
            return self._others(name)
        return Emblem(SHAPES[person.emblem % len(SHAPES)], person.colour)

    @property
    def _readable(self) -> Register:
        """A damaged file is said on the pages about people; all others do without it."""
        try:
            return self._file.register
        except BadInput:
            return Register()

    def names_of(self, name: str) -> tuple[str, ...]:
        """All names of whoever is or was called that."""
        person = self._readable.known(name)
        return (name,) if person is None else person.names

    def lineups(self) -> tuple[tuple[str, ...], ...]:
        """Who has sat together lately, as they are called now; each once, the latest first."""
        found: dict[tuple[str, ...], None] = {}
        for kept in self._journal.games(RECENT_GAMES):
            if kept.opened is not None and isinstance(kept.opened.fact, Opened):
                names = self.shown(kept.opened.fact.setup.names, kept.number, "")
                if all(names):
                    found[names] = None
        return tuple(found)

    def shown(self, names: tuple[str, ...], game: int, somebody: str) -> tuple[str, ...]:
        """The people of a game as they are called now; who is forgotten is only `somebody`."""
        register = self._readable
        return tuple(
            somebody if register.is_forgotten(name, game) else _called(register, name)
            for name in names
        )


def _called(register: Register, name: str) -> str:
    person = register.known(name)
    return name if person is None else person.name
