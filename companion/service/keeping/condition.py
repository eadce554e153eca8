"""What is wrong with the journal, as far as it is known by now: at the start or since.

Every page says it in a notice, and the page *Recovery* has the ways on."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import StrEnum

from companion.foundation.messages import Message
from companion.foundation.notices import Notice, Notices


class Ailment(StrEnum):
    """Worst first."""

    AWAY = "away"
    """It cannot be opened or written: games are kept in another place meanwhile."""
    FULL = "full"
    """Nothing can be written any more: entries are refused."""
    UNSOUND = "unsound"
    """Some of it is not as it was written; entries are kept."""


@dataclass(frozen=True, slots=True)
class Complaint:
    ailment: Ailment
    why: Message


class JournalCondition:
    """Any thread may call."""

    def __init__(self, notices: Notices) -> None:
        self.notices = notices
        self._lock = threading.Lock()
        self._found: dict[Ailment, Message] = {}

    def put(self, ailment: Ailment, why: Message | None) -> None:
        """What is so from now on; None: it is over."""
        with self._lock:
            self._found.pop(ailment, None)
            if why is not None:
                self._found[ailment] = why
        notice = None if why is None else Notice(f"journal-{ailment}", (("why", why),))
        self.notices.put(f"journal {ailment}", notice)

    @property
    def worst(self) -> Complaint | None:
        with self._lock:
            for ailment in Ailment:
                if ailment in self._found:
                    return Complaint(ailment, self._found[ailment])
        return None
