"""A guided tour through an owner's sheet: stack by stack, with how much of it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Stop:
    """One stack of cards or one board. `forms` are drawn by the game's template `_stop.html`."""

    key: str
    words: str
    known: int
    total: int
    forms: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """`first` is what the next season will need before anything else."""

    first: tuple[Any, ...]
    stops: tuple[Stop, ...]

    @property
    def known(self) -> int:
        return sum(stop.known for stop in self.stops)

    @property
    def total(self) -> int:
        return sum(stop.total for stop in self.stops)
