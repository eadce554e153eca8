"""The hall keeps what is looked at, and shows which tables have fallen silent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from companion.hub.clubs import Box
from companion.hub.hall import MOST_CLUBS, Hall, HallTable, seen
from companion.hub.store import Store
from companion.hub.worker import FoldingWorker
from companion.ledger.journal import Journal
from companion.ledger.session import replayed
from companion.outbox.protocol import Heard
from tests.hub.tables import all_sent, joined, play

NOW = datetime(2026, 11, 18, 20, 0, tzinfo=UTC)


def box_heard(ago: timedelta, club: int = 1, name: str = "One") -> Box:
    at = (NOW - ago).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Box("a" * 32, club, name, Heard(4, "00"), 4, "hash", at)


def test_a_table_that_was_not_heard_of_for_long_looks_silent(journal: Journal) -> None:
    session = replayed(journal.events(play(journal)))
    fresh = seen(HallTable(box_heard(timedelta(minutes=6)), session), "en", NOW)
    old = seen(HallTable(box_heard(timedelta(minutes=20)), session), "en", NOW)
    assert (fresh.silent, old.silent) == (False, True)
    assert old.waiting


def test_only_so_many_clubs_are_kept_and_those_heard_last() -> None:
    hall = Hall()
    for club in range(MOST_CLUBS + 10):
        hall.put(HallTable(box_heard(timedelta(), club)))
    assert hall.tables(0) == []
    assert len(hall.tables(MOST_CLUBS + 9)) == 1
    assert sum(bool(hall.tables(club)) for club in range(MOST_CLUBS + 10)) == MOST_CLUBS


def test_a_club_that_somebody_watches_is_kept() -> None:
    hall = Hall()
    hall.put(HallTable(box_heard(timedelta(), 0)))
    hall.watch(0)
    for club in range(1, MOST_CLUBS + 10):
        hall.put(HallTable(box_heard(timedelta(), club)))
    assert len(hall.tables(0)) == 1
    hall.watch(0, -1)
    hall.put(HallTable(box_heard(timedelta(), 1)))
    assert hall.tables(0) == []


def test_a_start_folds_nothing_that_is_folded_and_a_look_brings_the_tables(
    store: Store, journal: Journal
) -> None:
    club, hub = joined(store, journal)
    play(journal)
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(20)
    hall = Hall()
    with FoldingWorker(store, hall) as worker:
        assert worker.settle(20)
        assert hall.tables(club.number) == []
        worker.show(club.number)
        assert [table.box.name for table in hall.tables(club.number)] == ["Table one"]
        worker.gone(club.number, journal.box)
        assert hall.tables(club.number) == []
