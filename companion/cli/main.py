"""The group of all commands. Exit codes: 0 good, 1 the answer is no, 2 bad input."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from companion.foundation.errors import CompanionError, LogCorrupt

NO = 1
"""The answer is no, or the log is damaged."""
BAD = 2
"""Bad input, or a broken machine."""

# Each is imported when it is asked for: some bring heavy libraries with them.
COMMANDS = {
    "backup": "companion.cli.backup:backup_command",
    "bench": "companion.cli.bench:bench",
    "bench-hub": "companion.cli.bench_hub:bench_hub_command",
    "calibrate": "companion.cli.look:calibrate_command",
    "check": "companion.cli.check:check",
    "doctor": "companion.cli.doctor:doctor_command",
    "enrol": "companion.cli.enrol:enrol_command",
    "export": "companion.cli.games:export_game",
    "games": "companion.cli.games:games",
    "hub": "companion.cli.hub:hub_command",
    "import": "companion.cli.games:import_game",
    "join": "companion.cli.hub:join_command",
    "leave": "companion.cli.hub:leave_command",
    "legal": "companion.cli.check:legal",
    "look": "companion.cli.look:look_command",
    "options": "companion.cli.rules:options",
    "print": "companion.cli.print:print_",
    "replay-case": "companion.cli.replay_case:replay_case",
    "restore": "companion.cli.backup:restore_command",
    "rules": "companion.cli.rules:rules",
    "run": "companion.cli.run:run",
    "score": "companion.cli.look:score_command",
    "show": "companion.cli.games:show",
    "sim-club": "companion.cli.sim_club:sim_club_command",
    "track": "companion.cli.track:track_command",
}


class CommandGroup(click.Group):
    """Turns what went wrong into one sentence and an exit code; nobody sees a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        _never_choke()
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            for line in _told(error, ctx).splitlines():
                click.echo(f"companion: {line}", err=True)
            ctx.exit(NO if isinstance(error, LogCorrupt) else BAD)


def _told(error: CompanionError, ctx: click.Context) -> str:
    """In the language that was asked for."""
    from companion.cli.answers import spoken  # only now: it brings the catalogues with it
    from companion.views.speech import Speech

    language = spoken(ctx)
    return str(error) if language == "en" else Speech(language).told(error.message)


def _never_choke() -> None:
    """A terminal without UTF-8 shows a ? for a letter it does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path),
    help="Another file than the companion.toml in this folder.",
)
@click.option("--language", help="The language of every answer and error, such as de.")
@click.version_option(package_name="table-companion")
@click.pass_context
def main(ctx: click.Context, file: Path | None, language: str | None) -> None:
    """Keeps the books of Viking games played on a real table."""
    ctx.obj = file
    if language is not None:
        from companion.cli.answers import speak  # only now: it brings the catalogues with it

        speak(ctx, language)
