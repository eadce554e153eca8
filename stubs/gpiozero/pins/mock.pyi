from typing import NamedTuple

from gpiozero import Factory

class PinState(NamedTuple):
    timestamp: float
    state: bool

class MockPin:
    states: list[PinState]
    state: bool
    def drive_high(self) -> None: ...
    def drive_low(self) -> None: ...

class MockFactory(Factory):
    def pin(self, name: int) -> MockPin: ...
    def close(self) -> None: ...
    def reset(self) -> None: ...
