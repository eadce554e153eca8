"""Power cuts, simulated on the bytes: what was synced is there, what was not yet may be there, torn
sector by sector, or be rubbish. Everything promised by then must be found again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.bench.games import random_game, setup
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import game_named
from companion.foundation.errors import JournalError
from companion.ledger.events import Did, Event, Opened, Source
from companion.ledger.journal import Journal
from companion.ledger.schema import ahead_of

SECTOR = 512
LONG = 2_000
SHORT = 200
SEED = 3


@dataclass(frozen=True, slots=True)
class Instant:
    """The two files before something was written and after it, and what had been promised."""

    before: tuple[bytes, bytes]
    after: tuple[bytes, bytes]
    promised: tuple[Event, ...]


def instants(folder: Path) -> list[Instant]:
    """A game from its first entry to its last, with what was written ahead folded in at times."""
    path, found, log = folder / "living.db", list[Instant](), list[Event]()
    opened = setup()
    game = game_named(opened.game)
    with Journal(path) as journal:
        log.append(journal.open_game(Opened(opened, game.VERSION), Source.PAGE))
        for number, (_, action) in enumerate(random_game(opened, SEED)):
            before, promised = _files(path), tuple(log)
            if number % 20 == 19:
                journal.fold_in()
            else:
                log.append(journal.append(1, Did(game.format(action)), log[-1].seq, "page"))
            found.append(Instant(before, _files(path), promised))
    return found


def _files(path: Path) -> tuple[bytes, bytes]:
    return path.read_bytes(), ahead_of(path).read_bytes()


def cut(instant: Instant, rng: Random) -> tuple[bytes, bytes]:
    """What the card holds if the power goes between before and after. What was written ahead is
    shortened only once the file itself is synced, so until then it is all there."""
    (file, ahead), (file_after, ahead_after) = instant.before, instant.after
    if file != file_after:  # folding in
        if rng.random() < 0.5:
            return _torn(file, file_after, rng), ahead
        return file_after, rng.choice((ahead, ahead_after))
    return file, _torn(ahead, ahead_after, rng)


def _torn(before: bytes, after: bytes, rng: Random) -> bytes:
    """Each sector that was to change has changed, or not, or is rubbish; the end may be missing."""
    torn = bytearray(after)
    for at in range(0, len(after), SECTOR):
        old, new = before[at : at + SECTOR], after[at : at + SECTOR]
        if old == new:
            continue
        kept = rng.random()
        if kept < 0.4:
            torn[at : at + len(new)] = old.ljust(len(new), b"\0")[: len(new)]
        elif kept < 0.5 and not old:
            torn[at : at + len(new)] = rng.randbytes(len(new))
    if len(after) > len(before) and rng.random() < 0.3:
        del torn[rng.randrange(len(before), len(after)) :]
    return bytes(torn)


def lost(folder: Path, instant: Instant, rng: Random) -> str:
    """What is missing after a power cut; empty if nothing is."""
    path = folder / "cut.db"
    for each in folder.glob("cut.db*"):
        each.unlink()
    file, ahead = cut(instant, rng)
    path.write_bytes(file)
    ahead_of(path).write_bytes(ahead)
    try:
        with Journal(path) as journal:
            found = journal.events(1)
            problem = journal.verify().problem
    except JournalError as broken:
        return str(broken)
    if tuple(found[: len(instant.promised)]) != instant.promised:
        return f"{len(instant.promised)} were promised, {len(found)} found"
    if len(found) > len(instant.promised) + 1:
        return "more is there than was ever entered"
    return "" if problem is None else str(problem)


def cuts(folder: Path, *, long: bool) -> Tested:
    rng = Random(SEED)  # noqa: S311 - the same cuts every time
    moments = instants(folder)
    count, promised, wrong = LONG if long else SHORT, 0, list[str]()
    for _ in range(count):
        instant = rng.choice(moments)
        promised += len(instant.promised)
        said = lost(folder, instant, rng)
        wrong += [said] if said else []
    return Tested(
        met=not wrong,
        found=f"{len(wrong)} cuts lost something of {promised:,} promised entries"
        + "".join(f"; {each}" for each in wrong[:2]),
        size=f"{count:,} power cuts",
    )


PROMISE = Promise(
    "cuts", "a power cut at any moment loses nothing that was promised", "0 lost, 2,000 cuts", cuts
)
