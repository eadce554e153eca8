"""It never loses a confirmed play, whatever happens to the power."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import JournalUnreadable
from companion.ledger.events import Did, Event, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import replayed
from tests.ledger.logs import OPENING, SETUP, enter, everything
from tests.strategies import examples

ROOT = Path(__file__).parents[2]
KILLS = 240
DRIVER = """
import json, pathlib, random, sys
from companion.bench.trust.kills import killings, killings_at_birth
folder, rng, kills = pathlib.Path(sys.argv[1]), random.Random(1116), int(sys.argv[2])
cuts, births = killings(folder, rng, kills), killings_at_birth(folder, rng, kills // 4)
print(json.dumps({"cuts": vars(cuts), "births": vars(births)}))
"""
"""In a process of its own and without threads, because it forks."""


def test_a_kill_at_any_moment_loses_nothing_that_was_promised(tmp_path: Path) -> None:
    """The driver looks at the journal after every kill and ends at the first thing wrong."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRIVER, str(tmp_path), str(KILLS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    cuts, births = report["cuts"], report["births"]

    assert cuts["kills"] == KILLS
    assert cuts["promised"] > 4 * KILLS
    assert cuts["refused"] > 20
    assert cuts["games"] > 4
    # The kills hit different places: in the middle of an append more than anywhere.
    hit = Counter(cuts["killed_in"])
    assert hit["opening"] >= 3, hit
    assert hit["resuming"] >= 3, hit
    assert hit["saying"] >= KILLS // 10, hit
    assert hit["kept"] + hit["refused"] + hit["resumed"] >= 3, hit
    # Some of those entries had reached the disk when the kill came, some had not.
    assert 0 < cuts["kept_unanswered"] < hit["saying"]
    # And in the middle of making the file.
    assert births["kills"] == KILLS // 4
    assert births["promised"] > 0
    assert births["killed_in"].get("opening", 0) >= 1, births


# A write-ahead file that did not survive whole


@dataclass(frozen=True)
class Wreck:
    """A journal as a power cut leaves it: the file and what was written ahead of it."""

    database: bytes = field(repr=False)
    ahead: bytes = field(repr=False)
    log: list[Event] = field(repr=False)


def wreck(folder: Path, *, folded_in: bool) -> Wreck:
    """With `folded_in`, half of the game has been moved to the file and its place reused."""
    path = folder / "journal.db"
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, *OPENING, "! C r2", "undo", "A b7", "B pass", "C pass", "A o2")
        if folded_in:
            with closing(sqlite3.connect(path)) as other:
                assert other.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0] == 0
        enter(referee, "B o3", "C pass", "undo", "C g9", "A pass", "B pass", "C r9")
        ahead = path.with_name("journal.db-wal").read_bytes()
        return Wreck(path.read_bytes(), ahead, journal.events(1))


@pytest.fixture(scope="module", params=[False, True], ids=["all ahead", "half folded in"])
def wrecked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Wreck:
    return wreck(tmp_path_factory.mktemp("wreck"), folded_in=request.param)


@contextmanager
def found(database: bytes, ahead: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "journal.db"
        path.write_bytes(database)
        path.with_name("journal.db-wal").write_bytes(ahead)
        yield path


def goes_on(database: bytes, ahead: bytes, log: list[Event]) -> int | None:
    """How many events are left; None if the file says that it cannot be read.

    Those left are the first of the log, they replay, and the journal can be written again.
    """
    with found(database, ahead) as path:
        try:
            with Journal(path) as journal:
                left = journal.events(1) if journal.count_games() else []
                assert left == log[: len(left)]
                if not left:
                    return 0
                session = Referee(journal).resume()
                assert session is not None
                assert everything(session) == everything(replayed(log[: len(left)]))
                event = journal.append(1, Did("A pass"), left[-1].seq, "page")
            with Journal(path) as journal:
                assert journal.events(1) == [*left, event]
        except JournalUnreadable:
            return None
        return len(left)


def test_a_whole_wreck_has_the_whole_log(wrecked: Wreck) -> None:
    assert goes_on(wrecked.database, wrecked.ahead, wrecked.log) == len(wrecked.log)


def test_without_what_was_written_ahead_there_is_a_prefix(wrecked: Wreck) -> None:
    """All of it was ahead, or half had been folded in."""
    left = goes_on(wrecked.database, b"", wrecked.log)
    assert left in (0, 11)
    assert left < len(wrecked.log)


fractions = st.floats(0, 1, exclude_max=True)


def test_the_more_of_it_is_left_the_more_of_the_log(wrecked: Wreck) -> None:
    size = len(wrecked.ahead)
    left = [
        goes_on(wrecked.database, wrecked.ahead[:at], wrecked.log) for at in range(0, size, 997)
    ]
    counts = [-1 if count is None else count for count in left]
    assert counts == sorted(counts)
    assert counts[0] == goes_on(wrecked.database, b"", wrecked.log)
    assert set(range(counts[0], len(wrecked.log))) <= set(counts)


@examples(60)
@given(fractions, st.binary(max_size=200))
def test_cut_short_and_soiled_there_is_a_prefix(wrecked: Wreck, where: float, tail: bytes) -> None:
    ahead = wrecked.ahead[: int(where * len(wrecked.ahead))]
    assert goes_on(wrecked.database, ahead + tail, wrecked.log) is not None


@examples(40)
@given(st.integers(0, 2**32), st.integers(1, 20_000))
def test_garbage_behind_it_is_nothing(wrecked: Wreck, seed: int, size: int) -> None:
    ahead = wrecked.ahead + Random(seed).randbytes(size)
    assert goes_on(wrecked.database, ahead, wrecked.log) == len(wrecked.log)


@examples(70)
@given(fractions, st.binary(min_size=1, max_size=5000))
def test_scribbled_over_there_is_a_prefix(wrecked: Wreck, where: float, scribble: bytes) -> None:
    at = int(where * len(wrecked.ahead))
    ahead = bytearray(wrecked.ahead)
    ahead[at : at + len(scribble)] = scribble
    goes_on(wrecked.database, bytes(ahead), wrecked.log)


@pytest.mark.parametrize("ahead", [b"\x00" * 40_000, b"\xff" * 40_000, b"hello"])
def test_another_file_in_its_place_is_a_prefix(wrecked: Wreck, ahead: bytes) -> None:
    assert goes_on(wrecked.database, ahead, wrecked.log) in (0, 11)


def test_what_was_written_ahead_of_another_journal_is_not_taken_for_ours(
    wrecked: Wreck, tmp_path: Path
) -> None:
    """Old frames in a reused file are those of an earlier life: they never come back."""
    folder = tmp_path / "older"
    folder.mkdir()
    older = wreck(folder, folded_in=False)
    shutil.rmtree(folder)
    ahead = wrecked.ahead + older.ahead[32:]
    assert goes_on(wrecked.database, ahead, wrecked.log) == len(wrecked.log)
