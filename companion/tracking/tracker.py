"""From looks to changes: a pure fold. Things are followed by where they lie; a change is told once,
when enough looks agree. Flicker, a passing hand, a shadow or a bumped table are no change.

A look counts one vote, a still picture after it half a vote: the gate says that nothing moved.
As long as nothing has stirred, what was seen stays: a look that misses or misreads it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.tabletop.geometry import apart, bump, hidden, one_each, reach, shifted
from companion.tabletop.observations import (
    Motion,
    Observed,
    Quad,
    Sighting,
    TableChange,
    Thing,
    What,
)
from companion.tracking.fusion import FusedOdds
from companion.tracking.matching import (
    SURE,
    covers,
    differs,
    faint,
    is_something,
    one_name_each,
    plainly,
    same,
)
from companion.tracking.pairing import Pairs, pair_up
from companion.tracking.tracks import Gone, Rival, Track

STEADY = 0.5
"""Votes of a still picture that was not looked at anew, for what is there;"""
ABSENT = 0.1
"""and for what is not: things are overlooked more often than imagined."""
FOUND = 0.3
"""Finds less sure than this are shadows."""
LONG = 4
"""So many times the usual votes, where looks could contradict and did not."""
COVERED = 0.7
"""Share of a card under newer ones from which on it may be there unseen; of less covered cards an
eye sees enough to tell."""
STIRRED_SECONDS = 0.7
"""A table that was not still for so long was stirred: an eye that only looks anew is quicker."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many votes it takes, and how long a change can be withdrawn."""

    appear: float = 2.0
    vanish: float = 3.0
    withdraw_seconds: float = 2.5
    return_seconds: float = 3.0
    """What comes back to its spot so soon had only been overlooked."""
    bump: float = 45.0
    """Millimetres a bumped table shifts at most."""
    copies: bool = False
    """Whether the deck has cards that look alike: then one may be laid over its like."""


@dataclass(frozen=True, slots=True)
class TrackerMemory:
    tracks: tuple[Track, ...] = ()
    gone: tuple[Gone, ...] = ()
    """What vanished a moment ago and may come back."""
    things: int = 0
    changes: int = 0
    still_at: float = field(default=float("-inf"), compare=False)
    stirred_at: float = field(default=float("-inf"), compare=False)
    """When hands or anything else last moved there: only then can a thing come to lie elsewhere."""

    @property
    def table(self) -> tuple[Thing, ...]:
        """What lies there for sure, in the order it came."""
        return tuple(track.thing for track in self.tracks if track.told)

    @property
    def settled(self) -> bool:
        """Whether nothing seen waits for more votes; else another look helps."""
        return not any(track.awaited for track in self.tracks)


def track(
    memory: TrackerMemory, observed: Observed, patience: Patience | None = None
) -> tuple[TrackerMemory, tuple[TableChange, ...]]:
    """One look more."""
    memory = _stirred(memory, observed)
    open_end = any(track.unsettled for track in memory.tracks)
    if observed.motion is not Motion.STILL or not (open_end or observed.looked):
        return memory, ()
    return _Step(memory, observed, patience or Patience()).taken()


def _stirred(memory: TrackerMemory, observed: Observed) -> TrackerMemory:
    now = observed.taken_at
    if observed.motion is Motion.HANDS:
        return replace(memory, stirred_at=now)
    if observed.motion is not Motion.STILL:
        return memory
    moved = now - memory.still_at > STIRRED_SECONDS
    return replace(memory, still_at=now, stirred_at=now if moved else memory.stirred_at)


