"""Lamps and buzzer on mock pins: they show exactly what they are told."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.devices.lamps import BEEP_SECONDS, Lamps
from companion.devices.pins import Pins, mock_factory, read_pins, real_factory
from companion.foundation.errors import BadSettings, PinsMissing
from companion.foundation.resources import shipped
from companion.views import Lamp

PINS = {"green": 5, "amber": 6, "red": 13}
BUZZER = 19


def lit(factory: MockFactory) -> set[str]:
    return {name for name, pin in PINS.items() if factory.pin(pin).state}


def test_lamps_show_what_they_are_told() -> None:
    factory = mock_factory()
    with Lamps(PINS, None, factory=factory) as lamps:
        lamps.show(frozenset({Lamp.GREEN}))
        assert lit(factory) == {"green"}
        lamps.show(frozenset({Lamp.RED, Lamp.AMBER}))
        assert lit(factory) == {"red", "amber"}
        lamps.show(frozenset())
        assert lit(factory) == set()


def test_the_buzzer_sounds_once_when_red_comes_on() -> None:
    factory = mock_factory()
    with Lamps(PINS, BUZZER, factory=factory) as lamps:
        lamps.show(frozenset({Lamp.RED}))
        lamps.show(frozenset({Lamp.RED, Lamp.AMBER}))
        time.sleep(BEEP_SECONDS * 2)
        states = [state.state for state in factory.pin(BUZZER).states]
        assert states.count(True) == 1
        assert not factory.pin(BUZZER).state


def test_any_lamp_may_be_missing() -> None:
    factory = mock_factory()
    with Lamps({"red": 13}, None, factory=factory) as lamps:
        lamps.show(frozenset(Lamp))
        assert factory.pin(13).state


def test_the_shipped_wiring_is_good() -> None:
    assert read_pins(shipped("hardware/pins.toml")) == Pins(
        {"pass": 17, "confirm": 27}, {"green": 5, "amber": 6, "red": 13}, 19
    )


def test_everything_wrong_with_a_wiring_is_said_at_once(tmp_path: Path) -> None:
    file = tmp_path / "pins.toml"
    file.write_text(
        "[buttons]\npass = 17\nconfirm = 99\n[lamps]\ngreen = 17\nblue = 4\nred = true\n[fan]\n"
    )
    with pytest.raises(BadSettings) as bad:
        read_pins(file)
    assert tuple(map(str, bad.value.problems)) == (
        "unknown section 'fan'",
        "buttons.confirm must be a GPIO number 0 to 27, got 99",
        "unknown part lamps.blue",
        "lamps.red must be a GPIO number 0 to 27, got True",
        "lamps.green and buttons.pass share GPIO 17",
    )


def test_parts_may_be_left_out_of_a_wiring(tmp_path: Path) -> None:
    file = tmp_path / "pins.toml"
    file.write_text("[buttons]\npass = 4\n")
    assert read_pins(file) == Pins({"pass": 4}, {}, None)


def test_real_pins_that_are_not_there_are_said_and_not_replaced() -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO")
    with pytest.raises(PinsMissing, match=r'`sudo make install`.*set gpio = "mock"'):
        real_factory()
