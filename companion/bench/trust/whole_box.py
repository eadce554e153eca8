"""A box with every part there is, so that every page can be reached: a watched table with a game on
it, buttons, settings, set-up, recovery. Nothing of it runs by itself, and it cannot switch anything
off: the same requests get the same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path

from companion.bench.games import measured_game
from companion.dashboard import Parts
from companion.devices.box import open_box
from companion.devices.camera.simulated import Showing, simulation
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message
from companion.foundation.notices import Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.onboarding.camera_choice import CameraChoice
from companion.onboarding.desk import Desk
from companion.onboarding.steps import StepFile
from companion.service.access.book import AccessBook
from companion.service.chosen_settings import SettingsStore
from companion.service.findings import Examination
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.recovery import Errand, Recovery
from companion.service.settings import Settings
from companion.service.zone_file import KeptZones
from companion.sim.players import Playing, play
from companion.sim.simulated_people import SimulatedPeople
from companion.sim.virtual_table import ViewSettings, VirtualTable
from companion.sim.visitors import Visitors
from companion.watch.corrections import Witness
from companion.watch.evidence import Evidence
from companion.watch.eyes import Eyes
from companion.watch.learning import Learning
from companion.watch.loop import LoopParts, TableLoop
from companion.watch.played_looks import DeckKeeper

SIZE = (1280, 720)
SEED = 7
MOST_PICTURES = 120
SHORT_SECONDS = 0.02
"""How long a button is held here."""
HOUR = 3600
TROUBLE = message("tried-out", N_("this is only tried out"))


@dataclass(frozen=True, slots=True)
class WholeBox:
    parts: Parts
    watched: int
    """The number of the game on the watched table."""


class _OneCamera:
    """Sees what the watched table's camera saw last."""

    def __init__(self, frame: Callable[[], Frame | None]) -> None:
        self._frame = frame

    def newest(self) -> Frame | None:
        return self._frame()

    def seen(self) -> tuple[str, ...]:
        return ("usb", "usb:1")

    def named(self, camera: str) -> str:
        return camera

    def picture(self, _camera: str) -> Frame | Message:
        return self._frame() or TROUBLE


def whole_box(folder: Path, stack: ExitStack) -> WholeBox:
    journal = stack.enter_context(Journal(folder / "journal.db"))
    referee = Referee(journal)
    notices = Notices(referee.wake)
    hours = count(step=HOUR)  # so that nobody waits for having tried a wrong code
    access = AccessBook(clock=lambda: float(next(hours)))
    settings = Settings(data=str(folder), gpio="mock", hold_seconds=SHORT_SECONDS)
    _, finger, trial = open_box(settings, referee, access, stack)
    table = _watched_table(folder, referee)
    camera = _OneCamera(table.frame)
    condition = JournalCondition(notices)
    condition.put(Ailment.AWAY, TROUBLE)
    store = SettingsStore(None, {"data": str(folder), "port": 0})
    session = referee.moment.session
    parts = Parts(
        referee,
        journal,
        finger=finger,
        sheets=sheets_in(folder),
        notices=notices,
        table=table,
        simulated=Showing(simulation(measured_game()), Visitors(referee.wake)),
        camera_choice=CameraChoice(store, folder, lambda: None),
        recovery=Recovery(journal.path, folder / "companion.toml", condition, _not_now),
        access=access,
        folder=folder,
        store=store,
        start_again=_not_now,
        examination=Examination(lambda _lasting: iter(())),
        trial=trial,
        picture=table.frame,
        cameras=lambda: camera,
        steps=StepFile(folder),
        desk=cache(lambda: Desk(folder, table.frame, table.look_anew)),
    )
    return WholeBox(parts, 0 if session is None else session.number)


def _not_now(_errand: Errand) -> None:
    """What would be done between two starts is not: there is only one here."""


def _watched_table(folder: Path, referee: Referee) -> Witness:
    """The beginning of a game of bots, seen by the real eyes; then it stands still."""
    eyes = Eyes(folder, lambda _notice: None)
    zones = KeptZones(folder)
    evidence = Evidence(folder / "disputes", folder / "cases")
    last: list[Frame] = []
    camera = _OneCamera(lambda: last[-1] if last else None)
    parts = LoopParts(camera, eyes, referee, evidence, gather=eyes.gather)
    loop = TableLoop(parts, zones=zones)
    for frame in islice(_pictures(referee), MOST_PICTURES):
        last[:] = [frame]
        loop.step(frame)
        session = referee.moment.session
        if session is not None and any(each.event.because for each in session.entries):
            break
    keeper = DeckKeeper(eyes.played, folder / "decks", referee.wake)
    return _Standing(loop, parts, zones, Learning(eyes, keeper), eyes.above)


class _Standing(Witness):
    """The loop does not run, so what it saw last is kept here."""

    def frame(self) -> Frame | None:
        glimpse = self._loop.glimpse
        return None if glimpse is None else glimpse.frame


def _pictures(referee: Referee) -> Iterator[Frame]:
    script = play(Playing(measured_game(), 3, SEED))
    people = SimulatedPeople(referee, script.setup, patience_seconds=0.5)
    table = VirtualTable(script, ViewSettings(SIZE, seed=SEED), people.go_on)
    people.begin()
    for number, shot in enumerate(table.shots(), 1):
        if shot.done is not None:
            people.did(shot.done)
        if shot.press:
            people.press(shot.press)
        yield Frame(shot.image, shot.at, number)
