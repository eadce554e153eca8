"""A journal to play on with, whatever has become of the real one; and nothing of it is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.foundation.errors import JournalError
from companion.ledger.events import Did, Event, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.schema import ahead_of
from companion.service.keeping import meanwhile
from companion.service.keeping.meanwhile import FOLDER, journal_to_play_on
from tests.ledger.logs import OPENED, OPENING, SETUP, enter


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "memory"))
    (tmp_path / "memory").mkdir()
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "journal.db"


def played(real: Path) -> list[Event]:
    with Journal(real) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, *OPENING)
        return journal.events(1)


def takes_nothing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A card that takes nothing any more: whoever writes there is told so by the system."""
    opened = Path.open

    def refuse(self: Path, *words: object, **more: object) -> object:
        if str(words[:1] or more.get("mode", "")).find("w") >= 0 and self.parent == folder:
            raise OSError(28, os.strerror(28), str(self))
        return opened(self, *words, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)


def test_a_sound_journal_is_taken(real: Path) -> None:
    log = played(real)
    kept = journal_to_play_on(real)
    with kept.journal as journal:
        assert (journal.path, kept.problem, kept.brought_back) == (real, None, 0)
        assert journal.events(1) == log
    assert [each.name for each in real.parent.iterdir()] == ["journal.db"]


def test_beside_a_damaged_journal_games_are_kept_and_brought_back(real: Path) -> None:
    damaged = b"no journal at all" * 1000
    real.write_bytes(damaged)
    kept = journal_to_play_on(real)
    assert kept.problem is not None
    assert "is not a journal of the companion or is damaged" in str(kept.problem)
    with kept.journal as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE, by="Anna")
        enter(referee, *OPENING)
        meant = journal.events(1)
    with journal_to_play_on(real).journal as journal:  # nothing was mended yet
        assert journal.events(1) == meant
    assert real.read_bytes() == damaged
    real.unlink()
    old = played(real)
    kept = journal_to_play_on(real)
    with kept.journal as journal:
        assert (journal.path, kept.problem, kept.brought_back) == (real, None, len(meant))
        assert journal.events(1) == old
        brought = journal.events(2)
        assert [(e.fact, e.at, e.by) for e in brought] == [(e.fact, e.at, e.by) for e in meant]
        assert journal.verify().problem is None
    assert not (real.parent / FOLDER).exists()


def test_on_a_full_card_the_game_goes_on_in_memory_and_comes_back(
    real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = played(real)
    (real.parent / FOLDER).touch()  # nothing beside it either
    with monkeypatch.context() as full:
        takes_nothing(full, real.parent)
        kept = journal_to_play_on(real)
    assert "No space left on device" in str(kept.problem)
    with kept.journal as journal:
        assert journal.path.is_relative_to(real.parent.parent / "memory")
        assert journal.events(1) == log
        later = journal.append(1, Did("A pass"), log[-1].seq, "page")
        new = journal.open_game(OPENED, "page", "Ben")
    kept = journal_to_play_on(real)
    with kept.journal as journal:
        assert (journal.path, kept.problem, kept.brought_back) == (real, None, 2)
        assert journal.events(1) == [*log, later], "hash by hash"
        assert journal.events(2) == [new]
        assert journal.verify().problem is None
    again = journal_to_play_on(real)
    with again.journal:
        assert again.brought_back == 0


def test_two_journals_that_went_different_ways_are_both_left(real: Path, tmp_path: Path) -> None:
    log = played(real)
    copy = tmp_path / "copy.db"
    copy.write_bytes(real.read_bytes())
    with Journal(copy) as theirs, Journal(real) as ours:
        theirs.append(1, Did("A pass"), log[-1].seq, "page")
        theirs.append(1, Did("B pass"), log[-1].seq + 1, "page")
        mine = ours.append(1, Did("A b9"), log[-1].seq, "page")
        with pytest.raises(JournalError):
            ours.take_over(theirs)
        assert ours.events(1) == [*log, mine]


def test_if_nothing_can_be_written_anywhere_the_reason_is_said(
    real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real.write_bytes(b"no journal at all" * 1000)
    monkeypatch.setattr(meanwhile, "_places", lambda _real: iter(()))
    with pytest.raises(JournalError, match="is not a journal"):
        journal_to_play_on(real)


def test_a_folder_of_somebody_else_is_not_used(
    real: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a place that everybody may write to, its name can be foreseen."""
    real.write_bytes(b"no journal at all" * 1000)
    trap = tmp_path / "trap"
    (tmp_path / "elsewhere").mkdir()
    trap.symlink_to(tmp_path / "elsewhere")
    safe = tmp_path / "safe"
    monkeypatch.setattr(meanwhile, "_places", lambda _real: iter((trap, safe)))
    with journal_to_play_on(real).journal as journal:
        assert journal.path.parent == safe
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_was_written_ahead_comes_along_into_the_spare_one(
    real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(real)
    with Journal(real) as living:
        living.open_game(OPENED, "page")
        assert ahead_of(real).stat().st_size
        with monkeypatch.context() as full:
            takes_nothing(full, real.parent)
            kept = journal_to_play_on(real)
            with kept.journal as journal:
                assert journal.count_games() == 2
