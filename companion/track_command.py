"""`companion track`: whole simulated games, from pictures to score, held against the truth."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import reduce
from multiprocessing import get_context
from operator import add
from typing import TYPE_CHECKING

import click

from companion.rules.catalog import GAMES
from companion.sim.playing.steps import Playing

if TYPE_CHECKING:  # the eyes bring the picture libraries with them
    from companion.trial import Outcome, Trial

_COARSE = (320, 180)
"""Pixels enough for eyes that are told what lies there."""


@click.command("track")
@click.argument("game", type=click.Choice([*GAMES]))
@click.option("--games", default=10, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the first.")
@click.option("--light", default="good", show_default=True, type=click.Choice(["good", "hard"]))
@click.option(
    "--mistakes",
    default=2,
    show_default=True,
    type=click.IntRange(0),
    help="Plays against the rules in each game, taken back when the referee objects.",
)
@click.option("--seats", type=click.IntRange(2), help="Players; else it varies.")
@click.option(
    "--eyes",
    default="real",
    show_default=True,
    type=click.Choice(["real", "perfect"]),
    help="Perfect eyes measure only what comes after seeing.",
)
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--why", is_flag=True, help="Also what had to be put right by hand.")
def track_command(game: str, games: int, jobs: int, why: bool, **how: object) -> None:
    """Plays whole games on the simulated table, and says how well they were followed."""
    trials = [_trial(game, int(str(how["seed"])) + number, how) for number in range(games)]
    outcomes = []
    for outcome in _run(trials, jobs):
        outcomes.append(outcome)
        _progress(outcome, len(outcomes), games)
        if why:
            for line in outcome.trouble:
                click.echo(f"  seed {outcome.trial.playing.seed}: {line}")
    for line in told(outcomes):
        click.echo(line)


def _trial(game: str, seed: int, how: dict[str, object]) -> Trial:
    from companion.trial import Trial

    all_seats = GAMES[game].SEATS
    seats = int(str(how["seats"])) if how["seats"] else all_seats[seed % len(all_seats)]
    if seats not in all_seats:
        raise click.BadParameter(f"{game} has {all_seats[0]} to {all_seats[-1]} seats")
    playing = Playing(game, seats=seats, seed=seed, mistakes=int(str(how["mistakes"])))
    eyes = str(how["eyes"])
    size = _COARSE if eyes == "perfect" else (1280, 720)
    return Trial(playing, light=str(how["light"]), eyes=eyes, size=size)


def _run(trials: list[Trial], jobs: int) -> Iterator[Outcome]:
    from companion.trial import run

    if jobs == 1 or len(trials) == 1:
        yield from map(run, trials)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _one_thread) as pool:
        running = [pool.submit(run, trial) for trial in trials]
        for done in as_completed(running):
            yield done.result()


def _one_thread() -> None:
    """Each process has one core; more threads would only get in each other's way."""
    import cv2

    cv2.setNumThreads(1)


def _progress(outcome: Outcome, done: int, games: int) -> None:
    tally, playing = outcome.tally, outcome.trial.playing
    good = "all right" if tally.perfect else f"{tally.right + tally.asked} of {tally.plays}"
    click.echo(
        f"{done}/{games}: seed {playing.seed}, {playing.seats} seats, {good}, "
        f"{outcome.seconds:.0f} s",
        file=sys.stderr,
    )


def told(outcomes: list[Outcome]) -> Iterator[str]:
    """The figures of all games together."""
    whole = reduce(add, (outcome.tally for outcome in outcomes))
    for name, many, of in whole.rows():
        yield f"{name:36}{many:7} of {of:<7}" + (f"{many / of:9.2%}" if of else "")
    raw, of = sum(each.raw_right for each in outcomes), sum(each.raw_of for each in outcomes)
    yield f"{'right by the pixels alone':36}{raw:7} of {of:<7}" + (f"{raw / of:9.2%}" if of else "")
    seconds, frames = sum(e.seconds for e in outcomes), sum(e.frames for e in outcomes)
    yield f"{seconds / len(outcomes):.0f} seconds a game, {frames / seconds:.0f} frames a second"
