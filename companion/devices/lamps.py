"""Three lamps and a buzzer on their pins. What they show is decided in `lamps_for`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from gpiozero import LED, Buzzer, Factory

from companion.views import Lamp

BEEP_SECONDS = 0.15  # one short signal for one refusal


class Lamps:
    """The lamps that are wired, and the buzzer; all off at first."""

    def __init__(self, pins: Mapping[str, int], buzzer: int | None, *, factory: Factory) -> None:
        with ExitStack() as opening:
            self._leds = {
                Lamp(name): opening.enter_context(LED(pin, pin_factory=factory))
                for name, pin in pins.items()
            }
            self._buzzer = (
                None
                if buzzer is None
                else opening.enter_context(Buzzer(buzzer, pin_factory=factory))
            )
            self._stack = opening.pop_all()
        self._lit: frozenset[Lamp] = frozenset()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def show(self, lit: frozenset[Lamp]) -> None:
        """Light these lamps and no others; beep when the red one goes on."""
        for lamp, led in self._leds.items():
            led.value = lamp in lit
        if self._buzzer is not None and Lamp.RED in lit - self._lit:
            self._buzzer.beep(on_time=BEEP_SECONDS, off_time=0, n=1)
        self._lit = lit
