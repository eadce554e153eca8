"""Files that are there as a whole or not at all, whatever happens to the power.

Every writer goes the same way: a temporary file beside the target is written and synced, takes the
target's name in one step, and then the folder is synced. Nobody ever reads half a file, and what
failed leaves the old file as it was and no temporary file behind. `OSError` is raised as it comes:
only the caller knows what to tell people."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

TEMPORARY = ".new"
"""How the name of a file ends that is still being written; one may be left after a power cut."""
_NEW_FILE_MODE = 0o666
"""Before the process's umask, as `open` has it."""
_CANNOT_LINK = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""What file systems without hard links say, FAT on a memory stick among them."""
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
"""What file systems say that sync files but not folders."""


def replace_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """The file holds `data` and is on the disk when this returns; else it is as it was."""
    with replacing(path, mode=mode) as file:
        file.write(data)


def replace_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Several files of one folder in their order, each as a whole; the folder is synced once."""
    for name, data in files.items():
        with _written(folder / name, os.replace) as file:
            file.write(data)
    sync_folder(folder)


def create_file(path: Path, data: bytes) -> None:
    """A new file; raises `FileExistsError` and leaves the one that is there."""
    with creating(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """What is written inside the block replaces the file at its end; an error keeps the old."""
    with _written(path, os.replace, mode) as file:
        yield file
    sync_folder(path.parent)


@contextmanager
def creating(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """The same for a new file; raises `FileExistsError` at once, or at the end if somebody else
    was faster."""
    _refuse_existing(path)
    with _written(path, _take_free_name, mode) as file:
        yield file
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """A file's new name is on the disk only when its folder is."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    except OSError as failed:
        if failed.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(opened)


@contextmanager
def _written(
    path: Path, put_in_place: Callable[[Path, Path], None], mode: int | None = None
) -> Iterator[BinaryIO]:
    # A name of its own for every writer: two that write at once must not share a file.
    beside = path.with_name(f".{secrets.token_hex(8)}{TEMPORARY}")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _NEW_FILE_MODE)
    try:
        with os.fdopen(number, "wb") as file:
            if mode is not None:
                os.fchmod(number, mode)
            yield file
            file.flush()
            os.fsync(number)
        put_in_place(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _take_free_name(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)
    except OSError as failed:
        if failed.errno not in _CANNOT_LINK:
            raise
        _refuse_existing(path)
        beside.replace(path)
    else:
        beside.unlink()


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
