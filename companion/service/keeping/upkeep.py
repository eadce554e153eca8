"""What a box does by itself while nobody plays: it verifies the journal once, folds in what was
written ahead, and makes the backup of the day. In a thread of its own; trouble becomes a notice."""

from __future__ import annotations

import logging
import threading
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.foundation.errors import CompanionError
from companion.foundation.notices import Notice, Notices
from companion.ledger.journal import Journal
from companion.service.keeping.rotation import (
    FOLDER,
    STICK_FOLDER,
    back_up_today,
    sticks,
)

log = logging.getLogger(__name__)

ROUND_SECONDS = 15.0
"""Between two looks; nobody played since the last one: it is idle."""


class Upkeep:
    """Without `backups` where the games are nobody's, or kept in a spare place."""

    def __init__(
        self,
        journal: Journal,
        settings: Path | None,
        notices: Notices,
        *,
        backups: bool = True,
        pause: float = ROUND_SECONDS,
    ) -> None:
        self._journal = journal
        self._settings = settings
        self._notices = notices
        self._backups = backups
        self._pause = pause
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

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

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        problem = self._journal.verify().problem
        if problem is not None:
            self._notices.put("journal", Notice("journal-unsound", (("why", problem),)))
        ahead = -1
        while not self._stopping.is_set():
            before, ahead = ahead, self._journal.ahead_bytes
            if ahead == before:
                self.when_idle(date.today())
                ahead = self._journal.ahead_bytes
            self._stopping.wait(self._pause)

    def when_idle(self, today: date) -> None:
        if self._journal.ahead_bytes:
            self._journal.fold_in()
        try:
            if self._backups and self._journal.count_games():
                self._back_up(today)
        except CompanionError as failed:
            log.warning("no backup: %s", failed)
            self._notices.put("backup", Notice("backup-failed", (("why", failed.message),)))
        else:
            self._notices.put("backup", None)

    def _back_up(self, today: date) -> None:
        data = self._journal.path.parent
        back_up_today(data, self._settings, data / FOLDER, today)
        for stick in sticks():
            try:
                back_up_today(data, self._settings, stick / STICK_FOLDER, today)
            except CompanionError as failed:  # a full stick is no trouble of the box
                log.warning("no backup on %s: %s", stick, failed)
