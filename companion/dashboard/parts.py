"""What the page is given to work with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.core.game import Refused, Setup
from companion.dashboard.access.origins import Names
from companion.foundation.messages import Message
from companion.foundation.notices import Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import OwnersSheet
from companion.onboarding.camera_choice import CameraChoice
from companion.onboarding.steps import StepFile
from companion.scanning.scanner import ScannedView, Subject
from companion.service.access.book import AccessBook
from companion.service.access.presence import Presser
from companion.service.chosen_settings import SettingsStore
from companion.service.findings import Examination
from companion.service.keeping.recovery import Errand, Recovery
from companion.service.zone_file import KeptZones
from companion.sim.visitors import Visitors
from companion.tabletop.alike_boards import AlikeBoard
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Alternatives, Corrected
from companion.tabletop.zones import Outline

if TYPE_CHECKING:  # they bring the picture libraries with them
    from companion.foundation.frames import Frame
    from companion.onboarding.desk import Desk


class ButtonPresser(Protocol):
    """Something that can press the buttons of the box."""

    @property
    def buttons(self) -> tuple[str, ...]: ...

    def press(self, button: str, by: Presser, *, hold: bool = False) -> None: ...


class BoxTrial(Protocol):
    """Trying the buttons and lamps out: while it lasts, presses are shown and enter nothing."""

    @property
    def real(self) -> bool:
        """Real parts, on the pins of the machine."""
        ...

    @property
    def pins(self) -> Mapping[str, int]:
        """The GPIO number of each part: pass, confirm, green, amber, red, buzzer."""
        ...

    @property
    def going_on(self) -> bool: ...

    @property
    def pressed(self) -> frozenset[str]:
        """The buttons pressed since it began."""
        ...

    def begin(self) -> None: ...

    def end(self) -> None: ...

    def light(self, part: str) -> None:
        """Lights a lamp for a moment, or sounds the buzzer."""
        ...


class TableSide(Protocol):
    """The camera's side of the table."""

    @property
    def zones(self) -> KeptZones: ...

    def picture(self) -> bytes:
        """The mat from straight above; empty while it cannot be seen."""
        ...

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of what the picture shows, in millimetres."""
        ...

    def places(self, game: str) -> Mapping[str, Outline]:
        """Where things mean something in that picture."""
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
        """Keeps an entry as an example; the folder."""
        ...

    def alternatives(self, seq: int) -> tuple[Alternatives, ...]:
        """What else an entry may have been."""
        ...

    def correct(self, seq: int, line: str, based_on: int, by: str = "") -> Corrected | Refused: ...

    def learn(self, thing: int, word: str) -> None:
        """The thing shows a further look of that card."""
        ...

    @property
    def on_boards(self) -> bool:
        """Whether the owner's boards are read now, not the mat."""
        ...

    def alike(self) -> tuple[AlikeBoard, ...]:
        """Boards of one print in view that people have to tell apart."""
        ...

    def name_board(self, number: int, name: str) -> None: ...

    def look_anew(self) -> None:
        """The cards it knows are others from now on."""
        ...

    def rest(self) -> None:
        """For a while nothing that lies there is taken for a move."""
        ...

    def ask_next(self) -> None:
        """The next play is asked about, however sure the camera is."""
        ...

    @property
    def asks_next(self) -> bool: ...

    def offer(self) -> DeckOffer | None:
        """The deck on the table, if nearly all of it was seen in play."""
        ...

    def keep_deck(self, name: str) -> None:
        """Begins to make a deck of what was seen in play, under that name."""
        ...


class PhoneCamera(Protocol):
    """Reads pictures that people take with their phones."""

    def look(
        self, setup: Setup, data: bytes, name: str, subject: Subject
    ) -> tuple[ScannedView, ...]:
        """What one picture of a subject shows; raises `BadInput` in words for its sender."""
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

    def lay_out(self, faces: tuple[str, ...] | None) -> None:
        """These cards lie there for a while, and the game waits; None: it goes on at once."""
        ...


class CameraList(Protocol):
    """The cameras this box can see."""

    def seen(self) -> tuple[str, ...]:
        """As the settings call them."""
        ...

    def named(self, camera: str) -> str:
        """What the list calls the camera of a setting."""
        ...

    def picture(self, camera: str) -> Frame | Message:
        """One picture of a camera that nobody uses at the moment, or why there is none."""
        ...


class ClubDoor(Protocol):
    """The club whose hub hears of this box's games."""

    def club(self) -> str:
        """What it is called, with its address; empty if the box belongs to none."""
        ...

    def join(self, address: str, key: str, ca_file: str) -> str:
        """The name of the club the box belongs to from the next start on; raises
        `CompanionError`."""
        ...

    def leave(self) -> bool:
        """Whether the hub could be told."""
        ...


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
    camera_choice: CameraChoice | None = None  # unless the command line says
    recovery: Recovery | None = None  # only where the companion can start itself anew
    access: AccessBook = field(default_factory=AccessBook)  # who may do what
    names: Names = field(default_factory=Names)  # that the page answers to
    installed: bool = False  # as a service: then somebody is asked who may play
    stopping: threading.Event = field(default_factory=threading.Event)
    secure_port: int = 0  # where the page is also served over HTTPS
    folder: Path | None = None  # for what owners enrol
    table_name: str = ""  # what people call the table
    store: SettingsStore | None = None  # what is set, and the door to choose something else
    start_again: Callable[[Errand], None] | None = None  # everything anew, after an errand
    examination: Examination | None = None  # of every part, where somebody can examine them
    trial: BoxTrial | None = None  # only where there are buttons and lamps
    picture: Callable[[], Frame | None] = lambda: None  # what the camera sees now, as it is
    cameras: Callable[[], CameraList] | None = None  # that can be chosen
    steps: StepFile | None = None  # of set-up, that people have marked
    phone: PhoneCamera | None = None  # for pictures people take with their phones
    desk: Callable[[], Desk] | None = None  # what set-up works with; brings the eyes along
    club_door: ClubDoor | None = None  # to a club's hub; not where games are simulated

    @property
    def name_now(self) -> str:
        """What people call the table, from the moment on they chose it."""
        return self.table_name if self.store is None else self.store.read().settings.table_name
