"""What was written cannot change unnoticed: the hash chain over the events."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.core.game import reason
from companion.foundation.errors import JournalError
from companion.ledger.events import (
    LONGEST_DEVICE_NAME,
    Did,
    Event,
    Proposal,
    Source,
    Undo,
    device_name,
)
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.verifying import verify_file
from tests.ledger.logs import OPENED, OPENING, SETUP, at_table, enter, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three games, played one after the other, the first one of them gone on with at the end."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        referee = Referee(journal)
        for _ in range(3):
            referee.open(SETUP, Source.PAGE)
            enter(referee, *OPENING, "undo")
        journal.refuse(3, 1, "page", "A r1", (reason("too-low", "ODIN-PLAY-1"),))
        referee.resume(1)
        enter(referee, "C pass")
    return path


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """A hand that knows of the triggers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for trigger in ("event_no_update", "event_no_delete", "event_no_replace"):
            raw.execute(f"DROP TRIGGER {trigger}")
        yield raw


def test_the_chain_is_what_it_is_said_to_be(path: Path) -> None:
    """Computed here once more, from the words of the module's docstring alone."""
    with Journal(path) as journal:
        previous, hashes = journal.box.encode(), []
        events = {each.seq: each for game in (1, 2, 3) for each in journal.events(game)}
    for seq, game, based_on, at, source, kind, body, because, instead_of, by, found in rows(path):
        fields = (seq, game, based_on, at, source, by, kind, body, because, instead_of)
        told = ("-" if each is None else f"{len(str(each).encode())}:{each}" for each in fields)
        previous = hashlib.sha256(previous + "".join(told).encode()).digest()
        assert found == previous
        hashes.append(events[int(str(seq))].hash)
        assert hashes[-1] == previous.hex()
    assert len(set(hashes)) == 19


TAMPERED = {
    "another play": ('UPDATE event SET body = \'{"action":"A r4"}\' WHERE seq = 9', (2, 9)),
    "another time": ("UPDATE event SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 9", (2, 9)),
    "another hand": ("UPDATE event SET by = 'Anna' WHERE seq = 9", (2, 9)),
    "another source": ("UPDATE event SET source = 'camera' WHERE seq = 9", (2, 9)),
    "a reading": ("UPDATE event SET because = '1.1/0' WHERE seq = 9", (2, 9)),
    "another game": ("UPDATE event SET game = 7 WHERE seq = 9", (7, 9)),
    "no hash": ("UPDATE event SET hash = NULL WHERE seq = 9", (2, 9)),
    "another hash": ("UPDATE event SET hash = zeroblob(32) WHERE seq = 9", (2, 9)),
    "taken out": ("DELETE FROM event WHERE seq = 9", (2, 10)),
    "the first taken out": ("DELETE FROM event WHERE seq = 1", (1, 2)),
    "another box": ("UPDATE about SET said = '00' WHERE name = 'box'", (1, 1)),
    "no box": ("DELETE FROM about", (1, 1)),
}


