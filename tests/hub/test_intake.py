"""What boxes send arrives once, in order, and only from the box itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.foundation.errors import BadInput
from companion.hub.clubs import box_at, box_of, make_club
from companion.hub.intake import COLUMNS, TwoCopies, note_two_copies, take_in
from companion.hub.joining import join, only_one_left
from companion.hub.store import Store
from companion.ledger.journal import Journal
from companion.ledger.wire import WireEvent, wire_event
from companion.outbox.protocol import Batch, Heard, Joining, Rewind
from tests.hub.tables import NearHub, all_sent, joined, play


def seqs(store: Store) -> list[int]:
    with store.transaction() as transaction:
        return [seq for (seq,) in transaction.all("SELECT seq FROM event ORDER BY seq")]


def test_everything_arrives_once_and_in_order(store: Store, journal: Journal) -> None:
    _, hub = joined(store, journal)
    play(journal)
    assert all_sent(journal, hub) == [4]
    assert all_sent(journal, hub) == []
    play(journal)
    assert all_sent(journal, hub) == [4]
    assert seqs(store) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_batch_sent_twice_changes_nothing(store: Store, journal: Journal) -> None:
    _, hub = joined(store, journal)
    play(journal)
    events = tuple(map(wire_event, journal.rows_since(0, 10)))
    batch = Batch(Heard(), events)
    first = hub.send(batch)
    assert hub.send(batch) == first == Heard(4, events[-1].hash)
    assert seqs(store) == [1, 2, 3, 4]


def test_a_box_that_takes_the_hub_for_further_than_it_is_goes_back(
    store: Store, journal: Journal
) -> None:
    """As after the hub was restored from a backup of its own."""
    _, hub = joined(store, journal)
    play(journal)
    last = wire_event(journal.rows_since(3, 1)[0])
    assert hub.send(Batch(Heard(3, "00"), (last,))) == Heard()
    assert all_sent(journal, hub) == [4]


@pytest.mark.parametrize("field", ["body", "at", "by", "seq", "game", "hash"])
def test_a_changed_event_is_refused(store: Store, journal: Journal, field: str) -> None:
    _, hub = joined(store, journal)
    play(journal)
    events = list(map(wire_event, journal.rows_since(0, 10)))
    changed = {"seq": 7, "game": 9, "hash": "00" * 32}.get(field, "else")
    events[2] = replace(events[2], **{field: changed})  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        hub.send(Batch(Heard(), tuple(events)))
    assert seqs(store) == []


@pytest.mark.parametrize("changed", [{"by": "a\0b"}, {"game": 2**70}, {"seq": -1}])
def test_what_no_database_keeps_is_refused_in_words(
    store: Store, journal: Journal, changed: dict[str, object]
) -> None:
    _, hub = joined(store, journal)
    play(journal)
    event = wire_event(journal.rows_since(0, 1)[0])
    with pytest.raises(BadInput):
        hub.send(Batch(Heard(), (replace(event, **changed),)))  # type: ignore[arg-type]


def test_an_event_left_out_is_refused(store: Store, journal: Journal) -> None:
    _, hub = joined(store, journal)
    play(journal)
    first, _, *rest = map(wire_event, journal.rows_since(0, 10))
    with pytest.raises(BadInput):
        hub.send(Batch(Heard(), (first, *rest)))


def test_a_strangers_token_writes_nothing(store: Store, journal: Journal, tmp_path: Path) -> None:
    _, hub = joined(store, journal)
    with Journal(tmp_path / "other.db") as other:
        told = join(store, make_club(store, "Crows").key, Joining(other.box, "Other"))
    with store.transaction() as transaction:
        assert box_of(transaction, journal.box, told.token) is None
        assert box_of(transaction, journal.box, "") is None
        assert box_of(transaction, journal.box, hub.token) is not None


def test_only_the_clubs_key_lets_a_box_join(store: Store, journal: Journal) -> None:
    make_club(store, "Ravens")
    for key in ("", "wrong"):
        with pytest.raises(BadInput):
            join(store, key, Joining(journal.box, "Mine"))
    with pytest.raises(BadInput):
        join(store, make_club(store, "Crows").key, Joining("not a box", "Mine"))


def test_a_box_cannot_be_taken_into_another_club(store: Store, journal: Journal) -> None:
    joined(store, journal)
    with pytest.raises(BadInput):
        join(store, make_club(store, "Crows").key, Joining(journal.box, "Mine"))


def test_a_restored_box_is_noticed_and_goes_on(store: Store, tmp_path: Path) -> None:
    """The journal is put back to a backup and played on: the hub keeps what it had aside, says so,
    and has the new events behind the last one both know."""
    path, backup = tmp_path / "journal.db", tmp_path / "backup.db"
    with Journal(path) as journal:
        _, hub = joined(store, journal)
        play(journal)
        all_sent(journal, hub)
    shutil.copy(path, backup)
    with Journal(path) as journal:
        play(journal, ("Cleo", "Dora"))
        play(journal, ("Cleo", "Dora"))
        all_sent(journal, hub)
    for leftover in path.parent.glob("journal.db-*"):
        leftover.unlink()
    shutil.copy(backup, path)
    with Journal(path) as journal:
        play(journal, ("Emil", "Finn"))
        assert sum(all_sent(journal, hub)) == 4
        ours = [wire_event(row).hash for row in journal.rows_since(0, 100)]
    with store.transaction() as transaction:
        theirs = transaction.all("SELECT hash FROM event ORDER BY seq")
        aside = transaction.one("SELECT COUNT(*) FROM event_aside")
        incidents = transaction.all("SELECT kind, events FROM incident")
        box = box_at(transaction, hub.box)
    assert [bytes(row[0]).hex() for row in theirs] == ours
    assert aside == (8,)
    assert_whole(store, hub.box)
    assert incidents == [("restored", 8)]
    assert box is not None
    assert box.heard.hash == ours[-1]


def assert_whole(store: Store, box: str) -> None:
    """What was put aside still fits its hashes, event by event, behind what is left."""
    with store.transaction() as transaction:
        rows = transaction.all(f"SELECT {', '.join(COLUMNS[2:])} FROM event_aside ORDER BY seq")
        before = transaction.one(
            "SELECT hash FROM event WHERE seq < ? ORDER BY seq DESC LIMIT 1", rows[0][0]
        )
    previous = Heard().before_next(box) if before is None else bytes(before[0])
    for *fields, summed in rows:
        event = WireEvent(*(*fields, bytes(summed).hex()))
        assert event.follows(previous)
        previous = bytes(summed)


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[tuple[Journal, Journal]]:
    """Two journals on two memory cards, one copied from the other after a first game."""
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    with Journal(one) as journal:
        play(journal)
    shutil.copy(one, other)
    with Journal(one) as first, Journal(other) as second:
        yield first, second


def swings(hub: NearHub, copies: tuple[Journal, Journal]) -> int:
    """How often the two copies take back what the other said, until the hub has had enough."""
    for turn in range(20):
        try:
            all_sent(copies[turn % 2], hub)
        except TwoCopies:
            return turn
    raise AssertionError("they go on for ever")


@pytest.mark.parametrize("idle", [False, True])
def test_two_copies_of_one_box_are_noticed_and_stopped(
    store: Store, copies: tuple[Journal, Journal], *, idle: bool
) -> None:
    """Whether both are played on, or one only lies there and asks from time to time."""
    _, hub = joined(store, copies[0])
    play(copies[0], ("Cleo", "Dora"))
    if not idle:
        play(copies[1], ("Emil", "Finn"))
    assert swings(hub, copies) <= 2
    before = seqs(store)
    note(store, hub)
    for journal in copies:
        play(journal)
        with pytest.raises(TwoCopies):
            all_sent(journal, hub)
    assert seqs(store) == before
    assert_whole(store, hub.box)


def test_when_one_copy_is_left_it_goes_on(store: Store, copies: tuple[Journal, Journal]) -> None:
    club, hub = joined(store, copies[0])
    for journal in copies:
        play(journal, ("Cleo", "Dora"))
    swings(hub, copies)
    note(store, hub)
    with store.transaction() as transaction:
        only_one_left(transaction, club, hub.box)
    all_sent(copies[0], hub)
    ours = [wire_event(row).seq for row in copies[0].rows_since(0, 100)]
    assert seqs(store) == ours


def note(store: Store, hub: NearHub) -> None:
    """As the hub's door does after it has refused."""
    with store.transaction() as transaction:
        box = box_at(transaction, hub.box, lock=True)
        assert box is not None
        note_two_copies(transaction, box)


def test_a_rewind_to_what_the_hub_never_had_changes_nothing(store: Store, journal: Journal) -> None:
    _, hub = joined(store, journal)
    play(journal)
    all_sent(journal, hub)
    with pytest.raises(BadInput):
        hub.rewind(Rewind(Heard(3, "00" * 32)))
    assert seqs(store) == [1, 2, 3, 4]


def test_taking_in_nothing_is_fine(store: Store, journal: Journal) -> None:
    _, hub = joined(store, journal)
    with store.transaction() as transaction:
        box = box_at(transaction, hub.box, lock=True)
        assert box is not None
        assert take_in(transaction, box, Batch(Heard(), ())) == Heard()
