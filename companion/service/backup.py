"""A backup: one zip file with the journal, the owner's sheets, people, decks and boards, the place
of the mat, disputes, cases, the settings, who may do what and the club's hub, each with its
checksum. It can be made while people play.

Who may do what (`access.json`) belongs in it: a box that is brought back on another card must still
be its owner's, and know the phones that have joined. So a backup lets whoever holds it act as the
owner, and only the owner can carry one away; the file can be read by its own user alone. The club's
hub (`hub.json`) is in it for the same reason. On a box that has an owner, or a hub, its own files
stay (`service/restore.py`). The certificate's keys are not in it: they are made anew."""

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
from companion.foundation.messages import N_, Message, message
from companion.ledger.journal import now
from companion.ledger.schema import DAMAGE, MIGRATIONS
from companion.ledger.verifying import verify_file

FORMAT = 3  # 1 had neither disputes nor cases; 2 neither boards nor who may do what
MANIFEST = "backup.json"
JOURNAL = "data/journal.db"
SETTINGS = "settings/companion.toml"
ACCESS = "data/access.json"
HUB = "data/hub.json"
KEPT = (
    "*.toml",
    *("table.json", "lens.json", "setup.json", "access.json", "hub.json"),
    *("decks/**/*", "boards/**/*", "disputes/**/*", "cases/**/*"),
)
"""Under the data folder, beside the journal."""
MODE = 0o600
MOST_FILES = 100_000  # far more than any box keeps; beyond, it is no backup of ours
MOST_MANIFEST_BYTES = 30_000_000  # a line for each of these files, with room
CHUNK_BYTES = 1 << 20  # read at a time: a backup need not fit into memory
_NAME = re.compile(
    r"data/(journal\.db|[^/\\]+\.toml|(table|setup|access|hub)\.json"
    r"|(decks|boards|disputes|cases)(/[^/\\]+)+)"
    r"|settings/companion\.toml"
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
    sound: bool = True
    """Whether everything in the journal was as it was written."""

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
        with tempfile.TemporaryDirectory() as folder, creating(target, mode=MODE) as out:
            copy = Path(folder) / "journal.db"
            copied = _copy_journal(data / "journal.db", copy)
            manifest = _write(out, dict(_sources(data, settings, copy)), copied)
    except FileExistsError:
        raise BadInput(
            "already-stays-choose-another",
            N_("%(target)s is there already and stays as it is; choose another name"),
            target=target,
        ) from None
    except OSError as failed:
        raise BadInput(
            "backup-cannot-written",
            N_("the backup %(target)s cannot be written (%(why)s)"),
            target=target,
            why=failed.strerror,
        ) from None
    return manifest


def _sources(data: Path, settings: Path | None, journal: Path) -> Iterator[tuple[str, Path]]:
    yield JOURNAL, journal
    for pattern in KEPT:
        for file in sorted(data.glob(pattern)):
            if file.is_file() and not file.is_symlink() and not file.name.endswith(TEMPORARY):
                yield f"data/{file.relative_to(data).as_posix()}", file
    if settings is not None and settings.is_file():
        yield SETTINGS, settings


@dataclass(frozen=True, slots=True)
class _Copied:
    games: int
    sound: bool


def _copy_journal(journal: Path, copy: Path) -> _Copied:
    """The journal of one moment, however busy the companion is with it."""
    if not journal.is_file():
        raise BadInput(
            "no-journal-so-nothing",
            N_("there is no journal %(journal)s, so there is nothing to back up"),
            journal=journal,
        )
    try:
        games = copy_database(journal, copy)
        return _Copied(games, verify_file(copy).problem is None)
    except DAMAGE as broken:
        raise JournalUnreadable(
            "journal-cannot-copied-not",
            N_("the journal %(journal)s cannot be copied (%(why)s); it was not changed"),
            journal=journal,
            why=broken,
        ) from None


def copy_database(source: Path, target: Path, *, trusted: bool = True) -> int:
    """Through SQLite, so that what is not yet in the file itself comes along; a single file. From
    a card that takes nothing, what was written ahead may not be to be had (not `trusted`)."""
    try:
        return _copied(source, target, "mode=ro")
    except DAMAGE:
        if trusted:
            raise
        target.unlink(missing_ok=True)
        return _copied(source, target, "immutable=1")


def _copied(source: Path, target: Path, how: str) -> int:
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?{how}", uri=True)) as here,
        closing(sqlite3.connect(target)) as there,
    ):
        here.execute("PRAGMA busy_timeout = 5000")
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
        sound = str(there.execute("PRAGMA integrity_check").fetchone()[0])
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)
        return int(there.execute("SELECT COUNT(DISTINCT game) FROM event").fetchone()[0])


