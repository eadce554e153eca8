"""One measured number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: float
    unit: str
    bar: str = ""
    """What it must reach, in words; empty: nothing."""
    met: bool = True


class Figures(Protocol):
    """Measures one part or one game; `quick` measures less, for a first impression."""

    def __call__(self, *, quick: bool) -> Iterator[Figure]: ...
