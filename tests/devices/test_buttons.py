"""Buttons, tested from the pin up: a mock pin is driven, and what reaches the referee counts."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.buttons import Buttons, Contact
from companion.devices.mock_press import Finger
from companion.ledger.referee import Press
from companion.service.access.presence import Presser

PASS, CONFIRM = 17, 27
SETTLE, HOLD = 0.02, 0.15


class Box:
    """Two buttons on mock pins, and everything they said."""

    def __init__(self, factory: MockFactory) -> None:
        self.heard: list[Press] = []
        self.factory = factory
        self.buttons = Buttons(
            {"pass": PASS, "confirm": CONFIRM},
            self.heard.append,
            factory=factory,
            hold_seconds=HOLD,
            settle_seconds=SETTLE,
        )

    def pin(self, number: int) -> MockPin:
        return self.factory.pin(number)

    def tap(self, number: int, seconds: float = 0.04) -> None:
        self.pin(number).drive_low()
        time.sleep(seconds)
        self.pin(number).drive_high()

    def bounce(self, number: int, times: int = 5) -> None:
        """Contacts that chatter for a few milliseconds."""
        for _ in range(times):
            self.pin(number).drive_low()
            time.sleep(0.001)
            self.pin(number).drive_high()
            time.sleep(0.001)


@pytest.fixture
def box() -> Iterator[Box]:
    factory = MockFactory()
    box = Box(factory)
    with box.buttons:
        yield box
    factory.reset()


def test_pass_counts_when_it_goes_down(box: Box) -> None:
    box.pin(PASS).drive_low()
    assert box.heard == [Press.PASS]
    time.sleep(0.03)
    box.pin(PASS).drive_high()
    assert box.heard == [Press.PASS]


def test_confirm_counts_when_it_is_let_go(box: Box) -> None:
    box.pin(CONFIRM).drive_low()
    time.sleep(0.03)
    assert box.heard == []
    box.pin(CONFIRM).drive_high()
    assert box.heard == [Press.CONFIRM]


def test_confirm_held_undoes_once_and_does_not_confirm(box: Box) -> None:
    box.tap(CONFIRM, seconds=HOLD + 0.1)
    assert box.heard == [Press.UNDO]


def test_after_a_hold_the_next_tap_confirms(box: Box) -> None:
    box.tap(CONFIRM, seconds=HOLD + 0.1)
    time.sleep(0.03)
    box.tap(CONFIRM)
    assert box.heard == [Press.UNDO, Press.CONFIRM]


def test_a_bouncing_pass_is_one_pass(box: Box) -> None:
    box.bounce(PASS)
    box.pin(PASS).drive_low()
    time.sleep(0.05)
    box.bounce(PASS)
    box.pin(PASS).drive_high()
    assert box.heard == [Press.PASS]


def test_a_bouncing_confirm_is_one_confirm(box: Box) -> None:
    box.bounce(CONFIRM)
    box.pin(CONFIRM).drive_low()
    time.sleep(0.05)
    box.pin(CONFIRM).drive_high()
    box.bounce(CONFIRM)
    assert box.heard == [Press.CONFIRM]


def test_a_bouncing_hold_is_one_undo(box: Box) -> None:
    box.bounce(CONFIRM)
    box.pin(CONFIRM).drive_low()
    time.sleep(HOLD + 0.1)
    box.pin(CONFIRM).drive_high()
    box.bounce(CONFIRM)
    assert box.heard == [Press.UNDO]


def test_two_slow_taps_are_two(box: Box) -> None:
    box.tap(PASS)
    time.sleep(0.03)
    box.tap(PASS)
    assert box.heard == [Press.PASS, Press.PASS]


def test_the_page_presses_the_same_pins(box: Box) -> None:
    finger = Finger({"pass": PASS, "confirm": CONFIRM}, box.factory, HOLD)
    finger.press("pass", Presser())
    finger.press("confirm", Presser())
    finger.press("confirm", Presser(), hold=True)
    assert box.heard == [Press.PASS, Press.CONFIRM, Press.UNDO]


def test_missing_buttons_are_no_trouble() -> None:
    heard: list[Press] = []
    factory = MockFactory()
    with Buttons({}, heard.append, factory=factory, hold_seconds=1, settle_seconds=SETTLE):
        pass
    with Buttons(
        {"confirm": CONFIRM}, heard.append, factory=factory, hold_seconds=1, settle_seconds=SETTLE
    ):
        factory.pin(CONFIRM).drive_low()
        time.sleep(0.03)
        factory.pin(CONFIRM).drive_high()
    factory.reset()
    assert heard == [Press.CONFIRM]


@given(st.lists(st.floats(0.0001, SETTLE * 0.9), max_size=12), st.floats(SETTLE, 1))
def test_chatter_shorter_than_the_settling_time_never_adds_a_press(
    gaps: list[float], down: float
) -> None:
    """However a contact chatters while closing, one press is one press and one release."""
    contact, at, presses, releases = Contact(SETTLE), 100.0, 0, 0
    contact, press = contact.closed(at)
    presses += press
    closed_at = at
    for number, gap in enumerate(gaps):
        at += gap
        if at - closed_at >= SETTLE:
            break
        if number % 2:
            contact, press = contact.closed(at)
            presses += press
        else:
            contact, let_go = contact.opened(at)
            releases += let_go
    contact, let_go = contact.opened(closed_at + SETTLE + down)
    releases += let_go
    assert (presses, releases) == (1, 1)


def test_both_held_say_that_somebody_is_here_and_nothing_of_the_game(box: Box) -> None:
    box.pin(CONFIRM).drive_low()
    time.sleep(0.04)
    box.pin(PASS).drive_low()
    time.sleep(HOLD + 0.1)
    box.pin(PASS).drive_high()
    box.pin(CONFIRM).drive_high()
    assert box.heard == [Press.BOTH]
