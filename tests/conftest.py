"""What every test gets: no thread may be left running behind it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.referee import Referee

PATIENCE_SECONDS = 5.0


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    patience = time.monotonic() + PATIENCE_SECONDS
    while (left := set(threading.enumerate()) - before) and time.monotonic() < patience:
        time.sleep(0.01)
    # Playwright keeps one of its own for the whole run.
    left = {thread for thread in left if thread.name != "asyncio_0" and thread.is_alive()}
    assert not left, f"threads left running: {[thread.name for thread in left]}"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def referee(journal: Journal) -> Referee:
    return Referee(journal)
