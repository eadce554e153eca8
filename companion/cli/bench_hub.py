"""`companion bench-hub`: how a hub does with a million events, and with thousands of clubs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from companion.hub.store import open_store
from companion.hub.trial.over_http import SentOutcome, try_over_http
from companion.hub.trial.scale import IntakeOutcome, ScaleOutcome, try_intake, try_scale
from companion.hub.trial.servers import Postgres, postgres_programs


@click.command("bench-hub")
@click.option(
    "--events", type=click.IntRange(0), default=100_000, show_default=True, help="To be taken in."
)
@click.option(
    "--clubs",
    type=click.IntRange(0),
    default=1_000,
    show_default=True,
    help="With 1,000 events each.",
)
@click.option(
    "--sent",
    type=click.IntRange(0),
    default=20_000,
    show_default=True,
    help="Events to be sent to a running hub by HTTP.",
)
def bench_hub_command(events: int, clubs: int, sent: int) -> None:
    """Measures a hub on a PostgreSQL of its own, started for this."""
    programs = postgres_programs()
    if programs is None:
        raise click.ClickException("PostgreSQL is not here; apt install postgresql")
    with tempfile.TemporaryDirectory() as folder:
        server = Postgres(Path(folder), programs)
        server.start()
        try:
            if sent:  # first: its hub would fold what the others make
                place = Path(folder) / "played"
                place.mkdir()
                _show_sent(try_over_http(server.address(), sent, place))
            store = open_store(server.address())
            if events:
                _show_intake(try_intake(store, events))
            if clubs:
                _show_scale(try_scale(store, clubs, click.echo))
            store.close()
        finally:
            server.stop("immediate")


def _show_intake(outcome: IntakeOutcome) -> None:
    click.echo(
        f"intake: {outcome.events} events, {outcome.per_second:,.0f} a second;"
        f" memory {outcome.first_kb // 1024} MB after a tenth,"
        f" {outcome.last_kb // 1024} MB at the end"
    )


def _show_sent(outcome: SentOutcome) -> None:
    click.echo(
        f"by HTTP: {outcome.events} events, {outcome.per_second:,.0f} a second;"
        f" the hub used {outcome.hub_core_seconds / outcome.seconds:.0%} of a core,"
        f" {1e6 * outcome.hub_core_seconds / outcome.events:.0f} us an event"
    )
    click.echo(
        f"    {outcome.folded} were folded by then, the rest {outcome.folding_seconds:.1f} s later;"
        f" memory {outcome.first_kb // 1024} MB after a tenth,"
        f" {outcome.last_kb // 1024} MB at the end"
    )


def _show_scale(outcome: ScaleOutcome) -> None:
    click.echo(
        f"{outcome.clubs} clubs, {outcome.events} events, {outcome.bytes_an_event:.0f} bytes each"
    )
    for question, milliseconds in outcome.p95_ms.items():
        click.echo(f"{question}: p95 {milliseconds:.1f} ms")
    for question, plan in outcome.plans.items():
        click.echo(f"{question}:")
        for line in plan:
            click.echo(f"    {line}")
