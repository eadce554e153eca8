"""A backup: one zip file with the journal, the owner's sheets, the decks, the place of the mat and
the settings, each with its checksum. It can be made while the companion runs."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO

import msgspec

from companion.foundation.errors import BackupDamaged, BackupTooNew, BadInput, JournalUnreadable
from companion.foundation.files import TEMPORARY, creating
from companion.ledger.journal import MIGRATIONS, now

FORMAT = 1
MANIFEST = "backup.json"
JOURNAL = "data/journal.db"
SETTINGS = "settings/companion.toml"
KEPT = ("*.toml", "table.json", "decks/**/*")  # under the data folder, beside the journal
MOST_FILES = 10_000  # far more than any box keeps; beyond, it is no backup of ours
MOST_MANIFEST_BYTES = 5_000_000  # a line for each of these files, with room
CHUNK_BYTES = 1 << 20  # read at a time: a backup need not fit into memory
_NAME = re.compile(
    r"data/(journal\.db|[^/\\]+\.toml|table\.json|decks(/[^/\\]+)+)|settings/companion\.toml"
)


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself."""

    format: int
    made_at: str
    companion: str  # the version that made it
    schema: int  # of the journal
    games: int
    items: tuple[Item, ...]

    @property
    def size(self) -> int:
        return sum(item.size for item in self.items)


@dataclass(frozen=True, slots=True)
class _Format:
    """The part of a manifest that every version can read."""

    format: int


def back_up(data: Path, settings: Path | None, target: Path) -> Manifest:
    """Writes a backup of a data folder to a new file; raises and leaves nothing behind."""
    try:
        with tempfile.TemporaryDirectory() as folder, creating(target) as out:
            copy = Path(folder) / "journal.db"
            games = _copy_journal(data / "journal.db", copy)
            manifest = _write(out, dict(_sources(data, settings, copy)), games)
    except FileExistsError:
        raise BadInput(
            f"{target} is there already and stays as it is; choose another name"
        ) from None
    except OSError as failed:
        raise BadInput(f"the backup {target} cannot be written ({failed.strerror})") from None
    return manifest


def _sources(data: Path, settings: Path | None, journal: Path) -> Iterator[tuple[str, Path]]:
    yield JOURNAL, journal
    for pattern in KEPT:
        for file in sorted(data.glob(pattern)):
            if file.is_file() and not file.is_symlink() and not file.name.endswith(TEMPORARY):
                yield f"data/{file.relative_to(data).as_posix()}", file
    if settings is not None and settings.is_file():
        yield SETTINGS, settings


def _copy_journal(journal: Path, copy: Path) -> int:
    """The journal of one moment, however busy the companion is with it; and its games."""
    if not journal.is_file():
        raise BadInput(f"there is no journal {journal}, so there is nothing to back up")
    try:
        return copy_database(journal, copy)
    except sqlite3.DatabaseError as broken:
        raise JournalUnreadable(
            f"the journal {journal} cannot be copied ({broken}); it was not changed"
        ) from None


def copy_database(source: Path, target: Path) -> int:
    """Through SQLite, so that what is not yet in the file itself comes along; a single file."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as here,
        closing(sqlite3.connect(target)) as there,
    ):
        here.execute("PRAGMA busy_timeout = 5000")
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
        sound = str(there.execute("PRAGMA integrity_check").fetchone()[0])
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)
        return int(there.execute("SELECT COUNT(DISTINCT game) FROM event").fetchone()[0])


def _write(out: IO[bytes], sources: dict[str, Path], games: int) -> Manifest:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        items = []
        for name, file in sources.items():
            summed, size = hashlib.sha256(), 0
            with file.open("rb") as source, archive.open(name, "w", force_zip64=True) as entry:
                while chunk := source.read(CHUNK_BYTES):
                    summed.update(chunk)
                    size += len(chunk)
                    entry.write(chunk)
            items.append(Item(name, size, summed.hexdigest()))
        manifest = Manifest(
            FORMAT, now(), version("table-companion"), len(MIGRATIONS), games, tuple(items)
        )
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


# Looking into one


@contextmanager
def opened(file: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """A backup whose manifest is sound; raises `BackupDamaged` or `BackupTooNew`, also for what
    is found wrong while it is read."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield _manifest(file, archive), archive
    except FileNotFoundError:
        raise BadInput(f"there is no backup {file}") from None
    except OSError as closed:
        raise BadInput(f"the backup {file} cannot be read ({closed.strerror})") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as broken:
        raise BackupDamaged(file, f"it is not a whole zip file: {broken}") from None
    except (NotImplementedError, RuntimeError, ValueError) as strange:
        raise BackupDamaged(file, f"it was not made by the companion: {strange}") from None


def _manifest(file: Path, archive: zipfile.ZipFile) -> Manifest:
    if (
        MANIFEST not in archive.namelist()
        or archive.getinfo(MANIFEST).file_size > MOST_MANIFEST_BYTES
    ):
        raise BackupDamaged(file, "it says nothing about itself")
    said = archive.read(MANIFEST)
    try:
        made = msgspec.json.decode(said, type=_Format).format
        if made > FORMAT:
            raise BackupTooNew(
                f"{file} is of a later format ({made}, this companion knows {FORMAT}); "
                "nothing was touched: update the companion first"
            )
        manifest = msgspec.json.decode(said, type=Manifest)
    except msgspec.DecodeError as broken:
        raise BackupDamaged(file, f"what it says about itself makes no sense: {broken}") from None
    if manifest.schema > len(MIGRATIONS):
        raise BackupTooNew(
            f"{file} holds a journal of a later version (schema {manifest.schema}, this one knows "
            f"{len(MIGRATIONS)}); nothing was touched: update the companion first"
        )
    problem = next(_problems(manifest, archive), None)
    if problem is not None:
        raise BackupDamaged(file, problem)
    return manifest


def _problems(manifest: Manifest, archive: zipfile.ZipFile) -> Iterator[str]:
    names = [item.name for item in manifest.items]
    if len(names) > MOST_FILES:
        yield f"it names {len(names)} files"
    if JOURNAL not in names:
        yield "it has no journal"
    for name in names:
        if not _NAME.fullmatch(name) or {".", ".."} & set(name.split("/")) or "\0" in name:
            yield f"it has a file called {name[:80]!r}"
    inside = archive.namelist()
    if sorted([*names, MANIFEST]) != sorted(inside):
        yield "its files are not those it says it has"
    for item in manifest.items:
        if item.size != archive.getinfo(item.name).file_size:
            yield f"{item.name} is of another size"


def read_items(manifest: Manifest, archive: zipfile.ZipFile, file: Path) -> Iterator[Item]:
    """Each item whose checksum is right; raises `BackupDamaged` at the first that is not."""
    for item in manifest.items:
        summed = hashlib.sha256()
        with archive.open(item.name) as entry:
            while chunk := entry.read(CHUNK_BYTES):
                summed.update(chunk)
        if summed.hexdigest() != item.sha256:
            raise BackupDamaged(file, f"the checksum of {item.name} is wrong")
        yield item
