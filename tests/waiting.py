"""Waiting for what other threads do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 20.0


def soon(condition: Callable[[], bool]) -> bool:
    """Threads need a moment."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while not condition() and time.monotonic() < patience:
        time.sleep(0.005)
    return condition()
