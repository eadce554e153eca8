"""The composition root: the only place that knows the settings and opens every part. Closing is
the exit stack's job, in reverse order."""

from __future__ import annotations

import errno
import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from gpiozero import Factory
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from companion.dashboard import Parts, create_app
from companion.devices.buttons import Buttons
from companion.devices.finger import Finger
from companion.devices.lamps import Lamps
from companion.devices.pins import Pins, mock_factory, read_pins, real_factory
from companion.errors import JournalError, PortTaken
from companion.journal import Journal
from companion.referee import Referee
from companion.settings import Settings
from companion.sheets import sheets_in
from companion.shipped import shipped
from companion.signals import Pressing, Shining

SPARE_THREADS = 16  # answers requests while every viewer holds a thread of its own
QUEUE = 256  # connections that may wait for a thread
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

    def stop(self) -> None:
        """Lets every page that follows live go, so that the server can end at once."""
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


def build(settings: Settings, stack: ExitStack) -> App:
    journal = stack.enter_context(Journal(settings.journal_file))
    referee = Referee(journal)
    found = [Part("journal", f"{settings.journal_file}, {journal.count_games()} games")]
    _resume(referee)

    finger: Finger | None = None
    if settings.gpio == "none":
        found.append(Part("buttons and lamps", "none"))
    else:
        pins = read_pins(_pins_file(settings))
        factory: Factory
        if settings.gpio == "mock":
            factory = mock = mock_factory()
            finger = Finger(pins.buttons, mock, settings.hold_seconds)
            found.append(Part("buttons and lamps", "simulated: press them on the page"))
        else:
            factory = real_factory()
            found.append(Part("buttons and lamps", "real, on the GPIO pins"))
        _wire(referee, settings, pins, factory, stack)
    found.append(Part("camera", "none yet: entries are made on the page"))

    parts = Parts(
        referee,
        journal,
        settings.language,
        settings.viewers,
        finger,
        sheets_in(settings.data_folder),
    )
    server = Server(settings, parts)
    stack.callback(server.close)
    app = App(referee, server, tuple(found), parts.stopping)
    stack.callback(app.stop)  # first of all: pages that follow live would hold the server up
    return app


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
