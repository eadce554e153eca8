"""The box as the settings want it: its buttons, lamps and buzzer, on real or mock pins."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from gpiozero import Factory

from companion.devices.buttons import Buttons
from companion.devices.lamps import Lamps
from companion.devices.mock_press import Finger
from companion.devices.pins import Pins, mock_factory, read_pins, real_factory
from companion.devices.signals import LampUpdater, PressForwarder
from companion.foundation.resources import shipped
from companion.ledger.referee import Referee
from companion.service.settings import Settings


def open_box(settings: Settings, referee: Referee, stack: ExitStack) -> tuple[str, Finger | None]:
    """What buttons and lamps there are, in words; and what presses them, if the pins are mock."""
    if settings.gpio == "none":
        return "none", None
    pins = read_pins(_pins_file(settings))
    if settings.gpio == "real":
        _wire(referee, settings, pins, real_factory(), stack)
        return "real, on the GPIO pins", None
    factory = mock_factory()
    _wire(referee, settings, pins, factory, stack)
    finger = Finger(pins.buttons, factory, settings.hold_seconds)
    return "simulated: press them on the page", finger


def _pins_file(settings: Settings) -> Path:
    return Path(settings.pins) if settings.pins else shipped("hardware/pins.toml")


def _wire(
    referee: Referee, settings: Settings, pins: Pins, factory: Factory, stack: ExitStack
) -> None:
    lamps = stack.enter_context(Lamps(pins.lamps, pins.buzzer, factory=factory))
    stack.enter_context(LampUpdater(referee, lamps))
    stack.enter_context(
        Buttons(
            pins.buttons,
            PressForwarder(referee),
            factory=factory,
            hold_seconds=settings.hold_seconds,
            settle_seconds=settings.settle_seconds,
        )
    )
