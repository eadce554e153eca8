"""Things followed on the table: told or not yet, what speaks against them, and what has gone."""

from __future__ import annotations

from dataclasses import dataclass

from companion.tabletop.observations import Sighting, Thing, What
from companion.tracking.fusion import FusedOdds
from companion.tracking.matching import faint


@dataclass(frozen=True, slots=True)
class Rival:
    """What seems to be true of a told thing now instead."""

    what: What
    sighting: Sighting
    evidence: FusedOdds
    votes: float


@dataclass(frozen=True, slots=True)
class Track:
    """A thing followed, told or not yet."""

    thing: Thing
    evidence: FusedOdds
    last: Sighting
    laid_at: float
    """When it came to lie where it lies."""
    seen_at: float
    known_at: float
    """When a look last showed it as what it is."""
    told: bool = False
    votes: float = 0.0
    missed: float = 0.0
    rival: Rival | None = None

    @property
    def unsettled(self) -> bool:
        return not self.told or self.missed > 0 or self.rival is not None

    @property
    def awaited(self) -> bool:
        """Whether it is worth waiting for: nothing waits for what may be grain."""
        return self.unsettled and (self.told or not faint(self.last))


@dataclass(frozen=True, slots=True)
class Gone:
    track: Track
    at: float
