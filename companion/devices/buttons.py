"""Two buttons. *Pass* counts when it goes down. *Confirm* counts when it is let go; held long, it
undoes instead. Held with *pass* pressed after it, it says that somebody is at the box. Contacts
bounce, so a signal shorter than the settling time is ignored."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from gpiozero import Button, Factory

from companion.ledger.referee import Press


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of a bouncing contact. Each change of its signal gives a new value."""

    settle_seconds: float
    last_edge: float = float("-inf")
    down_at: float | None = None

    def closed(self, at: float) -> tuple[Contact, bool]:
        """The contact has closed; and whether that was a press, and not only a bounce."""
        press = at - self.last_edge >= self.settle_seconds
        down_at = at if press else self.down_at
        return replace(self, last_edge=at, down_at=down_at), press

    def opened(self, at: float) -> tuple[Contact, bool]:
        """The contact has opened; and whether it was let go, and did not only bounce."""
        let_go = self.down_at is not None and at - self.down_at >= self.settle_seconds
        return replace(self, last_edge=at, down_at=None if let_go else self.down_at), let_go


class Buttons:
    """The buttons that are wired; `on_press` is called from the pins' own thread."""

    def __init__(
        self,
        pins: Mapping[str, int],
        on_press: Callable[[Press], None],
        *,
        factory: Factory,
        hold_seconds: float,
        settle_seconds: float,
    ) -> None:
        self._on_press = on_press
        self._contacts = {name: Contact(settle_seconds) for name in pins}
        self._held = False
        self._stack = ExitStack()
        with ExitStack() as opening:
            for name, pin in pins.items():
                button = opening.enter_context(
                    Button(pin, hold_time=hold_seconds, pin_factory=factory)
                )
                self._wire(name, button)
            self._stack = opening.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _wire(self, name: str, button: Button) -> None:
        if name == "pass":
            button.when_pressed = self._pass_down
            button.when_released = self._pass_up
        else:
            button.when_pressed = self._confirm_down
            button.when_released = self._confirm_up
            button.when_held = self._confirm_held

    def _down(self, name: str) -> bool:
        return name in self._contacts and self._contacts[name].down_at is not None

    def _pass_down(self) -> None:
        self._contacts["pass"], press = self._contacts["pass"].closed(time.monotonic())
        if press and not self._down("confirm"):  # else it belongs to both
            self._on_press(Press.PASS)

    def _pass_up(self) -> None:
        self._contacts["pass"], _ = self._contacts["pass"].opened(time.monotonic())

    def _confirm_down(self) -> None:
        self._contacts["confirm"], press = self._contacts["confirm"].closed(time.monotonic())
        if press:
            self._held = False

    def _confirm_held(self) -> None:
        self._held = True
        self._on_press(Press.BOTH if self._down("pass") else Press.UNDO)

    def _confirm_up(self) -> None:
        self._contacts["confirm"], let_go = self._contacts["confirm"].opened(time.monotonic())
        if let_go and not self._held:
            self._on_press(Press.CONFIRM)
