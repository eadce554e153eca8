"""The hall: every table of a club as it stands now, for one large screen. In memory only, and only
of the clubs that were last heard of or looked at; others are brought in when somebody looks."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from companion.hub.clubs import Box
from companion.ledger.session import Session
from companion.views import speech_for, tell
from companion.views.glance import Glance
from companion.views.words import words_of

MOST_CLUBS = 256
"""Whose tables are kept; those nobody watches go first."""
SILENT_SECONDS = 900.0
"""A box that was not heard of for so long has lost its network or its power: it says something at
least every five minutes."""


@dataclass(frozen=True, slots=True)
class HallTable:
    """One table: its box, and the game played there last."""

    box: Box
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class HallSeat:
    name: str
    points: int
    rank: int
    turn: bool
    won: bool


@dataclass(frozen=True, slots=True)
class HallTableView:
    """A table in the reader's language."""

    box: str
    name: str
    game: str
    waiting: str
    over: bool
    seats: tuple[HallSeat, ...] = ()
    glances: tuple[Glance, ...] = ()
    last: str = ""
    heard_at: str = ""
    seq: int = 0
    silent: bool = False
    """Its box was not heard of for long: what is shown may be old."""
    unknown: bool = False
    """A game is played there that this hub cannot follow."""


_Listener: TypeAlias = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class Hall:
    """Any thread may call. Each club has a version that rises with every change."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tables: OrderedDict[int, dict[str, HallTable]] = OrderedDict()
        self._whole: set[int] = set()
        self._watched: Counter[int] = Counter()
        self._versions: defaultdict[int, int] = defaultdict(int)
        self._listeners: defaultdict[int, set[_Listener]] = defaultdict(set)

    def put(self, table: HallTable) -> None:
        with self._changed:
            club = table.box.club
            self._tables.setdefault(club, {})[table.box.id] = table
            self._tables.move_to_end(club)
            self._evict()
            self._tell(club)

    def remove(self, club: int, box: str) -> None:
        """It does not belong there any more."""
        with self._changed:
            if self._tables.get(club, {}).pop(box, None) is not None:
                self._tell(club)

    def is_whole(self, club: int) -> bool:
        """Whether every table of the club is here; else somebody brings the others."""
        with self._changed:
            return club in self._whole

    def now_whole(self, club: int) -> None:
        with self._changed:
            self._tables.setdefault(club, {})
            self._tables.move_to_end(club)
            self._whole.add(club)
            self._evict()

    def watch(self, club: int, people: int = 1) -> None:
        """So many more people look at a club's hall; fewer, if it is negative."""
        with self._changed:
            self._watched[club] += people
            if not self._watched[club]:
                del self._watched[club]

    def _evict(self) -> None:
        """The clubs that were longest neither heard of nor watched."""
        for club in list(self._tables)[: max(0, len(self._tables) - MOST_CLUBS)]:
            if not self._watched[club]:
                del self._tables[club]
                self._whole.discard(club)

    def _tell(self, club: int) -> None:
        self._versions[club] += 1
        self._changed.notify_all()
        for loop, changed in self._listeners.get(club, ()):
            with suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(changed.set)

    def version(self, club: int) -> int:
        return self._versions[club]

    def tables(self, club: int) -> list[HallTable]:
        with self._changed:
            held = self._tables.get(club, {})
            return sorted(held.values(), key=lambda table: (table.box.name, table.box.id))

    def wait(self, club: int, version: int, seconds: float) -> int:
        """The club's version once it is another than `version`, or when the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self._versions[club] != version, seconds)
            return self._versions[club]

    async def after(self, club: int, version: int, seconds: float) -> int:
        """The same as a coroutine: waiting costs no thread."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()
        listener = (loop, changed)
        with self._changed:
            self._listeners[club].add(listener)
        try:
            if self._versions[club] == version:
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), seconds)
        finally:
            with self._changed:
                self._listeners[club].discard(listener)
                if not self._listeners[club]:
                    del self._listeners[club]
        return self._versions[club]


def seen(table: HallTable, language: str, at: datetime | None = None) -> HallTableView:
    """`at`: the time it is there."""
    box, session = table.box, table.session
    silent = _silent(box, at or datetime.now(UTC))
    if session is None:
        return HallTableView(
            box.id, box.name, "", "", over=True, heard_at=box.heard_at, silent=silent,
            unknown=box.heard.seq > 0,
        )  # fmt: skip
    setup, state = session.setup, session.state
    speech, words = speech_for(setup, language), words_of(setup.game)
    standing, waiting = session.game.standing(state), words.waiting(speech, state)
    seats = tuple(
        HallSeat(name, points, rank, waiting.seat == seat, seat in standing.winners)
        for seat, (name, points, rank) in enumerate(
            zip(setup.names, standing.points, standing.ranks, strict=True)
        )
    )
    return HallTableView(
        box=box.id,
        name=box.name,
        game=setup.game,
        waiting=waiting.sentence,
        over=standing.over,
        seats=seats,
        glances=words.glance(speech, state),
        last="" if session.latest is None else tell(speech, session.latest.event.fact),
        heard_at=box.heard_at,
        seq=session.seq,
        silent=silent and not standing.over,
    )


def _silent(box: Box, at: datetime) -> bool:
    if not box.heard_at:
        return False
    heard = datetime.fromisoformat(box.heard_at)
    return (at - heard).total_seconds() > SILENT_SECONDS
