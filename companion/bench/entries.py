"""How many entries a busy table makes by hand, beside what is aimed at. Nothing is timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.core.catalog import packs


@dataclass(frozen=True, slots=True)
class EntryCount:
    name: str
    count: int
    aim: int | None = None  # None: it is only told

    @property
    def met(self) -> bool:
        return self.aim is None or self.count <= self.aim


EntryCounts: TypeAlias = Callable[[], Iterator[EntryCount]]


def count_entries() -> Iterator[EntryCount]:
    """Of every game that counts them."""
    for pack in packs().values():
        if pack.entries is not None:
            yield from pack.entries()()
