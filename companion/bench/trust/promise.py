"""One row of `companion bench trust`: a promise, how it is put to the test, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tested:
    """What one row found."""

    met: bool
    found: str
    """In words and figures, such as `0 lost of 12,310`."""
    size: str
    """How much was tried, such as `300 kills`."""


class Attempt(Protocol):
    """Puts a promise to the test; what it writes goes into the folder, which is empty."""

    def __call__(self, folder: Path, *, long: bool) -> Tested: ...


@dataclass(frozen=True, slots=True)
class Promise:
    name: str
    """One word, to ask for this row alone."""
    text: str
    bar: str
    """What is allowed, at full size."""
    attempt: Attempt
