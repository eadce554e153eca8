"""What a box keeps, how large it is, and what of it can be tidied away."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.service.keeping.recovery import ASIDE
from companion.service.keeping.rotation import FOLDER as BACKUPS
from companion.service.print_shop import FOLDER as PRINTED
from companion.service.restore import BEFORE

DAY_SECONDS = 24 * 60 * 60
MOST_DAYS = 3650


class StoredKind(StrEnum):
    """The kinds of things that lie in the data folder."""

    GAMES = "games"
    DECKS = "decks"
    DISPUTES = "disputes"
    CASES = "cases"
    BACKUPS = "backups"
    BEFORE_RESTORE = "before-restore"
    SET_ASIDE = "set-aside"
    SIMULATED = "simulated"
    PRINTED = "printed"
    OTHER = "other"


EVIDENCE = (StoredKind.DISPUTES, StoredKind.CASES)
"""Pictures of single plays, each in a folder of its own."""
LEFTOVERS = (StoredKind.BEFORE_RESTORE, StoredKind.SET_ASIDE, StoredKind.PRINTED)
"""What was there before a restore, journals that were laid aside, and sheets that can be drawn
again."""
_FOLDERS = {
    "decks": StoredKind.DECKS,
    "disputes": StoredKind.DISPUTES,
    "cases": StoredKind.CASES,
    BACKUPS: StoredKind.BACKUPS,
    BEFORE: StoredKind.BEFORE_RESTORE,
    ASIDE: StoredKind.SET_ASIDE,
    "simulated": StoredKind.SIMULATED,
    PRINTED: StoredKind.PRINTED,
}


@dataclass(frozen=True, slots=True)
class Stored:
    kind: StoredKind
    files: int
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Storage:
    items: tuple[Stored, ...]
    """Largest first; what is not there is left out."""
    free: int
    total: int

    @property
    def size(self) -> int:
        return sum(each.size for each in self.items)

    def of(self, kinds: Iterable[StoredKind]) -> int:
        return sum(each.size for each in self.items if each.kind in kinds)


def storage_of(data: Path) -> Storage:
    """What lies in a data folder; nothing of it is read."""
    found: dict[StoredKind, list[int]] = {}
    with suppress(OSError):
        for entry in sorted(data.iterdir()):
            sizes = found.setdefault(_kind(entry), [])
            sizes += _sizes(entry)
    items = [Stored(kind, len(sizes), sum(sizes)) for kind, sizes in found.items() if sizes]
    there = next(each for each in (data, *data.absolute().parents) if each.is_dir())
    room = shutil.disk_usage(there)
    ordered = sorted(items, key=lambda each: each.size, reverse=True)
    return Storage(tuple(ordered), room.free, room.total)


def _kind(entry: Path) -> StoredKind:
    if entry.name.startswith("journal.db"):
        return StoredKind.GAMES
    return _FOLDERS.get(entry.name, StoredKind.OTHER)


def _sizes(entry: Path) -> Iterator[int]:
    if entry.is_symlink() or not entry.is_dir():
        with suppress(OSError):
            yield entry.lstat().st_size
        return
    for folder, _, names in os.walk(entry):
        for name in names:
            with suppress(OSError):
                yield (Path(folder) / name).lstat().st_size


def old_evidence(data: Path, days: int, now: float | None = None) -> tuple[Path, ...]:
    """The folders of disputes and cases that nobody has touched for so many days."""
    if not 0 <= days <= MOST_DAYS:
        raise BadInput("days-out-of-range", N_("Choose 0 to %(most)s days."), most=MOST_DAYS)
    before = (time.time() if now is None else now) - days * DAY_SECONDS
    old = []
    for kind in EVIDENCE:
        with suppress(OSError):
            for each in sorted((data / kind.value).iterdir()):
                if each.is_dir() and not each.is_symlink() and each.stat().st_mtime <= before:
                    old.append(each)
    return tuple(old)


def tidy_evidence(data: Path, days: int, now: float | None = None) -> int:
    """Takes old evidence away; how many bytes that freed. No game is touched."""
    return _removed(old_evidence(data, days, now))


def tidy_leftovers(data: Path) -> int:
    """Takes away what no game needs: what was there before the last restore, and the like."""
    return _removed(data / each.value for each in LEFTOVERS)


def _removed(folders: Iterable[Path]) -> int:
    freed = 0
    for folder in folders:
        size = sum(_sizes(folder)) if folder.is_dir() else 0
        shutil.rmtree(folder, ignore_errors=True)
        freed += size if not folder.exists() else size - sum(_sizes(folder))
    return freed
