"""`companion print ...`: each command writes one PDF.

What draws and writes is loaded by the command that needs it: other commands start faster.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.printing.paper import Sheets

_PAPER = click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
_TARGET = click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))


@click.group("print")
def print_() -> None:
    """Writes sheets to print, true to scale: print them at 100 % and check the ruler.

    Without TARGET the file gets the sheet's name, in the folder you are in.
    """


@print_.command()
@click.argument("deck")
@_TARGET
@_PAPER
@click.option("--backs/--no-backs", default=True, help="Backs after every page of fronts.")
def cards(deck: str, target: Path | None, paper: str, backs: bool) -> None:
    """A deck of our own to cut out, by the name of its game."""
    from companion.printing import decks
    from companion.printing.paper import paper_named

    _write(decks.deck(deck, paper_named(paper), backs=backs), target or _named("cards", deck))


@print_.command()
@_TARGET
@_PAPER
def markers(target: Path | None, paper: str) -> None:
    """The four corner markers, for a table without a mat."""
    from companion.printing import marks
    from companion.printing.paper import paper_named

    _write(marks.markers(paper_named(paper)), target or _named("markers"))


@print_.command()
@_TARGET
@_PAPER
def charuco(target: Path | None, paper: str) -> None:
    """The calibration sheet for the camera's lens."""
    from companion.printing import marks
    from companion.printing.paper import paper_named

    _write(marks.charuco(paper_named(paper)), target or _named("charuco"))


@print_.command()
@click.argument("game")
@_TARGET
@_PAPER
def mat(game: str, target: Path | None, paper: str) -> None:
    """A game's table mat, in pages to glue together."""
    from companion.printing import mats
    from companion.printing.paper import paper_named

    _write(mats.mat(game, paper_named(paper)), target or _named("mat", game))


@print_.command()
@click.argument("address")
@_TARGET
@_PAPER
def wall(address: str, target: Path | None, paper: str) -> None:
    """A sheet with the code that brings phones to the page at ADDRESS."""
    from companion.printing import wall as sign
    from companion.printing.paper import paper_named

    _write(sign.wall(address, paper_named(paper)), target or _named("wall"))


def _named(*sheet: str) -> Path:
    return Path(f"{'-'.join(sheet)}.pdf")


def _write(sheets: Sheets, target: Path) -> None:
    sheets.save(target)
    click.echo(f"{click.format_filename(target)}: print at 100 % on {sheets.paper.name}")
