"""What SQLite writes ahead of the journal's file: folded in when idle, and never another's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.foundation.errors import JournalFull
from companion.ledger.events import Did, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.schema import ahead_of
from tests.ledger.logs import OPENED, OPENING, SETUP, enter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def cut_off(path: Path, *, games: int, folded: int = 0) -> None:
    """A journal as a power cut leaves it, with something written ahead."""
    path.parent.mkdir(exist_ok=True)
    living = path.with_name("living.db")
    with Journal(living) as journal:
        referee = Referee(journal)
        for number in range(games):
            if number == folded:
                journal.fold_in()
            referee.open(SETUP, Source.PAGE)
            enter(referee, *OPENING)
        shutil.copy(living, path)
        shutil.copy(ahead_of(living), ahead_of(path))
    living.unlink()


def test_what_was_written_ahead_is_folded_in(path: Path) -> None:
    with Journal(path) as journal:
        event = journal.open_game(OPENED, "page")
        assert journal.ahead_bytes > 0
        journal.fold_in()
        assert journal.ahead_bytes == 0
        alone = path.with_name("alone.db")
        shutil.copy(path, alone)
        with Journal(alone) as copy:
            assert copy.events(1) == [event]
        journal.append(1, Did("deal A"), event.seq, "page")
        assert len(journal.events(1)) == 2


def test_a_closed_journal_leaves_nothing_beside_it(path: Path) -> None:
    with Journal(path) as journal, Journal(path) as another:
        another.open_game(OPENED, "page")
        assert journal.count_games() == 1
    assert [each.name for each in path.parent.iterdir()] == ["journal.db"]


def test_folding_in_on_a_closed_journal_is_no_fault(path: Path) -> None:
    with Journal(path) as journal:
        pass
    journal.fold_in()
    with pytest.raises(JournalFull):
        journal.open_game(OPENED, "page")


@pytest.mark.parametrize("theirs", [1, 2, 12])
@pytest.mark.parametrize("folded", [0, 1])
def test_what_was_written_ahead_of_another_journal_is_laid_aside(
    path: Path, theirs: int, folded: int
) -> None:
    with Journal(path) as journal:
        referee = Referee(journal)
        for _ in range(8):
            referee.open(SETUP, Source.PAGE)
            enter(referee, *OPENING)
        log = [journal.events(number) for number in range(1, 9)]
    other = path.parent / "other" / "journal.db"
    cut_off(other, games=theirs, folded=folded)
    strange = ahead_of(other).read_bytes()
    ahead_of(path).write_bytes(strange)
    with Journal(path) as journal:
        assert journal.set_aside is not None
        assert journal.set_aside.read_bytes() == strange
        assert [journal.events(number) for number in range(1, 9)] == log
        assert journal.verify().problem is None
        assert journal.append(8, Did("A pass"), log[-1][-1].seq, "page").seq == 41
    with Journal(path) as journal:
        assert journal.set_aside is None
        assert len(journal.events(8)) == len(log[-1]) + 1


@pytest.mark.parametrize("folded", [0, 1, 2])
def test_what_was_written_ahead_of_this_one_is_taken(path: Path, folded: int) -> None:
    cut_off(path, games=3, folded=folded)
    with Journal(path) as journal:
        assert journal.set_aside is None
        assert [len(journal.events(number)) for number in (1, 2, 3)] == [5, 5, 5]
        assert journal.verify().problem is None
