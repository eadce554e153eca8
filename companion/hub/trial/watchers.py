"""People who watch the hall: each follows its stream, and notes when it first saw an entry."""

from __future__ import annotations

import http.client
import re
import threading
import time
from contextlib import suppress

_TABLE = re.compile(rb'data-box="([0-9a-f]{32})" data-seq="(\d+)"')


class HallWatchers:
    """One thread a watcher; they come again when they are cut off."""

    def __init__(self, port: int, path: str, count: int) -> None:
        self._port, self._path = port, path
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self.seen: dict[tuple[str, int], float] = {}
        """When the slowest of them first had a table's entry on the screen, by box and seq."""
        self._threads = [threading.Thread(target=self._watch, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(3)

    def _watch(self) -> None:
        known: dict[bytes, int] = {}
        while not self._stopping.is_set():
            with suppress(OSError, http.client.HTTPException):
                self._follow(known)
            self._stopping.wait(0.5)

    def _follow(self, known: dict[bytes, int]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=15)
        connection.request("GET", self._path, headers={"Accept-Language": "en"})
        response = connection.getresponse()
        while not self._stopping.is_set():
            line = response.readline()
            if not line:
                break
            for box, seq in _TABLE.findall(line):
                if int(seq) > known.get(box, 0):
                    known[box] = int(seq)
                    self._note(box.decode(), int(seq), time.monotonic())
        connection.close()

    def _note(self, box: str, seq: int, at: float) -> None:
        with self._lock:
            self.seen[box, seq] = max(at, self.seen.get((box, seq), 0.0))
