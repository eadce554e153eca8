"""What a box and a hub say to each other, by HTTPS, as JSON.

A box joins a club once with the club's key and is given a token of its own (`Joining`, `Joined`).
With it the box sends its events in batches (`Batch`), each behind the one before by the journal's
hash chain. The hub answers how far it has heard (`Heard`); a batch that it has already changes
nothing. A box that was restored from a backup finds the last event both have (`At`) and says that
it goes on from there (`Rewind`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.ledger.chain import genesis
from companion.ledger.wire import WireEvent

MOST_EVENTS = 500
"""Of one batch."""
MOST_BYTES = 4_000_000
"""Of one batch as JSON; a hub reads no more."""


@dataclass(frozen=True, slots=True)
class Heard:
    """How far a hub has heard of a box: its last event; 0 and nothing before the first."""

    seq: int = 0
    hash: str = ""

    def before_next(self, box: str) -> bytes:
        """What the next event's hash follows."""
        return bytes.fromhex(self.hash) if self.hash else genesis(box)


@dataclass(frozen=True, slots=True)
class Joining:
    """A box wants to belong to the club whose key it has."""

    box: str
    name: str
    token: str = field(default="", repr=False)
    """The one it had, if it belonged to this club before: proof that it is the same box."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The box's own token, told this once, and its club's name."""

    token: str
    club: str
    heard: Heard


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in order; `after` is what the box takes the hub to have."""

    after: Heard
    events: tuple[WireEvent, ...]


@dataclass(frozen=True, slots=True)
class At:
    """What the hub has at a number: the last event up to it."""

    seq: int


@dataclass(frozen=True, slots=True)
class Rewind:
    """The box goes on from `to`; what the hub has beyond it is no part of the box's journal."""

    to: Heard
    next: str = ""
    """The hash of what it will send next, if it has anything beyond: a hub that once put that
    aside knows that two copies of one journal are at work."""
