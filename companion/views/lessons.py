"""What a game brings so that it can be taught: a short game against bots, and what to say when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.core.notation import Seat
from companion.views.speech import Speech

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Hint:
    """Something a newcomer is told at the moment it matters; each only once in a lesson."""

    code: str
    sentence: str
    rules: tuple[str, ...] = ()
    """The ids of the rules it rests on."""


@dataclass(frozen=True, slots=True)
class Newcomer(Generic[S]):
    """Who is taught, and what they have before them."""

    state: S
    seat: Seat
    hand: tuple[str, ...]
    """Their cards, in notation."""


@dataclass(frozen=True, slots=True)
class LessonPlan(Generic[S]):
    hints: Callable[[Speech, Newcomer[S]], Iterable[Hint]]
    """What matters now, the most important first."""
    seats: int = 3
    changes: tuple[tuple[str, str], ...] = ()
    """Options that make it a short game."""
