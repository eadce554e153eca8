"""What deciding is given, what it remembers, and what it says: values, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.deciding.confusions import Confusions
from companion.tabletop.observations import TableChange, Thing
from companion.tabletop.readings import CameraOpinion, Desync, Reading, ReadingRef
from companion.tabletop.zones import Outline

REMEMBERED = 24
"""Entries looked back upon."""


@dataclass(frozen=True, slots=True)
class Limits:
    """From when on a reading is clear, and how long it stands before it counts.

    Probabilities come out of fusion and of the readers; `companion track --reliability` measures
    whether they mean what they say.
    """

    temper: float = 1.0
    """What they said is made less sure by this factor, in logits; below 1, surer. Fitted on games
    other than those it is judged on."""

    sure: float = 0.9
    """A legal reading this probable is entered without asking."""
    blame: float = 0.93
    """An illegal one must be this probable, all readings considered,"""
    blame_pixels: float = 0.985
    """and every card of it this sure by the pixels alone: nobody is blamed for a bad picture."""
    believed: int = 2
    """Who was put right so often within `lately` entries is believed against nobody: in some light
    colours are misread for sure, and again and again."""
    lately: int = 40
    worth_asking: float = 0.01
    """Alternatives less probable are not offered."""
    take_seconds: float = 1.5
    open_seconds: float = 2.5
    """The same, while another card may still be laid to the set."""
    blame_seconds: float = 2.0
    blame_open_seconds: float = 5.0
    ask_seconds: float = 3.0
    """Meanwhile the table is looked at again: that costs less than a question."""
    miss_seconds: float = 1.2
    """So long a table that seems unchanged is looked at again: a card may have been missed."""
    desync_seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class BookEntry:
    """An entry that counts, and where it came from: the reading it was made of, or the one people
    said it in place of."""

    seq: int
    action: str
    because: ReadingRef | None = None
    instead_of: ReadingRef | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """What is entered, as far as the camera must know."""

    game: str
    number: int
    seq: int
    state: Any
    recent: tuple[BookEntry, ...] = ()
    """The last entries that count, newest first."""
    taken_back: tuple[ReadingRef, ...] = ()
    """What was read and entered, was taken back, and nothing was entered in its place yet."""
    refused: str = ""
    """The action of a refusal that lies on the table."""
    refused_because: ReadingRef | None = None
    """The reading that was refused, if it was one."""


@dataclass(frozen=True, slots=True)
class EnteredReading:
    """A reading that was entered, and the number of its last entry."""

    seq: int
    reading: Reading


@dataclass(frozen=True, slots=True)
class Memory:
    number: int = 0
    seq: int = 0
    table: tuple[Thing, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    """Which card a thing is, by the entries that were made of it."""
    readings: tuple[Reading, ...] = ()
    desync: Desync | None = None
    ids: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """By its lines, the number of every reading made since the books last moved."""
    since: float = 0.0
    """When these readings were first made."""
    changes: tuple[TableChange, ...] = ()
    entering: Reading | None = None
    """Given to the referee and not yet found in the books."""
    entered_at: float = float("-inf")
    """When people made the last entry themselves."""
    entered: tuple[EnteredReading, ...] = ()
    """The last readings that were entered and count."""
    barred: tuple[Reading, ...] = ()
    """Readings people took back or rejected, while the table is as it was."""
    blamed: Reading | None = None
    """The reading the referee was given to refuse."""
    disputed: frozenset[int] = frozenset()
    """Things that lie there and that people, having spoken, did not mean as they were read."""
    put_right: tuple[int, ...] = ()
    """After which entries people took something back that was read, or rejected a refusal."""
    confusions: Confusions = ()
    """What is confused in this light, by what they said it was instead."""
    rejected: Desync | None = None

    @property
    def known(self) -> tuple[Reading, ...]:
        """Every reading people may be speaking of when they enter something now."""
        blamed = () if self.blamed is None else (self.blamed,)
        desync = () if self.desync is None else self.desync.readings
        return (*self.readings, *blamed, *desync)


@dataclass(frozen=True, slots=True)
class Decision:
    opinion: CameraOpinion | None = None
    enter: Reading | None = None
    dismiss: str = ""
    """The action that was refused and does not lie there any more."""
    look_again: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """What the camera knows at one moment."""

    now: float
    table: tuple[Thing, ...]
    zones: Mapping[str, Outline]
    changes: tuple[TableChange, ...] = ()
    settled: bool = True
    stirred_at: float = float("-inf")
    """When anything last moved."""
