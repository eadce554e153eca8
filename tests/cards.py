"""Cards that are full or take nothing: a file system of its own, where one may be mounted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest


@cache
def own_mounts() -> bool:
    """Whether a program may be started with mounts of its own, as a root of its own making."""
    return _works("unshare", "--map-root-user", "--mount", "true")


@contextmanager
def small_card(place: Path, size: str = "2m") -> Iterator[Path]:
    """A card with little room, for this very process; the test is skipped where that cannot be."""
    place.mkdir(parents=True, exist_ok=True)
    if not _works("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)):
        pytest.skip("a file system may be mounted only by root")
    try:
        yield place
    finally:
        _works("umount", "--lazy", str(place))


def fill(card: Path) -> Path:
    """Nothing fits onto it any more until this file goes."""
    junk = card / "junk"
    with junk.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            return junk


def _works(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
