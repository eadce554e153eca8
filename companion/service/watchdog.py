"""Says that the companion is alive, but only when every part has got something done since it was
last said. A thread that merely ticks proves nothing about the ones that hang."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from companion.foundation.errors import CompanionError

log = logging.getLogger(__name__)

PULSE_SECONDS = 5.0  # between two proofs that an entry could be written


class Watchdog:
    """`feed` is called from whichever part reports last; no oftener than every `pause` seconds."""

    def __init__(
        self,
        *feed: Callable[[], None],
        pause: float = PULSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed = feed
        self._pause = pause
        self._clock = clock
        self._lock = threading.Lock()
        self._late: set[str] = set()
        self._parts: set[str] = set()
        self._fed_at = float("-inf")

    @property
    def late(self) -> frozenset[str]:
        """The parts that have not reported since the last feeding."""
        with self._lock:
            return frozenset(self._late)

    def register(self, part: str) -> Callable[[], None]:
        """What the part calls whenever it has got something done."""
        with self._lock:
            self._parts.add(part)
            self._late.add(part)
        return lambda: self._progress(part)

    def _progress(self, part: str) -> None:
        now = self._clock()
        with self._lock:
            self._late.discard(part)
            if self._late or now - self._fed_at < self._pause:
                return
            self._late = set(self._parts)
            self._fed_at = now
        for feed in self._feed:
            feed()


class Pulse:
    """Goes the way of an entry every few seconds and reports that it came through. A part that
    hangs holds the pulse up; one that fails is not reported."""

    def __init__(
        self,
        way: Sequence[Callable[[], object]],
        came_through: Callable[[], None],
        pause: float = PULSE_SECONDS,
    ) -> None:
        self._way = way
        self._came_through = came_through
        self._pause = pause
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                for step in self._way:
                    step()
            except CompanionError as trouble:
                log.warning("no pulse: %s", trouble)
            else:
                self._came_through()
            self._stopping.wait(self._pause)
