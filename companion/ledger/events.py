"""What the log is made of: one event per confirmed fact. Actions are kept in their notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.names import on_one_line
from companion.tabletop.readings import ReadingRef

LONGEST_DEVICE_NAME = 40
"""Letters; fits on one line of a phone."""


class Source(StrEnum):
    """Where a proposal came from."""

    PAGE = "page"
    BUTTON = "button"
    CAMERA = "camera"
    RECORD = "record"
    MQTT = "mqtt"
    PHONE = "phone"  # a picture somebody took, and the reading of it that they took over


@dataclass(frozen=True, slots=True)
class Opened:
    """A game was set up; `rules` is the version of the game's rules it was opened under."""

    setup: Setup
    rules: int


@dataclass(frozen=True, slots=True)
class Did:
    action: str


@dataclass(frozen=True, slots=True)
class LetStood:
    """The table overruled the referee; `reasons` are the codes of what was overruled."""

    action: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retracted:
    """The last so many entries that still counted were taken back."""

    entries: int


Fact: TypeAlias = Opened | Did | LetStood | Retracted

_KINDS: Mapping[str, type[Fact]] = MappingProxyType(
    {"opened": Opened, "did": Did, "let-stood": LetStood, "retracted": Retracted}
)
_NAMES: Mapping[type[Fact], str] = MappingProxyType({each: name for name, each in _KINDS.items()})
_ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Link:
    """Where a fact came from, if the camera had a part in it."""

    because: ReadingRef | None = None
    """The reading it was made of, whoever entered it."""
    instead_of: ReadingRef | None = None
    """The reading people took back or rejected, and said this in its place. They may have said
    what another reading says: then there are both."""

    def __bool__(self) -> bool:
        return self.because is not None or self.instead_of is not None


NO_LINK = Link()


@dataclass(frozen=True, slots=True)
class Event:
    """A fact in its place: `based_on` is the event of the same game before it (0: none)."""

    seq: int
    game: int
    based_on: int
    at: str
    source: str
    fact: Fact
    link: Link = NO_LINK
    by: str = ""
    """The device it was entered on, as people named it; empty: nobody knows."""
    hash: str = ""
    """Over this event and all before it, as `chain` tells; empty until it is written."""

    @property
    def because(self) -> ReadingRef | None:
        return self.link.because

    @property
    def instead_of(self) -> ReadingRef | None:
        return self.link.instead_of

    @property
    def action(self) -> str:
        """What was done, in notation; empty for an event that is no entry."""
        return self.fact.action if isinstance(self.fact, Did | LetStood) else ""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A fact that is to be written: where it came from, and on which device it was entered."""

    fact: Fact
    link: Link = NO_LINK
    by: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody says this happened, having seen the log up to `based_on`, and because of what."""

    action: str
    based_on: int
    source: Source
    stand: bool = False  # the table wants it even if the referee objects
    link: Link = NO_LINK
    by: str = ""  # the device it was entered on


@dataclass(frozen=True, slots=True)
class Undo:
    based_on: int
    source: Source
    entries: int = 1
    link: Link = NO_LINK
    by: str = ""


@dataclass(frozen=True, slots=True)
class Redo:
    """Entries that were undone come back as they were, as long as nothing else was entered. In the
    log they are entries like any other."""

    based_on: int
    source: Source
    entries: int = 1
    by: str = ""


def device_name(text: str) -> str:
    """A name as people type it, made fit for the journal: one line, printable, not too long."""
    return on_one_line(text, LONGEST_DEVICE_NAME)


def encode(fact: Fact) -> tuple[str, str]:
    """Kind and body, as the journal keeps them."""
    return _NAMES[type(fact)], _ENCODER.encode(fact).decode()


def decode(kind: str, body: str) -> Fact:
    try:
        return msgspec.json.decode(body, type=_KINDS[kind])
    except KeyError:
        raise BadInput(
            "event-unknown-kind", N_("an event of unknown kind %(kind)s"), kind=repr(kind)
        ) from None
    except msgspec.MsgspecError as broken:
        raise BadInput(
            "body-event-broken",
            N_("the body of a %(kind)s event is broken: %(why)s"),
            kind=repr(kind),
            why=broken,
        ) from None
