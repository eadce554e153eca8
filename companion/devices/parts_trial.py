"""Trying the buttons and lamps out, on the page: while that lasts, presses are shown and enter
nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from companion.devices.pins import Pins
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.ledger.referee import Press
from companion.views import Lamp

LASTS_SECONDS = 120.0
"""A trial that nobody ends must not leave a table without buttons."""
BUZZER = "buzzer"
_BUTTONS = {
    Press.PASS: ("pass",),
    Press.CONFIRM: ("confirm",),
    Press.UNDO: ("confirm",),
    Press.BOTH: ("pass", "confirm"),
}


class PartsTrial:
    """Stands between the buttons and what they usually do. Any thread may call."""

    def __init__(
        self,
        pins: Pins,
        forward: Callable[[Press], None],
        light: Callable[[Lamp], None],
        *,
        real: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        buzzer = {} if pins.buzzer is None else {BUZZER: pins.buzzer}
        self._pins = {**pins.buttons, **pins.lamps, **buzzer}
        self._forward = forward
        self._light = light
        self._real = real
        self._clock = clock
        self._lock = threading.Lock()
        self._until = float("-inf")
        self._pressed: frozenset[str] = frozenset()

    @property
    def real(self) -> bool:
        return self._real

    @property
    def pins(self) -> Mapping[str, int]:
        return self._pins

    @property
    def going_on(self) -> bool:
        return self._clock() < self._until

    @property
    def pressed(self) -> frozenset[str]:
        return self._pressed

    def begin(self) -> None:
        with self._lock:
            self._until = self._clock() + LASTS_SECONDS
            self._pressed = frozenset()

    def end(self) -> None:
        with self._lock:
            self._until = float("-inf")

    def press(self, press: Press) -> None:
        """What the buttons call."""
        with self._lock:
            trying = self.going_on
            if trying:
                self._pressed |= set(_BUTTONS[press])
        if not trying:
            self._forward(press)

    def light(self, part: str) -> None:
        if part not in self._pins or part in ("pass", "confirm"):
            raise BadInput("no-such-lamp", N_("There is no lamp %(part)s."), part=repr(part[:20]))
        self._light(Lamp.RED if part == BUZZER else Lamp(part))
