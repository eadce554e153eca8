"""Connects the box with the referee: presses of buttons go in, lights come out."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Protocol, Self

from companion.foundation.errors import CompanionError
from companion.ledger.referee import Press, Referee
from companion.views import Lamp, lamps_for

log = logging.getLogger(__name__)


class Shows(Protocol):
    """Something that has lamps."""

    def show(self, lit: frozenset[Lamp]) -> None: ...


class PressForwarder:
    """Hands a press to the referee, in the buttons' own thread. Trouble such as a full disk must
    not end that thread."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    def __call__(self, press: Press) -> None:
        try:
            self._referee.press(press)
        except CompanionError as trouble:  # the page already shows it
            log.warning("%s: %s", press, trouble)


class LampUpdater:
    """Keeps the lamps as the books have them, from a thread of its own."""

    def __init__(self, referee: Referee, lamps: Shows) -> None:
        self._referee = referee
        self._lamps = lamps
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping = True
        self._referee.wake()
        self._thread.join()

    def _run(self) -> None:
        version = -1
        while not self._stopping:
            moment = self._referee.wait(version, 60)
            version = moment.version
            self._lamps.show(lamps_for(moment))
