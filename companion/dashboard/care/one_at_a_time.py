"""Work that takes seconds and much memory: one piece at a time; whoever comes second is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_


class OneAtATime:
    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Raises `BadInput` if somebody else is at it."""
        if not self._lock.acquire(blocking=False):
            raise BadInput(
                "one-at-a-time",
                N_("The box is busy with something of the kind. Try again in a moment."),
            )
        try:
            yield
        finally:
            self._lock.release()
