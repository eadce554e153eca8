"""Buttons, lamps and buzzer: whether the pins can be opened, and whether a person sees and hears
the parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from gpiozero import Factory

from companion.devices.buttons import Buttons
from companion.devices.lamps import Lamps
from companion.devices.pins import Pins, read_pins, real_factory
from companion.foundation.errors import CompanionError
from companion.foundation.messages import N_
from companion.foundation.resources import shipped
from companion.ledger.referee import Press
from companion.service.findings import Finding, Patient, State, finding
from companion.service.settings import Settings
from companion.views import Lamp

PRESS_SECONDS = 20.0
"""How long a person has to press a button."""
PRESSES = {"pass": Press.PASS, "confirm": Press.CONFIRM}

Asks = Callable[[str], bool]
Tells = Callable[[str], None]


def check_pins(patient: Patient) -> Iterator[Finding]:
    """Open the pins; no person is needed. A companion that runs has opened them already."""
    settings, part = patient.settings, N_("buttons and lamps")
    if settings.gpio != "real":
        none = settings.gpio == "none"
        what = N_("none are set") if none else N_("simulated: press them on the page")
        yield finding(part, State.SKIPPED, what)
        return
    try:
        pins = pins_of(settings)
        if not patient.running:
            with ExitStack() as stack:
                _open(pins, real_factory(), lambda _: None, settings, stack)
    except CompanionError as trouble:
        todo = N_("check the wiring; the page shows which part belongs on which pin")
        yield finding(part, State.BAD, N_("%(why)s"), todo, why=trouble.message)
    except Exception as busy:  # lgpio has no exception of its own for a pin in use
        todo = N_("another program has them; if the companion runs, look at its page under Health")
        yield finding(part, State.BAD, N_("the pins cannot be opened (%(why)s)"), todo, why=busy)
    else:
        parts = (*pins.buttons, *pins.lamps, *(("buzzer",) if pins.buzzer is not None else ()))
        yield finding(part, State.GOOD, N_("pins open: %(parts)s"), parts=", ".join(parts))


def ask_about_pins(
    settings: Settings, asks: Asks, tells: Tells, open_pins: Callable[[], Factory] = real_factory
) -> Iterator[Finding]:
    """Ask a person about each part: is it lit, does it sound, can it be pressed?"""
    pressed: list[Press] = []
    arrived = threading.Event()

    def on_press(press: Press) -> None:
        pressed.append(press)
        arrived.set()

    pins = pins_of(settings)
    with ExitStack() as stack:
        lamps = _open(pins, open_pins(), on_press, settings, stack)
        for name in pins.lamps:
            lamps.show(frozenset({Lamp(name)}))
            yield _seen(f"{name} lamp", pins.lamps[name], asks(f"Is the {name} lamp lit?"))
        lamps.show(frozenset())
        if pins.buzzer is not None:
            lamps.show(frozenset({Lamp.RED}))
            yield _seen("buzzer", pins.buzzer, asks("Did the buzzer sound?"))
            lamps.show(frozenset())
        for name in pins.buttons:
            pressed.clear()
            arrived.clear()
            tells(f"Press {name} now ...")
            arrived.wait(PRESS_SECONDS)
            yield _pressed(name, pins.buttons[name], pressed)


def _seen(part: str, pin: int, yes: bool) -> Finding:
    if yes:
        return finding(part, State.GOOD, N_("seen") if "lamp" in part else N_("heard"))
    todo = N_("check its wire to GPIO %(pin)s, which way round it is, and its resistor")
    return finding(part, State.BAD, N_("not noticed"), todo, pin=pin)


def _pressed(name: str, pin: int, pressed: list[Press]) -> Finding:
    part = f"{name} button"
    if PRESSES[name] in pressed:
        return finding(part, State.GOOD, N_("seen"))
    if pressed:
        todo = N_("the two wires are exchanged")
        return finding(part, State.BAD, N_("another one was seen"), todo)
    todo = N_("check its wires to GPIO %(pin)s and to ground")
    return finding(part, State.BAD, N_("not seen"), todo, pin=pin)


def pins_of(settings: Settings) -> Pins:
    return read_pins(Path(settings.pins) if settings.pins else shipped("hardware/pins.toml"))


def _open(
    pins: Pins,
    factory: Factory,
    on_press: Callable[[Press], None],
    settings: Settings,
    stack: ExitStack,
) -> Lamps:
    stack.enter_context(
        Buttons(
            pins.buttons,
            on_press,
            factory=factory,
            hold_seconds=settings.hold_seconds,
            settle_seconds=settings.settle_seconds,
        )
    )
    return stack.enter_context(Lamps(pins.lamps, pins.buzzer, factory=factory))
