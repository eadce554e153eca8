"""`companion sim-club`: a whole club of simulated tables on a real hub, with everything that can
break breaking."""

from __future__ import annotations

import click

from companion.hub.trial.club import ClubOutcome, ClubTrial, try_club

BREAKS_A_MINUTE = 3
"""So that five minutes break each of the five parts three times."""


@click.command("sim-club")
@click.option("--tables", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--minutes", type=click.FloatRange(0.1, 600), default=5.0, show_default=True)
@click.option(
    "--pace",
    type=click.FloatRange(0.1, 600),
    default=4.0,
    show_default=True,
    help="Plays a minute at each table.",
)
@click.option("--watchers", type=click.IntRange(0, 400), default=30, show_default=True)
@click.option(
    "--breaks",
    type=click.IntRange(0, 10_000),
    default=None,
    help="How often something is cut off or killed, each part in turn; 0: never. By default every"
    " twenty seconds.",
)
@click.pass_context
def sim_club_command(ctx: click.Context, /, breaks: int | None, **asked: float) -> None:
    """Plays at many simulated tables through the real outbox, broker and hub."""
    trial = ClubTrial(
        tables=int(asked["tables"]),
        minutes=asked["minutes"],
        plays_a_minute=asked["pace"],
        watchers=int(asked["watchers"]),
        breaks=int(asked["minutes"] * BREAKS_A_MINUTE) if breaks is None else breaks,
    )
    outcome = try_club(trial, click.echo)
    _show(outcome)
    wrong = outcome.lost or outcome.twice or outcome.out_of_order or outcome.told_wrong
    ctx.exit(1 if wrong else 0)


def _show(outcome: ClubOutcome) -> None:
    click.echo(f"entries: {outcome.entries}, on {outcome.store}")
    click.echo(
        f"lost: {outcome.lost}, twice: {outcome.twice}, out of order: {outcome.out_of_order}"
    )
    click.echo(f"heard at the broker: {outcome.told}, wrong or out of order: {outcome.told_wrong}")
    broken = ", ".join(f"{what} {count}" for what, count in sorted(outcome.broken.items()))
    click.echo(f"cut off or killed: {broken or 'nothing'}")
    click.echo(
        f"from a play to the slowest screen: p50 {outcome.latency_p50_ms:.0f} ms,"
        f" p95 {outcome.latency_p95_ms:.0f} ms (of {outcome.seen})"
    )
    click.echo(f"the hub used {outcome.hub_share:.0%} of a core")
