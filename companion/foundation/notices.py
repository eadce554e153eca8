"""What stands to be said about the machine while it lasts: the camera is away, safe mode. Codes
with facts; the sentences are made in `views`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    code: str
    facts: tuple[tuple[str, object], ...] = ()


class Notices:
    """At most one notice for each part of the box. Any thread may call; `changed` is called after
    every change."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._standing: dict[str, Notice] = {}

    @property
    def standing(self) -> tuple[Notice, ...]:
        with self._lock:
            return tuple(self._standing.values())

    def put(self, part: str, notice: Notice | None) -> None:
        """What is to be said of a part from now on; None: nothing any more."""
        with self._lock:
            before = self._standing.pop(part, None)
            if notice is not None:
                self._standing[part] = notice
        if notice != before:
            self._changed()
