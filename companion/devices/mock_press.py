"""Presses buttons on mock pins, for the page: everything above the pins works as with real ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gpiozero.pins.mock import MockFactory

from companion.ledger.referee import Press
from companion.service.access.presence import Presser

TAP_SECONDS = 0.08  # longer than the settings let contacts bounce by default
STRANGE_SECONDS = 5.0  # a press from elsewhere may be heard so late on a busy machine


class Finger:
    """Presses the buttons on these pins."""

    def __init__(self, pins: Mapping[str, int], factory: MockFactory, hold_seconds: float) -> None:
        self._pins = pins
        self._factory = factory
        self._hold_seconds = hold_seconds
        self._lock = threading.Lock()
        self._pressing: list[tuple[str, Presser]] = []
        self._strange_at = float("-inf")

    @property
    def buttons(self) -> tuple[str, ...]:
        return tuple(self._pins)

    def press(self, button: str, by: Presser, *, hold: bool = False) -> None:
        """Press a button, keep it down for a while, and let it go; returns when it is up again."""
        pin = self._factory.pin(self._pins[button])
        with self._down(button, by):
            pin.drive_low()
            time.sleep(self._hold_seconds + TAP_SECONDS if hold else TAP_SECONDS)
            pin.drive_high()

    def who(self, press: Press) -> str:
        """Who is pressing the button that says this; empty if nobody is."""
        button = "pass" if press is Press.PASS else "confirm"
        with self._lock:
            return next((by.name for each, by in reversed(self._pressing) if each == button), "")

    @property
    def at_the_box(self) -> bool:
        """Whether nobody from elsewhere has a finger on a button, nor had a moment ago: no half of
        holding both can be lent by a stranger, and a hold may be told of late."""
        with self._lock:
            now = time.monotonic()
            quiet = now - self._strange_at > STRANGE_SECONDS
            return quiet and all(by.at_the_box for _, by in self._pressing)

    @contextmanager
    def _down(self, button: str, by: Presser) -> Iterator[None]:
        one = (button, by)
        with self._lock:
            self._pressing.append(one)
        try:
            yield
        finally:
            with self._lock:
                self._pressing.remove(one)
                if not by.at_the_box:
                    self._strange_at = time.monotonic()
