"""Outcomes of trials in a file, one line each: a hundred games take hours, and can be stopped and
continued this way.

Only outcomes of this very version of the code count: another one might have read a game otherwise.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from companion.core.catalog import packs
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.resources import package_folder, shipped
from companion.trials.trial import Outcome, Trial

_BEGINS = b'{"code":"'
"""How every line begins."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the file; `code` is the version that played."""

    code: str
    outcome: Outcome


class OutcomeFile:
    def __init__(self, file: Path) -> None:
        self._file = file

    def outcomes(self) -> dict[Trial, Outcome]:
        """Everything this version has played. Raises `BadInput` if the file holds anything else
        than such lines."""
        *lines, torn = self._read().split(b"\n")
        # A last line without an end was being written when the power went: it does not count. But
        # it must begin like one of ours, or this is somebody else's file.
        if not torn.startswith(_BEGINS[: len(torn)]):
            self._decoded(torn, len(lines) + 1)
        found = {}
        for number, line in enumerate(lines, 1):
            kept = self._decoded(line, number)
            if kept.code == _code():
                found[kept.outcome.trial] = kept.outcome
        return found

    def add(self, outcome: Outcome) -> None:
        """Append a line; it is on the disk when this returns."""
        line = msgspec.json.encode(_Line(_code(), outcome)) + b"\n"
        try:
            with self._file.open("ab") as file:
                file.truncate(self._read().rfind(b"\n") + 1)  # drop a torn last line
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as broken:
            raise BadInput(
                "cannot-written-3",
                N_("%(file)s cannot be written (%(why)s)."),
                file=self._file,
                why=broken.strerror,
            ) from None

    def _read(self) -> bytes:
        try:
            return self._file.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as broken:
            raise BadInput(
                "cannot-read-2",
                N_("%(file)s cannot be read (%(why)s)."),
                file=self._file,
                why=broken.strerror,
            ) from None

    def _decoded(self, line: bytes, number: int) -> _Line:
        try:
            return msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError:
            raise BadInput(
                "line-no-game-kept",
                N_(
                    "%(file)s: line %(number)s is no game that was kept; keep them in another file."
                ),
                file=self._file,
                number=number,
            ) from None


@cache
def _code() -> str:
    """A name for this version of program, games and models."""
    games = (package_folder(pack.package, ".") for pack in packs().values())
    folders = (Path(__file__).parents[1], *(folder for folder in games if folder is not None))
    models = shipped("models")
    files = {file for folder in folders for file in folder.rglob("*.py")}
    files.update(models.glob("*.onnx"), models.glob("*.deck"))
    seen = hashlib.sha256()
    for file in sorted(files):
        seen.update(file.name.encode())
        seen.update(file.read_bytes())
    return seen.hexdigest()[:16]
