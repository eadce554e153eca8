"""Where an entry made by hand came from. Asked once, at the referee's door: the event keeps the
answer, and nobody after it has to compare lines.

Whoever takes a reading of the camera says which one it is. People who type a line say nothing of
the kind, though the camera may have read the same, or they may have just undone or rejected what
it read. What the table knows at that moment is enough to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ledger.events import NO_LINK, Link
from companion.ledger.session import Session
from companion.tabletop.readings import Reading, ReadingRef


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera reads while the log stands at `seq`, likeliest first, shown or not."""

    seq: int = -1
    readings: tuple[Reading, ...] = ()
    rejected: ReadingRef | None = None
    """What people said is not so."""

    def told(self, readings: tuple[Reading, ...], seq: int) -> Seen:
        """The camera has looked again. What was rejected stays so until the log moves on."""
        return Seen(seq, readings, self.rejected if seq == self.seq else None)

    def turned_down(self, seq: int, ref: ReadingRef | None = None) -> Seen:
        """People rejected the reading of that name; if there is none, what the camera reads."""
        if ref is not None:
            return replace(self if seq == self.seq else Seen(seq), rejected=ref)
        if seq != self.seq or not self.readings:
            return self
        return replace(self, rejected=self.readings[0].ref(0))


def link_by_hand(session: Session, action: str, seen: Seen) -> Link:
    """Where an action comes from that people entered on this session without saying so."""
    read = _as_read(session, action, seen)
    if read is not None:
        return Link(because=read)
    again = next((each for each in session.taken_back if each.action == action), None)
    if again is not None:
        return again.event.link
    replaced = _in_whose_place(session, seen)
    return NO_LINK if replaced is None else Link(instead_of=replaced)


def _as_read(session: Session, action: str, seen: Seen) -> ReadingRef | None:
    """The camera reads just that, alone or as the first or next line of several."""
    if seen.seq == session.seq:
        fitting = [each for each in seen.readings if each.lines[:1] == (action,) and not each.undo]
        best = min(fitting, key=lambda each: len(each.lines) > 1, default=None)
        return None if best is None else best.ref(0)
    last = None if session.latest is None else session.latest.event.because
    if last is None or last.line is None:
        return None
    for each in seen.readings:
        if each.id == last.reading and each.lines[last.line + 1 : last.line + 2] == (action,):
            return each.ref(last.line + 1)
    return None


def _in_whose_place(session: Session, seen: Seen) -> ReadingRef | None:
    """The reading whose entry was undone where this one now goes, or that was rejected here."""
    place = 1 if session.latest is None else session.latest.number + 1
    for each in session.taken_back:
        if each.number == place and each.event.link:
            return each.event.because or each.event.instead_of
    return seen.rejected if seen.seq == session.seq else None
