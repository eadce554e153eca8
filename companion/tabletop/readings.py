"""What the table may mean: readings, what people are shown and asked of them, and what they say
against them. Words that deciding, the referee and the page share; no pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.tabletop.observations import Thing


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand the table: the actions that happened, in the game's notation."""

    lines: tuple[str, ...]
    p: float
    """Of all readings together: what the pixels say times what rules and census allow."""
    pixels: float = 1.0
    """Of the labels it needs, by the pixels alone."""
    legal: bool = True
    blamed: bool = False
    """Against a rule of play, not only against where the books believe a card to be."""
    names: tuple[tuple[int, str], ...] = ()
    """By the thing's number: which card it is, if this is what happened."""
    open_end: bool = False
    """More may follow: a set is laid card by card."""
    undo: int = 0
    """Entries to take back first."""

    @property
    def spelt(self) -> str:
        """Its lines as one: so forms name what they speak of."""
        return "; ".join(self.lines)


@dataclass(frozen=True, slots=True)
class Shown:
    """What will be entered, unless somebody objects; `at` is when."""

    reading: Reading
    at: float


@dataclass(frozen=True, slots=True)
class Question:
    """Which of these was it? The likeliest first. `about` are the things it is about."""

    readings: tuple[Reading, ...]
    about: tuple[Thing, ...] = ()


@dataclass(frozen=True, slots=True)
class Desync:
    """Table and books disagree. `readings` would make the books agree with the table."""

    books: tuple[str, ...]
    table: tuple[str, ...]
    readings: tuple[Reading, ...] = ()
    about: tuple[Thing, ...] = ()


CameraOpinion: TypeAlias = Shown | Question | Desync
"""What the camera makes of the table and people should know."""


def offered(opinion: CameraOpinion) -> tuple[Reading, ...]:
    """The readings people can choose from."""
    return (opinion.reading,) if isinstance(opinion, Shown) else opinion.readings


# What people say against it


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A thing an entry rests on, and the lines the entry would be if it were something else,
    likeliest first. `words` are what it may be; the first is what it was taken for."""

    thing: int
    words: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """`dropped` are later entries that no longer fit: the camera reads them again."""

    dropped: int
