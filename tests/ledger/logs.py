"""Logs of games for the tests of what is kept: typed line by line, or drawn at random.

Lines are those of a record file: `A r7`, `! A r3` (the table lets it stand), `undo`, `undo 3`.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from hypothesis import strategies as st

from companion.core.game import Refused
from companion.games.odin import rules as odin
from companion.ledger.chain import genesis, hashed, the_box
from companion.ledger.events import Event, Opened, Proposal, Source, Undo
from companion.ledger.referee import Referee
from companion.ledger.session import Ruling, Session, begin, rule, settled
from tests.strategies import odin_candidates, odin_setup, odin_setups

SETUP = odin_setup(3)
OPENED = Opened(SETUP, odin.VERSION)
OPENING = ("deal A", "A r3", "B b5", "C pass")  # a table in the middle of things


def said(line: str, based_on: int, source: Source = Source.PAGE) -> Proposal | Undo:
    """A line of a record, said by somebody who has seen the log up to `based_on`."""
    if line.startswith("undo"):
        return Undo(based_on, source, int(line.removeprefix("undo") or 1))
    return Proposal(line.removeprefix("!"), based_on, source, stand=line.startswith("!"))


def enter(referee: Referee, *lines: str) -> Session:
    """All of these happen at the table, one after the other."""
    for line in lines:
        ruling = referee.propose(said(line, at_table(referee).seq))
        assert isinstance(ruling, Ruling), f"{line}: {ruling}"
    return at_table(referee)


def at_table(referee: Referee) -> Session:
    session = referee.moment.session
    assert session is not None
    return session


def after(session: Session, *lines: str) -> Session:
    """The session once these are in the log too; no journal needed."""
    for line in lines:
        ruling = rule(session, said(line, session.seq))
        assert isinstance(ruling, Ruling), f"{line}: {ruling}"
        session = settled(ruling, next_event(session, ruling))
    return session


def next_event(session: Session, ruling: Ruling, at: str = "", source: str = "page") -> Event:
    return Event(session.seq + 1, session.number, session.seq, at, source, ruling.fact)


def opened() -> Session:
    return begin(Event(1, 1, 0, "", "page", OPENED))


def codes(ruling: Ruling | Refused | None) -> list[str]:
    assert isinstance(ruling, Refused), ruling
    return [str(each.code) for each in ruling.reasons]


def everything(session: Session) -> dict[str, object]:
    """All there is to know of a session, to compare two of them."""
    return {
        "setup": session.setup,
        "number": session.number,
        "start": session.start,
        "state": session.state,
        "seq": session.seq,
        "assumes": session.assumes,
        "refusal": session.refusal,
        "entries": [(entry.number, entry.event, entry.state) for entry in session.entries],
    }


# Several at once

PATIENCE = 60.0  # seconds; nothing here takes nearly as long


@contextmanager
def alongside(*tasks: Callable[[], object]) -> Iterator[None]:
    """These run in threads of their own meanwhile, and are done at the end of the block.

    One that never ends fails the test, but does not keep Python from ending.
    """
    threads = [threading.Thread(target=task, daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(PATIENCE)
    assert [thread for thread in threads if thread.is_alive()] == []


def at_once(*tasks: Callable[[], object]) -> None:
    with alongside(*tasks):
        pass


# Raw access to a journal's file, past the Journal


def rows(path: Path, table: str = "event") -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()


def slip_in(path: Path, game: int, kind: str, body: str, at: str = "") -> int:
    """Writes an event as no companion would, though with its proper hash; gives its seq."""
    with closing(sqlite3.connect(path)) as connection, connection:
        seq, previous = connection.execute(
            "SELECT seq + 1, hash FROM event ORDER BY seq DESC LIMIT 1"
        ).fetchone() or (1, genesis(the_box(connection)))
        (based_on,) = connection.execute(
            "SELECT MAX(seq) FROM event WHERE game = ?", (game,)
        ).fetchone()
        row = (seq, game, based_on or 0, at, "page", "", kind, body, None, None)
        connection.execute(
            "INSERT INTO event (seq, game, based_on, at, source, by, kind, body, because,"
            " instead_of, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, hashed(previous, row)),
        )
        return int(seq)


def change_one(path: Path, seq: int = 3) -> None:
    """As a card that rots does it: one event is another, and says the hash of the old one."""
    with closing(sqlite3.connect(path)) as connection, connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'event'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE event SET body = replace(body, '3', '4') WHERE seq = ?", (seq,))
        for _, sql in triggers:
            connection.execute(sql)


@contextmanager
def worn_out(path: Path, table: str = "event", after: int = 0) -> Iterator[None]:
    """A card that takes no more: meanwhile every write to the table fails, but the first few."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (have,) = connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
        connection.execute(
            f"CREATE TRIGGER worn_out BEFORE INSERT ON {table}"
            f" WHEN (SELECT COUNT(*) FROM {table}) >= {have + after}"
            " BEGIN SELECT RAISE(ABORT, 'worn out'); END"
        )
        try:
            yield
        finally:
            connection.execute("DROP TRIGGER worn_out")


def folder(path: Path) -> dict[str, bytes]:
    """Every file in a folder, to the byte."""
    return {each.name: each.read_bytes() for each in path.iterdir()}


# Drawn at random

sources = st.sampled_from([str(source) for source in Source])


def _stamp(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


times = st.datetimes(datetime(2000, 1, 1), datetime(2099, 12, 31), timezones=st.just(UTC)).map(
    _stamp
)


@st.composite
def proposals(draw: st.DrawFn, session: Session) -> Proposal | Undo:
    """What could be said at this table, sensible or not, by somebody up to date."""
    what = draw(st.sampled_from(("move", "move", "move", "anything", "undo")))
    if what == "undo":
        return Undo(session.seq, Source.PAGE, draw(st.sampled_from((1, 1, 1, 2, 3, 7))))
    moves = list(islice(odin.actions(session.state), draw(st.integers(1, 30))))
    passing = odin.passing(session.state)
    if what == "move" and moves:
        action = moves[-1] if passing is None or draw(st.booleans()) else passing
    else:
        action = draw(odin_candidates(session.state))
    stand = draw(st.booleans())
    return Proposal(odin.format(action), session.seq, Source.PAGE, stand)


@st.composite
def logs(draw: st.DrawFn, most: int = 20) -> tuple[Event, ...]:
    """The log of a game with takings-back and plays let stand, with times and sources; other
    games of the same file lie in between."""
    opening = Opened(draw(odin_setups()), odin.VERSION)
    events = [Event(draw(st.integers(1, 9)), 1, 0, draw(times), draw(sources), opening)]
    session = begin(events[0])
    for _ in range(draw(st.integers(0, most))):
        ruling = rule(session, draw(proposals(session)))
        if isinstance(ruling, Ruling):
            seq = session.seq + draw(st.integers(1, 3))
            event = Event(seq, 1, session.seq, draw(times), draw(sources), ruling.fact)
            events.append(event)
            session = settled(ruling, event)
    return tuple(events)


def kept(events: Iterable[Event]) -> list[tuple[object, str, str]]:
    """What a record keeps of a log: facts, times and sources, in order."""
    return [(event.fact, event.at, event.source) for event in events]
