"""From looks to changes: a pure fold. Things are followed by where they lie; a change is told once,
when enough looks agree. Flicker, a passing hand, a shadow or a bumped table are no change.

A look counts one vote, a still picture after it half a vote: the gate says that nothing moved.
As long as nothing has stirred, what was seen stays: a look that misses or misreads it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.fusing import Evidence
from companion.spots import (
    apart,
    bump,
    hidden,
    one_each,
    one_to_one,
    paired,
    reach,
    shifted,
)
from companion.table import Observed, Quad, Sighting, TableChange, Thing, What

STILL, HANDS = "still", "hands"
BACK = "back"
STEADY = 0.5
"""Votes of a still picture that was not looked at anew, for what is there;"""
ABSENT = 0.1
"""and for what is not: things are overlooked more often than imagined."""
FOUND = 0.3
"""Finds less sure than this are shadows."""
UNREAD = 0.5
"""Finds that show no known face must be surer: lines of the mat look like cards, too."""
CLEAR = 0.8
"""Labels less probable than this never say that a known card is another one now."""
STILL_MAYBE = 0.03
"""How likely a look must hold the known card to be for it to be no other one."""
SURE = 0.97
"""From this probability on one look is as good as two."""
LONG = 4
"""So many times the usual votes, where looks could contradict and did not."""
PUSHED = 22.0
"""Millimetres a card is pushed at most without being taken up."""
STAYS_HIDDEN = 0.75
"""Share of a covered card that must lie under others to stay so: less would let it be seen."""
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
class Rival:
    """What seems to be true of a told thing now instead."""

    what: What
    sighting: Sighting
    evidence: Evidence
    votes: float


@dataclass(frozen=True, slots=True)
class Track:
    """A thing followed, told or not yet."""

    thing: Thing
    evidence: Evidence
    last: Sighting
    born: float
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


@dataclass(frozen=True, slots=True)
class Gone:
    track: Track
    at: float


@dataclass(frozen=True, slots=True)
class Memory:
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
        return not any(track.unsettled for track in self.tracks)


def settle(
    memory: Memory, observed: Observed, patience: Patience | None = None
) -> tuple[Memory, tuple[TableChange, ...]]:
    """One look more."""
    memory = _stirred(memory, observed)
    if observed.motion != STILL or (memory.settled and not observed.looked):
        return memory, ()
    return _Step(memory, observed, patience or Patience()).taken()


def _stirred(memory: Memory, observed: Observed) -> Memory:
    now = observed.taken_at
    if observed.motion == HANDS:
        return replace(memory, stirred_at=now)
    if observed.motion != STILL:
        return memory
    moved = now - memory.still_at > STIRRED_SECONDS
    return replace(memory, still_at=now, stirred_at=now if moved else memory.stirred_at)


class _Step:
    """The work of one look; it lives no longer than the call."""

    def __init__(self, memory: Memory, observed: Observed, patience: Patience) -> None:
        self.memory = memory
        self.now = observed.taken_at
        self.patience = patience
        self.weight = 1.0 if observed.looked else STEADY
        self.absence = 1.0 if observed.looked else ABSENT
        self.part = observed.part
        self.sightings = one_each(each for each in observed.sightings if each.found >= FOUND)
        self.things = memory.things
        self.changes: list[TableChange] = []
        self.gone = [each for each in memory.gone if self.now - each.at <= patience.return_seconds]

    def taken(self) -> tuple[Memory, tuple[TableChange, ...]]:
        tracks = self._unbumped()
        here = paired([track.thing for track in tracks], self.sightings)
        away = self._carried(tracks, here)
        free = [
            each
            for at, each in enumerate(self.sightings)
            if at not in here.values() and at not in away.values() and _is_something(each)
        ]
        fresh = [self._born(each) for each in free]
        over = [track.last.quad for track in fresh]
        after: list[Track] = []
        for at, track in enumerate(tracks):
            if at in here:
                after += self._seen(track, self.sightings[here[at]])
            elif at in away:
                after += self._elsewhere(track, self.sightings[away[at]])
            else:
                newer = [
                    each.last.quad
                    for other, each in enumerate(tracks)
                    if other in here and each.born > track.seen_at
                ]
                after += self._missed(track, (*over, *newer))
        after += [each for track in fresh for each in self._ripe(track)]
        told = self.memory.changes + len(self.changes)
        memory = replace(
            self.memory,
            tracks=tuple(after),
            gone=tuple(self.gone),
            things=self.things,
            changes=told,
        )
        return memory, tuple(self.changes)

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
        evidence = Evidence().heard(sighting.odds)
        thing = Thing(0, sighting.kind, evidence.odds, sighting.quad, sighting.turn, self.now)
        return Track(thing, evidence, sighting, self.now, self.now, self.now, votes=self.weight)

    def _ripe(self, track: Track) -> list[Track]:
        """Told, once there are votes enough."""
        # One unclear look imagines things; a second one, or a long time, does not.
        alone = track.evidence.looks < 2 and track.thing.p < SURE
        if track.votes < self.patience.appear * (LONG if alone else 1):
            return [track]
        back = self._came_back(track)
        if back is not None:
            self._tell(What.WITHDRAWN, back.thing)
            return [back]
        self.things += 1
        thing = replace(track.thing, number=self.things, since=self.now)
        self._tell(What.APPEARED, thing)
        return [replace(track, thing=thing, told=True)]

    def _came_back(self, track: Track) -> Track | None:
        """What had gone from this spot a moment ago was never gone: a sleeve lay over it."""
        for gone in self.gone:
            was = gone.track
            if (
                apart(was.thing.middle, track.thing.middle) <= reach(track.thing.kind)
                and was.thing.kind == track.thing.kind
                and was.thing.label == track.thing.label
            ):
                self.gone.remove(gone)
                return replace(was, last=track.last, seen_at=self.now, missed=0.0, rival=None)
        return None

    # -- known things ----------------------------------------------------------------------

    def _seen(self, track: Track, sighting: Sighting) -> list[Track]:
        """There is something where it lies."""
        track = replace(track, seen_at=self.now, missed=0.0)
        new = sighting != track.last
        if not track.told:
            evidence = track.evidence.heard(sighting.odds) if new else track.evidence
            thing = replace(track.thing, odds=evidence.odds, quad=sighting.quad, turn=sighting.turn)
            votes = track.votes + self.weight
            return self._ripe(
                replace(track, thing=thing, evidence=evidence, last=sighting, votes=votes)
            )
        what = _differs(track.thing, sighting)
        if what is not None and (what is not What.APPEARED or self._may_be_another(track)):
            return self._rivalled(track, what, sighting)
        evidence = track.evidence.heard(sighting.odds) if new else track.evidence
        thing = replace(track.thing, odds=evidence.odds, quad=sighting.quad, covered=False)
        known_at = self.now if sighting.label == thing.label else track.known_at
        return [
            replace(
                track,
                thing=thing,
                evidence=evidence,
                last=sighting,
                known_at=known_at,
                rival=None,
            )
        ]

    def _may_be_another(self, track: Track) -> bool:
        """Nobody lays a card on another while nothing stirs."""
        return self.memory.stirred_at > track.known_at

    def _elsewhere(self, track: Track, sighting: Sighting) -> list[Track]:
        """It is gone from its place, and its like lies where there was nothing."""
        what = What.ROLLED if track.thing.kind == "die" else What.MOVED
        return self._rivalled(replace(track, missed=0.0), what, sighting)

    def _rivalled(self, track: Track, what: What, sighting: Sighting) -> list[Track]:
        rival = track.rival
        if rival is None or rival.what is not what or not _same(rival.sighting, sighting):
            rival = Rival(what, sighting, Evidence().heard(sighting.odds), 0.0)
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
        thing = replace(before, odds=evidence.odds, quad=seen.quad, turn=seen.turn, covered=False)
        self._tell(rival.what, thing, before)
        track = replace(track, thing=thing, evidence=evidence, last=seen, rival=None)
        return [replace(track, seen_at=self.now, known_at=self.now)]

    def _missed(self, track: Track, newer: Sequence[Quad]) -> list[Track]:
        """It was not seen."""
        if not self._looked_at(track.thing):
            return [track]
        if not track.told:
            votes = track.votes - self.weight
            return [replace(track, votes=votes)] if votes > 0 else []
        under = hidden(track.thing.quad, newer)
        if under or (track.thing.covered and self._still_covered(track)):
            thing = replace(track.thing, covered=True)
            return [replace(track, thing=thing, missed=0.0, rival=None)]
        if self.memory.stirred_at <= track.seen_at:  # it lay there, and nothing has stirred since
            return [replace(track, missed=0.0, rival=None)]
        missed = track.missed + self.absence
        if missed < self.patience.vanish:
            return [replace(track, missed=missed, rival=None)]
        short = self.now - track.thing.since <= self.patience.withdraw_seconds
        self._tell(What.WITHDRAWN if short else What.VANISHED, track.thing, track.thing)
        self.gone.append(Gone(track, self.now))
        return []

    def _looked_at(self, thing: Thing) -> bool:
        if self.part is None:
            return True
        (x, y), (left, top, right, bottom) = thing.middle, self.part
        return left <= x <= right and top <= y <= bottom

    def _still_covered(self, track: Track) -> bool:
        over = [each.quad for each in self.sightings if each.kind == track.thing.kind]
        return hidden(track.thing.quad, over, STAYS_HIDDEN)

    def _carried(self, tracks: Sequence[Track], here: dict[int, int]) -> dict[int, int]:
        """Told things that are not where they lay, by where their like is seen now."""
        taken = set(here.values())
        pairs = sorted(
            (apart(track.thing.middle, each.middle), i, j)
            for i, track in enumerate(tracks)
            for j, each in enumerate(self.sightings)
            if i not in here
            and j not in taken
            and self.memory.stirred_at > track.seen_at
            and _alike(track, each)
            and not (self.patience.copies and _laid_over(track.thing, each))
        )
        return one_to_one((i, j) for _, i, j in pairs)


def _is_something(sighting: Sighting) -> bool:
    return sighting.label is not None or sighting.found >= UNREAD


def _alike(track: Track, sighting: Sighting) -> bool:
    if not track.told or track.thing.covered or track.thing.kind != sighting.kind:
        return False
    if sighting.kind == "die":
        return True
    sure = sighting.p >= 0.5 and track.thing.p >= 0.5
    return sure and sighting.label is not None and sighting.label == track.thing.label


def _laid_over(thing: Thing, sighting: Sighting) -> bool:
    """Its like covers it, further away than a card is pushed."""
    far = apart(thing.middle, sighting.middle) > PUSHED
    return far and thing.kind == "card" and hidden(thing.quad, [sighting.quad])


def _differs(thing: Thing, sighting: Sighting) -> What | None:
    """What a look says of a known thing that is not so in memory."""
    if sighting.label != thing.label:
        clear = sighting.label is not None and sighting.p >= CLEAR
        maybe = dict(sighting.odds).get(thing.label or "", 0.0)
        if not clear or maybe >= STILL_MAYBE or thing.likely(sighting.label or "") >= 0.2:
            return None
        if thing.kind == "die":
            return What.ROLLED
        if is_back(thing.label) != is_back(sighting.label):
            return What.FLIPPED
        return What.APPEARED
    turned = sighting.turn != thing.turn and sighting.p >= CLEAR and thing.kind == "card"
    return What.TURNED if turned else None


def is_back(label: str | int | None) -> bool:
    return isinstance(label, str) and (label == BACK or label.endswith(f"-{BACK}"))


def _same(one: Sighting, other: Sighting) -> bool:
    near = apart(one.middle, other.middle) <= reach(one.kind)
    return near and one.label == other.label and one.turn == other.turn
