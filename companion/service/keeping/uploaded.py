"""A backup that somebody uploads: looked at from end to end first, and put in place only when they
have seen what would happen and say yes to this very file."""

from __future__ import annotations

import hashlib
import shutil
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.foundation.errors import BadInput
from companion.foundation.files import replacing
from companion.foundation.messages import N_
from companion.service.backup import Manifest, opened
from companion.service.keeping.recovery import Errand
from companion.service.restore import SPARE_BYTES, Change, restore

FILE = ".uploaded-backup.zip"
"""In the data folder: what was uploaded and waits for a yes."""
MOST_BYTES = 60_000_000
"""A request is gathered in memory, and the smallest boxes have little."""
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class DryRun:
    """What would happen."""

    digest: str
    """Of the file that was looked at."""
    manifest: Manifest
    changes: tuple[Change, ...]


class UploadedBackup:
    """At most one at a time: another upload takes its place. Any thread may call."""

    def __init__(self, data: Path, settings: Path) -> None:
        self._data = data
        self._settings = settings
        self._lock = threading.Lock()

    @property
    def _file(self) -> Path:
        return self._data / FILE

    def take(self, source: IO[bytes]) -> DryRun:
        """Keeps what is uploaded and tries it out; raises `BadInput`, and then keeps nothing."""
        with self._lock:
            self._keep(source)
            try:
                return self._tried()
            except BaseException:
                self._file.unlink(missing_ok=True)
                raise

    def _keep(self, source: IO[bytes]) -> None:
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(self._data).free < MOST_BYTES + SPARE_BYTES:
                raise BadInput("no-room-upload", N_("There is no room for a backup on this box."))
            with replacing(self._file, mode=0o600) as out:
                shutil.copyfileobj(source, out, _CHUNK_BYTES)
        except OSError as full:
            raise BadInput(
                "upload-not-kept",
                N_("The backup could not be taken in (%(why)s)."),
                why=full.strerror,
            ) from None

    def _tried(self) -> DryRun:
        changes = restore(self._file, self._data, self._settings, dry_run=True)
        with opened(self._file) as (manifest, _):
            return DryRun(_digest(self._file), manifest, changes)

    def errand(self, digest: str) -> Errand:
        """What puts it in place, between two starts; raises `BadInput` if it is not that file."""
        with self._lock:
            try:
                same = _digest(self._file) == digest
            except OSError:
                same = False
        if not same:
            raise BadInput(
                "another-upload",
                N_("That backup is not here any more. Upload it once more."),
            )

        def put_in_place() -> None:
            try:
                restore(self._file, self._data, self._settings, dry_run=False)
            finally:
                self.drop()

        return put_in_place

    def drop(self) -> None:
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


def _digest(file: Path) -> str:
    with file.open("rb") as opened_file:
        return hashlib.file_digest(opened_file, "sha256").hexdigest()
