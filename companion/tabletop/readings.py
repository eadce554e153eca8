"""What the table may mean: readings, what people are shown and asked of them, and what they say
against them. Words that deciding, the referee and the page share; no pixels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.tabletop.observations import Thing

_REF = re.compile(r"([0-9]+\.[0-9]+)(?:/([0-9]+))?")


@dataclass(frozen=True, slots=True)
class ReadingRef:
    """Names a reading, and which of its lines, counted from 0; no line means the whole of it."""

    reading: str
    line: int | None = None

    def __str__(self) -> str:
        return self.reading if self.line is None else f"{self.reading}/{self.line}"

    @classmethod
    def parse(cls, text: str) -> ReadingRef:
        """What `str` made of one."""
        found = _REF.fullmatch(text)
        if found is None:
            raise BadInput(
                "names-no-reading-one",
                N_("%(text)s names no reading; one is named like 17.2 or 17.2/0"),
                text=repr(text),
            )
        return cls(found[1], None if found[2] is None else int(found[2]))


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
    id: str = field(default="", compare=False)
    """`17.2` is the second reading made while event 17 was the last of the log. The same lines,
    read again before the log moves on, are the same reading; and only one reading can come next in
    the log, so none of its names means two. Empty: nobody has numbered it."""

    def ref(self, line: int | None = None) -> ReadingRef | None:
        """What an entry made of it says it rests on; None if it has no number."""
        return ReadingRef(self.id, line) if self.id else None

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
