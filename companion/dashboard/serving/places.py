"""How many may be in at once: in all, and from one address. Pure counting."""

from __future__ import annotations

import threading
from collections import Counter

THIS_MACHINE = frozenset({"127.0.0.1", "::1"})
"""Its own browsers, and a proxy that stands before it for everybody: limited only in all."""


class Places:
    """Taken and left from any thread."""

    def __init__(self, most: int, from_one_address: int) -> None:
        self.most = most
        self.from_one_address = from_one_address
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._all = 0

    @property
    def taken(self) -> int:
        return self._all

    def full(self) -> bool:
        """Whether there is no place for anybody, not only for one address."""
        return self._all >= self.most

    def take(self, address: str) -> bool:
        """Whether there was a place; it is taken then."""
        with self._lock:
            alone = address not in THIS_MACHINE
            if self.full() or (alone and self._taken[address] >= self.from_one_address):
                return False
            self._taken[address] += 1
            self._all += 1
            return True

    def leave(self, address: str) -> None:
        with self._lock:
            self._all -= 1
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]
