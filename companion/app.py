"""The composition root: the only place that knows the settings and opens every part. Closing is
the exit stack's job, in reverse order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.catalog import broken_games
from companion.dashboard import Parts
from companion.dashboard.access.origins import Names
from companion.dashboard.serving.server import Server, table_site
from companion.devices.box import open_box
from companion.devices.voice import open_voice
from companion.foundation.errors import CompanionError, JournalError
from companion.foundation.memory import give_back_pictures
from companion.foundation.notices import Notice, Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.mqtt.household import Household, trusting
from companion.mqtt.opening import open_bridge
from companion.onboarding.camera_choice import CameraChoice
from companion.onboarding.steps import StepFile
from companion.outbox.joining import ClubMembership
from companion.outbox.uplink import open_uplink
from companion.service.access.book import FILE as ACCESS_FILE
from companion.service.access.book import AccessBook
from companion.service.chosen_settings import SettingsStore
from companion.service.crash_count import FILE as STARTS_FILE
from companion.service.crash_count import Starts
from companion.service.findings import Examination, Examiner, Patient
from companion.service.keeping.attendance import Attendance
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.meanwhile import KeptWhere, journal_to_play_on
from companion.service.keeping.recovery import Errand, Recovery
from companion.service.keeping.upkeep import Upkeep
from companion.service.network import machine_name
from companion.service.notify import ServiceManager
from companion.service.restore import in_use
from companion.service.settings import FILE, Settings
from companion.service.watchdog import Pulse, Watchdog

if TYPE_CHECKING:  # they bring the picture libraries with them
    from companion.core.game import Setup
    from companion.devices.camera.listing import CameraGlances
    from companion.devices.camera.simulated import Showing
    from companion.foundation.frames import Frame
    from companion.onboarding.desk import Desk
    from companion.scanning.scanner import ScannedView, Subject
    from companion.watch.corrections import Witness
    from companion.watch.phone_eye import PhoneEye

SIMULATED = "simulated"
"""The folder, inside the data folder, of games that nobody plays: people's are never among them."""


