"""What the doctor says of one part of the box."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.service.settings import Settings


class State(StrEnum):
    """How a part is."""

    GOOD = "good"
    POOR = "poor"  # it works, but not as it should
    BAD = "bad"
    SKIPPED = "skipped"  # not there, or not wanted


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one part, and what a person can do about it."""

    part: str
    state: State
    what: str
    todo: str = ""
    """Must be given for whatever is poor or bad."""

    def __post_init__(self) -> None:
        if self.state in (State.POOR, State.BAD) and not self.todo:
            raise ValueError(f"{self.part}: whoever finds fault says what to do")


Check: TypeAlias = Callable[[Settings], Iterator[Finding]]
