"""The composition root: the only place that knows the settings and opens every part. Closing is
the exit stack's job, in reverse order."""

from __future__ import annotations

import ctypes
import errno
import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpiozero import Factory
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from companion.dashboard import Parts, create_app
from companion.devices.buttons import Buttons
from companion.devices.lamps import Lamps
from companion.devices.mock_press import Finger
from companion.devices.pins import Pins, mock_factory, read_pins, real_factory
from companion.devices.signals import Pressing, Shining
from companion.foundation.errors import BadSettings, CompanionError, JournalError, PortTaken
from companion.foundation.notices import Notice, Notices
from companion.foundation.resources import shipped
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.service.crash_count import FILE as STARTS_FILE
from companion.service.crash_count import Failed, Starts
from companion.service.notify import ServiceManager
from companion.service.restore import finish_restore, in_use
from companion.service.settings import Settings, settings_from
from companion.service.watchdog import Pulse, Watchdog

if TYPE_CHECKING:  # they bring the picture libraries with them
    from companion.devices.camera import Camera
    from companion.devices.camera_simulated import Showing
    from companion.watch.corrections import Witness

log = logging.getLogger(__name__)

SIMULATED = "simulated"
"""The folder, inside the data folder, of games that nobody plays: people's are never among them."""
SIMULATED_SIZE = "1280x720"
CHOSEN = "camera"
"""The file, in the data folder, with the camera chosen on the page."""
SPARE_THREADS = 16  # answers requests while every viewer holds a thread of its own
QUEUE = 256  # connections that may wait for a thread
_MMAP_THRESHOLD, _PICTURE_BYTES = -3, 1 << 20
"""Of malloc.h; and how large a block is a picture."""
STREAM_BUFFER = 65_536  # a stream never ends, so its buffer is changed for a new one so often


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the box, and whether it is the real thing."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class App:
    referee: Referee
    server: Server
    parts: tuple[Part, ...]
    stopping: threading.Event
    manager: ServiceManager

    def ready(self) -> None:
        """Everything is open; whoever started the companion as a service is told."""
        self.manager.ready(f"page: {self.server.addresses[-1]}")

    def stop(self) -> None:
        """Lets every page that follows live go, so that the server can end at once."""
        self.manager.stopping()
        self.stopping.set()
        self.referee.wake()


