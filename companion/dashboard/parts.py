"""What the page is given to work with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.core.game import Refused
from companion.foundation.notices import Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import OwnersSheet
from companion.service.zone_file import KeptZones
from companion.sim.visitors import Visitors
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Alternatives, Corrected


class ButtonPresser(Protocol):
    """Something that can press the buttons of the box."""

    @property
    def buttons(self) -> tuple[str, ...]: ...

    def press(self, button: str, *, hold: bool = False) -> None: ...


class TableSide(Protocol):
    """The camera's side of the table."""

    @property
    def zones(self) -> KeptZones: ...

    def picture(self) -> bytes:
        """The mat from straight above; empty while it cannot be seen."""
        ...

    def lying(self) -> tuple[Thing, ...]: ...

    def crop(self, thing: int) -> bytes:
        """A picture of a thing that is asked about; empty if it has gone."""
        ...

    def likely(self, thing: int) -> tuple[str, ...]:
        """What a thing that lies there may be."""
        ...

    def reject(self, based_on: int) -> None:
        """What is shown or asked is not so, says somebody who has seen the log so far."""
        ...

    def dispute(self, seq: int) -> str:
        """Keeps the pictures of an entry; the name of their folder."""
        ...

    def disputed(self, seq: int) -> str:
        """The folder of a disputed entry; empty if it is not."""
        ...

    def keep_case(self, seq: int) -> str:
        """Keeps an entry for the test set; the folder."""
        ...

    def alternatives(self, seq: int) -> tuple[Alternatives, ...]:
        """What else an entry may have been."""
        ...

    def correct(self, seq: int, line: str, based_on: int) -> Corrected | Refused: ...

    def learn(self, thing: int, word: str) -> None:
        """The thing shows a further look of that card."""
        ...


class SimulatedTable(Protocol):
    """A table that plays by itself."""

    @property
    def text(self) -> str:
        """What is shown, as the settings say it: `GAME,seed=7,speed=2`."""
        ...

    @property
    def visitors(self) -> Visitors: ...

    def show_text(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    referee: Referee
    journal: Journal
    language: str = "en"
    viewers: int = 120
    finger: ButtonPresser | None = None  # only where the pins are mock pins
    sheets: Mapping[str, OwnersSheet] = field(default_factory=dict)  # of games that have one
    notices: Notices = field(default_factory=Notices)  # about the machine
    table: TableSide | None = None  # only where a camera looks
    simulated: SimulatedTable | None = None  # only where that camera's table is not real
    choose_camera: Callable[[str], None] | None = None  # only where no settings choose it
    stopping: threading.Event = field(default_factory=threading.Event)
