"""`companion bench`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.answers import json_line

if TYPE_CHECKING:  # measuring brings much along
    from companion.bench.figure import Figure

WHAT = ("all", "keeping", "statistics", "vision", "table", "boards", "scans", "trust", "entries")


@click.command()
@click.argument("what", type=click.Choice(WHAT), default="all")
@click.option("--json", "as_json", is_flag=True)
@click.option("--quick", is_flag=True, help="Smaller loads; the figures are rougher.")
@click.option("--long", is_flag=True, help="Of `trust`: at full size, which takes hours.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Of `trust`: a folder in which long rows remember what they have counted; one that was "
    "stopped goes on there.",
)
@click.option(
    "--photographs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Of `boards`: a folder of photographs of a real print, in place of rendered tables.",
)
@click.option(
    "--points",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Of `boards`: the points marked by hand in them, as companion/bench/cover_points.json.",
)
@click.option("--row", "rows", multiple=True, help="Of `trust`: only this row; can be repeated.")
def bench(  # noqa: PLR0913, PLR0917 - click hands over each argument
    what: str,
    as_json: bool,
    quick: bool,
    long: bool,
    keep: Path | None,
    photographs: Path | None,
    points: Path | None,
    rows: tuple[str, ...],
) -> None:
    """Measures the referee, the journal, the page, the statistics and the eyes; `table` also
    watches a simulated game, `boards` looks for boards, and `scans` reads pictures of simulated
    phones, which takes some minutes; `trust` puts the promises of docs/security.md to the test;
    `entries` counts what a busy table has to tell by hand."""
    if what == "trust":
        raise click.exceptions.Exit(0 if _trust(rows, keep, as_json=as_json, long=long) else 1)
    if what == "entries":
        raise click.exceptions.Exit(0 if _entries(as_json=as_json) else 1)
    if long or rows or keep:
        raise click.UsageError("--long, --keep and --row belong to `companion bench trust`")
    if (photographs or points) and what != "boards":
        raise click.UsageError("--photographs and --points belong to `companion bench boards`")
    from companion.bench import measure
    from companion.bench.board_photographs import POINTS, measure_photographs

    if photographs is not None:
        _told(measure_photographs(photographs, points or POINTS), as_json=as_json)
    else:
        _told(measure(what, quick=quick), as_json=as_json)


def _told(measured: Iterable[Figure], *, as_json: bool) -> None:
    """Each figure as soon as it is there, beside what it must reach."""
    figures = {}
    for figure in measured:
        figures[figure.name] = figure.value
        if as_json:
            continue
        held = f"  {'✓' if figure.met else '✗'} {figure.bar}" if figure.bar else ""
        digits = 2 if figure.bar else 1
        click.echo(f"{figure.name:<56} {figure.value:>10,.{digits}f} {figure.unit}{held}")
    if as_json:
        click.echo(json_line(figures))


def _entries(*, as_json: bool) -> bool:
    """Whether every count keeps within its aim."""
    from companion.bench.entries import count_entries

    met = True
    for each in count_entries():
        met = met and each.met
        if as_json:
            click.echo(json_line(each))
        else:
            aim = "" if each.aim is None else f"  aim {each.aim}"
            click.echo(f"{'✓' if each.met else '✗'} {each.name:<50} {each.count:>3}{aim}")
    return met


def _trust(rows: tuple[str, ...], keep: Path | None, *, as_json: bool, long: bool) -> bool:
    """Whether every row keeps within its bar."""
    from companion.bench.trust import NAMES, tried

    if unknown := set(rows) - set(NAMES):
        raise click.UsageError(f"no row {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    met = True
    for row, outcome in tried(rows, long=long, keep=keep):
        met = met and outcome.met
        if as_json:
            told = {"row": row.name, "bar": row.bar, **msgspec.to_builtins(outcome)}
            click.echo(json_line(told))
            continue
        click.echo(f"{'✓' if outcome.met else '✗'} {row.name}: {row.text}")
        click.echo(f"    {outcome.found}; {outcome.size}; bar: {row.bar}")
    return met
