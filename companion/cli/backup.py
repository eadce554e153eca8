"""`companion backup` and `companion restore`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from companion.service.backup import back_up, opened
from companion.service.restore import BEFORE, restore
from companion.service.settings import FILE, Settings, read_settings


@click.command("backup")
@click.argument("target", type=click.Path(path_type=Path), required=False)
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_obj
def backup_command(file: Path | None, target: Path | None, data: str | None) -> None:
    """Writes games, sheets, decks and settings to one file; also while the companion runs."""
    if target is None or target.is_dir():
        today = datetime.now(UTC).astimezone().strftime("%Y-%m-%d-%H%M%S")
        target = (target or Path()) / f"companion-{today}.zip"
    settings = read_settings(file, data)
    made = back_up(settings.data_folder, file or Path(FILE), target)
    name = click.format_filename(target)
    click.echo(f"{name}: {made.games} games, {len(made.items)} files, {made.size} bytes")


@click.command("restore")
@click.argument("backup", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only says what would happen.")
@click.option("--data", type=click.Path(), help="The folder the games are kept in.")
@click.pass_obj
def restore_command(file: Path | None, backup: Path, dry_run: bool, data: str | None) -> None:
    """Puts a backup in place of what is there; stop the companion first."""
    folder = _data_folder(file, data)
    with opened(backup) as (manifest, _):
        pass
    changes = restore(backup, folder, file or Path(FILE), dry_run=dry_run)
    click.echo(f"{manifest.games} games, made {manifest.made_at} by {manifest.companion}")
    for change in changes:
        how = "replaced" if change.replaces else "new"
        click.echo(f"  {'left as it is' if change.left else how}: {change.target}")
    if dry_run:
        click.echo("The backup is sound. Nothing was touched.")
    elif any(change.replaces for change in changes):
        click.echo(f"Restored. What was there before is in {folder / BEFORE}.")
    else:
        click.echo("Restored.")


def _data_folder(file: Path | None, data: str | None) -> Path:
    """A restore onto a new card comes before there are settings."""
    if file is not None and not file.exists():
        return replace(Settings(), data=data or "").data_folder
    return read_settings(file, data).data_folder
