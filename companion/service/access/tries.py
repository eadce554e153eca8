"""Wrong codes cost time. A code of four digits has ten thousand values: what keeps it is that only
a few dozen can be tried in a day."""

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

    def wait(self, address: str, now: float) -> float:
        mine = self.each.get(address)
        return max(self.all.wait(now), 0.0 if mine is None else mine.wait(now))

    def failed(self, address: str, now: float) -> None:
        self.all = self.all.failed(now)
        mine = self.each.pop(address, Tries(patience=FROM_ONE_ADDRESS))
        self.each[address] = mine.failed(now)
        if len(self.each) > MOST_ADDRESSES:
            self.each.popitem(last=False)

    def succeeded(self, address: str) -> None:
        """Who knows the code may have mistyped it; what others tried still counts."""
        self.each.pop(address, None)
