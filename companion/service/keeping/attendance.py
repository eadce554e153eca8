"""Notices threads that have died, with or without a service manager, and says so within seconds.

A thread of the box that ends while the box runs has met a fault nobody foresaw. Its reason goes to
the log, its name onto the page, and whoever started the companion is asked to start it anew."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
LASTING = (
    *("table loop", "pulse", "upkeep", "lamps", "server", "changes"),
    *("mqtt", "uplink", "speaker", "storyteller"),
)
"""Threads that last as long as the companion runs, by their names."""


class Attendance:
    """From its start on, every lasting thread there is must stay; `died` is called once for each
    that does not."""

    def __init__(
        self,
        died: Callable[[str], None],
        stopping: threading.Event | None = None,
        *,
        pause: float = LOOK_SECONDS,
    ) -> None:
        """Once `stopping` is set, threads may end."""
        self._died = died
        self._leaving = stopping or threading.Event()
        self._pause = pause
        self._there: set[threading.Thread] = set()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="attendance", daemon=True)
        self._hook = threading.excepthook

    def __enter__(self) -> Self:
        self._hook, threading.excepthook = threading.excepthook, _log_reason
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        threading.excepthook = self._hook
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            here = {each for each in threading.enumerate() if each.name in LASTING}
            for gone in self._there - here:
                if not self._leaving.is_set():
                    self._died(gone.name)
            self._there = here
            self._stopping.wait(self._pause)


def _log_reason(died: threading.ExceptHookArgs) -> None:
    name = "a thread" if died.thread is None else died.thread.name
    reason = died.exc_value or died.exc_type()
    log.error("%s has died: %s", name, reason, exc_info=reason)
