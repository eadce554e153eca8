"""How a box brings a hub up to date, one step at a time. Nothing is remembered between the steps
but what the hub last said; so whatever breaks off in between, the next step begins where the hub
really is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

from companion.ledger.rows import Row
from companion.ledger.wire import WireEvent, wire_event
from companion.outbox.protocol import MOST_BYTES, MOST_EVENTS, At, Batch, Heard, Rewind


class Outbox(Protocol):
    """A journal, as far as it is needed here."""

    @property
    def box(self) -> str: ...

    def rows_since(self, seq: int, most: int) -> list[Row]: ...

    def last_row(self, seq: int = ...) -> Row | None: ...


class Hub(Protocol):
    """A hub, as far as it is needed here; it knows which box asks."""

    def heard(self) -> Heard: ...

    def heard_at(self, at: At) -> Heard: ...

    def send(self, batch: Batch) -> Heard: ...

    def rewind(self, rewind: Rewind) -> Heard: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step did: how far the hub has heard, and what was put aside on the way."""

    heard: Heard
    sent: int = 0
    rewound: bool = False
    """The hub had events that are not in this journal: it was restored from a backup."""


def step(outbox: Outbox, hub: Hub, known: Heard | None) -> Progress:
    """One request or a few; `sent` is 0 when the hub has everything."""
    heard = hub.heard() if known is None else known
    if not has(outbox, heard):
        common = common_point(outbox, hub, heard)
        beyond = outbox.rows_since(common.seq, 1)
        following = wire_event(beyond[0]).hash if beyond else ""
        return Progress(hub.rewind(Rewind(common, following)), rewound=True)
    events = _fitting(outbox, heard.seq)
    if not events:
        return Progress(heard)
    return Progress(hub.send(Batch(heard, events)), sent=len(events))


def has(outbox: Outbox, heard: Heard) -> bool:
    """Whether what the hub heard last is in this journal."""
    return heard == Heard() or _at(outbox, heard.seq) == heard


def common_point(outbox: Outbox, hub: Hub, heard: Heard) -> Heard:
    """The last event that both have. Each hash stands for everything before it, so up to some
    number the hub's events are ours, and beyond it none is: that number is found by halving."""
    ours, theirs_only, common = 0, heard.seq, Heard()
    while theirs_only - ours > 1:
        middle = (ours + theirs_only) // 2
        there = hub.heard_at(At(middle))
        if has(outbox, there):
            ours, common = middle, there
        else:
            theirs_only = middle
    return common


def _at(outbox: Outbox, seq: int) -> Heard:
    row = outbox.last_row(seq)
    if row is None:
        return Heard()
    event = wire_event(row)
    return Heard(event.seq, event.hash)


def _fitting(outbox: Outbox, seq: int) -> tuple[WireEvent, ...]:
    """The next events, as many as one batch may hold."""
    events: list[WireEvent] = []
    size = 0
    for event in map(wire_event, outbox.rows_since(seq, MOST_EVENTS)):
        size += len(msgspec.json.encode(event)) + 1
        if events and size > MOST_BYTES * 3 // 4:
            break
        events.append(event)
    return tuple(events)
