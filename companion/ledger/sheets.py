"""Owners' sheets: what is printed on a copy of a game, entered once and kept in a TOML file.

    unit.veterans.stages = "4"
    town.v1.rows = "2/8/2 1/8/2"

A new game starts with everything the sheet knows, as its first entries; what the table answers
during a game is remembered here for the next one.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from companion.core.catalog import packs
from companion.core.game import Reason
from companion.core.notation import LONGEST_LINE
from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, NN_
from companion.ledger.photographs import CardPhotographs

MOST_BYTES = 200_000


S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules(Generic[S]):
    """What a game brings to keep an owner's sheet. `S` is the sheet as its rules know it."""

    printed: S
    """What the rulebook says of every copy."""
    entries: Callable[[S], Iterable[tuple[str, str]]]
    """Everything a sheet says, as paths and values."""
    filled: Callable[[S, str, tuple[str, ...]], S]
    """With one more entry; raises `ValueError` if there is none of that path and value."""
    read: Callable[[Mapping[str, Any], S], S]
    """The sheet from a table of paths and values; raises `ValueError`."""
    of_state: Callable[[Any], S]
    """What a game on the table knows of its copy."""
    missing: Callable[[S], tuple[str, ...]]
    """The paths nothing is known of yet."""
    contradictions: Callable[[S], tuple[Reason, ...]]
    """Where it says something else than the rulebook."""
    card_of: Callable[[str], str] = lambda _path: ""
    """The card that a path is about, as the game's deck calls it; empty: about none."""
    aligned: Callable[[S, S], S] = lambda _mine, theirs: theirs
    """Another sheet, its cards called as in this one: names may follow the order of drawing."""
    edition: Callable[[S], str] = lambda _sheet: ""
    """Which edition the copy is; empty: nobody has told."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of another sheet: how many entries were new, and where the two differ: path, what
    this one says, what the other says."""

    new: int
    differences: tuple[tuple[str, str, str], ...]


