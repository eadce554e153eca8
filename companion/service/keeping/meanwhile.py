"""The journal to play on with, whatever has become of the real one.

If the real journal can be opened and written, it is taken. If not, a spare one is made somewhere
that can be written, in memory if need be: a copy of the real one if that can be read, else an
empty one. As soon as the real one can be written again, what was played meanwhile is brought back
into it: a copy goes on where the real one ends, hash by hash; games of another are added to it."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.foundation.errors import BadInput, JournalError, JournalUnreadable
from companion.foundation.messages import N_, Message, message
from companion.ledger.journal import Journal
from companion.ledger.schema import DAMAGE
from companion.service.backup import copy_database
from companion.service.restore import finish_restore

log = logging.getLogger(__name__)

FOLDER = "companion-meanwhile"
PROBE_BYTES = 100_000
"""What must fit onto the card for an evening to be kept."""
MOST_COPY_BYTES = 200_000_000
"""A journal larger than this is not copied into memory."""


@dataclass(frozen=True, slots=True)
class KeptWhere:
    """The journal to play on with; and what is wrong with the real one, if it is another."""

    journal: Journal
    problem: Message | None = None
    brought_back: int = 0
    """Events that were played meanwhile and are in the real one now."""


def journal_to_play_on(real: Path) -> KeptWhere:
    """Raises what opening the real one raises if nothing can be written anywhere."""
    try:
        finish_restore(real.parent)
        journal = Journal(real)
    except BadInput as stuck:  # the restore
        return KeptWhere(_spare(real, JournalUnreadable.saying(stuck.message)), stuck.message)
    except JournalError as broken:
        return KeptWhere(_spare(real, broken), broken.message)
    problem = why_unwritable(real.parent)
    if problem is None:
        return KeptWhere(journal, brought_back=bring_back(real, journal))
    with journal:
        pass
    failed = JournalUnreadable.saying(problem)
    return KeptWhere(_spare(real, failed), problem)


def why_unwritable(folder: Path) -> Message | None:
    """What keeps files from being written there; None if they can be."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        with probe.open("wb") as out:
            out.write(bytes(PROBE_BYTES))
            out.flush()
            os.fsync(out.fileno())
    except OSError as failed:
        return message(
            "card-takes-nothing",
            N_("nothing can be written to %(folder)s (%(why)s)"),
            folder=folder,
            why=failed.strerror,
        )
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return None


def _places(real: Path) -> Iterator[Path]:
    """Where a spare journal may lie: beside the real one first, then in memory."""
    yield real.parent / FOLDER
    summed = hashlib.sha256(os.fsencode(real.absolute())).hexdigest()
    name = f"{FOLDER}-{os.getuid()}-{summed[:16]}"
    for place in (os.environ.get("XDG_RUNTIME_DIR"), "/dev/shm", tempfile.gettempdir()):  # noqa: S108
        if place:
            yield Path(place) / name


def _spare(real: Path, broken: JournalError) -> Journal:
    for place in _places(real):
        try:
            place.mkdir(exist_ok=True, mode=0o700)
            if not _ours(place) or why_unwritable(place) is not None:
                continue
            spare = place / real.name
            if not spare.exists():
                _copy(real, spare)
            return Journal(spare)
        except (OSError, JournalError) as failed:
            log.warning("no spare journal in %s: %s", place, failed)
    raise broken


def _ours(place: Path) -> bool:
    """A folder of our own, not one that somebody else has put in its place."""
    found = place.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def _copy(real: Path, spare: Path) -> None:
    """Everything so far, if it can be read; else the spare one begins empty."""
    try:
        if real.stat().st_size <= MOST_COPY_BYTES:
            copy_database(real, spare, trusted=False)
            with Journal(spare) as copied:
                if copied.verify().problem is not None:
                    raise sqlite3.DatabaseError("it is not sound")
    except (OSError, JournalError, *DAMAGE) as failed:
        log.warning("the spare journal begins empty: %s", failed)
        spare.unlink(missing_ok=True)


def bring_back(real: Path, journal: Journal) -> int:
    """Takes over what was played meanwhile; how many events. What cannot be taken over stays."""
    count = 0
    for place in _places(real):
        spare = place / real.name
        try:
            if not spare.is_file() or not _ours(place):
                continue
            with Journal(spare) as other:
                count += journal.take_over(other)
            for each in place.glob(f"{real.name}*"):
                each.unlink()
            place.rmdir()
        except (OSError, JournalError) as failed:
            log.warning("what was played meanwhile stays in %s: %s", place, failed)
    return count
