"""A club of simulated tables on a real hub, with real servers: they play, people watch the hall,
and network, boxes, hub, broker and database are cut off or killed in turn. At the end the hub must
have every event of every journal, once and in order."""

from __future__ import annotations

import random
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.hub.clubs import join, make_club
from companion.hub.store import open_store
from companion.hub.trial.cut_line import CutLine
from companion.hub.trial.programs import RunningProgram
from companion.hub.trial.servers import (
    Mosquitto,
    Postgres,
    free_port,
    has_mosquitto,
    postgres_programs,
    wait_for_port,
)
from companion.hub.trial.watchers import HallWatchers
from companion.ledger.journal import Journal
from companion.ledger.wire import wire_event
from companion.outbox.membership import Membership, write_membership
from companion.outbox.protocol import Joining

BOXES_A_PROCESS = 10
CATCH_UP_SECONDS = 300.0
CUT_SECONDS = 2.0
QUIET_SECONDS = 1_000_000.0
"""Between two plays of a box that only sends what it has."""


@dataclass(frozen=True, slots=True)
class ClubTrial:
    """What is to be tried."""

    tables: int = 50
    minutes: float = 5.0
    plays_a_minute: float = 4.0
    watchers: int = 30
    breaks: int = 0
    """How often something is cut off or killed, at random."""


@dataclass(slots=True)
class ClubOutcome:
    entries: int = 0
    lost: int = 0
    twice: int = 0
    out_of_order: int = 0
    broken: dict[str, int] = field(default_factory=dict)
    latency_p50_ms: float = 0.0
    latency_p95_ms: float = 0.0
    seen: int = 0
    hub_share: float = 0.0
    """Of one core, that the hub's process used."""
    store: str = ""


class _Club:
    """Everything that runs."""

    def __init__(self, trial: ClubTrial, folder: Path, stack: ExitStack) -> None:
        self._trial = trial
        self._entered: dict[tuple[str, int], float] = {}
        self._lock = threading.Lock()
        self.postgres = self._database(folder, stack)
        self.store = self.postgres.address() if self.postgres else str(folder / "hub.db")
        self.broker = self._broker(folder, stack)
        self.port = free_port()
        self.hub = RunningProgram(
            "companion", "hub", "run", "--store", self.store, "--host", "127.0.0.1",
            "--port", str(self.port),
        )  # fmt: skip
        self.line = CutLine(self.port)
        stack.callback(self.line.close)
        self.folders, self.slug = self._joined(folder)
        self.hub.start()
        stack.callback(self.hub.kill)
        wait_for_port(self.port)
        self._folder = folder
        self.boxes = self.start_boxes(60 / trial.plays_a_minute, stack)

    def _database(self, folder: Path, stack: ExitStack) -> Postgres | None:
        programs = postgres_programs()
        if programs is None:
            return None
        place = folder / "postgres"
        place.mkdir()
        server = Postgres(place, programs)
        server.start()
        stack.callback(server.stop, "immediate")
        return server

    def _broker(self, folder: Path, stack: ExitStack) -> Mosquitto | None:
        if not has_mosquitto():
            return None
        broker = Mosquitto(folder)
        broker.start()
        stack.callback(broker.kill)
        return broker

    def _joined(self, folder: Path) -> tuple[list[Path], str]:
        store = open_store(self.store)
        made = make_club(store, "Simulated club")
        folders = []
        for number in range(self._trial.tables):
            group, name = divmod(number, BOXES_A_PROCESS)
            place = folder / f"group{group}" / f"box{name:02d}"
            place.mkdir(parents=True)
            with Journal(place / "journal.db") as journal:
                box = journal.box
            told = join(store, made.key, Joining(box, f"Table {number + 1}"))
            address = f"http://127.0.0.1:{self.line.port}"
            write_membership(place, Membership(address, told.club, box, told.token))
            folders.append(place)
        store.close()
        return folders, made.club.slug

    def start_boxes(self, pace_seconds: float, stack: ExitStack) -> list[RunningProgram]:
        """All boxes, some to a process; they enter something every so many seconds."""
        broker = f"mqtt://127.0.0.1:{self.broker.port}" if self.broker else ""
        programs = [
            RunningProgram(
                "companion.hub.trial.boxes",
                str(group),
                str(pace_seconds),
                broker,
                lines=self._noted,
            )
            for group in sorted(self._folder.glob("group*"))
        ]
        for program in programs:
            program.start()
            stack.callback(program.kill)
        return programs

    def _noted(self, line: str) -> None:
        box, seq, at = line.split()
        with self._lock:
            self._entered[box, int(seq)] = float(at)

    def latencies(self, seen: dict[tuple[str, int], float]) -> list[float]:
        """From the entry to the slowest screen, of entries that were seen before the next."""
        with self._lock:
            return sorted(seen[key] - at for key, at in self._entered.items() if key in seen)

    def break_something(self, chance: random.Random) -> str:
        """Cuts off or kills one part, and lets it come back."""
        ways: dict[str, Callable[[], None]] = {
            "network": self._cut,
            "boxes": lambda: _again(chance.choice(self.boxes)),
            "hub": lambda: _again(self.hub),
        }
        if self.broker is not None:
            ways["broker"] = self._kill_broker
        if self.postgres is not None:
            ways["database"] = self._kill_database
        what = chance.choice(sorted(ways))
        ways[what]()
        return what

    def _cut(self) -> None:
        self.line.cut()
        time.sleep(CUT_SECONDS)
        self.line.mend()

    def _kill_broker(self) -> None:
        if self.broker is not None:
            self.broker.kill()
            time.sleep(CUT_SECONDS / 4)
            self.broker.start()

    def _kill_database(self) -> None:
        if self.postgres is not None:
            self.postgres.kill()
            time.sleep(CUT_SECONDS / 4)
            self.postgres.start()

    def all_heard(self) -> bool:
        """Whether the hub has the last event of every journal."""
        store = open_store(self.store)
        with store.transaction() as transaction:
            heard: dict[str, str] = dict(transaction.all("SELECT id, hash FROM box"))
        store.close()
        return all(heard.get(box) == last for box, last in map(_end, self.folders))


