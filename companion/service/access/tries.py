"""Wrong codes cost time. A code of four digits has ten thousand values: what keeps it is that only
a few dozen can be tried in a day. The owner's code is longer, and there is no other way in for an
owner who is not at the box: guessing by others must not keep them out."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

FORGOTTEN_SECONDS = 24 * 3600.0
"""After so long without a wrong one, the count begins anew."""
MOST_ADDRESSES = 1000
"""Whose tries are counted at once; of more, the oldest is forgotten: the count of all goes on."""


@dataclass(frozen=True, slots=True)
class PauseRule:
    free: int
    """Wrong ones without a pause."""
    first_seconds: float
    """The first pause; each further one is twice as long."""
    longest_seconds: float

    def pause(self, wrong: int) -> float:
        over = wrong - self.free
        if over < 0:
            return 0.0
        return min(self.first_seconds * 2.0 ** min(over, 30), self.longest_seconds)


FROM_ONE_ADDRESS = PauseRule(free=5, first_seconds=10, longest_seconds=3600)
FROM_ALL = PauseRule(free=10, first_seconds=60, longest_seconds=3600)
"""For the table's code: whoever is slowed down by others' tries can scan the code instead."""
FROM_ALL_OWNERS = PauseRule(free=20, first_seconds=1, longest_seconds=10)
"""For the owner's code: a guesser with many addresses is slowed down, and an owner hardly."""
FROM_HERE = PauseRule(free=5, first_seconds=1, longest_seconds=2)
"""At the box itself, where nobody is ever locked out."""
HERE = "this machine"
"""The address of whoever sits at the box."""
MOST_WRITTEN = 30
WRITTEN_SECONDS = 600.0
"""So many names of devices are written down in that time, of one address; of all, ten times as
many. Each costs the card a write."""


@dataclass(frozen=True, slots=True)
class Tries:
    """What is remembered of wrong codes."""

    wrong: int = 0
    at: float = 0.0
    patience: PauseRule = FROM_ALL

    def wait(self, now: float) -> float:
        """Seconds until the next one is looked at."""
        return max(0.0, self.at + self.patience.pause(self.wrong) - now)

    def failed(self, now: float) -> Tries:
        old = self.wrong and now - self.at > FORGOTTEN_SECONDS
        return replace(self, wrong=1 if old else self.wrong + 1, at=now)


@dataclass
class Slowdown:
    """The tries of every address, and of all together. One lock guards it: the caller's."""

    all: Tries = Tries()
    each: OrderedDict[str, Tries] = field(default_factory=OrderedDict)

    def wait(self, address: str, now: float, *, known: bool = False) -> float:
        """What others tried counts for nothing at the box, nor for a device that has joined."""
        mine = self.each.get(address)
        own = 0.0 if mine is None else mine.wait(now)
        return own if known or address == HERE else max(self.all.wait(now), own)

    def failed(self, address: str, now: float) -> None:
        if address != HERE:
            self.all = self.all.failed(now)
        rule = FROM_HERE if address == HERE else FROM_ONE_ADDRESS
        mine = self.each.pop(address, Tries(patience=rule))
        self.each[address] = mine.failed(now)
        if len(self.each) > MOST_ADDRESSES:
            self.each.popitem(last=False)

    def succeeded(self, address: str) -> None:
        """Who knows the code may have mistyped it; what others tried still counts."""
        self.each.pop(address, None)


@dataclass
class Pace:
    """How often something may be done, by one address and by all. One lock guards it: the
    caller's."""

    most: int = MOST_WRITTEN
    seconds: float = WRITTEN_SECONDS
    done: OrderedDict[str, list[float]] = field(default_factory=OrderedDict)

    def may(self, address: str, now: float) -> bool:
        """Whether there is room for one more; then it is counted."""
        since = now - self.seconds
        for each in list(self.done):
            self.done[each] = [at for at in self.done[each] if at > since]
            if not self.done[each]:
                del self.done[each]
        mine = self.done.get(address, [])
        if len(mine) >= self.most or sum(map(len, self.done.values())) >= 10 * self.most:
            return False
        self.done[address] = [*mine, now]
        return True