class OwnersSheet:
    """One copy's sheet in one file; any thread may call."""

    def __init__(self, game: str, rules: SheetRules[Any], folder: Path) -> None:
        self._game = game
        self._rules = rules
        self._file = folder / f"{game}-sheet.toml"
        self._lock = threading.Lock()
        self.photographs = CardPhotographs(game, folder)

    @property
    def sheet(self) -> Any:
        """What the rulebook says and what the owner has entered; raises `BadInput`."""
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return self._rules.printed
        except OSError as broken:
            raise BadInput(
                "sheet-cannot-read",
                N_("the sheet %(file)s cannot be read (%(why)s)"),
                file=self._file,
                why=broken.strerror,
            ) from None
        return self._read(data, str(self._file))

    @property
    def entered(self) -> tuple[tuple[str, str], ...]:
        """The entries beyond the rulebook's own, as paths and values."""
        return self._beyond_the_rulebook(self.sheet)

    @property
    def missing(self) -> tuple[str, ...]:
        return self._rules.missing(self.sheet)

    @property
    def contradictions(self) -> tuple[Reason, ...]:
        return self._rules.contradictions(self.sheet)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards it tells of, of which a photograph can be kept."""
        named = (self.card_of(path) for path, _ in self._rules.entries(self.sheet))
        return tuple(dict.fromkeys(card for card in named if card))

    def card_of(self, path: str) -> str:
        return self._rules.card_of(path)

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
                sheet = self._rules.filled(self.sheet, path, tuple(plain.split()))
            except ValueError:
                raise BadInput(
                    "sheet-has-no-entry-2",
                    N_("the sheet has no entry %(path)s = %(text)s"),
                    path=path,
                    text=repr(text),
                ) from None
            self.write(sheet)

    def learn(self, before: Any, after: Any) -> tuple[str, ...]:
        """What a game came to know from one state to the next: the paths of it. Raises
        `BadInput`."""
        known = dict(self._rules.entries(self._rules.of_state(before)))
        every = self._rules.entries(self._rules.of_state(after))
        new = [(path, text) for path, text in every if known.get(path) != text]
        for path, text in new:
            self.enter(path, text)
        return tuple(path for path, _ in new)

    def replace(self, data: bytes) -> None:
        """Another sheet in place of this one; raises `BadInput` and leaves it as it was."""
        with self._lock:
            self.write(self._read(data, "the sheet"))

    def merge(self, data: bytes) -> Merged:
        """What another sheet of the same edition knows and this one does not is taken over; where
        they differ nothing changes. Raises `BadInput` and leaves the sheet as it was."""
        with self._lock:
            sheet, other = self.sheet, self._read(data, "the sheet")
            self._check_edition(sheet, other)
            theirs = dict(self._beyond_the_rulebook(self._rules.aligned(sheet, other)))
            mine = dict(self._rules.entries(sheet))
            new = {path: text for path, text in theirs.items() if path not in mine}
            for path, text in new.items():
                sheet = self._rules.filled(sheet, path, tuple(text.split()))
            if new:
                self.write(sheet)
        both = ((path, mine[path], text) for path, text in theirs.items() if path in mine)
        return Merged(len(new), tuple(each for each in both if each[1] != each[2]))

    def _check_edition(self, mine: Any, other: Any) -> None:
        own, theirs = self._rules.edition(mine), self._rules.edition(other)
        if own and theirs and own != theirs:
            raise BadInput(
                "sheet-of-another-edition",
                N_(
                    "that sheet is of another edition (%(theirs)s) than yours (%(own)s); nothing"
                    " was taken over"
                ),
                theirs=theirs,
                own=own,
            )

    def export(self) -> str:
        return self._written(self.sheet)

    def write(self, sheet: Any) -> None:
        """Another sheet in its place: all of it or nothing, and on the disk before it counts."""
        for path, text in self._rules.entries(sheet):
            _check(path, text)
        try:
            replace_file(self._file, self._written(sheet).encode())
        except OSError as broken:
            raise BadInput(
                "sheet-cannot-written",
                N_("the sheet %(file)s cannot be written (%(why)s); it is as it was"),
                file=self._file,
                why=broken.strerror,
            ) from None

    def _read(self, data: bytes, where: str) -> Any:
        """A sheet from a file's bytes; raises `BadInput` with what is wrong."""
        if len(data) > MOST_BYTES:
            raise BadInput(
                "has-bytes-most",
                N_("%(where)s has %(count)s bytes; %(most_bytes)s are the most"),
                where=where,
                count=len(data),
                most_bytes=MOST_BYTES,
            )
        try:
            return self._rules.read(tomllib.loads(data.decode()), self._rules.printed)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as broken:
            raise BadInput(
                "not-toml", N_("%(where)s is not TOML: %(why)s"), where=where, why=broken
            ) from None
        except ValueError as entry:
            raise BadInput(
                "has-entry-does-not",
                N_("%(where)s has an entry that does not exist: %(what)s"),
                where=where,
                what=entry,
            ) from None

    def _beyond_the_rulebook(self, sheet: Any) -> tuple[tuple[str, str], ...]:
        told = dict(self._rules.entries(self._rules.printed))
        every = self._rules.entries(sheet)
        return tuple((path, text) for path, text in every if told.get(path) != text)

    def _written(self, sheet: Any) -> str:
        head = (
            f"# The owner's sheet of one copy of {self._game.capitalize()}."
            " `companion` reads and writes it.\n"
        )
        lines = [f"{path} = {_quoted(text)}\n" for path, text in self._beyond_the_rulebook(sheet)]
        return head + "".join(lines)


def _line(path: str, text: str) -> str:
    return f"sheet {path} {text}"


def _check(path: str, text: str) -> None:
    """Whether a game can be told of it, and a file hold it."""
    if not text.isprintable():
        raise BadInput(
            "has-letters-cannot-printed",
            N_("%(path)s has letters that cannot be printed"),
            path=path,
        )
    if len(line := _line(path, text)) > LONGEST_LINE:
        raise BadInput(
            "letters-too-long-shorten",
            NN_(
                "%(path)s is %(count)s letter too long: shorten it",
                "%(path)s is %(count)s letters too long: shorten it",
            ),
            path=path,
            count=len(line) - LONGEST_LINE,
        )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def sheets_in(folder: Path) -> Mapping[str, OwnersSheet]:
    """The sheets of the games that have one."""
    return MappingProxyType(
        {
            name: OwnersSheet(name, pack.sheet(), folder)
            for name, pack in packs().items()
            if pack.sheet is not None
        }
    )
