"""The register of people in its file, `people.toml` in the data folder. Backups keep it."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_
from companion.people.register import MOST_PEOPLE, Forgotten, Person, Register, remembered

FILE = "people.toml"
MOST_BYTES = 500_000


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: tuple[Person, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()


class RegisterFile:
    """The register as it is now; any thread may call."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()
        self._last: tuple[tuple[int, int], Register] | None = None

    @property
    def register(self) -> Register:
        """Raises `BadInput` if the file is damaged. It is read again only if it was changed."""
        try:
            found = self._file.stat()
            mark = (found.st_mtime_ns, found.st_size)
            if self._last is not None and self._last[0] == mark:
                return self._last[1]
            data = self._file.read_bytes()
        except FileNotFoundError:
            return Register()
        except OSError as broken:
            raise BadInput(
                "people-cannot-read",
                N_("The file of people %(file)s cannot be read (%(why)s)."),
                file=self._file,
                why=broken.strerror,
            ) from None
        self._last = (mark, _read(data, self._file))
        return self._last[1]

    def change(self, how: Callable[[Register], Register]) -> Register:
        """As `how` makes it; on the disk when this returns, or as it was."""
        with self._lock:
            before = self.register
            after = how(before)
            if after != before:
                self._write(after)
            return after

    def remember(self, names: Iterable[str]) -> Register:
        """With everybody of these names. A disk that is full keeps nobody from playing."""
        try:
            return self.change(lambda register: remembered(register, names))
        except BadInput:
            return remembered(Register(), names)

    def _write(self, register: Register) -> None:
        try:
            replace_file(self._file, _written(register).encode())
        except OSError as broken:
            raise BadInput(
                "people-cannot-written",
                N_("The file of people %(file)s cannot be written (%(why)s); it is as it was."),
                file=self._file,
                why=broken.strerror,
            ) from None


def _read(data: bytes, file: Path) -> Register:
    try:
        if len(data) > MOST_BYTES:
            raise ValueError(f"{len(data)} bytes")
        kept = msgspec.convert(tomllib.loads(data.decode()), _Kept)
        numbers = {each.number for each in kept.person}
        if len(numbers) < len(kept.person) or len(kept.person) > MOST_PEOPLE:
            raise ValueError("people are numbered twice, or too many")
    except (ValueError, msgspec.ValidationError, RecursionError) as broken:
        raise BadInput(
            "people-file-damaged",
            N_("The file of people %(file)s is damaged (%(why)s); mend it or remove it."),
            file=file,
            why=broken,
        ) from None
    return Register(kept.person, kept.forgotten)


def _written(register: Register) -> str:
    parts = ["# Who plays here. `companion` reads and writes it.\n"]
    for person in register.people:
        parts.append(
            f"\n[[person]]\nnumber = {person.number}\nname = {_quoted(person.name)}\n"
            f"also = [{', '.join(map(_quoted, person.also))}]\n"
            f"emblem = {person.emblem}\ncolour = {person.colour}\n"
        )
    for gone in register.forgotten:
        parts.append(f"\n[[forgotten]]\nname = {_quoted(gone.name)}\nup_to = {gone.up_to}\n")
    return "".join(parts)


def _quoted(name: str) -> str:
    """JSON's strings are TOML's; a delete sign is the one letter only JSON allows."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
