"""Which part is on which pin, and what a pin is: a real one, or gpiozero's mock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpiozero import Factory
from gpiozero.pins.mock import MockFactory

from companion.foundation.errors import BadSettings, PinsMissing
from companion.service.settings import read_toml

PARTS: Mapping[str, tuple[str, ...]] = {
    "buttons": ("pass", "confirm"),
    "lamps": ("green", "amber", "red"),
    "buzzer": ("signal",),
}
HIGHEST = 27  # GPIO number on the Pi's header


@dataclass(frozen=True, slots=True)
class Pins:
    """GPIO (BCM) numbers by part; a part that is not there is left out."""

    buttons: Mapping[str, int]
    lamps: Mapping[str, int]
    buzzer: int | None


def read_pins(file: Path) -> Pins:
    """The wiring in a pins.toml; raises `BadSettings` naming every problem."""
    given = read_toml(file)
    problems = [f"unknown section {name!r}" for name in given if name not in PARTS]
    found: dict[str, dict[str, int]] = {}
    for section, names in PARTS.items():
        pins = given.get(section, {})
        if not isinstance(pins, dict):
            problems.append(f"{section} must be a section, got {pins!r}")
            continue
        problems += [f"unknown part {section}.{name}" for name in pins if name not in names]
        problems += [
            f"{section}.{name} must be a GPIO number 0 to {HIGHEST}, got {pin!r}"
            for name, pin in pins.items()
            if not _is_pin(pin)
        ]
        found[section] = pins
    problems += _shared(found)
    if problems:
        raise BadSettings(str(file), problems)
    return Pins(found["buttons"], found["lamps"], found["buzzer"].get("signal"))


def _is_pin(pin: object) -> bool:
    return isinstance(pin, int) and not isinstance(pin, bool) and 0 <= pin <= HIGHEST


def _shared(found: Mapping[str, Mapping[str, int]]) -> list[str]:
    owners: dict[int, str] = {}
    problems = []
    for section, pins in found.items():
        for name, pin in pins.items():
            part = f"{section}.{name}"
            if _is_pin(pin) and owners.setdefault(pin, part) != part:
                problems.append(f"{part} and {owners[pin]} share GPIO {pin}")
    return problems


def mock_factory() -> MockFactory:
    return MockFactory()


def real_factory() -> Factory:
    """The Pi's own pins; chosen by the settings, never fallen back from."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except Exception as missing:
        raise PinsMissing(
            f'gpio = "real" is set, but the pins cannot be opened ({missing}); '
            "on a Pi they need `sudo make install`, which brings python3-lgpio and sees it; "
            'elsewhere set gpio = "mock"'
        ) from None
