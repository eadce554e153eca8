"""`companion run`: starts everything, and starts it anew when another camera is chosen."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType

import click
import segno

from companion.app import App, build
from companion.service.camera_choice import camera_at_start, remember_camera, with_camera
from companion.service.notify import ServiceManager
from companion.service.settings import (
    CAMERAS,
    Settings,
    read_settings,
    settings_file,
    settings_from,
)

ANSWERED_SECONDS = 0.5  # for the page's answer to get out before the server goes


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Where the page listens; 0: any.")
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.option("--camera", help=f"Who watches: none, {CAMERAS}.")
@click.pass_obj
def run(file: Path | None, port: int | None, data: str | None, camera: str | None) -> None:
    """Starts everything, and says which parts are real and which simulated. Without settings and
    without games it starts on a simulated table."""
    settings = read_settings(file, data)
    if port is not None:
        settings = replace(settings, port=port)
    chosen, choosable = who_watches(settings, settings_file(file), camera)
    settings = with_camera(settings, chosen) if choosable else replace(settings, camera=chosen)
    while True:
        another, settings = _serve(settings, choosable=choosable)
        if another is None:
            break
        settings = with_camera(settings, another)
    click.echo("Stopped. The game goes on where it was left.")


def who_watches(settings: Settings, file: Path | None, asked: str | None) -> tuple[str, bool]:
    """Which camera, and whether the page may choose another: only where neither settings nor the
    command line say, and never in a service."""
    if asked is not None:
        return settings_from({"camera": asked}, "--camera").camera, False
    if file is not None or ServiceManager.from_environment().present:
        return settings.camera, False
    return camera_at_start(settings), True


def _serve(settings: Settings, *, choosable: bool) -> tuple[str | None, Settings]:
    """Until it is stopped. The camera chosen on the page meanwhile, if one was, and the settings
    to go on with: on the same port, so that pages find it again."""
    chosen: list[str] = []
    main = threading.main_thread().ident

    def choose(camera: str) -> None:
        if not chosen and main is not None:
            chosen.append(camera)
            remember_camera(settings, camera)
            threading.Timer(ANSWERED_SECONDS, signal.pthread_kill, (main, signal.SIGTERM)).start()

    with ExitStack() as stack:
        app = build(settings, stack, choose if choosable else None)
        _say(app, settings, choosable=choosable)

        def stop(_number: int, _frame: FrameType | None) -> None:
            app.stop()
            raise KeyboardInterrupt

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        with suppress(KeyboardInterrupt):  # it may come before the server is there to take it
            app.ready()
            app.server.run()
        settings = replace(settings, port=app.server.port)
    return (chosen[0] if chosen else None), settings


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
