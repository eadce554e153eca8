"""The few names of gpiozero the companion uses; the library itself has no annotations."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

class Factory: ...

class _Device:
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None: ...

class Button(_Device):
    when_pressed: Callable[[], None] | None
    when_released: Callable[[], None] | None
    when_held: Callable[[], None] | None
    def __init__(
        self, pin: int, *, hold_time: float = ..., pin_factory: Factory | None = ...
    ) -> None: ...

class LED(_Device):
    value: bool
    def __init__(self, pin: int, *, pin_factory: Factory | None = ...) -> None: ...

class Buzzer(_Device):
    def __init__(self, pin: int, *, pin_factory: Factory | None = ...) -> None: ...
    def beep(
        self,
        on_time: float = ...,
        off_time: float = ...,
        n: int | None = ...,
        background: bool = ...,
    ) -> None: ...
