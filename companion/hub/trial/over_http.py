"""How much a running hub takes in by HTTP: boxes send whole games, as large a batch as may be each
time, while the hub folds what has come."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from companion.hub.clubs import make_club
from companion.hub.store import Store, open_store
from companion.hub.trial.boxes import PlayingBox
from companion.hub.trial.programs import RunningProgram, core_seconds, memory_kb
from companion.hub.trial.servers import free_port, wait_for_port
from companion.ledger.chain import hashed
from companion.ledger.wire import WireEvent, wire_event
from companion.outbox.hub_client import HubClient
from companion.outbox.protocol import MOST_EVENTS, Batch, Heard, Joining

SENDERS = 4
"""Boxes that send at the same time."""
EVENTS_A_BOX = 10_000
PLAYED = 400
"""Entries that are really made; boxes send them over and over as games of their own."""
FOLDING_SECONDS = 1800.0


@dataclass(slots=True)
class SentOutcome:
    events: int = 0
    seconds: float = 0.0
    hub_core_seconds: float = 0.0
    """Of the hub's process while it took in, folding and all."""
    folded: int = 0
    """Events that were folded by then."""
    folding_seconds: float = 0.0
    """Until the rest was, too."""
    first_kb: int = 0
    last_kb: int = 0

    @property
    def per_second(self) -> float:
        return self.events / self.seconds


def try_over_http(address: str, events: int, folder: Path) -> SentOutcome:
    """`address` is that of the database; the hub is started for this."""
    store = open_store(address)
    played = _played(folder)
    port = free_port()
    hub = RunningProgram(
        "companion", "hub", "run", "--store", address, "--host", "127.0.0.1", "--port", str(port)
    )
    try:
        hub.start()
        wait_for_port(port)
        sending = _Sending(make_club(store, "By HTTP").key, port, events, played)
        return _measured(store, hub, sending)
    finally:
        hub.kill()
        store.close()


class _Sending:
    """Some boxes at a time, until enough was sent."""

    def __init__(self, key: str, port: int, events: int, played: list[WireEvent]) -> None:
        self._key, self._port, self._played = key, port, played
        self._left = events
        self._numbers = count(1)
        self._lock = threading.Lock()

    def run(self) -> int:
        """How many events were sent."""
        with ThreadPoolExecutor(SENDERS) as boxes:
            return sum(boxes.map(lambda _: self._send_on(), range(SENDERS)))

    @property
    def left(self) -> int:
        return self._left

    def _send_on(self) -> int:
        sent = 0
        while (share := self._share()) > 0:
            sent += self._as_one_box(f"b{next(self._numbers):031x}", share)
        return sent

    def _share(self) -> int:
        with self._lock:
            share = min(EVENTS_A_BOX, self._left)
            self._left -= share
            return share

    def _as_one_box(self, box: str, events: int) -> int:
        client = HubClient(f"http://127.0.0.1:{self._port}")
        token = client.join(self._key, Joining(box, "Table")).token
        heard, going_on = Heard(), _games(box, self._played)
        while heard.seq < events:
            many = min(MOST_EVENTS, events - heard.seq)
            batch = Batch(heard, tuple(next(going_on) for _ in range(many)))
            heard = client.send(box, token, batch)
        return heard.seq


def _measured(store: Store, hub: RunningProgram, sending: _Sending) -> SentOutcome:
    outcome, total = SentOutcome(), sending.left
    done = threading.Event()
    watching = threading.Thread(target=_note_memory, args=(hub, sending, total, outcome, done))
    watching.start()
    used, began = core_seconds(hub.number), time.monotonic()
    try:
        outcome.events = sending.run()
    finally:
        done.set()
        watching.join()
    outcome.seconds = time.monotonic() - began
    outcome.hub_core_seconds = core_seconds(hub.number) - used
    outcome.last_kb = memory_kb(hub.number)
    outcome.folded = _folded(store)
    while _folded(store) < outcome.events and time.monotonic() - began < FOLDING_SECONDS:
        time.sleep(0.2)
    outcome.folding_seconds = time.monotonic() - began - outcome.seconds
    return outcome


def _note_memory(
    hub: RunningProgram, sending: _Sending, total: int, outcome: SentOutcome, done: threading.Event
) -> None:
    while sending.left > total * 0.9 and not done.wait(0.1):
        pass
    outcome.first_kb = memory_kb(hub.number)


def _folded(store: Store) -> int:
    with store.transaction() as transaction:
        row = transaction.one("SELECT COALESCE(SUM(folded), 0) FROM box")
    return int(row[0]) if row else 0


def _played(folder: Path) -> list[WireEvent]:
    """Games that were really played, by their rules."""
    with ExitStack() as stack:
        box = PlayingBox(folder, "", stack)
        for _ in range(PLAYED):
            box.play()
        return [wire_event(row) for row in box.journal.rows_since(0, PLAYED)]


def _games(box: str, played: list[WireEvent]) -> Iterator[WireEvent]:
    """The same games again and again, as events of this box, without end."""
    previous = Heard().before_next(box)
    for turn in count():
        seqs, games = turn * played[-1].seq, turn * played[-1].game
        for each in played:
            fields = (
                each.seq + seqs, each.game + games, each.based_on + seqs if each.based_on else 0,
                each.at, each.source, each.by, each.kind, each.body, each.because, each.instead_of,
            )  # fmt: skip
            previous = hashed(previous, fields)
            yield WireEvent(*fields, previous.hex())