def _again(program: RunningProgram) -> None:
    program.kill()
    program.start()


def _end(folder: Path) -> tuple[str, str]:
    with Journal(folder / "journal.db") as journal:
        row = journal.last_row()
        return journal.box, "" if row is None else wire_event(row).hash


@contextmanager
def _place() -> Iterator[Path]:
    """A folder that PostgreSQL's own user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="club-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def try_club(trial: ClubTrial, say: Callable[[str], None] = lambda _line: None) -> ClubOutcome:
    outcome, chance = ClubOutcome(), random.Random(1)  # noqa: S311
    with _place() as folder, ExitStack() as stack:
        club = _Club(trial, folder, stack)
        outcome.store = "PostgreSQL" if club.postgres else "SQLite"
        watchers = HallWatchers(club.port, f"/c/{club.slug}/stream", trial.watchers)
        stack.callback(watchers.close)
        began = time.monotonic()
        say(f"{trial.tables} tables play on a hub with {outcome.store}")
        _break_on(club, trial, outcome, chance, began)
        elapsed = time.monotonic() - began
        for program in club.boxes:
            program.quit()
        say("everybody has stopped; the hub catches up")
        _catch_up(club, stack)
        club.hub.kill(signal.SIGTERM)
        outcome.hub_share = club.hub.core_seconds / elapsed
        _compare(club, outcome)
        _time(club.latencies(watchers.seen), outcome)
    return outcome


def _break_on(
    club: _Club, trial: ClubTrial, outcome: ClubOutcome, chance: random.Random, began: float
) -> None:
    """Breaks things at even distances until the time is up."""
    seconds = trial.minutes * 60
    for number in range(trial.breaks):
        _sleep_until(began + seconds * (number + 1) / (trial.breaks + 1))
        club.hub.revive()
        what = club.break_something(chance)
        outcome.broken[what] = outcome.broken.get(what, 0) + 1
    _sleep_until(began + seconds)


def _sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def _catch_up(club: _Club, stack: ExitStack) -> None:
    """Starts the boxes once more, without playing, so that whatever was cut off is sent."""
    quiet = club.start_boxes(QUIET_SECONDS, stack)
    patience = time.monotonic() + CATCH_UP_SECONDS
    while not club.all_heard() and time.monotonic() < patience:
        time.sleep(0.5)
        club.hub.revive()
    for program in quiet:
        program.kill()


def _compare(club: _Club, outcome: ClubOutcome) -> None:
    """Each journal beside what the hub has of it."""
    store = open_store(club.store)
    for folder in club.folders:
        with Journal(folder / "journal.db") as journal:
            box = journal.box
            ours = [wire_event(row).hash for row in journal.rows_since(0, 10_000_000)]
        with store.transaction() as transaction:
            rows = transaction.all("SELECT hash FROM event WHERE box = ? ORDER BY seq", box)
        theirs = [bytes(row[0]).hex() for row in rows]
        outcome.entries += len(ours)
        outcome.lost += len(set(ours) - set(theirs))
        outcome.twice += len(theirs) - len(set(theirs))
        outcome.out_of_order += [each for each in theirs if each in set(ours)] != ours[
            : len(theirs)
        ]
    store.close()


def _time(latencies: list[float], outcome: ClubOutcome) -> None:
    outcome.seen = len(latencies)
    if latencies:
        outcome.latency_p50_ms = latencies[len(latencies) // 2] * 1000
        outcome.latency_p95_ms = latencies[int(len(latencies) * 0.95)] * 1000
