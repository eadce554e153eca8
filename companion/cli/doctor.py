"""`companion doctor`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
import msgspec

from companion.service.chosen_settings import settings_now
from companion.service.settings import Settings

if TYPE_CHECKING:  # the doctor brings the picture libraries with him
    from companion.doctor import Finding

SIGNS = {"good": "✓", "poor": "!", "bad": "✗", "skipped": "–"}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One object a line; nobody is asked.")
@click.option(
    "--ask/--no-ask", default=None, help="Try lamps and buttons with a person; else a terminal."
)
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool, ask: bool | None, data: str | None) -> None:
    """Looks at every part of the box, and says what to do about what is wrong."""
    settings = settings_now(ctx.obj, data)
    asking = (
        not as_json and settings.gpio == "real" and (sys.stdin.isatty() if ask is None else ask)
    )
    bad = False
    for finding in _findings(settings, asking=asking):
        bad = bad or finding.state == "bad"
        if as_json:
            click.echo(msgspec.json.encode(_plain(finding)))
            continue
        click.echo(f"{SIGNS[finding.state]} {finding.part}: {finding.what}")
        if finding.todo:
            click.echo(f"    {finding.todo}")
    ctx.exit(1 if bad else 0)


def _findings(settings: Settings, *, asking: bool) -> Iterator[Finding]:
    from companion.doctor import State, examine
    from companion.doctor.box import ask_about_pins
    from companion.service.findings import Patient

    pins_open = False
    for finding in examine(Patient(settings)):
        pins_open = pins_open or (
            finding.part == "buttons and lamps" and finding.state is State.GOOD
        )
        yield finding
    if asking and pins_open:
        yield from ask_about_pins(settings, click.confirm, click.echo)


def _plain(finding: Finding) -> dict[str, str]:
    todo = "" if finding.todo is None else str(finding.todo)
    return {
        "part": finding.part,
        "state": finding.state.value,
        "what": str(finding.what),
        "todo": todo,
    }
