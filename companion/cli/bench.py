"""`companion bench`."""

from __future__ import annotations

import click

from companion.cli.answers import json_line


@click.command()
@click.argument("what", type=click.Choice(["all", "keeping", "vision", "table"]), default="all")
@click.option("--json", "as_json", is_flag=True)
@click.option("--quick", is_flag=True, help="Smaller loads; the figures are rougher.")
def bench(what: str, as_json: bool, quick: bool) -> None:
    """Measures the referee, the journal, the page and the eyes on this machine; `table` also
    watches a simulated game, which takes some minutes."""
    from companion.bench import measure

    figures = {}
    for figure in measure(what, quick=quick):
        figures[figure.name] = figure.value
        if not as_json:
            click.echo(f"{figure.name:<44} {figure.value:>12,.1f} {figure.unit}")
    if as_json:
        click.echo(json_line(figures))
