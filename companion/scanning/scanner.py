"""What a game brings so that pictures somebody took by hand can be read beside its books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from companion.core.catalog import pack_named
from companion.core.notation import Seat
from companion.tabletop.observations import Sighting
from companion.tabletop.zones import Outline, zone_at

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class ScannedView:
    """What lies on one board, on one seat's part of the mat, or anywhere in a picture."""

    sightings: tuple[Sighting, ...]
    """In millimetres where there are places; else in the picture's pixels."""
    places: Mapping[str, Outline] = field(default_factory=lambda: MappingProxyType({}))
    """The places in view, by their names; a seat's own without its letter."""
    owner: str = ""
    """The letter of the seat whose places they are; empty: everybody's, or nobody knows."""
    alike: tuple[str, ...] = ()
    """Other seats whose boards look just like it: it may be theirs."""
    unclear: frozenset[str] = frozenset()
    """Places that do not look bare, though nothing was read there."""
    size: tuple[float, float] | None = None
    """Width and height of the board; None: there is none, or it is the mat."""
    upside_down: bool = False
    """Its things lie the other way up, as for whoever sits at the far edge of a mat."""

    def beside(self, one: Sighting) -> bool:
        """Whether it lies beside the board: then it may belong to somebody else."""
        x, y = one.middle
        return self.size is not None and not (0 <= x <= self.size[0] and 0 <= y <= self.size[1])

    def place(self, one: Sighting) -> str:
        """The place it lies on; empty: on none."""
        return zone_at(self.places, one.middle) or ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something a picture can be taken of now, such as a settlement or the dice of a throw."""

    kind: str
    seat: Seat | None = None
    on_places: bool = False
    """Only places give it a meaning: a board or the mat must be in view."""

    @property
    def key(self) -> str:
        """How forms and addresses name it."""
        return self.kind if self.seat is None else f"{self.kind}.{self.seat}"


@dataclass(frozen=True, slots=True)
class ScannedFact:
    """One thing a picture says, in the game's notation."""

    line: str
    p: float
    """How sure that is."""
    books: str = ""
    """The same line as the books have it; empty: they know nothing of the kind yet."""


@dataclass(frozen=True, slots=True)
class Scanner(Generic[S]):
    """What a game's pictures mean. `S` is the game's state."""

    subjects: Callable[[S], tuple[Subject, ...]]
    """What a picture may be taken of as things stand."""
    read: Callable[[S, Subject, tuple[ScannedView, ...]], tuple[ScannedFact, ...]]
    """What pictures of a subject say; nothing if they do not show it."""
    words: Mapping[str, str]
    """What subjects are called, by their kind; `%(seat)s` is whose it is."""
    rounds: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Kinds that are scanned one after the other, and what such a round is called."""
    tell: Callable[[Any, str], str] | None = None
    """A line in few words, given who speaks; without it lines are retold as in the history."""


def scanner_of(game: str) -> Scanner[Any] | None:
    """None: nobody has taught the companion to read single pictures of that game."""
    scanner = pack_named(game).scan
    return None if scanner is None else scanner()
