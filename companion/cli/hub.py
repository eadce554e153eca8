"""`companion hub`: runs a hub, and makes its clubs. `companion join` and `companion leave`: a box
and its club."""

from __future__ import annotations

import signal
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType

import click

from companion.dashboard.serving.server import Server
from companion.hub.clubs import make_club
from companion.hub.site import hub_site
from companion.hub.store import open_store
from companion.ledger.journal import Journal
from companion.outbox.joining import Invitation, join_club, leave_club
from companion.service.settings import Settings, read_settings

DEFAULT_STORE = "~/.local/share/companion-hub/hub.db"
STORE = click.option(
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    envvar="COMPANION_HUB_STORE",
    help="postgresql://user:password@host/database, or the path of an SQLite file.",
)


@click.group("hub")
def hub_command() -> None:
    """Gathers the games of many tables: hall, people, leagues, tournaments."""


@hub_command.command("run")
@STORE
@click.option("--host", default="0.0.0.0", show_default=True)  # noqa: S104 - boxes come by network
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True)
@click.option("--language", default="en", show_default=True)
@click.option(
    "--name",
    "names",
    multiple=True,
    envvar="COMPANION_HUB_NAMES",
    help="A name it is opened by, such as hub.example; can be repeated. Addresses, the machine's"
    " own name and .local names always count.",
)
def run_hub(store: str, host: str, port: int, language: str, names: tuple[str, ...]) -> None:
    """Starts the hub."""
    settings = Settings(host=host, port=port, language=language, viewers=500)
    with ExitStack() as stack:
        opened = open_store(store)
        stack.callback(opened.close)
        server = Server(settings, hub_site(opened, language, names, stack))
        stack.callback(server.close)
        click.echo(f"store: {opened.name}")
        for address in server.addresses:
            click.echo(f"hub: {address}")

        def stop(_number: int, _frame: FrameType | None) -> None:
            raise KeyboardInterrupt

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        with suppress(KeyboardInterrupt):
            server.run()
    click.echo("Stopped. Boxes go on by themselves, and catch up when the hub is back.")


@hub_command.command("club")
@STORE
@click.argument("name")
def new_club(store: str, name: str) -> None:
    """Makes a club and prints its two keys, which are shown only now."""
    opened = open_store(store)
    try:
        made = make_club(opened, name)
    finally:
        opened.close()
    click.echo(f"club: {made.club.name}, at /c/{made.club.slug}")
    click.echo(f"key for its boxes (companion join ADDRESS KEY): {made.key}")
    click.echo(f"key for its owner (on the club's page):         {made.owner_key}")


@click.command("join")
@click.argument("address")
@click.argument("key")
@click.option("--name", default="Table", show_default=True, help="What the club calls this table.")
@click.option(
    "--ca",
    type=click.Path(exists=True, dir_okay=False),
    default=None,
    help="The certificate of the hub's own authority, if it is not one that everybody trusts.",
)
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_obj
def join_command(file: Path | None, /, **asked: str | None) -> None:
    """Joins a club: from the next start on, the games of this box are sent to its hub."""
    settings = read_settings(file, asked["data"])
    with Journal(settings.journal_file) as journal:
        box = journal.box
    invitation = Invitation(asked["address"] or "", asked["key"] or "", asked["ca"] or "")
    joined = join_club(settings.data_folder, box, asked["name"] or "Table", invitation)
    click.echo(f"This box belongs to {joined.club} now. Start the companion again.")


@click.command("leave")
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_obj
def leave_command(file: Path | None, data: str | None) -> None:
    """Leaves the club: nothing is sent any more; what its hub has stays there."""
    told = leave_club(read_settings(file, data).data_folder)
    click.echo("This box belongs to no club. Start the companion again.")
    if not told:
        click.echo("Its hub could not be told: the club's owner can let the box go there.")
