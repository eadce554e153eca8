"""Owners' sheets: what is printed on a copy of a game, entered once and kept in a TOML file.

    unit.veterans.stages = "4"
    town.v1.rows = "2/8/2 1/8/2"

A new game starts with everything the sheet knows, as its first entries; what the table answers
during a game is remembered here for the next one.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.core.game import Reason
from companion.core.notation import LONGEST_LINE
from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.games.valhal.rules import NAME as VALHAL
from companion.games.valhal.rules.sheet.checking import contradictions, missing
from companion.games.valhal.rules.sheet.filling import entries, filled, sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet

MOST_BYTES = 200_000
HEAD = "# The owner's sheet of one copy of Valhal. `companion` reads and writes it.\n"


class OwnersSheet:
    """One copy's sheet in one file; any thread may call."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    @property
    def sheet(self) -> Sheet:
        """What the rulebook says and what the owner has entered; raises `BadInput`."""
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return RULEBOOK
        except OSError as broken:
            raise BadInput(f"the sheet {self._file} cannot be read ({broken.strerror})") from None
        return read_sheet(data, str(self._file))

    @property
    def entered(self) -> tuple[tuple[str, str], ...]:
        """The entries beyond the rulebook's own, as paths and values."""
        told = dict(entries(RULEBOOK))
        return tuple((path, text) for path, text in entries(self.sheet) if told.get(path) != text)

    @property
    def missing(self) -> tuple[str, ...]:
        return missing(self.sheet)

    @property
    def contradictions(self) -> tuple[Reason, ...]:
        return contradictions(self.sheet)

    @property
    def lines(self) -> tuple[str, ...]:
        """What a new game is told first, in its notation."""
        return tuple(_line(path, text) for path, text in self.entered)

    def enter(self, path: str, text: str) -> None:
        """One more entry; raises `BadInput` and leaves the sheet as it was."""
        # Pasted from anywhere, it may hold anything.
        plain = "".join(each if each.isprintable() else " " for each in text)
        with self._lock:
            try:
                sheet = filled(self.sheet, path, tuple(plain.split()))
            except ValueError:
                raise BadInput(f"the sheet has no entry {path} = {text!r}") from None
            self._write(sheet)

    def replace(self, data: bytes) -> None:
        """Another sheet in place of this one; raises `BadInput` and leaves it as it was."""
        with self._lock:
            self._write(read_sheet(data, "the sheet"))

    def export(self) -> str:
        return written(self.sheet)

    def _write(self, sheet: Sheet) -> None:
        """All of it or nothing, and on the disk before it counts."""
        for path, text in entries(sheet):
            _check(path, text)
        try:
            replace_file(self._file, written(sheet).encode())
        except OSError as broken:
            raise BadInput(
                f"the sheet {self._file} cannot be written ({broken.strerror}); it is as it was"
            ) from None


def read_sheet(data: bytes, where: str) -> Sheet:
    """A sheet from a file's bytes; raises `BadInput` with what is wrong."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"{where} has {len(data)} bytes; {MOST_BYTES} are the most")
    try:
        table: dict[str, Any] = tomllib.loads(data.decode())
        return sheet_from(table, RULEBOOK)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as broken:
        raise BadInput(f"{where} is not TOML: {broken}") from None
    except ValueError as entry:
        raise BadInput(f"{where} has an entry that does not exist: {entry}") from None


def _line(path: str, text: str) -> str:
    return f"sheet {path} {text}"


def _check(path: str, text: str) -> None:
    """Whether a game can be told of it, and a file hold it."""
    if not text.isprintable():
        raise BadInput(f"{path} has letters that cannot be printed")
    if len(line := _line(path, text)) > LONGEST_LINE:
        raise BadInput(f"{path} is {len(line) - LONGEST_LINE} letters too long: shorten it")


def written(sheet: Sheet) -> str:
    told = dict(entries(RULEBOOK))
    lines = [
        f"{path} = {_quoted(text)}\n" for path, text in entries(sheet) if told.get(path) != text
    ]
    return HEAD + "".join(lines)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def sheets_in(folder: Path) -> Mapping[str, OwnersSheet]:
    """The sheets of the games that have one."""
    return MappingProxyType({VALHAL: OwnersSheet(folder / f"{VALHAL}-sheet.toml")})
