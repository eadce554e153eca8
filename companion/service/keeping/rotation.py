"""Automatic backups: one a day, of which the last seven and one a week for four weeks are kept; in
the data folder, and on a memory stick if one is there.

A backup of a journal that is not sound takes no sound one's place: of those only the newest is
kept, beside the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from companion.foundation.errors import BackupDamaged, BadInput
from companion.foundation.ownership import give
from companion.service.backup import Manifest, back_up, opened, read_items

FOLDER = "backups"
STICK_FOLDER = "table-companion"
DAYS = 7
WEEKS = 4
_NAME = re.compile(r"companion-(\d{4}-\d{2}-\d{2})\.zip", re.ASCII)
MOUNTS = Path("/proc/self/mounts")
_STICKS = ("/media/", "/run/media/", "/mnt/")
"""Below these lie sticks that people plug in."""


@dataclass(frozen=True, slots=True)
class KeptBackup:
    """An automatic backup, newest first in every list."""

    file: Path
    day: date
    sound: bool = True
    """Whether its journal was as it was written when it was made."""


def backups_in(folder: Path) -> list[KeptBackup]:
    """Those that lie in a folder; none if it is not there."""
    found = []
    with suppress(OSError):
        for file in folder.iterdir():
            day = _day(file.name)
            if day is not None:
                found.append(KeptBackup(file, day, _is_sound(file)))
    return sorted(found, key=lambda each: each.day, reverse=True)


def _day(name: str) -> date | None:
    named = _NAME.fullmatch(name)
    try:
        return None if named is None else date.fromisoformat(named[1])
    except ValueError:
        return None


def _is_sound(file: Path) -> bool:
    """As it says itself; one that says nothing is not. One that cannot be read just now may be."""
    try:
        with opened(file) as (manifest, _):
            return manifest.sound
    except BackupDamaged:
        return False
    except BadInput:
        return True


def worth_keeping(days: Iterable[date]) -> set[date]:
    """The last seven days that have a backup, and the newest of each of the last four weeks."""
    ordered = sorted(set(days), reverse=True)
    newest_of_week: dict[tuple[int, int], date] = {}
    for day in ordered:
        newest_of_week.setdefault(day.isocalendar()[:2], day)
    return {*ordered[:DAYS], *list(newest_of_week.values())[:WEEKS]}


def back_up_today(
    data: Path, settings: Path | None, folder: Path, today: date
) -> KeptBackup | None:
    """A backup of today in that folder, tried out; None if there is one already. Then those that
    are too many are taken away. Raises `BadInput` or `JournalError` and leaves the old ones."""
    target = folder / f"companion-{today.isoformat()}.zip"
    if target.exists():
        return None
    with suppress(OSError):  # said when the backup is written
        folder.mkdir(parents=True, exist_ok=True)
    back_up(data, settings, target)
    try:
        made = tried_out(target)
    except BadInput:
        target.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # a stick knows no owners
        give(folder, data)
        give(target, data)
    _thin_out(folder)
    return KeptBackup(target, today, made.sound)


def tried_out(file: Path) -> Manifest:
    """What a backup says of itself; raises `BadInput` if any of it cannot be read back."""
    with opened(file) as (manifest, archive):
        for _ in read_items(manifest, archive, file):
            pass
    return manifest


def _thin_out(folder: Path) -> None:
    found = backups_in(folder)
    unsound = [each.day for each in found if not each.sound]
    keep = worth_keeping(each.day for each in found if each.sound) | set(unsound[:1])
    for each in found:
        if each.day not in keep:
            with suppress(OSError):
                each.file.unlink()


def sticks() -> Iterator[Path]:
    """Where memory sticks are mounted that can be written to."""
    try:
        lines = MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, place, _, how, *_ = [*line.split(" "), "", "", "", ""]
        place = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place)
        if place.startswith(_STICKS) and "rw" in how.split(","):
            yield Path(place)


def all_backups(data: Path) -> list[KeptBackup]:
    """Those in the data folder and on sticks, newest first."""
    folders = [data / FOLDER, *(stick / STICK_FOLDER for stick in sticks())]
    found = [each for folder in folders for each in backups_in(folder)]
    return sorted(found, key=lambda each: each.day, reverse=True)
