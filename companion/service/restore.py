"""Restoring a backup: looked at from end to end, laid out beside the old files, and only then put
in their place. What was there before is kept in `before-restore`.

Some files of a backup are left out. The settings of an installed box belong to the system. On a box
that has an owner, who may do what stays as it is now: an older answer would let people in again who
were sent away since, and bring an old code back. So does a membership of a hub.

Once `restore.ready` stands in the data folder the restore has happened: whoever comes next, after
a power cut too, puts its files in place before anything else."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from companion.foundation.errors import BackupDamaged, BadInput, FolderInUse, JournalError
from companion.foundation.files import sync_folder
from companion.foundation.messages import N_, message
from companion.foundation.ownership import give
from companion.ledger.journal import Journal
from companion.ledger.schema import DAMAGE
from companion.service.access.kept import has_owner
from companion.service.backup import (
    ACCESS,
    HUB,
    JOURNAL,
    MODE,
    SETTINGS,
    Manifest,
    copy_database,
    opened,
    read_items,
)

NEW = "restore.new"
"""The folder a backup is laid out in; thrown away if that fails."""
READY = "restore.ready"
"""Its name once all of it lies there: from then on the restore has happened."""
BEFORE = "before-restore"
"""The folder with what was there before."""
SECRET = (ACCESS, HUB)
"""What only the companion itself may read."""
SPARE_BYTES = 10_000_000
"""Room that must be free beyond twice the size of the backup."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one file."""

    target: Path
    replaces: bool
    left: bool = False
    """It stays as it is: the companion may not write it, or it is not the backup's to say."""


def restore(file: Path, data: Path, settings: Path, *, dry_run: bool) -> tuple[Change, ...]:
    """All of a backup or nothing of it; with `dry_run` only looked at."""
    with opened(file) as (manifest, archive):
        items = tuple(read_items(manifest, archive, file))
        targets = {item.name: _target(item.name, data, settings) for item in items}
        changes = tuple(_change(name, each, settings) for name, each in targets.items())
        left = {each.target for each in changes if each.left}
        kept = tuple(item for item in manifest.items if targets[item.name] not in left)
        wanted = replace(manifest, items=kept)
        try:
            if dry_run:
                _try_out(file, archive)
            else:
                with alone_in(data):
                    _put_in_place(file, wanted, archive, data, settings)
        except OSError as failed:
            raise BadInput(
                "backup-cannot-restored", N_("the backup cannot be restored (%(why)s)"), why=failed
            ) from None
    return changes


def _change(name: str, target: Path, settings: Path) -> Change:
    return Change(target, target.exists(), _stays(name, target, settings))


def _stays(name: str, target: Path, settings: Path) -> bool:
    """Of the settings of an installed box, what is chosen on the page comes along in the data
    folder."""
    if name == ACCESS:
        return has_owner(target)
    if name == HUB:
        return target.exists()
    return name == SETTINGS and settings.parent.is_dir() and not _may_write(settings)


def _may_write(file: Path) -> bool:
    return os.access(file.parent, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))


