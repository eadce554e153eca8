"""Every open, write, sync, truncation, rename, link and removal of an evening fails once, and so
does every allocation of SQLite's: each becomes a sentence, and nothing promised is lost.

A small library in C stands between the program and the system (LD_PRELOAD): it also catches what
Python itself writes, such as backups and settings, which a file system of SQLite's own would not,
and it needs no rights, as a file system of the kernel's would. It is compiled on the spot."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from pathlib import Path

from companion.bench.games import random_game, setup
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import game_named
from companion.foundation.errors import CompanionError
from companion.ledger.events import Proposal, Redo, Source, Undo
from companion.ledger.referee import Referee
from companion.ledger.session import replayed
from companion.service.chosen_settings import SettingsStore
from companion.service.keeping.meanwhile import KeptWhere, journal_to_play_on
from companion.service.keeping.rotation import FOLDER, all_backups, back_up_today, tried_out

ERRORS = (errno.EIO, errno.ENOSPC)
TODAY = date(2026, 11, 18)
ENTRIES = 6
MEMORY_STEP_BYTES = 5000
MEMORY_STEPS = 60


@dataclass
class EveningLog:
    """What people were told during an evening."""

    promised: list[str] = field(default_factory=list)
    """Entries that were confirmed and not taken back."""
    said: list[str] = field(default_factory=list)
    """Sentences about what went wrong."""


def evening(data: Path) -> EveningLog:
    """A scripted evening: start, entries, undo, redo, a backup, a choice, the end. What fails is
    tried once more, as people do."""
    told = EveningLog()
    kept = _tried(told, lambda: journal_to_play_on(data / "journal.db"))
    if not isinstance(kept, KeptWhere):
        return told
    with kept.journal as journal:
        referee = Referee(journal)
        _play(told, referee)
        _tried(told, journal.fold_in)
        _tried(told, lambda: back_up_today(data, None, data / FOLDER, TODAY))
        _tried(told, lambda: SettingsStore(None, {"data": str(data)}).choose({"camera": "none"}))
    return told


def _play(told: EveningLog, referee: Referee) -> None:
    opened = setup(3)
    if _tried(told, lambda: referee.open(opened, Source.PAGE)) is None:
        return
    spelt = game_named(opened.game).format
    for _, action in islice(random_game(opened, 1), ENTRIES):
        line = spelt(action)
        if _tried(told, lambda line=line: referee.propose(_said(referee, line))):  # type: ignore[misc]
            told.promised.append(line)
    _tried(told, lambda: referee.propose(_said(referee, told.promised[0])))  # is refused
    if _tried(told, lambda: referee.propose(Undo(_seq(referee), Source.PAGE, 2))):
        last = told.promised[-2:]
        del told.promised[-2:]
        if _tried(told, lambda: referee.redo(Redo(_seq(referee), Source.PAGE, 2))):
            told.promised += last


def _seq(referee: Referee) -> int:
    session = referee.moment.session
    return 0 if session is None else session.seq


def _said(referee: Referee, line: str) -> Proposal:
    return Proposal(line, _seq(referee), Source.PAGE)


def _tried(told: EveningLog, step: Callable[[], object]) -> object:
    """The step's result, at the second try if the first failed; None if that failed as well."""
    for _ in range(2):
        try:
            return step()
        except CompanionError as failed:
            told.said.append(str(failed))
    return None


def wrong_after(data: Path, told: EveningLog) -> str:
    """What is wrong with the data folder the morning after; empty if nothing is."""
    with journal_to_play_on(data / "journal.db").journal as journal:
        if journal.path.parent != data:
            return "the journal cannot be used any more"
        problem = journal.verify().problem
        if problem is not None:
            return str(problem)
        games = [replayed(journal.events(kept.number)) for kept in journal.games(most=99)]
    kept = [[entry.action for entry in reversed(list(game.entries))] for game in games]
    if told.promised and told.promised not in kept:
        return f"{told.promised} was promised, {kept} was kept"
    for each in all_backups(data):
        tried_out(each.file)
    return ""


