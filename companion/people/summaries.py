"""A whole game in a few numbers, folded from its events; and all games of a journal, each folded
once and again only when it has got longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import msgspec

from companion.core.catalog import packs
from companion.foundation.errors import CompanionError, JournalError
from companion.foundation.files import replace_file
from companion.ledger.events import Event, Opened
from companion.ledger.journal import Journal
from companion.ledger.session import Session, points_curve, replayed
from companion.views.words import Done, words_of

FILE = "summaries.json"
"""In the data folder; it can be thrown away, and is then made anew."""
FORMAT = 1
"""To be raised whenever a summary gets another shape or meaning."""


class Best(msgspec.Struct, frozen=True):
    """The largest feat of a kind that a seat has done in a game."""

    kind: str
    seat: int
    amount: int


class Summary(msgspec.Struct, frozen=True):
    number: int
    game: str
    seq: int
    """Of the last event that is in it."""
    opened_at: str
    last_at: str
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    over: bool = False
    entries: int = 0
    curve: tuple[tuple[int, ...], ...] = ()
    """The points of every seat, each time they changed."""
    best: tuple[Best, ...] = ()
    broken: bool = False
    """It can no longer be replayed."""

    @property
    def month(self) -> str:
        return self.last_at[:7]


class _Kept(msgspec.Struct, frozen=True):
    made_by: str
    games: tuple[Summary, ...]


def summary(events: list[Event]) -> Summary:
    """Of one game's events, all of them in order."""
    opened, last = events[0], events[-1]
    setup = opened.fact.setup if isinstance(opened.fact, Opened) else None
    known = Summary(
        opened.game,
        "" if setup is None else setup.game,
        last.seq,
        opened.at,
        last.at,
        () if setup is None else setup.names,
    )
    try:
        session = replayed(events)
        return _summed(known, session)
    except CompanionError:  # its page says what is wrong with it
        return msgspec.structs.replace(known, broken=True)


def _summed(known: Summary, session: Session) -> Summary:
    standing = session.game.standing(session.state)
    return msgspec.structs.replace(
        known,
        points=standing.points,
        ranks=standing.ranks,
        winners=tuple(int(seat) for seat in standing.winners),
        over=standing.over,
        entries=0 if session.latest is None else session.latest.number,
        curve=points_curve(session),
        best=tuple(_best(session)),
    )


def _best(session: Session) -> Iterator[Best]:
    found: dict[tuple[str, int], int] = {}
    for feat in words_of(session.setup.game).feats(_done(session)):
        key = (feat.kind, int(feat.seat))
        found[key] = max(found.get(key, feat.amount), feat.amount)
    yield from (Best(kind, seat, amount) for (kind, seat), amount in found.items())


def _done(session: Session) -> Iterator[Done[object, object]]:
    before = session.start
    for entry in reversed(list(session.entries)):
        yield Done(before, session.game.parse(entry.action), entry.state)
        before = entry.state


class Summaries:
    """All games of a journal; any thread may call. What has been folded is kept in a file, so that
    after a start only new games are replayed."""

    def __init__(self, journal: Journal, folder: Path | None) -> None:
        self._journal = journal
        self._file = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self._games: dict[int, Summary] | None = None
        self.waiting = 0
        """Games that were not folded yet when they were asked for last."""

    def all(self, most_seconds: float | None = None) -> tuple[Summary, ...]:
        """In the order of their last events, the oldest first. If folding takes longer than that,
        the rest is folded when they are asked for again; `waiting` says how many."""
        until = None if most_seconds is None else time.monotonic() + most_seconds
        with self._lock:
            if self._games is None:
                self._games = self._read()
            games = self._games
            fresh = self._fresh(games)
            for at, number in enumerate(fresh):
                if at and until is not None and time.monotonic() > until:
                    break
                self._fold(games, number)
            done = [number for number in fresh if number in games]
            if any(games[number].over for number in done):
                self._write()  # running games are folded again in any case
            self.waiting = len(self._fresh(games)) if until is not None else 0
            return tuple(sorted(games.values(), key=lambda each: each.seq))

    def _fresh(self, games: dict[int, Summary]) -> list[int]:
        """The games with events that are in no summary yet."""
        heard = max((each.seq for each in games.values()), default=0)
        if self.waiting:  # some older ones are still to be folded
            heard = 0
        return [
            number
            for number, last in self._journal.ends_after(heard)
            if number not in games or games[number].seq < last
        ]

    def _fold(self, games: dict[int, Summary], number: int) -> None:
        with suppress(JournalError):
            events, _ = self._journal.readable(number)
            if events:
                games[number] = summary(events)

    def _read(self) -> dict[int, Summary]:
        try:
            data = b"" if self._file is None else self._file.read_bytes()
            kept = msgspec.json.decode(data, type=_Kept)
        except (OSError, msgspec.DecodeError):
            return {}
        games = {each.number: each for each in kept.games}
        return games if kept.made_by == _made_by() and self._still_true(games) else {}

    def _still_true(self, games: dict[int, Summary]) -> bool:
        """Whether the journal is the one they were folded from: a backup may have been restored."""
        newest = max(games.values(), key=lambda each: each.seq, default=None)
        if newest is None:
            return True
        try:
            events, _ = self._journal.readable(newest.number)
        except CompanionError:
            return False
        return any((each.seq, each.at) == (newest.seq, newest.last_at) for each in events)

    def _write(self) -> None:
        if self._file is None or self._games is None:
            return
        data = msgspec.json.encode(_Kept(_made_by(), tuple(self._games.values())))
        with suppress(OSError):  # it can be made anew
            replace_file(self._file, data)


def _made_by() -> str:
    """Rules and words may be told otherwise by another version."""
    rules = " ".join(f"{name}={pack.rules.VERSION}" for name, pack in packs().items())
    return f"{FORMAT} {version('table-companion')} {rules}"
