"""The box as the settings want it: its buttons, lamps and buzzer, on real or mock pins."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from gpiozero import Factory

from companion.devices.buttons import Buttons
from companion.devices.lamps import Lamps
from companion.devices.mock_press import Finger
from companion.devices.parts_trial import PartsTrial
from companion.devices.pins import Pins, mock_factory, read_pins, real_factory
from companion.devices.signals import LampUpdater, PressForwarder
from companion.foundation.resources import shipped
from companion.ledger.referee import Press, Referee
from companion.service.access.book import AccessBook
from companion.service.settings import Settings


def open_box(
    settings: Settings, referee: Referee, access: AccessBook, stack: ExitStack
) -> tuple[str, Finger | None, PartsTrial | None]:
    """What buttons and lamps there are, in words; what presses them, if the pins are mock; and
    what tries them out."""
    if settings.gpio == "none":
        return "none", None, None
    pins = read_pins(_pins_file(settings))
    if settings.gpio == "real":
        wired = Wired(referee, access)
        trial = _wire(wired, settings, pins, real_factory(), stack)
        return "real, on the GPIO pins", None, trial
    factory = mock_factory()
    finger = Finger(pins.buttons, factory, settings.hold_seconds)
    trial = _wire(Wired(referee, access, finger), settings, pins, factory, stack)
    return "simulated: press them on the page", finger, trial


def _pins_file(settings: Settings) -> Path:
    return Path(settings.pins) if settings.pins else shipped("hardware/pins.toml")


@dataclass(frozen=True, slots=True)
class Wired:
    """What the buttons speak to."""

    referee: Referee
    access: AccessBook
    finger: Finger | None = None
    """What presses them, if the pins are mock."""

    def who(self, press: Press) -> str:
        return "" if self.finger is None else self.finger.who(press)

    @property
    def somebody_at_the_box(self) -> bool:
        """A real button has been held by a hand; one on the page, by whoever sent the request."""
        return self.finger is None or self.finger.at_the_box


def _wire(
    to: Wired, settings: Settings, pins: Pins, factory: Factory, stack: ExitStack
) -> PartsTrial:
    lamps = stack.enter_context(Lamps(pins.lamps, pins.buzzer, factory=factory))
    updater = stack.enter_context(LampUpdater(to.referee, lamps))

    def both_held() -> None:
        if not to.somebody_at_the_box:
            return
        to.access.present()
        updater.spell(to.access.table_code)

    trial = PartsTrial(
        pins,
        PressForwarder(to.referee, both_held, to.who),
        updater.try_out,
        real=settings.gpio == "real",
    )
    stack.enter_context(
        Buttons(
            pins.buttons,
            trial.press,
            factory=factory,
            hold_seconds=settings.hold_seconds,
            settle_seconds=settings.settle_seconds,
        )
    )
    return trial