@pytest.mark.parametrize(("statement", "first"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_named_with_the_first_bad_event(
    path: Path, statement: str, first: tuple[int, int]
) -> None:
    with tampering(path) as raw:
        raw.execute(statement)
    game, seq = first
    with Journal(path) as journal:
        found = journal.verify()
        assert found.first_bad == first
        assert str(found.problem) == (
            f"event {seq} of game {game}, or the one before it, is not as it was written; "
            "everything before it is as it was, and so are the other games"
        )
        readable, corrupt = journal.readable(game)
        assert corrupt is not None
        assert (corrupt.game, corrupt.seq) == first
        assert [each.seq for each in readable if each.seq >= seq] == []
        for other in {1, 2, 3} - {game, 2}:
            assert journal.readable(other)[1] is None
    assert verify_file(path).first_bad == first


def test_everything_before_stays_usable_and_the_box_goes_on(path: Path) -> None:
    with Journal(path) as journal:
        whole = journal.events(2)
    with tampering(path) as raw:
        raw.execute("UPDATE event SET at = '' WHERE seq = 11")
    with Journal(path) as journal:
        assert journal.readable(2)[0] == whole[:4]
        referee = Referee(journal)
        referee.resume(3)
        enter(referee, "C pass")
        referee.open(SETUP, Source.PAGE)
        assert journal.verify().bad == 1


@pytest.mark.parametrize("gone", [1, 4])
def test_the_last_events_cannot_be_taken_away_unnoticed(path: Path, gone: int) -> None:
    with tampering(path) as raw:
        raw.execute("DELETE FROM event WHERE seq > ?", (19 - gone,))
    with Journal(path) as journal:
        found = journal.verify()
        assert (found.first_bad, found.missing) == (None, gone)
        assert str(found.problem) == (
            f"the last events of the journal are gone ({gone}); what is there is sound"
        )
        after = journal.open_game(OPENED, "page")
        assert after.seq == 20, "a number is never given twice"


def test_a_refusal_that_was_changed_is_noticed(path: Path) -> None:
    with tampering(path) as raw:
        raw.execute("UPDATE refusal SET action = 'B r1'")
    with Journal(path) as journal:
        assert journal.verify().bad_refusals == 1
        assert str(journal.verify().problem).startswith("what was refused is not noted")


def test_a_sound_journal_has_no_problem(path: Path) -> None:
    with Journal(path) as journal:
        assert (journal.verify().events, journal.verify().problem) == (19, None)
    assert verify_file(path).problem is None


def outcome(path: Path) -> object:
    """Everything a companion reads from a journal; None if it says that something is wrong."""
    try:
        with Journal(path) as journal:
            if journal.verify().problem is not None:
                return None
            games = journal.games(most=100)
            return [journal.box, games, [journal.events(each.number) for each in games]]
    except JournalError:
        return None


def test_no_flipped_bit_changes_a_game_unnoticed(path: Path, tmp_path: Path) -> None:
    """A flip is noticed, or it hit a place that nobody reads. A fixed share of all of them; the
    long run is `companion bench trust`."""
    sound, data = outcome(path), path.read_bytes()
    assert sound is not None
    rng, noticed = Random(21), 0
    for _ in range(150):
        flipped = bytearray(data)
        at = rng.randrange(8 * len(data))
        flipped[at // 8] ^= 1 << at % 8
        wounded = tmp_path / "wounded.db"
        wounded.write_bytes(flipped)
        found = outcome(wounded)
        assert found in (None, sound), f"bit {at} changed what is read"
        noticed += found is None
        for each in tmp_path.glob("wounded.db*"):
            each.unlink()
    assert noticed > 20


# Who did it


def test_an_event_says_on_which_device_it_was_entered(path: Path) -> None:
    with Journal(path) as journal:
        referee = Referee(journal)
        seq = referee.open(SETUP, Source.PAGE, by="Anna's phone").seq
        referee.propose(Proposal("deal A", seq, Source.PAGE, by="Björn"))
        referee.propose(Undo(at_table(referee).seq, Source.PAGE, by="Anna's phone"))
        log = journal.events(4)
    assert [each.by for each in log] == ["Anna's phone", "Björn", "Anna's phone"]
    with Journal(path) as journal:
        assert journal.events(4) == log
        assert journal.verify().problem is None


def test_an_entry_by_nobody_known(path: Path) -> None:
    with Journal(path) as journal:
        log: list[Event] = journal.events(1)
        event = journal.append(1, Did("A pass"), log[-1].seq, "button")
        assert event.by == ""


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Anna", "Anna"),
        ("  the \x00 old\n phone\u202e ", "the old phone"),
        ("x" * 500, "x" * LONGEST_DEVICE_NAME),
        ("\ud800 lone", "lone"),
        ("", ""),
    ],
)
def test_a_device_name_is_made_fit(typed: str, kept: str) -> None:
    assert device_name(typed) == kept
