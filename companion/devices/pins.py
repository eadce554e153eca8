"""The wiring: which part is on which GPIO pin; and the pins themselves, real or gpiozero's mock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpiozero import Factory
from gpiozero.pins.mock import MockFactory

from companion.foundation.errors import BadSettings, PinsMissing
from companion.foundation.messages import N_, Message, message
from companion.service.settings import read_toml

PARTS: Mapping[str, tuple[str, ...]] = {
    "buttons": ("pass", "confirm"),
    "lamps": ("green", "amber", "red"),
    "buzzer": ("signal",),
}
"""The parts that may be wired, by their section in pins.toml."""
HIGHEST = 27
"""The last GPIO number of a Pi's header."""


@dataclass(frozen=True, slots=True)
class Pins:
    """GPIO (BCM) numbers by the parts' names. A part that is not wired is left out."""

    buttons: Mapping[str, int]
    lamps: Mapping[str, int]
    buzzer: int | None


def read_pins(file: Path) -> Pins:
    """Read the wiring from a pins.toml; raises `BadSettings` that names every problem."""
    given = read_toml(file)
    problems = [
        message("unknown-section", N_("unknown section %(name)s"), name=repr(name))
        for name in given
        if name not in PARTS
    ]
    found: dict[str, dict[str, int]] = {}
    for section, names in PARTS.items():
        pins = given.get(section, {})
        if not isinstance(pins, dict):
            problems.append(
                message(
                    "must-section-got",
                    N_("%(section)s must be a section, got %(pins)s"),
                    section=section,
                    pins=repr(pins),
                )
            )
            continue
        problems += [
            message(
                "unknown-part", N_("unknown part %(section)s.%(name)s"), section=section, name=name
            )
            for name in pins
            if name not in names
        ]
        problems += [
            message(
                "must-gpio-number-got",
                N_("%(section)s.%(name)s must be a GPIO number 0 to %(highest)s, got %(pin)s"),
                section=section,
                name=name,
                highest=HIGHEST,
                pin=repr(pin),
            )
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


def _shared(found: Mapping[str, Mapping[str, int]]) -> list[Message]:
    """A problem for every two parts on one pin."""
    owners: dict[int, str] = {}
    problems = []
    for section, pins in found.items():
        for name, pin in pins.items():
            part = f"{section}.{name}"
            if _is_pin(pin) and owners.setdefault(pin, part) != part:
                problems.append(
                    message(
                        "share-gpio",
                        N_("%(part)s and %(owners)s share GPIO %(pin)s"),
                        part=part,
                        owners=owners[pin],
                        pin=pin,
                    )
                )
    return problems


def mock_factory() -> MockFactory:
    """Pins that exist in memory only."""
    return MockFactory()


def real_factory() -> Factory:
    """The Pi's own pins; raises `PinsMissing` if there are none. Mock pins are never used instead:
    which pins are used is for the settings to say."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except Exception as missing:
        raise PinsMissing(
            "gpio-real-set-but",
            N_(
                'gpio = "real" is set, but the pins cannot be opened (%(missing)s); on a Pi they '
                "need `sudo make install`, which brings python3-lgpio and sees it; elsewhere set "
                'gpio = "mock"'
            ),
            missing=missing,
        ) from None
