"""The hall: every table of a club as it stands now, for one large screen. In memory only; it is
made anew from the games when the hub starts."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from companion.hub.clubs import Box
from companion.ledger.session import Session
from companion.views import speech_for, tell
from companion.views.glance import Glance
from companion.views.words import words_of


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


_Listener: TypeAlias = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class Hall:
    """Any thread may call. Each club has a version that rises with every change."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tables: defaultdict[int, dict[str, HallTable]] = defaultdict(dict)
        self._versions: defaultdict[int, int] = defaultdict(int)
        self._listeners: defaultdict[int, set[_Listener]] = defaultdict(set)

    def put(self, table: HallTable) -> None:
        with self._changed:
            club = table.box.club
            self._tables[club][table.box.id] = table
            self._versions[club] += 1
            self._changed.notify_all()
            for loop, changed in self._listeners[club]:
                with suppress(RuntimeError):  # that loop has ended
                    loop.call_soon_threadsafe(changed.set)

    def version(self, club: int) -> int:
        return self._versions[club]

    def tables(self, club: int) -> list[HallTable]:
        with self._changed:
            return sorted(self._tables[club].values(), key=lambda table: table.box.name)

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
        return self._versions[club]


def seen(table: HallTable, language: str) -> HallTableView:
    box, session = table.box, table.session
    if session is None:
        return HallTableView(box.id, box.name, "", "", over=True, heard_at=box.heard_at)
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
    )
