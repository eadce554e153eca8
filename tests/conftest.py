"""What every test gets: no thread may be left running behind it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.ledger.journal import Journal
from companion.ledger.referee import Referee

PATIENCE_SECONDS = 5.0


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    patience = time.monotonic() + PATIENCE_SECONDS
    while _ours(before) and time.monotonic() < patience:
        time.sleep(0.01)
    left = _ours(before)
    assert not left, f"threads left running: {[thread.name for thread in left]}"


def _ours(before: set[threading.Thread]) -> set[threading.Thread]:
    """New threads, but for those Playwright keeps for the whole run."""
    new = set(threading.enumerate()) - before
    return {thread for thread in new if not thread.name.startswith("asyncio_")}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def referee(journal: Journal) -> Referee:
    return Referee(journal)
