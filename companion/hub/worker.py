"""The thread that folds what came in. Intake only writes; so a box is answered at once, and folding
never delays it. What a stop of the hub left unfolded is found when it starts."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Self

from companion.foundation.errors import HubStoreAway
from companion.hub.clubs import Box, box_at, boxes_of
from companion.hub.folding import Folder
from companion.hub.hall import Hall, HallTable
from companion.hub.store import Store

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""After the database was away."""
SHOW_SECONDS = 3.0
"""How long a page waits for the tables of a club that nobody has looked at; the rest comes live."""


class FoldingWorker:
    """Open it in a `with` statement."""

    def __init__(self, store: Store, hall: Hall) -> None:
        self._store = store
        self._hall = hall
        self._folder = Folder()
        self._changed = threading.Condition()
        self._waiting: dict[str, bool] = {}
        self._stopping = False
        self._at = ""
        self._thread = threading.Thread(target=self._run, name="folding", daemon=True)

    def __enter__(self) -> Self:
        self._wake_all_behind()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join()

    def news_of(self, box: str, *, rewound: bool = False) -> None:
        """Something of this box came in; `rewound`: what was known of it no longer counts."""
        with self._changed:
            self._waiting[box] = self._waiting.get(box, False) or rewound
            self._changed.notify_all()

    def settle(self, seconds: float) -> bool:
        """Waits until everything is folded; for tests and for a quiet end."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._at, seconds)

    def show(self, club: int) -> None:
        """Brings every table of a club into the hall, for somebody who looks; waits a little."""
        if self._hall.is_whole(club):
            return
        with self._store.transaction() as transaction:
            present = {box.id for box in boxes_of(transaction, club) if not box.left_at}
        for box in present:
            self.news_of(box)
        with self._changed:
            self._changed.wait_for(
                lambda: self._at not in present and not present & self._waiting.keys(),
                SHOW_SECONDS,
            )
        self._hall.now_whole(club)

    def gone(self, club: int, box: str) -> None:
        """It has left its club."""
        self._hall.remove(club, box)

    def _wake_all_behind(self) -> None:
        """Every box with events that were not folded when the hub stopped."""
        with self._store.transaction() as transaction:
            rows = transaction.all("SELECT id FROM box WHERE folded < seq AND left_at = ''")
        for (box,) in rows:
            self.news_of(box)

    def _run(self) -> None:
        while (job := self._next()) is not None:
            box, rewound = job
            if rewound:
                self._folder.forget(box)
            try:
                self._fold(box)
            except HubStoreAway as away:
                log.warning("%s", away)
                self.news_of(box, rewound=True)
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping, PAUSE_SECONDS)
            except Exception:  # one box's events must not stop the folding of all others
                log.exception("the events of box %s cannot be folded", box)
                self._folder.forget(box)

    def _next(self) -> tuple[str, bool] | None:
        with self._changed:
            self._at = ""
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._stopping or self._waiting)
            if self._stopping:
                return None
            self._at = next(iter(self._waiting))
            return self._at, self._waiting.pop(self._at)

    def _fold(self, number: str) -> None:
        with self._store.transaction() as transaction:
            box = box_at(transaction, number, lock=True)
            if box is None:
                return
            session = self._folder.fold(transaction, box)
            if session is None:
                session = self._folder.latest(transaction, box)
            after = box_at(transaction, number)
        after = after or box
        self._hall.put(HallTable(after, session))
        if _behind(after):
            self.news_of(number)


def _behind(box: Box) -> bool:
    return box.folded < box.heard.seq
