"""Connects the box with the referee: presses of buttons go in, lights come out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from companion.foundation.errors import CompanionError
from companion.ledger.referee import Press, Referee
from companion.views import Lamp, lamps_for

log = logging.getLogger(__name__)

BLINK_SECONDS = 0.3  # slow enough to count along
TRIED_SECONDS = 2.0  # long enough to look up from the phone


class Shows(Protocol):
    """Something that has lamps."""

    def show(self, lit: frozenset[Lamp]) -> None: ...


class PressForwarder:
    """Hands a press to the referee, in the buttons' own thread. Trouble such as a full disk must
    not end that thread."""

    def __init__(
        self,
        referee: Referee,
        on_both: Callable[[], None] = lambda: None,
        who: Callable[[Press], str] = lambda _press: "",
    ) -> None:
        """`who` names the device that pressed, where it was not a real button."""
        self._referee = referee
        self._on_both = on_both
        self._who = who

    def __call__(self, press: Press) -> None:
        try:
            if press is Press.BOTH:
                self._on_both()
            else:
                self._referee.press(press, by=self._who(press))
        except CompanionError as trouble:  # the page already shows it
            log.warning("%s: %s", press, trouble)


class LampUpdater:
    """Keeps the lamps as the books have them, from a thread of its own. Now and then it spells a
    number: for each digit a lamp blinks so often, ten times for a nought."""

    def __init__(self, referee: Referee, lamps: Shows) -> None:
        self._referee = referee
        self._lamps = lamps
        self._stopping = threading.Event()
        self._spelt = ""
        self._tried: Lamp | None = None
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
        self._stopping.set()
        self._referee.wake()
        self._thread.join()

    def spell(self, digits: str) -> None:
        self._spelt = digits
        self._referee.wake()

    def try_out(self, lamp: Lamp) -> None:
        """Lights one lamp for a moment, whatever the books say; the red one sounds as well."""
        self._tried = lamp
        self._referee.wake()

    def _run(self) -> None:
        version = -1
        while not self._stopping.is_set():
            moment = self._referee.wait(version, 60)
            version = moment.version
            digits, self._spelt = self._spelt, ""
            tried, self._tried = self._tried, None
            if tried is not None:
                self._lamps.show(frozenset())
                self._lamps.show(frozenset({tried}))
                self._stopping.wait(TRIED_SECONDS)
            for digit in digits:
                self._blink(int(digit) or 10)
            self._lamps.show(lamps_for(moment))

    def _blink(self, times: int) -> None:
        """Green stays lit between two digits, so that one can be told from the next."""
        for _ in range(times):
            for lit in (frozenset({Lamp.AMBER}), frozenset[Lamp]()):
                self._lamps.show(lit)
                self._stopping.wait(BLINK_SECONDS)
        self._lamps.show(frozenset({Lamp.GREEN}))
        self._stopping.wait(4 * BLINK_SECONDS)