@dataclass(frozen=True, slots=True)
class OpenedPart:
    """One part of the box, and whether it is the real thing."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class App:
    referee: Referee
    server: Server
    parts: tuple[OpenedPart, ...]
    stopping: threading.Event
    manager: ServiceManager
    access: AccessBook

    def ready(self) -> None:
        """Everything is open; whoever started the companion as a service is told."""
        self.manager.ready(f"page: {self.server.addresses[-1]}")

    def stop(self) -> None:
        """Lets every page that follows live go, so that the server can end at once."""
        self.manager.stopping()
        self.stopping.set()
        self.referee.wake()


@dataclass(frozen=True, slots=True)
class Controls:
    """What the page may ask of whoever started the companion, and what it has to tell the page."""

    camera_choosable: bool = False
    """Only where the command line does not say which camera watches."""
    start_again: Callable[[Errand], None] | None = None
    """Everything is closed, the errand done, and everything opened anew."""
    replace_part: Callable[[str], None] | None = None
    """A thread of that name has died: everything is started anew."""
    settings_file: Path = Path(FILE)
    told: tuple[tuple[str, Notice], ...] = ()
    examine: Examiner | None = None
    """Looks at every part of the box."""
    store: SettingsStore | None = None
    """What is set, and the door to choose something else."""


NO_CONTROLS = Controls()


def build(settings: Settings, stack: ExitStack, controls: Controls = NO_CONTROLS) -> App:
    access = AccessBook(settings.data_folder / ACCESS_FILE)
    if settings.simulated:
        settings = replace(settings, data=str(settings.data_folder / SIMULATED))
    manager = ServiceManager.from_environment()
    stack.enter_context(in_use(settings.data_folder))
    kept = journal_to_play_on(settings.journal_file)
    journal = stack.enter_context(kept.journal)
    referee = Referee(journal)
    found = [OpenedPart("journal", f"{journal.path}, {journal.count_games()} games")]
    notices = Notices(referee.wake)
    starts = stack.enter_context(Starts(settings.data_folder / STARTS_FILE))
    for part, notice in (*controls.told, *_of_the_journal(kept), *_of_the_start(starts)):
        notices.put(part, notice)
    condition = JournalCondition(notices)
    condition.put(Ailment.AWAY, kept.problem)
    if manager.present:
        time.sleep(starts.pause_seconds)
    if starts.safe_mode:
        settings = replace(settings, gpio="none", camera="none")
        found.append(OpenedPart("safe mode", f"after {starts.failed.starts} crashes in a row"))
    watchdog = Watchdog(manager.alive, starts.well)
    if not settings.simulated:  # bots begin a new game
        _resume(referee)
    box, finger, trial = open_box(settings, referee, access, stack)
    found.append(OpenedPart("buttons and lamps", box))
    if settings.voice_topics:
        found.append(OpenedPart("voice", open_voice(settings, referee, stack)))
    watching = _watching(settings, referee, notices, watchdog, stack)
    found.append(OpenedPart("camera", watching.what))

    parts = Parts(
        referee,
        journal,
        settings.language,
        settings.viewers,
        finger,
        sheets_in(settings.data_folder),
        notices,
        watching.table,
        watching.showing,
        _camera_choice(settings, controls),
        _recovery(settings, controls, condition),
        access,
        Names(machine_name(), tuple(settings.names.split())),
        manager.present,
        secure_port=settings.https_port,
        folder=settings.data_folder,
        table_name=settings.table_name,
        store=controls.store,
        start_again=controls.start_again,
        examination=_examination(settings, controls, watching),
        trial=trial,
        picture=watching.frame,
        cameras=_cameras,
        steps=StepFile(settings.data_folder),  # those of the demo are its own
        phone=_Phones(settings.data_folder),
        desk=_desk(settings, watching, stack),
        club_door=_club_door(settings, controls, journal),
    )
    server = Server(settings, table_site(parts))
    stack.callback(server.close)
    _tell_others(settings, parts, server.addresses[-1], stack)
    # Through the referee's lock and the journal's way to the disk, as every entry goes.
    way = (lambda: referee.wait(-1, 0), journal.prove)
    stack.enter_context(Pulse(way, watchdog.register("journal writer")))
    stack.enter_context(_upkeep(settings, controls, kept, condition))
    app = App(referee, server, tuple(found), parts.stopping, manager, access)
    stack.enter_context(Attendance(partial(_died, notices, controls), parts.stopping))
    stack.callback(app.stop)  # first of all: pages that follow live would hold the server up
    return app


def _died(notices: Notices, controls: Controls, part: str) -> None:
    notices.put("threads", Notice("part-stopped", (("part", part),)))
    if controls.replace_part is not None:
        controls.replace_part(part)


def _of_the_journal(kept: KeptWhere) -> Iterator[tuple[str, Notice]]:
    """What people should know of where their games are kept."""
    if kept.brought_back:
        yield "where", Notice("journal-brought-back")
    if kept.journal.set_aside is not None:
        yield "ahead", Notice("ahead-aside", (("file", kept.journal.set_aside.name),))


def _of_the_start(starts: Starts) -> Iterator[tuple[str, Notice]]:
    """Safe mode, and games that are installed but cannot be played."""
    if starts.safe_mode:
        yield "starts", starts.failed.notice
    for each in broken_games():
        facts = (("game", each.name), ("why", each.why))
        yield f"game {each.name}", Notice("game-broken", facts)


def _recovery(
    settings: Settings, controls: Controls, condition: JournalCondition
) -> Recovery | None:
    if controls.start_again is None:
        return None
    return Recovery(settings.journal_file, controls.settings_file, condition, controls.start_again)


def _upkeep(
    settings: Settings, controls: Controls, kept: KeptWhere, condition: JournalCondition
) -> Upkeep:
    """A spare journal has no other place to go to."""
    real = kept.problem is None
    again = controls.start_again
    elsewhere = None if again is None or not real else lambda: again(lambda: None)
    return Upkeep(
        kept.journal,
        controls.settings_file,
        condition,
        backups=real and not settings.simulated,
        elsewhere=elsewhere,
    )


def _resume(referee: Referee) -> None:
    """The game played last; one that no longer replays is said, not fatal."""
    try:
        referee.resume()
    except JournalError as broken:
        referee.report(broken.message)


@dataclass(frozen=True, slots=True)
class _Watching:
    """What watches, in words; the watched table; what is shown there, if it is simulated; and
    what the camera saw last."""

    what: str
    table: Witness | None = None
    showing: Showing | None = None
    picture: Callable[[], Frame | None] = lambda: None

    def frame(self) -> Frame | None:
        """The newest picture, as long as there is one."""
        return None if self.table is None else self.table.frame()


@cache
def _cameras() -> CameraGlances:
    """The cameras this box can see, beside the one that watches."""
    from companion.devices.camera.listing import CameraGlances

    return CameraGlances(Settings().camera_pixels)


def _camera_choice(settings: Settings, controls: Controls) -> CameraChoice | None:
    again = controls.start_again
    if not controls.camera_choosable or controls.store is None or again is None:
        return None
    return CameraChoice(controls.store, settings.data_folder, lambda: again(lambda: None))


@dataclass(frozen=True, slots=True)
class _Phones:
    """Reads pictures people take with their phones; the first of them loads the eyes."""

    folder: Path

    def look(
        self, setup: Setup, data: bytes, name: str, subject: Subject
    ) -> tuple[ScannedView, ...]:
        return _phone_eye(self.folder).look(setup, data, name, subject)


@cache
def _phone_eye(folder: Path) -> PhoneEye:
    from companion.watch.phone_eye import PhoneEye

    return PhoneEye(folder)


def _desk(settings: Settings, watching: _Watching, stack: ExitStack) -> Callable[[], Desk]:
    """What set-up works with, made when somebody opens it: it brings the eyes along."""

    @cache
    def desk() -> Desk:
        from companion.onboarding.desk import Desk

        look_anew = (lambda: None) if watching.table is None else watching.table.look_anew
        opened = Desk(settings.data_folder, watching.frame, look_anew)
        stack.callback(opened.close)
        return opened

    return desk


def _examination(settings: Settings, controls: Controls, watching: _Watching) -> Examination | None:
    if controls.examine is None:
        return None
    patient = Patient(settings, running=True, picture=watching.picture)
    return Examination(partial(controls.examine, patient))


def _watching(
    settings: Settings, referee: Referee, notices: Notices, watchdog: Watchdog, stack: ExitStack
) -> _Watching:
    """The camera, or none if it cannot be opened at all: then the table plays by hand."""
    with ExitStack() as opening:
        try:
            watching = _open_camera(settings, referee, notices, watchdog, opening)
        except CompanionError as broken:
            notices.put("camera", Notice("part-broken", (("why", broken.message),)))
            return _Watching(f"none, because it could not be started: {broken}")
        stack.push(opening.pop_all())
        return watching


def _open_camera(
    settings: Settings, referee: Referee, notices: Notices, watchdog: Watchdog, stack: ExitStack
) -> _Watching:
    if settings.camera == "none":
        return _Watching("none: entries are made on the page")
    from companion.devices.camera.choice import open_camera, open_further
    from companion.watch.opening import Surroundings, open_table

    give_back_pictures()
    camera, showing = open_camera(settings, referee, notices, stack)
    cameras = (camera, *open_further(settings, notices, stack))
    table = open_table(settings, cameras, Surroundings(referee, notices, watchdog), stack)
    name = ", ".join(each.name for each in cameras)
    what = name if showing is None else f"{name}: bots play, nothing of it is real"
    return _Watching(what, table, showing, lambda: camera.last)


def _club_door(settings: Settings, controls: Controls, journal: Journal) -> ClubMembership | None:
    """Games of bots are told to no club."""
    if settings.simulated:
        return None
    store = controls.store

    def name() -> str:
        return settings.table_name if store is None else store.read().settings.table_name

    return ClubMembership(settings.data_folder, journal.box, name)


def _tell_others(settings: Settings, parts: Parts, page: str, stack: ExitStack) -> None:
    """A club's hub and a household's broker, where there are any; never of simulated games."""
    if settings.simulated:
        return
    referee, journal, notices = parts.referee, parts.journal, parts.notices
    stack.enter_context(open_uplink(settings.data_folder, journal, referee, notices))
    if settings.mqtt:
        look = None if parts.table is None else parts.table.picture
        asked = parts.access.player_of
        player_of = trusting(asked) if settings.mqtt_role == "player" else asked
        household = Household(referee, journal, notices, settings.language, look, player_of, page)
        stack.enter_context(open_bridge(settings.mqtt, household, settings.mqtt_ca))
