"""What was seen on the table: words that tracking, reading and the page share; no pixels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.tabletop import polygons

Corner = polygons.Corner
Quad = polygons.Quad
Odds = tuple[tuple[str | int, float], ...]
Box = polygons.Box


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card or die. The quad begins at the face's top left corner and runs clockwise."""

    kind: str
    label: str | int | None
    p: float
    """Probability of the label; where there is none, of being a card or a die at all."""
    quad: Quad
    turn: int = 0
    """Quarter turns of the face against the table's own up, in degrees."""
    others: tuple[tuple[str | int, float], ...] = ()
    """What else it may be."""
    found: float = 1.0
    """How sure the finder was that something is there."""
    under: bool = False
    """Only a rim of it is in view, from under another card."""

    @property
    def middle(self) -> Corner:
        return polygons.middle_of(self.quad)

    @property
    def odds(self) -> Odds:
        """Every label it may show, likeliest first; what is missing to 1 is none of these."""
        named = () if self.label is None else ((self.label, self.p),)
        return tuple(sorted((*named, *self.others), key=lambda each: -each[1]))


class Motion(StrEnum):
    """What happens on the table while it is looked at."""

    STILL = "still"
    MOVING = "moving"
    HANDS = "hands"
    """Somebody reaches in."""


class Observed(Protocol):
    """One look at the table, whoever looked: sightings in the mat's millimetres."""

    @property
    def number(self) -> int: ...
    @property
    def taken_at(self) -> float: ...
    @property
    def motion(self) -> Motion: ...

    @property
    def sightings(self) -> tuple[Sighting, ...]: ...
    @property
    def part(self) -> Box | None:
        """What of the table was looked at anew; None if it was all of it."""
        ...

    @property
    def looked(self) -> bool:
        """Whether anything was looked at anew; else the sightings are those of before."""
        ...


# What has settled


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that lies on the table for sure. It keeps its number while it is moved about."""

    number: int
    kind: str
    odds: Odds
    """What it may be, over all looks so far, likeliest first; the rest is none of these."""
    quad: Quad
    turn: int = 0
    since: float = 0.0
    covered: bool = False
    """Something was laid over it."""

    @property
    def label(self) -> str | int | None:
        return self.odds[0][0] if self.odds else None

    @property
    def p(self) -> float:
        return self.odds[0][1] if self.odds else 0.0

    @property
    def middle(self) -> Corner:
        return polygons.middle_of(self.quad)

    def likely(self, label: str | int) -> float:
        return next((p for each, p in self.odds if each == label), 0.0)


class What(StrEnum):
    APPEARED = "appeared"
    VANISHED = "vanished"
    MOVED = "moved"
    TURNED = "turned"
    FLIPPED = "flipped"
    ROLLED = "rolled"
    WITHDRAWN = "withdrawn"
    """It had just come or gone and is as before."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """Something happened on the table. `before` is the thing as it was, if it was there."""

    number: int
    at: float
    what: What
    thing: Thing
    before: Thing | None = None

    @property
    def by(self) -> int:
        """Degrees turned clockwise: 0, 90, 180 or 270."""
        return 0 if self.before is None else (self.thing.turn - self.before.turn) % 360