# In a process of its own, behind the library


def one_by_one(folder: Path, step: int) -> Iterator[str]:
    """Every `step`-th call fails, in an evening of its own; what was wrong about each."""
    library = ctypes.CDLL(None)
    library.faults_calls.restype = ctypes.c_long
    for error in ERRORS:
        at = 1
        while True:
            data = folder / "data"
            data.mkdir()
            library.faults_arm(str(folder).encode(), ctypes.c_long(at), error)
            wrong = _outcome(data, lambda: library.faults_arm(b"", ctypes.c_long(0), 0))
            calls = _calls
            shutil.rmtree(data)
            yield wrong and f"{errno.errorcode[error]} at call {at}: {wrong}"
            if calls < at:
                break
            at += step


def without_memory(folder: Path) -> Iterator[str]:
    """SQLite gets so much memory and no more, a little more each time."""
    sqlite = ctypes.CDLL("libsqlite3.so.0")
    sqlite.sqlite3_hard_heap_limit64.argtypes = [ctypes.c_longlong]
    sqlite.sqlite3_memory_used.restype = ctypes.c_longlong
    for more in range(0, MEMORY_STEPS * MEMORY_STEP_BYTES, MEMORY_STEP_BYTES):
        data = folder / "data"
        data.mkdir()
        sqlite.sqlite3_hard_heap_limit64(sqlite.sqlite3_memory_used() + 1 + more)
        wrong = _outcome(data, lambda: sqlite.sqlite3_hard_heap_limit64(0))
        shutil.rmtree(data)
        yield wrong and f"{more} bytes of memory: {wrong}"


_calls = 0


def _outcome(data: Path, disarm: Callable[[], object]) -> str:
    global _calls  # noqa: PLW0603 - read between two evenings
    library = ctypes.CDLL(None)
    try:
        told = evening(data)
    except Exception:
        disarm()
        return traceback.format_exc().strip().replace("\n", " | ")[-900:]
    finally:
        _calls = library.faults_calls() if hasattr(library, "faults_calls") else 0
        disarm()
    try:
        return wrong_after(data, told)
    except Exception as failed:
        return f"the morning after: {type(failed).__name__}: {failed}"


def faults(folder: Path, *, long: bool) -> Tested:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return Tested(met=False, found="there is no C compiler to build the test with", size="0")
    library = folder / "faults.so"
    source = Path(__file__).with_name("faults.c")
    build = (compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl")
    subprocess.run(build, check=True, capture_output=True)  # noqa: S603
    (folder / "work").mkdir()
    step = 1 if long else 7
    done = subprocess.run(  # noqa: S603 - our own program
        [
            sys.executable,
            "-m",
            "companion.bench.trust.faults",
            str(folder / "work"),
            str(step),
        ],
        env=os.environ | {"LD_PRELOAD": str(library), "XDG_RUNTIME_DIR": str(folder / "work")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return Tested(met=False, found=f"it broke off: {done.stderr[-400:]}", size="unknown")
    outcomes = [each for line in done.stdout.splitlines() for each in json.loads(line)]
    wrong = [each for each in outcomes if each]
    return Tested(
        met=not wrong,
        found=f"{len(wrong)} wrong" + "".join(f"; {each}" for each in wrong[:3]),
        size=f"{len(outcomes):,} evenings, each with one fault"
        + (" (every point)" if step == 1 else f" (every {step}th point)"),
    )


PROMISE = Promise(
    "faults",
    "a disk or a memory that fails at any point of an evening loses nothing that was promised",
    "0 lost, no traceback, at every point",
    faults,
)

if __name__ == "__main__":
    place, each_nth = Path(sys.argv[1]), int(sys.argv[2])
    print(json.dumps(list(one_by_one(place, each_nth))))
    print(json.dumps(list(without_memory(place))))