class Server:
    """The page's WSGI server, in this process."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        listening = _listening(settings)
        self.port = int(listening.getsockname()[1])
        self._dispatcher = ThreadedTaskDispatcher()
        self._dispatcher.set_thread_count(settings.viewers + SPARE_THREADS)
        self._waitress = create_server(
            create_app(parts),
            _dispatcher=self._dispatcher,
            sockets=[listening],
            connection_limit=settings.viewers + QUEUE,
            outbuf_high_watermark=STREAM_BUFFER,
            clear_untrusted_proxy_headers=True,
            ident="companion",
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        """Here, and as the phones on this network see it."""
        here = f"http://localhost:{self.port}/"
        seen = network_address()
        return (here,) if seen is None else (here, f"http://{seen}:{self.port}/")

    def run(self) -> None:
        """Serves until interrupted; call it from the main thread."""
        self._waitress.run()

    def close(self) -> None:
        self._dispatcher.shutdown()
        self._waitress.close()


def _listening(settings: Settings) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
    except OSError as taken:
        listening.close()
        advice = (
            "perhaps a companion is running already. Stop it, or choose another port: "
            "companion run --port 8081"
            if taken.errno == errno.EADDRINUSE
            else "check host and port in the settings"
        )
        where = f"{settings.host}:{settings.port}"
        raise PortTaken(f"the page cannot listen on {where} ({taken.strerror}); {advice}") from None
    return listening


def camera_at_start(settings: Settings) -> str:
    """Which camera watches where no settings say so: the one last chosen on the page. Whoever has
    kept games goes on by hand; whoever starts for the first time sees a simulated table."""
    try:
        folder = settings.data_folder
        file = folder / CHOSEN
        if folder.exists() and not folder.is_dir():
            return "none"  # said when the journal is opened
        if file.exists():
            return settings_from({"camera": file.read_text().strip()}, str(file)).camera
        if not settings.journal_file.exists():
            return "simulated"
        with Journal(settings.journal_file) as journal:
            return "none" if journal.count_games() else "simulated"
    except (OSError, ValueError, BadSettings) as damaged:
        log.warning("the camera chosen on the page is not known any more: %s", damaged)
    except CompanionError:
        pass  # said when the journal is opened for good
    return "none"


def remember_camera(settings: Settings, camera: str) -> None:
    try:
        settings.data_folder.mkdir(parents=True, exist_ok=True)
        (settings.data_folder / CHOSEN).write_text(camera + "\n")
    except OSError as full:  # it is chosen all the same, until the next start
        log.warning("the choice of a camera could not be kept: %s", full)


def build(
    settings: Settings, stack: ExitStack, choose_camera: Callable[[str], None] | None = None
) -> App:
    """`choose_camera`: called from the page, where no settings say which camera watches."""
    if settings.simulated:
        settings = replace(settings, data=str(settings.data_folder / SIMULATED))
    manager = ServiceManager.from_environment()
    stack.enter_context(in_use(settings.data_folder))
    finish_restore(settings.data_folder)
    journal = stack.enter_context(Journal(settings.journal_file))
    referee = Referee(journal)
    found = [Part("journal", f"{settings.journal_file}, {journal.count_games()} games")]
    notices = Notices(referee.wake)
    starts = stack.enter_context(Starts(settings.data_folder / STARTS_FILE))
    if manager.present:
        time.sleep(starts.pause_seconds)
    if starts.safe_mode:
        notices.put("starts", _safe_mode(starts.failed))
        settings = replace(settings, gpio="none", camera="none")
        found.append(Part("safe mode", f"after {starts.failed.starts} crashes in a row"))
    watchdog = Watchdog(manager.alive, starts.well)
    if not settings.simulated:  # bots begin a new game
        _resume(referee)
    gpio, finger = _open_pins(settings, referee, stack)
    found.append(gpio)
    watching = Watching(referee, notices, watchdog)
    camera, table, showing = _open_camera(settings, watching, stack)
    found.append(camera)

    parts = Parts(
        referee,
        journal,
        settings.language,
        settings.viewers,
        finger,
        sheets_in(settings.data_folder),
        notices,
        table,
        showing,
        choose_camera,
    )
    server = Server(settings, parts)
    stack.callback(server.close)
    _start_pulse(referee, journal, watchdog, stack)
    app = App(referee, server, tuple(found), parts.stopping, manager)
    stack.callback(app.stop)  # first of all: pages that follow live would hold the server up
    return app


def _safe_mode(failed: Failed) -> Notice:
    crashes = ("crashes", str(failed.starts))
    if failed.why:
        return Notice("safe-mode-why", (crashes, ("why", failed.why)))
    return Notice("safe-mode", (crashes,))


def _open_pins(
    settings: Settings, referee: Referee, stack: ExitStack
) -> tuple[Part, Finger | None]:
    name = "buttons and lamps"
    if settings.gpio == "none":
        return Part(name, "none"), None
    pins = read_pins(_pins_file(settings))
    if settings.gpio == "real":
        _wire(referee, settings, pins, real_factory(), stack)
        return Part(name, "real, on the GPIO pins"), None
    factory = mock_factory()
    _wire(referee, settings, pins, factory, stack)
    finger = Finger(pins.buttons, factory, settings.hold_seconds)
    return Part(name, "simulated: press them on the page"), finger


@dataclass(frozen=True, slots=True)
class Watching:
    """Whom the table loop works with."""

    referee: Referee
    notices: Notices
    watchdog: Watchdog


def _open_camera(
    settings: Settings, watching: Watching, stack: ExitStack
) -> tuple[Part, Witness | None, Showing | None]:
    if settings.camera == "none":
        return Part("camera", "none: entries are made on the page"), None, None
    from companion.deciding.decide import Limits
    from companion.devices.cameras import asked_size
    from companion.devices.watched_camera import Finding, WatchedCamera
    from companion.watch import loop
    from companion.watch.corrections import Witness
    from companion.watch.evidence import Evidence
    from companion.watch.eyes import Eyes
    from companion.watch.zone_file import KeptZones

    def report(finding: Finding | None) -> None:
        facts = (("camera", settings.camera),)
        notice = None if finding is None else Notice(f"camera-{finding.fault}", facts)
        watching.notices.put("camera", notice)

    _give_back()
    make, showing = _camera(settings, watching.referee)
    camera = WatchedCamera(make, report, size=asked_size(settings.camera, settings.camera_pixels))
    stack.enter_context(camera)
    folder = settings.data_folder
    eyes = Eyes(folder, lambda notice: watching.notices.put("table", notice))
    parts = loop.Parts(
        camera,
        eyes,
        watching.referee,
        Evidence(folder / "disputes", folder / "cases"),
        watching.watchdog.register("table loop"),
        lambda notice: watching.notices.put("reading", notice),
    )
    zones = KeptZones(folder)
    limits = replace(Limits(), take_seconds=settings.take_seconds)
    table = stack.enter_context(loop.TableLoop(parts, limits, zones, _period(settings)))
    what = camera.name if showing is None else f"{camera.name}: bots play, nothing of it is real"
    return Part("camera", what), Witness(table, parts, zones, eyes.learn), showing


def _give_back() -> None:
    """Has glibc give memory of pictures back: else it keeps every block it has ever freed that is
    smaller than the largest one."""
    if hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_MMAP_THRESHOLD, _PICTURE_BYTES)


def _period(settings: Settings) -> float:
    """Seconds between two looks at the camera: a simulated table may go faster than people."""
    from companion.watch.loop import PERIOD_SECONDS

    return PERIOD_SECONDS / 10 if settings.simulated else PERIOD_SECONDS


def _camera(settings: Settings, referee: Referee) -> tuple[Callable[[], Camera], Showing | None]:
    """How the camera is made; and, if its table is simulated, what is shown there."""
    from companion.devices.cameras import camera_maker

    if not settings.simulated:
        return camera_maker(settings.camera, settings.camera_pixels), None
    from companion.devices.camera_simulated import Showing, SimulatedCamera, simulation
    from companion.sim.players import play
    from companion.sim.simulated_people import SimulatedPeople
    from companion.sim.visitors import Visitors

    how = simulation(settings.camera.partition(":")[2])
    showing = Showing(how, Visitors(referee.wake))
    people = SimulatedPeople(referee, play(how.playing).setup, speed=lambda: showing.how.speed)
    return lambda: SimulatedCamera(showing, settings.camera_pixels, players=people), showing


def _start_pulse(referee: Referee, journal: Journal, watchdog: Watchdog, stack: ExitStack) -> None:
    """Through the referee's lock and the journal's way to the disk, as every entry goes."""
    way = (lambda: referee.wait(-1, 0), journal.prove)
    stack.enter_context(Pulse(way, watchdog.register("journal writer")))


def _pins_file(settings: Settings) -> Path:
    return Path(settings.pins) if settings.pins else shipped("hardware/pins.toml")


def _resume(referee: Referee) -> None:
    """The game played last; one that no longer replays is said, not fatal."""
    try:
        referee.resume()
    except JournalError as broken:
        referee.report(str(broken))


def _wire(
    referee: Referee, settings: Settings, pins: Pins, factory: Factory, stack: ExitStack
) -> None:
    lamps = stack.enter_context(Lamps(pins.lamps, pins.buzzer, factory=factory))
    stack.enter_context(Shining(referee, lamps))
    stack.enter_context(
        Buttons(
            pins.buttons,
            Pressing(referee),
            factory=factory,
            hold_seconds=settings.hold_seconds,
            settle_seconds=settings.settle_seconds,
        )
    )


def network_address() -> str | None:
    """This machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address set aside for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return None