def _try_out(file: Path, archive: zipfile.ZipFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        _extract(archive, JOURNAL, journal)
        _check_journal(file, journal)


def _target(name: str, data: Path, settings: Path) -> Path:
    return settings if name == SETTINGS else data / name.removeprefix("data/")


def _put_in_place(
    file: Path, manifest: Manifest, archive: zipfile.ZipFile, data: Path, settings: Path
) -> None:
    finish_restore(data)
    free = shutil.disk_usage(data).free
    if free < 2 * manifest.size + SPARE_BYTES:
        raise BadInput(
            "has-room-bytes-needs",
            N_(
                "%(data)s has room for %(free)s bytes, and %(file)s needs twice its %(size)s; "
                "nothing was touched: free some space"
            ),
            data=data,
            free=free,
            file=file,
            size=manifest.size,
        )
    new = data / NEW
    beside = settings.with_name(f"{settings.name}.new")
    try:
        _lay_out(manifest, archive, new, beside)
        _check_journal(file, new / "journal.db")
        _keep_old(manifest, data, settings)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    sync_folder(new)
    new.rename(data / READY)
    sync_folder(data)
    finish_restore(data)
    if any(item.name == SETTINGS for item in manifest.items):
        beside.replace(settings)
        sync_folder(settings.parent)


def _lay_out(manifest: Manifest, archive: zipfile.ZipFile, new: Path, settings: Path) -> None:
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for item in manifest.items:
        _extract(archive, item.name, _target(item.name, new, settings))


def _extract(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as source, target.open("wb") as out:
        if name in SECRET:
            os.fchmod(out.fileno(), MODE)
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _check_journal(file: Path, journal: Path) -> None:
    """Opens it as the companion will, which also brings an older one up to date."""
    try:
        with Journal(journal) as found:
            found.count_games()
    except JournalError as broken:
        raise BackupDamaged(
            file,
            message(
                "journal-cannot-opened", N_("its journal cannot be opened: %(why)s"), why=broken
            ),
        ) from None


def _keep_old(manifest: Manifest, data: Path, settings: Path) -> None:
    before = data / BEFORE
    shutil.rmtree(before, ignore_errors=True)
    before.mkdir()
    for item in manifest.items:
        old = _target(item.name, data, settings)
        kept = _target(item.name, before, before / settings.name)
        if not old.is_file():
            continue
        kept.parent.mkdir(parents=True, exist_ok=True)
        if item.name == JOURNAL:
            _keep_journal(old, kept)
        else:
            shutil.copy2(old, kept)


def _keep_journal(old: Path, kept: Path) -> None:
    """A damaged one is kept as it is: perhaps that is why there is a restore."""
    try:
        copy_database(old, kept)
    except DAMAGE:
        kept.unlink(missing_ok=True)
        for each in old.parent.glob(f"{old.name}*"):
            shutil.copy2(each, kept.with_name(each.name))


def finish_restore(data: Path) -> None:
    """Puts the files of a restore in place that was decided on; can be done over and over."""
    ready = data / READY
    if not ready.is_dir():
        return
    try:
        _finish(data, ready)
    except OSError as failed:
        raise BadInput(
            "restore-lies-cannot-finished",
            N_(
                "the restore that lies in %(ready)s cannot be finished (%(why)s); check who owns "
                "%(data)s, and its free space"
            ),
            ready=ready,
            why=failed,
            data=data,
        ) from None


def _finish(data: Path, ready: Path) -> None:
    for file in sorted(each for each in ready.rglob("*") if each.is_file()):
        target = data / file.relative_to(ready)
        for folder in reversed(target.relative_to(data).parents[:-1]):
            (data / folder).mkdir(exist_ok=True)
            give(data / folder, data)
        if target == data / "journal.db":
            # What SQLite wrote ahead belongs to the old journal and would spoil the new one.
            for ahead in ("journal.db-wal", "journal.db-shm"):
                (data / ahead).unlink(missing_ok=True)
        give(file, data)
        file.replace(target)
    sync_folder(data)
    shutil.rmtree(ready)


# One restores, or any number play


@contextmanager
def alone_in(data: Path) -> Iterator[None]:
    """Nobody else uses the data folder meanwhile; raises `FolderInUse`."""
    data.mkdir(parents=True, exist_ok=True)
    with _locked(data, fcntl.LOCK_EX) as got:
        if not got:
            raise FolderInUse(
                "companion-running-on-nothing",
                N_(
                    "a companion is running on %(data)s; nothing was touched: stop it first, on "
                    "a Pi with `sudo systemctl stop companion`"
                ),
                data=data,
            )
        yield


@contextmanager
def in_use(data: Path) -> Iterator[None]:
    """Nobody restores meanwhile; raises `FolderInUse` if somebody does."""
    with suppress(OSError):
        data.mkdir(parents=True, exist_ok=True)
    if not data.is_dir():  # the journal will say it better
        yield
        return
    with _locked(data, fcntl.LOCK_SH) as got:
        if not got:
            raise FolderInUse(
                "backup-being-restored-into",
                N_("a backup is being restored into %(data)s; try again in a moment"),
                data=data,
            )
        yield


@contextmanager
def _locked(folder: Path, how: int) -> Iterator[bool]:
    with closing(_Held(os.open(folder, os.O_RDONLY))) as held:
        try:
            fcntl.flock(held.number, how | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:  # a file system without locks
            pass
        yield True


@dataclass(frozen=True, slots=True)
class _Held:
    number: int

    def close(self) -> None:
        os.close(self.number)
