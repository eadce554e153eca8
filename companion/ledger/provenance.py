"""Where an entry made by hand came from. Asked once, at the referee's door: the event keeps the
answer, and nobody after it has to compare lines.

Whoever takes a reading of the camera says which one it is. People who type a line say nothing of
the kind, though the camera may have read the same, or they may have just undone or rejected what
it read. What the table knows at that moment is enough to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ledger.events import Link
from companion.ledger.session import Session
from companion.tabletop.readings import Reading, ReadingRef


@dataclass(frozen=True, slots=True)
class CurrentReadings:
    """What the camera reads while the log stands at `seq`, likeliest first, shown or not."""

    seq: int = -1
    readings: tuple[Reading, ...] = ()
    rejected: ReadingRef | None = None
    """What people said is not so."""

    def told(self, readings: tuple[Reading, ...], seq: int) -> CurrentReadings:
        """The camera has looked again. What was rejected stays so until the log moves on."""
        return CurrentReadings(seq, readings, self.rejected if seq == self.seq else None)

    def turned_down(self, seq: int, ref: ReadingRef | None = None) -> CurrentReadings:
        """People rejected the reading of that name; if there is none, what the camera reads."""
        if ref is not None:
            return replace(self if seq == self.seq else CurrentReadings(seq), rejected=ref)
        if seq != self.seq or not self.readings:
            return self
        return replace(self, rejected=self.readings[0].ref(0))


def link_by_hand(session: Session, action: str, current: CurrentReadings) -> Link:
    """Where an action comes from that people entered on this session without saying so."""
    read = _as_read(session, action, current)
    again = next((each for each in session.taken_back if each.action == action), None)
    if again is not None:
        return again.event.link if read is None else Link(because=read)
    replaced = _taken_back_here(session)
    if replaced is None and read is None and current.seq == session.seq:
        replaced = current.rejected
    return Link(read, replaced)


def _as_read(session: Session, action: str, current: CurrentReadings) -> ReadingRef | None:
    """The camera reads just that; or what it takes for likeliest begins or goes on with it."""
    if current.seq != session.seq:
        return _going_on(session, action, current)
    for each in current.readings:
        if each.lines == (action,) and not each.undo:
            return each.ref(0)
    first = next(iter(current.readings), None)
    begins = first is not None and first.lines[:1] == (action,) and not first.undo
    return first.ref(0) if first is not None and begins else None


def _going_on(session: Session, action: str, current: CurrentReadings) -> ReadingRef | None:
    """The next line of the reading that the last entry is a line of."""
    last = None if session.latest is None else session.latest.event.because
    if last is None or last.line is None:
        return None
    at = last.line + 1
    for each in current.readings:
        if each.id == last.reading and each.lines[at : at + 1] == (action,):
            return each.ref(at)
    return None


def _taken_back_here(session: Session) -> ReadingRef | None:
    """The reading whose entry was undone in the place that is filled next."""
    place = 1 if session.latest is None else session.latest.number + 1
    for each in session.taken_back:
        if each.number == place and each.event.link:
            return each.event.because or each.event.instead_of
    return None
