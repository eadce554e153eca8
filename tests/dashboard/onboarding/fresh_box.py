"""An empty box with a painted camera, two buttons, and a list of cameras to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from flask.testing import FlaskClient

from companion.core.game import Refused
from companion.dashboard import Parts, create_app
from companion.devices.parts_trial import PartsTrial
from companion.devices.pins import read_pins
from companion.foundation.frames import Frame
from companion.foundation.messages import Message
from companion.foundation.resources import shipped
from companion.ledger.journal import Journal
from companion.ledger.referee import Press, Referee
from companion.onboarding.camera_choice import CameraChoice
from companion.onboarding.desk import Desk
from companion.onboarding.steps import StepFile
from companion.service.chosen_settings import SettingsStore
from companion.service.zone_file import KeptZones
from companion.tabletop.alike_boards import AlikeBoard
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Alternatives, Corrected
from companion.tabletop.zones import Outline
from tests.onboarding.table import PaintedCamera


class BareTable:
    """The camera's side of a table on which no game is."""

    def __init__(self, folder: Path) -> None:
        self.zones = KeptZones(folder)
        self.rested = 0
        self.looked_anew = 0
        self.asks_next = False
        self.extent = MAT
        self.on_boards = False

    def picture(self) -> bytes:
        return b""

    def places(self, game: str) -> Mapping[str, Outline]:
        return self.zones.get(game, {})

    def lying(self) -> tuple[Thing, ...]:
        return ()

    def crop(self, thing: int) -> bytes:
        return b""

    def likely(self, thing: int) -> tuple[str, ...]:
        return ()

    def alike(self) -> tuple[AlikeBoard, ...]:
        return ()

    def name_board(self, number: int, name: str) -> None: ...

    def reject(self, based_on: int) -> None: ...

    def dispute(self, seq: int) -> str:
        return ""

    def disputed(self, seq: int) -> str:
        return ""

    def keep_case(self, seq: int) -> str:
        return ""

    def alternatives(self, seq: int) -> tuple[Alternatives, ...]:
        return ()

    def correct(self, seq: int, line: str, based_on: int, by: str = "") -> Corrected | Refused:
        raise AssertionError("no game is on")

    def learn(self, thing: int, word: str) -> None: ...

    def look_anew(self) -> None:
        self.looked_anew += 1

    def rest(self) -> None:
        self.rested += 1

    def ask_next(self) -> None: ...

    def offer(self) -> DeckOffer | None:
        return None

    def keep_deck(self, name: str) -> None: ...


@dataclass
class TwoCameras:
    """What can be chosen."""

    camera: PaintedCamera
    looked: list[str] = field(default_factory=list)

    def seen(self) -> tuple[str, ...]:
        return ("usb:Logi_C920", "usb:Other")

    def named(self, camera: str) -> str:
        return "usb:Logi_C920" if camera == "usb" else camera

    def picture(self, camera: str) -> Frame | Message:
        self.looked.append(camera)
        frame = self.camera()
        assert frame is not None
        return frame


class FreshBox:
    def __init__(self, data: Path, journal: Journal) -> None:
        self.data = data
        self.camera = PaintedCamera()
        self.store = SettingsStore(None, {"data": str(data)})
        self.starts: list[str] = []
        self.pressed: list[Press] = []
        pins = read_pins(shipped("hardware/pins.toml"))
        self.trial = PartsTrial(pins, self.pressed.append, lambda _: None, real=True)
        self.table = BareTable(data)
        self.desk = Desk(data, self.camera, self.table.look_anew)
        self.cameras = TwoCameras(self.camera)
        self.steps = StepFile(data)
        self.parts = Parts(
            Referee(journal),
            journal,
            store=self.store,
            table=self.table,
            trial=self.trial,
            picture=self.camera,
            cameras=lambda: self.cameras,
            steps=self.steps,
            desk=lambda: self.desk,
            camera_choice=CameraChoice(self.store, data, lambda: self.starts.append("anew")),
        )
        self.app = create_app(self.parts)
        self.app.testing = True

    def client(self) -> FlaskClient:
        return self.app.test_client()