class _Step:
    """The work of one look; it lives no longer than the call."""

    def __init__(self, memory: TrackerMemory, observed: Observed, patience: Patience) -> None:
        self.memory = memory
        self.now = observed.taken_at
        self.patience = patience
        self.weight = 1.0 if observed.looked else STEADY
        self.absence = 1.0 if observed.looked else ABSENT
        self.part = observed.part
        seen = [each for each in observed.sightings if each.found >= FOUND]
        self.under = {each.label: each for each in seen if each.under}
        sightings = one_each(each for each in seen if not each.under)
        self.sightings = sightings if patience.copies else one_name_each(sightings, memory.table)
        self.things = memory.things
        self.changes: list[TableChange] = []
        self.gone = [each for each in memory.gone if self.now - each.at <= patience.return_seconds]

    def taken(self) -> tuple[TrackerMemory, tuple[TableChange, ...]]:
        tracks = self._unbumped()
        copies, stirred_at = self.patience.copies, self.memory.stirred_at
        pairs = pair_up(tracks, self.sightings, stirred_at, copies=copies)
        fresh = [self._born(each) for each in pairs.free]
        over = [track.last.quad for track in fresh if covers(track.last)]
        after: list[Track] = []
        for at, track in enumerate(tracks):
            newer = _newer(track, [tracks[other] for other in pairs.here])
            after += self._followed(at, track, pairs, (*over, *newer))
        after += [each for track in fresh for each in self._ripe(track)]
        told = self.memory.changes + len(self.changes)
        memory = replace(self.memory, tracks=tuple(after), gone=tuple(self.gone))
        return replace(memory, things=self.things, changes=told), tuple(self.changes)

    def _followed(self, at: int, track: Track, pairs: Pairs, newer: Sequence[Quad]) -> list[Track]:
        """What has become of one thing: carried away, seen, peeping out from under another, or
        missed. `newer` is where things lie that may hide it."""
        partly = at in pairs.partly
        if at in pairs.away:
            return self._elsewhere(track, pairs.away[at])
        if at in pairs.here and not self._left_bare(track, pairs.here[at], partly=partly):
            return self._seen(track, pairs.here[at], partly=partly)
        if self._is_under(track):
            return self._beneath(track, self.under[track.thing.label])
        return self._missed(track, newer)

    def _unbumped(self) -> tuple[Track, ...]:
        """Tracks where they are after a bump."""
        tracks = self.memory.tracks
        told = [track.thing for track in tracks if track.told]
        by = bump(told, self.sightings, self.patience.bump)
        if by is None:
            return tracks
        return tuple(
            replace(track, thing=replace(track.thing, quad=shifted(track.thing.quad, by)))
            for track in tracks
        )

    def _tell(self, what: What, thing: Thing, before: Thing | None = None) -> None:
        number = self.memory.changes + len(self.changes) + 1
        self.changes.append(TableChange(number, self.now, what, thing, before))

    # -- new things ------------------------------------------------------------------------

    def _born(self, sighting: Sighting) -> Track:
        evidence = FusedOdds().heard(sighting.odds)
        thing = Thing(0, sighting.kind, evidence.odds, sighting.quad, sighting.turn, self.now)
        return Track(thing, evidence, sighting, self.now, self.now, self.now, votes=self.weight)

    def _ripe(self, track: Track) -> list[Track]:
        """Told, once there are votes enough."""
        # One unclear look imagines things; a second one, or a long time, does not.
        alone = track.evidence.looks < 2 and track.thing.p < SURE
        alone |= faint(track.last)
        gone = self._gone_from(track)
        # While nothing stirs, one look that sees it again is no better than those that did not.
        alone |= gone is not None and track.evidence.looks < 2 and self._quiet_since(gone)
        if track.votes < self.patience.appear * (LONG if alone else 1):
            return [track]
        if gone is not None:
            self.gone.remove(gone)
            back = replace(gone.track, last=track.last, seen_at=self.now, missed=0.0, rival=None)
            self._tell(What.WITHDRAWN, back.thing)
            return [back]
        self.things += 1
        thing = replace(track.thing, number=self.things, since=self.now)
        self._tell(What.APPEARED, thing)
        return [replace(track, thing=thing, told=True)]

    def _gone_from(self, track: Track) -> Gone | None:
        """What had gone from this spot a moment ago was never gone: a sleeve lay over it."""
        for gone in self.gone:
            was = gone.track
            if (
                apart(was.thing.middle, track.thing.middle) <= reach(track.thing.kind)
                and was.thing.kind == track.thing.kind
                and was.thing.label == track.thing.label
            ):
                return gone
        return None

    def _quiet_since(self, gone: Gone) -> bool:
        return self.memory.stirred_at <= gone.at

    # -- known things ----------------------------------------------------------------------

    def _seen(self, track: Track, sighting: Sighting, *, partly: bool) -> list[Track]:
        """There is something where it lies; `partly`: newer things lie over some of it."""
        track = replace(track, seen_at=self.now, missed=0.0)
        if not track.told:
            return self._voted_for(track, sighting)
        evidence = _heard(track, sighting)
        if partly and sighting.label == track.thing.label:  # of half a card only the face is sure
            sighting = replace(sighting, quad=track.thing.quad, turn=track.thing.turn)
        what = differs(track.thing, sighting)
        stirred = self.memory.stirred_at > track.known_at
        # Nobody lays a card on another while nothing stirs, and hardly under a newer one.
        may_be_another = stirred and (sighting.p >= SURE or not partly)
        if what is not None and (what is not What.APPEARED or may_be_another):
            return self._rivalled(track, what, sighting)
        if stirred and track.thing.p >= SURE and not plainly(track.thing, sighting):
            thing = replace(track.thing, covered=track.thing.covered and sighting.label is None)
            return [replace(track, thing=thing, last=sighting, rival=None)]
        thing = replace(track.thing, odds=evidence.odds, quad=sighting.quad, covered=False)
        known_at = self.now if sighting.label == thing.label else track.known_at
        track = replace(track, thing=thing, evidence=evidence, last=sighting)
        return [replace(track, known_at=known_at, rival=None)]

    def _voted_for(self, track: Track, sighting: Sighting) -> list[Track]:
        """One look more at something that is not told yet."""
        evidence = _heard(track, sighting)
        thing = replace(track.thing, odds=evidence.odds, quad=sighting.quad, turn=sighting.turn)
        votes = track.votes + (self.weight if is_something(sighting) else 0.0)
        track = replace(track, thing=thing, evidence=evidence, last=sighting, votes=votes)
        return self._ripe(track)

    def _left_bare(self, track: Track, seen: Sighting, *, partly: bool) -> bool:
        """What was plain to read does not become unreadable unless it is covered: it has gone, and
        the bare table looks like something."""
        plain = track.told and track.thing.kind == "card" and track.thing.p >= SURE
        stirred = self.memory.stirred_at > track.known_at
        return plain and stirred and seen.label is None and not (partly and covers(seen))

    def _elsewhere(self, track: Track, sighting: Sighting) -> list[Track]:
        """It is gone from its place, and its like lies where there was nothing."""
        what = What.ROLLED if track.thing.kind == "die" else What.MOVED
        return self._rivalled(replace(track, missed=0.0), what, sighting)

    def _is_under(self, track: Track) -> bool:
        """Whether it is a card that exists once, and peeps out from under another."""
        return track.told and not self.patience.copies and track.thing.label in self.under

    def _beneath(self, track: Track, sighting: Sighting) -> list[Track]:
        if apart(track.thing.middle, sighting.middle) > reach(track.thing.kind):
            return self._elsewhere(track, sighting)
        return [replace(track, seen_at=self.now, missed=0.0, rival=None)]

    def _rivalled(self, track: Track, what: What, sighting: Sighting) -> list[Track]:
        rival = track.rival
        if rival is None or rival.what is not what or not same(rival.sighting, sighting):
            rival = Rival(what, sighting, FusedOdds().heard(sighting.odds), 0.0)
        elif sighting != rival.sighting:
            rival = replace(rival, sighting=sighting, evidence=rival.evidence.heard(sighting.odds))
        rival = replace(rival, votes=rival.votes + self.weight)
        # One misread look is no other card: it takes a second one, or nothing that contradicts
        # it for long.
        alone = rival.evidence.looks < 2 and rival.sighting.p < SURE
        if rival.votes < self.patience.appear * (LONG if alone else 1):
            return [replace(track, rival=rival)]
        return self._changed(track, rival)

    def _changed(self, track: Track, rival: Rival) -> list[Track]:
        before, seen = track.thing, rival.sighting
        if rival.what is What.APPEARED:  # another card lies on it
            over = self._born(seen)
            over = replace(over, evidence=rival.evidence, votes=self.patience.appear)
            hidden = replace(track, thing=replace(before, covered=True), rival=None)
            return [hidden, *self._ripe(over)]
        evidence = rival.evidence
        if rival.what in (What.MOVED, What.TURNED):  # still the same face, now seen again
            evidence = track.evidence.heard(seen.odds)
        thing = replace(
            before, odds=evidence.odds, quad=seen.quad, turn=seen.turn, covered=seen.under
        )
        self._tell(rival.what, thing, before)
        track = replace(track, thing=thing, evidence=evidence, last=seen, rival=None)
        laid_at = self.now if rival.what is What.MOVED else track.laid_at
        return [replace(track, laid_at=laid_at, seen_at=self.now, known_at=self.now)]

    def _missed(self, track: Track, newer: Sequence[Quad]) -> list[Track]:
        """It was not seen."""
        if not self._looked_at(track.thing):
            return [track]
        if not track.told:
            votes = track.votes - self.weight
            return [replace(track, votes=votes)] if votes > 0 else []
        under = hidden(track.thing.quad, newer, COVERED)
        if under:
            thing = replace(track.thing, covered=True)
            return [replace(track, thing=thing, missed=0.0, rival=None)]
        if not self._stirred_since(track):  # it lay there, and nothing has stirred since
            return [replace(track, missed=0.0, rival=None)]
        missed = track.missed + self.absence
        if missed < self.patience.vanish:
            return [replace(track, missed=missed, rival=None)]
        short = self.now - track.thing.since <= self.patience.withdraw_seconds
        self._tell(What.WITHDRAWN if short else What.VANISHED, track.thing, track.thing)
        self.gone.append(Gone(track, self.now))
        return []

    def _stirred_since(self, track: Track) -> bool:
        return self.memory.stirred_at > track.seen_at

    def _looked_at(self, thing: Thing) -> bool:
        if self.part is None:
            return True
        (x, y), (left, top, right, bottom) = thing.middle, self.part
        return left <= x <= right and top <= y <= bottom


def _newer(track: Track, others: Iterable[Track]) -> list[Quad]:
    """Where things lie that came after the track was last known for what it is."""
    return [each.last.quad for each in others if each.laid_at > track.known_at]


def _heard(track: Track, sighting: Sighting) -> FusedOdds:
    """What all looks say; the same sighting again is no further look."""
    return track.evidence if sighting == track.last else track.evidence.heard(sighting.odds)
