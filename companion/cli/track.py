"""`companion track`: whole simulated games, from pictures to score, held against the truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import reduce
from multiprocessing import get_context
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.core.catalog import game_named, packs
from companion.sim.steps import Playing

if TYPE_CHECKING:  # the eyes bring the picture libraries with them
    from companion.trials.reliability import ReliabilitySample
    from companion.trials.trial import Outcome, Trial

_COARSE = (320, 180)
"""Pixels enough for eyes that are told what lies there."""

_FINE = (1920, 1080)
"""Boards lie further apart than the places of the mat."""


@click.command("track")
@click.argument("game", required=False)
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
    help="real, if nothing else is said; perfect, which measures only what comes after seeing; "
    "noisy, or noisy:2 for twice the noise.",
)
@click.option("--boards", is_flag=True, help="On boards that are pushed about, not on the mat.")
@click.option("--set", "changes", multiple=True, help="A rule of the game, as goat=true.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file for the games played: stopped, the command goes on where it was.",
)
@click.option("--why", is_flag=True, help="Also what had to be put right by hand.")
@click.option(
    "--bars",
    is_flag=True,
    help="All games (or GAME) with real and perfect eyes, beside what they must reach; with "
    "--boards those on boards.",
)
@click.option("--reliability", is_flag=True, help="Whether probabilities mean what they say.")
@click.option("--json", "as_json", is_flag=True, help="With --bars: for programs.")
def track_command(game: str | None, bars: bool, reliability: bool, **how: object) -> None:
    """Plays whole games on the simulated table, and says how well they were followed."""
    if game is not None:
        game_named(game)  # says which there are, if this is none of them
    if bars:
        _bars(game, how)
        return
    how["eyes"] = how["eyes"] or "real"
    if game is None:
        raise click.UsageError(
            f"Which game? One of {', '.join(packs())}; or --bars for all of them."
        )
    if reliability:
        _reliability(game, how)
    else:
        _games(game, how)


def _games(game: str, how: dict[str, object]) -> None:
    outcomes = []
    for outcome in _run(_trials(game, int(str(how["seed"])), how), how):
        outcomes.append(outcome)
        if how["why"]:
            for line in outcome.trouble:
                click.echo(f"  seed {outcome.trial.playing.seed}: {line}")
    for line in told(outcomes):
        click.echo(line)


def _bars(game: str | None, how: dict[str, object]) -> None:
    """The whole table, or its rows of one game; judged on seeds nothing was fitted on."""
    from companion.trials.bars import JUDGE_SEEDS, RowResult, as_json, markdown
    from companion.trials.bars import rows as goal_rows

    rows = {
        (row.name, eyes): row
        for row in goal_rows()
        for eyes in row.eyes
        if game in (None, row.game) and how["eyes"] in (None, eyes) and row.boards == how["boards"]
    }
    if not rows:
        raise click.UsageError("There are no bars for that: no game has such goals among its bots.")
    whose: dict[Trial, tuple[str, str]] = {}
    for key, row in rows.items():
        asked = {**how, "light": row.light, "eyes": key[1], "seats": None}
        whose |= dict.fromkeys(_trials(row.game, JUDGE_SEEDS[0], asked), key)
    found: dict[tuple[str, str], RowResult] = {}
    in_turn = sorted(whose, key=lambda trial: trial.playing.seed)  # stopped, every row has some
    for outcome in _run(in_turn, how):
        key = whose[outcome.trial]
        one = RowResult(outcome.tally, outcome.raw)
        found[key] = found[key] + one if key in found else one
    if how["as_json"]:
        click.echo(json.dumps(as_json(found), indent=2))
        return
    for line in markdown(found):
        click.echo(line)
    last = JUDGE_SEEDS[0] + int(str(how["games"])) - 1
    click.echo(f"\n{how['games']} games a row (seeds {JUDGE_SEEDS[0]} to {last}).")


def _reliability(game: str, how: dict[str, object]) -> None:
    """Fitted on one range of seeds, judged on another."""
    from companion.deciding.memory import Limits
    from companion.trials.bars import FIT_SEEDS, JUDGE_SEEDS
    from companion.trials.reliability import curve, fitted, markdown, off_by

    trials = [
        *_trials(game, FIT_SEEDS[0], how),
        *_trials(game, JUDGE_SEEDS[0], how),
    ]
    samples: dict[bool, list[ReliabilitySample]] = {True: [], False: []}
    followed = []
    for outcome in _run(trials, how):
        fit = outcome.trial.playing.seed in FIT_SEEDS
        samples[fit] += outcome.samples
        if not fit:
            followed.append(outcome)
    now, factor = Limits().temper, fitted(samples[True])
    judged = samples[False]
    click.echo(
        f"{game}, {how['eyes']} eyes: temper {now:.2f} now, {now * factor:.2f} fits best "
        f"({len(samples[True])} readings of {how['games']} games from seed {FIT_SEEDS[0]} on)"
    )
    for name, temper in (("as it is", 1.0), ("as fitted", factor)):
        away = off_by(curve(judged, temper))
        click.echo(f"\n{name}, judged from seed {JUDGE_SEEDS[0]} on: off by {away:.2%}\n")
        for line in markdown(judged, temper):
            click.echo(line)
    click.echo("\nthe games judged:\n")
    for line in told(followed):
        click.echo(line)


def _trials(game: str, first: int, how: dict[str, object]) -> list[Trial]:
    return [_trial(game, first + number, how) for number in range(int(str(how["games"])))]


def _trial(game: str, seed: int, how: dict[str, object]) -> Trial:
    from companion.trials.ground_truth_eye import noise_named
    from companion.trials.trial import Trial

    all_seats = game_named(game).SEATS
    seats = int(str(how["seats"])) if how["seats"] else all_seats[seed % len(all_seats)]
    if seats not in all_seats:
        raise click.BadParameter(f"{game} has {all_seats[0]} to {all_seats[-1]} seats")
    mistakes = int(str(how["mistakes"]))
    playing = Playing(game, seats=seats, seed=seed, mistakes=mistakes, changes=_changes(how))
    eyes = str(how["eyes"])
    size = (1280, 720) if noise_named(eyes) is None else _COARSE
    boards = bool(how["boards"])
    if boards and noise_named(eyes) is not None:
        raise click.UsageError("--boards needs real eyes.")
    size = _FINE if boards else size
    return Trial(playing, light=str(how["light"]), eyes=eyes, size=size, boards=boards)


def _changes(how: dict[str, object]) -> tuple[tuple[str, str], ...]:
    given = how["changes"]
    said = [str(each).partition("=") for each in given] if isinstance(given, tuple) else []
    return tuple((name, value) for name, _, value in said)


def _run(trials: list[Trial], how: dict[str, object]) -> Iterator[Outcome]:
    from companion.trials.outcome_file import OutcomeFile

    keep = OutcomeFile(how["keep"]) if isinstance(how["keep"], Path) else None
    kept = {} if keep is None else keep.outcomes()
    before = [kept[trial] for trial in trials if trial in kept]
    yield from before
    left = [trial for trial in trials if trial not in kept]
    for done, outcome in enumerate(_outcomes(left, int(str(how["jobs"]))), len(before) + 1):
        if keep is not None:
            keep.add(outcome)
        _progress(outcome, done, len(trials))
        yield outcome


def _outcomes(trials: list[Trial], jobs: int) -> Iterator[Outcome]:
    from companion.trials.trial import run

    if jobs == 1 or len(trials) <= 1:
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
        f"{done}/{games}: {playing.game}, seed {playing.seed}, {playing.seats} seats, "
        f"{outcome.trial.light} light, {outcome.trial.eyes} eyes: {good}, {outcome.seconds:.0f} s",
        file=sys.stderr,
    )


def told(outcomes: list[Outcome]) -> Iterator[str]:
    """The figures of all games together."""
    whole = reduce(add, (outcome.tally for outcome in outcomes))
    for name, many, of in whole.rows():
        yield f"{name:36}{many:7} of {of:<7}" + (f"{many / of:9.2%}" if of else "")
    raw = reduce(add, (outcome.raw for outcome in outcomes))
    for name, many, of in (
        ("raw: right by one look alone", raw.right, raw.plays),
        ("raw: illegal plays read right", raw.caught, raw.illegal),
        ("raw: games with every look right", raw.perfect, raw.games),
    ):
        yield f"{name:36}{many:7} of {of:<7}" + (f"{many / of:9.2%}" if of else "")
    seconds, frames = sum(e.seconds for e in outcomes), sum(e.frames for e in outcomes)
    yield f"{seconds / len(outcomes):.0f} seconds a game, {frames / seconds:.0f} frames a second"
