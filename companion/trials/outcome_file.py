"""Trials kept in a file, a line each: a hundred games take hours, and may be stopped and go on.

Only what this very code has played counts: another version would have done something else.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.resources import shipped
from companion.trials.trial import Outcome, Trial

_BEGINS = b'{"code":"'


@dataclass(frozen=True, slots=True)
class _Line:
    code: str
    outcome: Outcome


class OutcomeFile:
    def __init__(self, file: Path) -> None:
        self._file = file

    def outcomes(self) -> dict[Trial, Outcome]:
        """Raises `BadInput` if the file is none of these."""
        *lines, torn = self._read().split(b"\n")  # a line that was never ended does not count,
        if not torn.startswith(_BEGINS[: len(torn)]):  # but it must be one of ours
            self._decoded(torn, len(lines) + 1)
        found = {}
        for number, line in enumerate(lines, 1):
            kept = self._decoded(line, number)
            if kept.code == _code():
                found[kept.outcome.trial] = kept.outcome
        return found

    def add(self, outcome: Outcome) -> None:
        """On the disk when it returns."""
        line = msgspec.json.encode(_Line(_code(), outcome)) + b"\n"
        try:
            with self._file.open("ab") as file:
                file.truncate(self._read().rfind(b"\n") + 1)  # without a torn last line
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as broken:
            raise BadInput(f"{self._file} cannot be written ({broken.strerror}).") from None

    def _read(self) -> bytes:
        try:
            return self._file.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as broken:
            raise BadInput(f"{self._file} cannot be read ({broken.strerror}).") from None

    def _decoded(self, line: bytes, number: int) -> _Line:
        try:
            return msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError:
            raise BadInput(
                f"{self._file}: line {number} is no game that was kept; keep them in another file."
            ) from None


@cache
def _code() -> str:
    """A name for this version of program and models."""
    package = Path(__file__).parents[1]
    models = shipped("models")
    files = [*package.rglob("*.py"), *models.glob("*.onnx"), *models.glob("*.deck")]
    seen = hashlib.sha256()
    for file in sorted(files):
        seen.update(file.name.encode())
        seen.update(file.read_bytes())
    return seen.hexdigest()[:16]
