"""The composition root: the only place that knows the settings and opens every part. Closing is
the exit stack's job, in reverse order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.catalog import broken_games
from companion.dashboard import Parts
from companion.dashboard.server import Server
from companion.devices.box import open_box
from companion.foundation.errors import JournalError
from companion.foundation.memory import give_back_pictures
from companion.foundation.notices import Notice, Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.service.crash_count import FILE as STARTS_FILE
from companion.service.crash_count import Starts
from companion.service.notify import ServiceManager
from companion.service.restore import finish_restore, in_use
from companion.service.settings import Settings
from companion.service.watchdog import Pulse, Watchdog

if TYPE_CHECKING:  # they bring the picture libraries with them
    from companion.devices.camera.simulated import Showing
    from companion.watch.corrections import Witness

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

    def ready(self) -> None:
        """Everything is open; whoever started the companion as a service is told."""
        self.manager.ready(f"page: {self.server.addresses[-1]}")

    def stop(self) -> None:
        """Lets every page that follows live go, so that the server can end at once."""
        self.manager.stopping()
        self.stopping.set()
        self.referee.wake()


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
    found = [OpenedPart("journal", f"{settings.journal_file}, {journal.count_games()} games")]
    notices = Notices(referee.wake)
    starts = stack.enter_context(Starts(settings.data_folder / STARTS_FILE))
    if manager.present:
        time.sleep(starts.pause_seconds)
    if starts.safe_mode:
        notices.put("starts", starts.failed.notice)
        settings = replace(settings, gpio="none", camera="none")
        found.append(OpenedPart("safe mode", f"after {starts.failed.starts} crashes in a row"))
    for each in broken_games():
        facts = (("game", each.name), ("why", each.why))
        notices.put(f"game {each.name}", Notice("game-broken", facts))
    watchdog = Watchdog(manager.alive, starts.well)
    if not settings.simulated:  # bots begin a new game
        _resume(referee)
    box, finger = open_box(settings, referee, stack)
    found.append(OpenedPart("buttons and lamps", box))
    camera, table, showing = _open_camera(settings, referee, notices, watchdog, stack)
    found.append(OpenedPart("camera", camera))

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
    # Through the referee's lock and the journal's way to the disk, as every entry goes.
    way = (lambda: referee.wait(-1, 0), journal.prove)
    stack.enter_context(Pulse(way, watchdog.register("journal writer")))
    app = App(referee, server, tuple(found), parts.stopping, manager)
    stack.callback(app.stop)  # first of all: pages that follow live would hold the server up
    return app


def _resume(referee: Referee) -> None:
    """The game played last; one that no longer replays is said, not fatal."""
    try:
        referee.resume()
    except JournalError as broken:
        referee.report(broken.message)


def _open_camera(
    settings: Settings, referee: Referee, notices: Notices, watchdog: Watchdog, stack: ExitStack
) -> tuple[str, Witness | None, Showing | None]:
    """What watches, in words; the watched table; and what is shown there, if it is simulated."""
    if settings.camera == "none":
        return "none: entries are made on the page", None, None
    from companion.devices.camera.choice import open_camera
    from companion.watch.opening import Surroundings, open_table

    give_back_pictures()
    camera, showing = open_camera(settings, referee, notices, stack)
    table = open_table(settings, camera, Surroundings(referee, notices, watchdog), stack)
    what = camera.name if showing is None else f"{camera.name}: bots play, nothing of it is real"
    return what, table, showing
