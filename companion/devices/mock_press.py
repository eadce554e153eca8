"""Presses buttons on mock pins, for the page: everything above the pins works as with real ones."""

from __future__ import annotations

import time
from collections.abc import Mapping

from gpiozero.pins.mock import MockFactory

TAP_SECONDS = 0.08  # longer than the settings let contacts bounce by default


class Finger:
    """Presses the buttons on these pins."""

    def __init__(self, pins: Mapping[str, int], factory: MockFactory, hold_seconds: float) -> None:
        self._pins = pins
        self._factory = factory
        self._hold_seconds = hold_seconds

    @property
    def buttons(self) -> tuple[str, ...]:
        return tuple(self._pins)

    def press(self, button: str, *, hold: bool = False) -> None:
        """Press a button, keep it down for a while, and let it go; returns when it is up again."""
        pin = self._factory.pin(self._pins[button])
        pin.drive_low()
        time.sleep(self._hold_seconds + TAP_SECONDS if hold else TAP_SECONDS)
        pin.drive_high()
