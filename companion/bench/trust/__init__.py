"""`companion bench trust`: whether the promises of docs/security.md hold on this machine. Each row
has a module of its own with a `PROMISE`; a new one is named here and in docs/security.md."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from companion.bench.trust.pieces import FILE as COUNTED
from companion.bench.trust.promise import Promise, Tested

__all__ = ["NAMES", "Promise", "Tested", "tried"]

NAMES = (
    "flips",
    "kills",
    "cuts",
    "faults",
    "files",
    "pages",
    "starts",
    "soak",
    "load",
    "requests",
    "strangers",
)
"""The rows in the order they are printed; each is a module of this package."""


def tried(
    names: Sequence[str] = (), *, long: bool, keep: Path | None = None
) -> Iterator[tuple[Promise, Tested]]:
    """Each row as soon as it is tried; without names all of them. What is counted is remembered in
    the folder `keep`: a row that was stopped goes on there the next time."""
    for name in names or NAMES:
        promise: Promise = import_module(f"companion.bench.trust.{name}").PROMISE
        with _folder(name, keep) as folder:
            yield promise, promise.attempt(folder, long=long)


@contextmanager
def _folder(name: str, keep: Path | None) -> Iterator[Path]:
    """An empty folder for one row, but for what another run has counted."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix=f"companion-{name}-") as empty:
            yield Path(empty)
        return
    folder = keep / name
    folder.mkdir(parents=True, exist_ok=True)
    for each in folder.iterdir():
        if each.is_dir():
            shutil.rmtree(each)
        elif each.name != COUNTED:
            each.unlink()
    yield folder
