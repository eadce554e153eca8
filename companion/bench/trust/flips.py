"""Bits that flip on the card: noticed, or in a place that nobody reads."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.bench.games import random_game, setup
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import game_named
from companion.foundation.errors import JournalError
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal, now

GAMES = 3
SEED = 21


def _three_games(path: Path) -> None:
    with Journal(path) as journal:
        for seed in range(GAMES):
            opened = setup()
            game = game_named(opened.game)
            facts: list[Fact] = [Opened(opened, game.VERSION)]
            facts += [Did(game.format(action)) for _, action in random_game(opened, seed)]
            journal.import_game([(fact, now(), Source.RECORD) for fact in facts])


def read(path: Path) -> object:
    """Everything a companion reads from a journal; None if it says that something is wrong."""
    try:
        with Journal(path) as journal:
            if journal.verify().problem is not None:
                return None
            games = journal.games(most=100)
            return [journal.box, games, [journal.events(each.number) for each in games]]
    except JournalError:
        return None


def flips(folder: Path, *, long: bool) -> Tested:
    sound = folder / "sound.db"
    _three_games(sound)
    before, data = read(sound), sound.read_bytes()
    rng = Random(SEED)  # noqa: S311 - the same flips every time
    noticed = unread = unnoticed = 0
    for _ in range(count := 5000 if long else 500):
        at = rng.randrange(8 * len(data))
        flipped = bytearray(data)
        flipped[at // 8] ^= 1 << at % 8
        wounded = folder / "wounded.db"
        wounded.write_bytes(flipped)
        found = read(wounded)
        noticed += found is None
        unread += found == before
        unnoticed += found is not None and found != before
        for each in folder.glob("wounded.db*"):
            each.unlink()
    return Tested(
        met=unnoticed == 0 and before is not None,
        found=f"{unnoticed} unnoticed, {noticed} noticed, {unread} where nobody reads",
        size=f"{count:,} flipped bits",
    )


PROMISE = Promise("flips", "a bit that flips in the journal is noticed", "0 unnoticed", flips)