def _write(out: IO[bytes], sources: dict[str, Path], copied: _Copied) -> Manifest:
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
            FORMAT,
            now(),
            version("table-companion"),
            len(MIGRATIONS),
            copied.games,
            tuple(items),
            copied.sound,
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
        raise BadInput("no-backup", N_("there is no backup %(file)s"), file=file) from None
    except OSError as closed:
        raise BadInput(
            "backup-cannot-read",
            N_("the backup %(file)s cannot be read (%(why)s)"),
            file=file,
            why=closed.strerror,
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as broken:
        raise BackupDamaged(
            file,
            message("not-whole-zip-file", N_("it is not a whole zip file: %(why)s"), why=broken),
        ) from None
    except (NotImplementedError, RuntimeError, ValueError) as strange:
        raise BackupDamaged(
            file,
            message(
                "not-made-companion",
                N_("it was not made by the companion: %(strange)s"),
                strange=strange,
            ),
        ) from None


def _manifest(file: Path, archive: zipfile.ZipFile) -> Manifest:
    if (
        MANIFEST not in archive.namelist()
        or archive.getinfo(MANIFEST).file_size > MOST_MANIFEST_BYTES
    ):
        raise BackupDamaged(
            file, message("says-nothing-about-itself", N_("it says nothing about itself"))
        )
    said = archive.read(MANIFEST)
    try:
        made = msgspec.json.decode(said, type=_Format).format
        if made > FORMAT:
            raise BackupTooNew(
                "later-format-companion-knows",
                N_(
                    "%(file)s is of a later format (%(made)s, this companion knows %(format)s); "
                    "nothing was touched: update the companion first"
                ),
                file=file,
                made=made,
                format=FORMAT,
            )
        manifest = msgspec.json.decode(said, type=Manifest)
    except msgspec.DecodeError as broken:
        raise BackupDamaged(
            file,
            message(
                "what-says-about-itself",
                N_("what it says about itself makes no sense: %(why)s"),
                why=broken,
            ),
        ) from None
    if manifest.schema > len(MIGRATIONS):
        raise BackupTooNew(
            "holds-journal-later-version",
            N_(
                "%(file)s holds a journal of a later version (schema %(schema)s, this one knows "
                "%(count)s); nothing was touched: update the companion first"
            ),
            file=file,
            schema=manifest.schema,
            count=len(MIGRATIONS),
        )
    problem = next(_problems(manifest, archive), None)
    if problem is not None:
        raise BackupDamaged(file, problem)
    return manifest


def _problems(manifest: Manifest, archive: zipfile.ZipFile) -> Iterator[Message]:
    names = [item.name for item in manifest.items]
    if len(names) > MOST_FILES:
        yield message("names-files", N_("it names %(count)s files"), count=len(names))
    if JOURNAL not in names:
        yield message("has-no-journal", N_("it has no journal"))
    for name in names:
        if not _NAME.fullmatch(name) or {".", ".."} & set(name.split("/")) or "\0" in name:
            yield message(
                "has-file-called", N_("it has a file called %(name)s"), name=repr(name[:80])
            )
    inside = archive.namelist()
    if sorted([*names, MANIFEST]) != sorted(inside):
        yield message("files-not-those-says", N_("its files are not those it says it has"))
    for item in manifest.items:
        if item.size != archive.getinfo(item.name).file_size:
            yield message("another-size", N_("%(name)s is of another size"), name=item.name)


def read_items(manifest: Manifest, archive: zipfile.ZipFile, file: Path) -> Iterator[Item]:
    """Each item whose checksum is right; raises `BackupDamaged` at the first that is not."""
    for item in manifest.items:
        summed = hashlib.sha256()
        with archive.open(item.name) as entry:
            while chunk := entry.read(CHUNK_BYTES):
                summed.update(chunk)
        if summed.hexdigest() != item.sha256:
            raise BackupDamaged(
                file,
                message("checksum-wrong", N_("the checksum of %(name)s is wrong"), name=item.name),
            )
        yield item
