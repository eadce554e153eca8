"""Machines in trouble, each in a process of its own: `python -m tests.ledger.trouble full PATH`.

What a limit on files or a lost right does to a process it does to all of it, so not to pytest's.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.foundation.errors import JournalError, JournalFull
from companion.ledger.events import Did, Event
from companion.ledger.journal import Journal
from tests.ledger.logs import OPENED, rows

NOBODY = 65534


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def full(path: Path) -> None:
    """The disk fills up at every place an append can reach; then there is space again."""
    with Journal(path) as journal:
        log = [journal.open_game(OPENED, "page")]
        for room in (0, 1, 23, 24, 25, 700, 4119, 4120, 4121, 8240, 9000, 12359):
            log = _filled_up(journal, log, room)
    with Journal(path) as journal:
        assert journal.events(1) == log


def _filled_up(journal: Journal, log: list[Event], room: int) -> list[Event]:
    """Appends with so many bytes left until it fails, and once more with space."""
    wal = journal.path.with_name(f"{journal.path.name}-wal")
    with no_file_longer_than(wal.stat().st_size + room):
        for _ in range(20):
            try:
                log = [*log, _append(journal, log)]
            except JournalFull as why:
                print(why)
                break
        else:
            raise AssertionError("the disk never filled up")
        assert journal.events(1) == log
    assert len(rows(journal.path)) == len(log)
    log = [*log, _append(journal, log)]
    assert journal.events(1) == log
    return log


def _append(journal: Journal, log: list[Event]) -> Event:
    return journal.append(1, Did(f"A r{len(log)}"), log[-1].seq, "page")


def no_right(path: Path) -> None:
    """Opens a journal where only others may write."""
    if os.getuid() == 0:
        os.setuid(NOBODY)
    try:
        Journal(path)
    except JournalError as why:
        print(type(why).__name__, why)


def three_entries(path: Path) -> None:
    """Says on its output what is kept, as soon as it is."""
    with Journal(path) as journal:
        log = [journal.open_game(OPENED, "page")]
        for _ in range(3):
            log.append(_append(journal, log))
            os.write(1, f"kept {log[-1].seq}\n".encode())


TROUBLES: dict[str, Callable[[Path], None]] = {
    "full": full,
    "no-right": no_right,
    "three-entries": three_entries,
}

if __name__ == "__main__":
    TROUBLES[sys.argv[1]](Path(sys.argv[2]))
