"""A finger for mock pins: the page presses the same buttons a hand would, down to the pin."""

from __future__ import annotations

import time
from collections.abc import Mapping

from gpiozero.pins.mock import MockFactory

TAP_SECONDS = 0.08  # longer than the settings let contacts bounce by default


class Finger:
    def __init__(self, pins: Mapping[str, int], factory: MockFactory, hold_seconds: float) -> None:
        self._pins = pins
        self._factory = factory
        self._hold_seconds = hold_seconds

    @property
    def buttons(self) -> tuple[str, ...]:
        return tuple(self._pins)

    def press(self, button: str, *, hold: bool = False) -> None:
        """Down, a while, up; returns when the button is up again."""
        pin = self._factory.pin(self._pins[button])
        pin.drive_low()
        time.sleep(self._hold_seconds + TAP_SECONDS if hold else TAP_SECONDS)
        pin.drive_high()
