"""What a box does by itself while nobody plays: it verifies the journal once, folds in what was
written ahead, and makes the backup of the day. In a thread of its own; trouble becomes a notice.
Now and then it gives memory back to the machine, played or not.

It also notices a card that takes nothing any more in the middle of a game, and asks for everything
to be started anew: then the game goes on in a spare journal."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.foundation.errors import CompanionError
from companion.foundation.memory import give_back_holes
from companion.foundation.notices import Notice
from companion.ledger.journal import Journal
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.meanwhile import why_unwritable
from companion.service.keeping.rotation import (
    FOLDER,
    STICK_FOLDER,
    back_up_today,
    sticks,
)

log = logging.getLogger(__name__)

ROUND_SECONDS = 15.0
"""Between two looks; nobody played since the last one: it is idle."""
CARD_SECONDS = 1.0
"""Between two looks at whether entries are refused: whoever enters one waits for the way on."""


class Upkeep:
    """Without `backups` where the games are nobody's, or kept in a spare place."""

    def __init__(
        self,
        journal: Journal,
        settings: Path | None,
        condition: JournalCondition,
        *,
        backups: bool = True,
        elsewhere: Callable[[], None] | None = None,
    ) -> None:
        """`elsewhere` has everything started anew, so that games are kept in another place."""
        self._journal = journal
        self._settings = settings
        self._notices = condition.notices
        self._condition = condition
        self._backups = backups
        self._elsewhere = elsewhere
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
        self._condition.put(Ailment.UNSOUND, self._journal.verify().problem)
        ahead, next_round = -1, time.monotonic()
        while not self._stopping.is_set():
            self.look_at_card()
            if time.monotonic() >= next_round:
                next_round = time.monotonic() + ROUND_SECONDS
                give_back_holes()
                before, ahead = ahead, self._journal.ahead_bytes
                if ahead == before:
                    self.when_idle(date.today())
                    ahead = self._journal.ahead_bytes
            self._stopping.wait(CARD_SECONDS)

    def look_at_card(self) -> None:
        """Entries are refused: if the card really takes nothing, games go on elsewhere."""
        why = why_unwritable(self._journal.path.parent) if self._journal.refuses else None
        self._condition.put(Ailment.FULL, why)
        if why is not None and self._elsewhere is not None:
            log.warning("games are kept elsewhere from now on: %s", why)
            self._elsewhere()

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
        made = back_up_today(data, self._settings, data / FOLDER, today)
        if made is not None:
            self._notices.put("sound", None if made.sound else Notice("backup-unsound"))
        if made is not None and not made.sound:
            self._condition.put(Ailment.UNSOUND, self._journal.verify().problem)
        for stick in sticks():
            try:
                back_up_today(data, self._settings, stick / STICK_FOLDER, today)
            except CompanionError as failed:  # a full stick is no trouble of the box
                log.warning("no backup on %s: %s", stick, failed)
