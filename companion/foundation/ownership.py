"""Files that root writes for the companion: its own user must be able to use them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_


def give(path: Path, like: Path) -> None:
    """Made by root, used by whom the other path belongs to."""
    if os.geteuid() == 0:
        owner = like.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def keep(path: Path, data: Path, save: Callable[[Path], None]) -> None:
    """Writes a file, for whom the data folder belongs to if it lies in there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
        if path.is_relative_to(data):
            for each in (path, *path.relative_to(data).parents[:-1]):
                give(data / each, data)
    except OSError as error:
        raise BadInput(
            "cannot-written-2",
            N_("%(path)s: cannot be written (%(why)s)"),
            path=path,
            why=error.strerror,
        ) from None
