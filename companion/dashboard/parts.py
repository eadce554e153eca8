"""What the page is given to work with."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.journal import Journal
from companion.notices import Notices
from companion.referee import Referee
from companion.sheets import OwnersSheet


class Finger(Protocol):
    """Something that can press the buttons of the box."""

    @property
    def buttons(self) -> tuple[str, ...]: ...

    def press(self, button: str, *, hold: bool = False) -> None: ...


class TableSide(Protocol):
    """The camera's side of the table."""

    def wave(self) -> None:
        """What is shown or asked is not so."""
        ...

    def dispute(self, seq: int) -> str:
        """Keeps the pictures of an entry; the name of their folder."""
        ...

    def crop(self, thing: int) -> bytes:
        """A picture of a thing that is asked about; empty if it has gone."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    referee: Referee
    journal: Journal
    language: str = "en"
    viewers: int = 120
    finger: Finger | None = None  # only where the pins are mock pins
    sheets: Mapping[str, OwnersSheet] = field(default_factory=dict)  # of games that have one
    notices: Notices = field(default_factory=Notices)  # about the machine
    table: TableSide | None = None  # only where a camera looks
    stopping: threading.Event = field(default_factory=threading.Event)
