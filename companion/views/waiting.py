"""What the table waits for: the same shape in every game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.notation import Seat


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sentence, whose move it is, and whether people have to answer something first."""

    sentence: str
    seat: Seat | None = None
    urgent: bool = False
