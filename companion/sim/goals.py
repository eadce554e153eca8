"""How well a game must be followed: at least a share of the plays right, at most one error in so
many."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = (
    "plays right without asking",
    "asked",
    "wrong entries",
    "false accusations",
    "illegal plays caught",
    "whole games right",
)
"""What is measured of each game."""


@dataclass(frozen=True, slots=True)
class Least:
    """At least this share."""

    share: float

    def met(self, many: int, of: int) -> bool:
        return of > 0 and many >= self.share * of

    def __str__(self) -> str:
        return f"≥ {self.share:.1%}"


@dataclass(frozen=True, slots=True)
class Most:
    """At most one in this many; 0 means none at all."""

    one_in: int

    def met(self, many: int, of: int) -> bool:
        return many == 0 if not self.one_in else many * self.one_in <= of

    def __str__(self) -> str:
        return f"≤ 1 in {self.one_in:,}" if self.one_in else "none"


@dataclass(frozen=True, slots=True)
class Goal:
    """One row of `companion track --bars`: a game in one light."""

    name: str
    light: str
    bars: tuple[Least | Most, ...]
    """One for each of `COLUMNS`."""
    boards: bool = False
    """On an owner's boards, not on the mat."""
