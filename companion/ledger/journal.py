"""The log of all games in one SQLite file: append-only, and on the disk before it is believed."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from companion.core.game import Reason
from companion.foundation.errors import (
    JournalConflict,
    JournalFull,
    JournalUnreadable,
    LogCorrupt,
    NoSuchGame,
)
from companion.foundation.messages import N_
from companion.ledger.chain import EVENTS, hashed, the_box
from companion.ledger.events import Event, Fact, Opened, Unwritten
from companion.ledger.rows import SELECT_EVENT, Row, end_of, event_of, insert, whole
from companion.ledger.schema import (
    BUSY_MILLISECONDS,
    DAMAGE,
    MIGRATIONS,
    Migrations,
    ahead_of,
    opened,
)
from companion.ledger.verifying import Soundness, set_strange_ahead_aside, verify

log = logging.getLogger(__name__)

_LARGEST = 2**63 - 1  # number SQLite knows


@dataclass(frozen=True, slots=True)
class Kept:
    """One game in the journal, as a list of games shows it; a broken one is not `opened`."""

    number: int
    opened: Event | None
    last_at: str
    events: int


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """Open it in a `with` statement. One connection, one lock: any thread may call."""

    def __init__(
        self, path: Path, *, clock: Callable[[], str] = now, migrations: Migrations = MIGRATIONS
    ) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._refused = False
        self.set_aside = set_strange_ahead_aside(path)
        """What lay beside the file and belonged to another journal, under its new name."""
        self._connection = opened(path, migrations)
        self._box = self._named()

    @property
    def box(self) -> str:
        """Which box this journal belongs to, for programs that gather games of several."""
        return self._box

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.fold_in()
        with self._lock:
            self._connection.close()

    def open_game(self, fact: Opened, source: str, by: str = "") -> Event:
        """Starts the next game of the file."""
        return self.open_with([fact], source, by)[0]

    def open_with(self, facts: Sequence[Fact], source: str, by: str = "") -> list[Event]:
        """The same, with entries that are known from the first; all of them or nothing."""
        at = self._clock()
        return self.import_game([(fact, at, source) for fact in facts], by)

    def append(self, game: int, fact: Fact, based_on: int, source: str) -> Event:
        """Returns once the fact is on the disk; otherwise raises and nothing has changed."""
        return self.append_all(game, (Unwritten(fact),), based_on, source)[0]

    def append_all(
        self, game: int, facts: Sequence[Unwritten], based_on: int, source: str
    ) -> list[Event]:
        """One after the other, with where they came from; all are on the disk then, or none."""
        at = self._clock()
        events = [
            Event(0, game, based_on, at, source, each.fact, each.link, each.by) for each in facts
        ]
        with self._writing() as cursor:
            return _chain(cursor, events)

    def import_game(self, facts: Sequence[tuple[Fact, str, str]], by: str = "") -> list[Event]:
        """A whole game at once (fact, time, source), or nothing of it."""
        with self._writing() as cursor:
            highest = cursor.execute("SELECT COALESCE(MAX(game), 0) FROM event").fetchone()[0]
            game = whole(highest) + 1
            return _chain(
                cursor,
                [Event(0, game, 0, at, source, fact, by=by) for fact, at, source in facts],
            )

    def take_over(self, other: Journal) -> int:
        """What another journal has beyond this one; gives how many events. Of a copy of this one,
        what was entered there since, as it is; of any other, its games as new ones. All or
        nothing."""
        games = [other.events(each.number) for each in other.games(_LARGEST)]
        with self._writing() as cursor:
            if other.box == self._box:
                end, _ = end_of(cursor)
                later = sorted(
                    (each for game in games for each in game if each.seq >= end),
                    key=lambda each: each.seq,
                )
                return sum(_as_it_was(cursor, each) for each in later)
            highest = cursor.execute("SELECT COALESCE(MAX(game), 0) FROM event").fetchone()[0]
            for number, game in enumerate(reversed(games), whole(highest) + 1):
                _chain(cursor, [replace(each, game=number) for each in game])
            return sum(map(len, games))

    def refuse(
        self, game: int, based_on: int, source: str, action: str, reasons: tuple[Reason, ...]
    ) -> None:
        """Remembers what was refused, beside the log: it changed nothing."""
        body = msgspec.json.encode([str(each) for each in reasons]).decode()
        with self._writing() as cursor:
            last = cursor.execute("SELECT COALESCE(MAX(id), 0) FROM refusal").fetchone()[0]
            row = (whole(last) + 1, game, based_on, self._clock(), source, action, body)
            cursor.execute(
                "INSERT INTO refusal (id, game, based_on, at, source, action, reasons, hash)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, hashed(b"", row)),
            )

    def prove(self) -> None:
        """Goes the way of an append and writes nothing; raises if an append would."""
        with self._writing():
            pass

    @property
    def refuses(self) -> bool:
        """Whether the last entry could not be written; one that can be takes it back."""
        return self._refused

    def fold_in(self) -> None:
        """Moves what was written ahead into the file itself, so that it is small and whole if the
        card is taken out now. For when nothing is going on; it can be done at any time."""
        with self._lock:
            try:
                self._connection.execute("PRAGMA busy_timeout = 0")  # who reads is not waited for
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                self._connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
            except DAMAGE as broken:  # everything is kept all the same
                log.warning("what was written ahead stays there: %s", _why(broken))

    @property
    def ahead_bytes(self) -> int:
        """How much lies beside the file, written ahead of it."""
        try:
            return ahead_of(self.path).stat().st_size
        except OSError:
            return 0

    def events(self, game: int, after: int = 0) -> list[Event]:
        """The events of one game in order; raises `LogCorrupt` if one is broken."""
        events, corrupt = self.readable(game, after)
        if corrupt is not None:
            raise corrupt
        return events

    def readable(self, game: int, after: int = 0) -> tuple[list[Event], LogCorrupt | None]:
        """The events of one game up to the first broken one, and what is broken about it."""
        rows = []
        if max(game, after) <= _LARGEST:
            with self._reading():
                rows = self._connection.execute(
                    f"{SELECT_EVENT} WHERE game = ? AND seq > ? ORDER BY seq", (game, after)
                ).fetchall()
        if not rows and after == 0:
            raise NoSuchGame(
                "journal-has-no-game",
                N_("the journal has no game %(game)s; `companion games` lists them"),
                game=game,
            )
        events: list[Event] = []
        for row in rows:
            try:
                events.append(event_of(row, self._box))
            except LogCorrupt as corrupt:
                return events, corrupt
        return events, None

    def latest_game(self) -> int | None:
        """The game played last."""
        with self._reading():
            row = self._connection.execute(
                "SELECT game FROM event ORDER BY seq DESC LIMIT 1"
            ).fetchone()
        return None if row is None else whole(row[0])

    def ends_after(self, seq: int) -> list[tuple[int, int]]:
        """The games that have an event after that one, each with the number of its last."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT game, MAX(seq) FROM event WHERE seq > ? GROUP BY game ORDER BY game", (seq,)
            ).fetchall()
        return [(int(game), int(last)) for game, last in rows]

    def games(self, most: int = 20, skip: int = 0) -> list[Kept]:
        """The games of the file, those played last first."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT game, MIN(seq), MAX(seq), COUNT(*) FROM event GROUP BY game"
                " ORDER BY MAX(seq) DESC LIMIT ? OFFSET ?",
                (min(most, _LARGEST), min(skip, _LARGEST)),
            ).fetchall()
            return [
                Kept(whole(game), self._opening(first), self._at(last), count)
                for game, first, last, count in rows
            ]

    def count_games(self) -> int:
        with self._reading():
            row = self._connection.execute("SELECT COUNT(DISTINCT game) FROM event").fetchone()
        return whole(row[0])

    def rows_since(self, seq: int, most: int) -> list[Row]:
        """The next events of the file behind a number, as they lie there, each with its hash; for
        whoever gathers games elsewhere."""
        with self._reading():
            return self._connection.execute(f"{EVENTS} LIMIT ?", (seq, most)).fetchall()

    def last_row(self, seq: int = _LARGEST) -> Row | None:
        """The last event up to a number, in the same way; None if there is none."""
        with self._reading():
            before = self._connection.execute(
                "SELECT MAX(seq) FROM event WHERE seq <= ?", (min(seq, _LARGEST),)
            ).fetchone()
        rows = [] if before[0] is None else self.rows_since(whole(before[0]) - 1, 1)
        return rows[0] if rows else None

    def verify(self) -> Soundness:
        """Whether everything is as it was written; entries can be made meanwhile."""

        def read(question: str, given: tuple[int, ...]) -> list[Row]:
            with self._lock:
                return self._connection.execute(question, given).fetchall()

        return verify(read, self._box)

    def _named(self) -> str:
        try:
            return the_box(self._connection)
        except DAMAGE:  # said where the first event is examined
            return ""

    def _opening(self, seq: int) -> Event | None:
        row = self._connection.execute(f"{SELECT_EVENT} WHERE seq = ?", (seq,)).fetchone()
        try:
            return None if row is None else event_of(row, self._box)  # an index may point nowhere
        except LogCorrupt:  # said when the game itself is looked at
            return None

    def _at(self, seq: int) -> str:
        row = self._connection.execute("SELECT at FROM event WHERE seq = ?", (seq,)).fetchone()
        return "" if row is None else str(row[0])

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except DAMAGE as broken:
                raise JournalUnreadable(
                    "journal-cannot-read-not",
                    N_("the journal %(path)s cannot be read (%(why)s); it was not changed"),
                    path=self.path,
                    why=_why(broken),
                ) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock:
            try:
                self._give_up()  # of what failed last, if even that could not be done then
                cursor = self._connection.cursor()
                cursor.execute("BEGIN IMMEDIATE")
                before = self._connection.total_changes
                yield cursor
                cursor.execute("COMMIT")
                self._refused &= self._connection.total_changes == before
            except DAMAGE as broken:
                if getattr(broken, "sqlite_errorcode", 0) == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                    raise JournalConflict(
                        "another-program-has-written",
                        N_(
                            "another program has written to this game; nothing was changed. Let "
                            "only one companion run on this journal"
                        ),
                    ) from None
                self._refused = True
                raise JournalFull(
                    "journal-could-not-written",
                    N_(
                        "the journal %(path)s could not be written (%(why)s); nothing was "
                        "changed. Free some disk space or check the card, then enter it again"
                    ),
                    path=self.path,
                    why=_why(broken),
                ) from None
            finally:
                with suppress(*DAMAGE):
                    self._give_up()

    def _give_up(self) -> None:
        if self._connection.in_transaction:
            self._connection.rollback()


def _why(broken: Exception) -> str:
    return str(broken) or "out of memory"


def _as_it_was(cursor: sqlite3.Cursor, event: Event) -> bool:
    """The next event of a copy; it must get the number and the hash it has there."""
    if insert(cursor, event) != event:
        raise JournalConflict(
            "copy-went-another-way",
            N_("the two journals have gone different ways; neither was changed"),
        )
    return True


def _chain(cursor: sqlite3.Cursor, unwritten: Sequence[Event]) -> list[Event]:
    """Events of one game, each following the one before; the first says what it follows."""
    events: list[Event] = []
    for event in unwritten:
        follows = replace(event, based_on=events[-1].seq) if events else event
        events.append(insert(cursor, follows))
    return events
