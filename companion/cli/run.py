"""`companion run`: starts everything, and starts it anew when another camera is chosen."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

import click
import segno

from companion.app import App, Controls, build
from companion.foundation.blas import one_thread_each
from companion.foundation.errors import CompanionError, PinsMissing, PortTaken
from companion.foundation.notices import Notice
from companion.service.chosen_settings import Layers, Origin, SettingsStore, at_start
from companion.service.crash_count import MOST_CRASHES
from companion.service.findings import Finding, Patient
from companion.service.keeping.recovery import Errand
from companion.service.notify import ServiceManager
from companion.service.settings import CAMERAS, FILE, Settings

OURS_ONLY = 0o027  # what is written may be read by the own group, and by nobody else
ANSWERED_SECONDS = 0.5  # for the page's answer to get out before the server goes
KEYS_OF_FAILURE: tuple[tuple[type[CompanionError], tuple[str, ...]], ...] = (
    (PinsMissing, ("gpio",)),
    (PortTaken, ("port", "https_port")),
)
"""What keeps a companion from starting, and the settings that can bring it about."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Where the page listens; 0: any.")
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.option("--camera", help=f"Who watches: none, {CAMERAS}.")
@click.pass_obj
def run(file: Path | None, port: int | None, data: str | None, camera: str | None) -> None:
    """Starts everything, and says which parts are real and which simulated. Without settings and
    without games it starts on a simulated table."""
    os.umask(OURS_ONLY)
    one_thread_each()
    store = SettingsStore(file, {"port": port, "data": data, "camera": camera})
    running = _Running(store, store.read(), file or Path(FILE))
    while True:
        try:
            wish, port_before = _serve(running)
        except (PinsMissing, PortTaken) as failed:
            running = _without_choice(running, failed)
            continue
        if wish is None:
            break
        told = _done(wish)  # before the settings are read: a restore brings others along
        running = _next(running, wish, store.read(), port_before)
        running = replace(running, told=(*told, *running.told))
    click.echo("Stopped. The game goes on where it was left.")


@dataclass(frozen=True, slots=True)
class _Running:
    """What one start goes by."""

    store: SettingsStore
    layers: Layers
    file: Path
    told: tuple[tuple[str, Notice], ...] = ()
    port: int | None = None
    """Where the page was before: pages find it there again."""
    port_before: int | None = None
    """The same, also if another port was chosen since."""
    left_out: frozenset[str] = frozenset()
    """Keys whose choice on the page cannot be, as this start has shown."""
    deaths: int = 0
    """How often a part of the box has stopped by a fault since the companion was started."""
    safe: bool = False
    """Without camera and pins, because they keep stopping."""

    @property
    def choosable(self) -> bool:
        """May the page choose the camera? Only the command line has the last word."""
        return self.layers.origin("camera") < Origin.COMMAND_LINE

    @property
    def settings(self) -> Settings:
        manager = ServiceManager.from_environment()
        told = self.store.file is not None or manager.present
        settings = at_start(self.layers, told=told)
        if self.port is not None:
            settings = replace(settings, port=self.port)
        return replace(settings, camera="none", gpio="none") if self.safe else settings

    @property
    def notices(self) -> tuple[tuple[str, Notice], ...]:
        broken = (_notice("settings-broken", each) for each in self.layers.problems)
        return (*((f"settings {at}", each) for at, each in enumerate(broken)), *self.told)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Why everything is to start anew: other settings, or an errand to be done in between."""

    errand: Errand = lambda: None
    died: str = ""
    """The thread that stopped by a fault, if that is why."""


def _next(running: _Running, wish: _Wish, layers: Layers, port: int) -> _Running:
    """As it goes on: with all parts, or in safe mode if they keep stopping; and on the same port,
    unless another was chosen."""
    same_port = layers.settings.port == running.layers.settings.port
    at = port if same_port else None
    running = replace(
        running, layers=layers, port=at, port_before=port, told=(), left_out=frozenset()
    )
    if not wish.died:
        return replace(running, safe=False)
    deaths, part = running.deaths + 1, ("part", wish.died)
    if deaths < MOST_CRASHES:
        again = Notice("part-started-again", (part,))
        return replace(running, deaths=deaths, told=(("threads", again),))
    without = Notice("parts-left-out", (("count", str(deaths)), part))
    return replace(running, deaths=deaths, safe=True, told=(("threads", without),))


def _without_choice(running: _Running, failed: CompanionError) -> _Running:
    """Whoever chose on the page what cannot be must be able to choose again there: the choice is
    left out this time. What a file or the command line says stays a mistake, and is raised."""
    keys = next(keys for kind, keys in KEYS_OF_FAILURE if isinstance(failed, kind))
    chosen = {key for key in keys if running.layers.origin(key) is Origin.PAGE}
    if not chosen:
        raise failed
    left_out = running.left_out | chosen
    told = (f"choice of {min(chosen)}", _notice("choice-left-out", failed))
    return replace(
        running,
        layers=running.store.read(without=left_out),
        left_out=left_out,
        port=running.port_before if "port" in chosen else running.port,
        told=(*running.told, told),
    )


def _done(wish: _Wish) -> tuple[tuple[str, Notice], ...]:
    """Does the errand; what went wrong with it is told on the page."""
    try:
        wish.errand()
    except CompanionError as failed:
        return (("errand", _notice("errand-failed", failed)),)
    return ()


def _notice(code: str, error: CompanionError) -> Notice:
    return Notice(code, (("why", error.message),))


def _serve(running: _Running) -> tuple[_Wish | None, int]:
    """Until it is stopped. What was wished for on the page meanwhile, if anything was, and the
    port it listened on."""
    settings, wishes = running.settings, list[_Wish]()
    main = threading.main_thread().ident

    def start_anew(wish: _Wish) -> None:
        if not wishes and main is not None:
            wishes.append(wish)
            threading.Timer(ANSWERED_SECONDS, signal.pthread_kill, (main, signal.SIGTERM)).start()

    controls = Controls(
        running.choosable,
        lambda errand: start_anew(_Wish(errand=errand)),
        lambda part: start_anew(_Wish(died=part)),
        running.file,
        running.notices,
        _examined,
        running.store,
    )
    with ExitStack() as stack:
        app = build(settings, stack, controls)
        _say(app, settings, choosable=running.choosable)

        def stop(_number: int, _frame: FrameType | None) -> None:
            app.stop()
            raise KeyboardInterrupt

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        with suppress(KeyboardInterrupt):  # it may come before the server is there to take it
            app.ready()
            app.server.run()
        port = app.server.port
    return (wishes[0] if wishes else None), port


def _examined(patient: Patient, lasting: bool) -> Iterator[Finding]:
    from companion.doctor import LASTING, PASSING, examine  # they bring the picture libraries

    yield from examine(patient, LASTING if lasting else PASSING)


def _say(app: App, settings: Settings, *, choosable: bool) -> None:
    for part in app.parts:
        click.echo(f"{part.name}: {part.what}")
    if settings.simulated:
        own = "on the page, or with: companion run --camera usb (or pi, or none: by hand)"
        click.echo(
            "This is a simulated table, its games are kept apart from yours. For your own game"
            f" choose {own if choosable else 'another camera in the settings'}"
        )
    for each in app.server.addresses:
        click.echo(f"page: {each}")
    segno.make(app.server.addresses[-1], micro=False).terminal(out=sys.stdout, compact=True)
    click.echo("Scan the code to join. Ctrl-C stops; nothing is lost.")
    sys.stdout.flush()
