"""What the referee's door makes of a line somebody typed, and how often it judges."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.foundation.errors import BadInput, LogCorrupt
from companion.games.odin import rules as odin
from companion.ledger.events import Link, Proposal, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.provenance import CurrentReadings, link_by_hand
from companion.ledger.referee import Referee
from companion.ledger.session import Ruling, Session, replayed, rule, settled
from companion.tabletop.readings import Reading, ReadingRef
from tests.ledger.logs import SETUP, after, at_table, enter, everything, next_event, opened

ONE = Reading(("B b5",), 0.6, id="3.1")
OTHER = Reading(("B k5",), 0.3, id="3.2")
TWO = Reading(("B pass", "C k5"), 0.1, id="3.3")
BACK = Reading(("B g5",), 0.1, undo=1, id="3.4")


def table() -> Session:
    """A has led; the log stands at 3."""
    return after(opened(), "deal A", "A r3")


def made_of(session: Session, line: str, link: Link) -> Session:
    ruling = rule(session, Proposal(line, session.seq, Source.CAMERA))
    assert isinstance(ruling, Ruling), ruling
    return settled(ruling, replace(next_event(session, ruling), link=link))


SEEN = CurrentReadings(3, (ONE, OTHER, TWO, BACK))


@pytest.mark.parametrize(
    ("line", "seen", "link"),
    [
        ("B b5", SEEN, Link(ReadingRef("3.1", 0))),
        ("B k5", SEEN, Link(ReadingRef("3.2", 0))),
        ("B pass", SEEN, Link()),  # the beginning of what it hardly believes
        ("B pass", CurrentReadings(3, (TWO, ONE)), Link(ReadingRef("3.3", 0))),
        ("C k5", SEEN, Link()),  # not before its first line
        ("B g5", SEEN, Link()),  # not without taking back first
        ("B o9", SEEN, Link()),
        ("B b5", CurrentReadings(2, (ONE,)), Link()),  # read when the log stood elsewhere
        ("B o9", SEEN.turned_down(3), Link(None, ReadingRef("3.1", 0))),
        ("B k5", SEEN.turned_down(3), Link(ReadingRef("3.2", 0))),
        ("B o9", SEEN.turned_down(2), Link()),  # said too late
        ("B o9", CurrentReadings().turned_down(3), Link()),
        (
            "B o9",
            CurrentReadings().turned_down(3, ReadingRef("2.9", 0)),
            Link(None, ReadingRef("2.9", 0)),
        ),
        ("B o9", SEEN.turned_down(3).told((OTHER,), 3), Link(None, ReadingRef("3.1", 0))),
        ("B o9", SEEN.turned_down(3).told((OTHER,), 4), Link()),
    ],
)
def test_a_typed_line_is_linked_with_what_is_read_or_rejected(
    line: str, seen: CurrentReadings, link: Link
) -> None:
    assert link_by_hand(table(), line, seen) == link


def test_one_line_is_meant_rather_than_the_first_of_several() -> None:
    alone = Reading(("B pass",), 0.01, id="3.9")
    seen = CurrentReadings(3, (TWO, alone))
    assert link_by_hand(table(), "B pass", seen).because == ReadingRef("3.9", 0)


def test_the_next_line_of_several_follows_the_first() -> None:
    half = made_of(table(), "B pass", Link(ReadingRef("3.3", 0)))
    assert link_by_hand(half, "C k5", SEEN) == Link(ReadingRef("3.3", 1))
    assert link_by_hand(half, "C k6", SEEN) == Link()
    assert link_by_hand(after(table(), "B pass"), "C k5", SEEN) == Link()


class TestAfterUndo:
    @pytest.fixture
    def session(self) -> Session:
        """B b5 and C k6 were read, and both taken back."""
        session = made_of(table(), "B b5", Link(ReadingRef("3.1", 0)))
        session = made_of(session, "C k6", Link(ReadingRef("4.1", 0)))
        return after(session, "undo 2")

    def test_the_same_line_is_what_it_was(self, session: Session) -> None:
        assert link_by_hand(session, "B b5", CurrentReadings()) == Link(ReadingRef("3.1", 0))

    def test_another_stands_in_the_place_of_the_first(self, session: Session) -> None:
        assert link_by_hand(session, "B o5", CurrentReadings()) == Link(None, ReadingRef("3.1", 0))

    def test_and_the_next_in_that_of_the_second(self, session: Session) -> None:
        filled = after(session, "B o5")
        assert link_by_hand(filled, "C o6", CurrentReadings()) == Link(None, ReadingRef("4.1", 0))
        assert link_by_hand(filled, "C k6", CurrentReadings()) == Link(ReadingRef("4.1", 0))
        assert link_by_hand(after(filled, "C k6"), "A k9", CurrentReadings()) == Link()

    def test_a_line_put_between_takes_nothing_from_the_next(self) -> None:
        once = after(made_of(table(), "B b5", Link(ReadingRef("3.1", 0))), "undo")
        between = after(once, "B pass")
        assert [entry.action for entry in between.taken_back] == ["B b5"]
        later = link_by_hand(between, "B b5", CurrentReadings())
        assert later == Link(ReadingRef("3.1", 0))

    def test_what_the_camera_reads_now_comes_first(self, session: Session) -> None:
        seen = CurrentReadings(session.seq, (Reading(("B b5",), 0.9, id="6.1"),))
        assert link_by_hand(session, "B b5", seen) == Link(ReadingRef("6.1", 0))

    def test_what_it_reads_now_may_be_said_instead_of_what_it_read(self, session: Session) -> None:
        seen = CurrentReadings(session.seq, (Reading(("B o5",), 0.1, id="6.2"),))
        both = Link(ReadingRef("6.2", 0), ReadingRef("3.1", 0))
        assert link_by_hand(session, "B o5", seen) == both

    def test_an_entry_nobody_read_leaves_no_link(self) -> None:
        session = after(table(), "B b5", "undo")
        assert link_by_hand(session, "B o5", CurrentReadings()) == Link()
        assert link_by_hand(session, "B b5", CurrentReadings()) == Link()


# Names of readings


@pytest.mark.parametrize("ref", [ReadingRef("17.2"), ReadingRef("17.2", 0), ReadingRef("1.10", 3)])
def test_a_name_is_read_as_it_is_written(ref: ReadingRef) -> None:
    assert ReadingRef.parse(str(ref)) == ref


@pytest.mark.parametrize("text", ["", "17", "17.2/", "17.2/x", "a.b/0", "17.2/0 "])
def test_what_names_no_reading(text: str) -> None:
    with pytest.raises(BadInput, match="names no reading"):
        ReadingRef.parse(text)


def test_a_damaged_name_in_the_journal_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, "deal A")
    with closing(sqlite3.connect(path)) as stranger, stranger:
        stranger.execute(
            "INSERT INTO event (game, based_on, at, source, kind, body, because) VALUES"
            """ (1, 2, '', 'page', 'did', '{"action":"A r3"}', 'yesterday')"""
        )
    with Journal(path) as journal:
        events, corrupt = journal.readable(1)
        assert [event.action for event in events] == ["", "deal A"]
        assert isinstance(corrupt, LogCorrupt)


# Judged once


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every action the rules were asked about."""
    asked: list[str] = []
    judge = odin.judge

    def counting(state: odin.State, action: odin.Action) -> object:
        asked.append(odin.format(action))
        return judge(state, action)

    monkeypatch.setattr(odin, "judge", counting)
    return asked


def test_every_entry_is_judged_once_on_its_way_in(tmp_path: Path, judged: list[str]) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE, ["deal A"])
        enter(referee, "A r3")
        seq = at_table(referee).seq
        referee.adopt(Reading(("B b5", "C pass"), 1.0, id="3.1"), seq, Source.CAMERA)
        assert judged == ["deal A", "A r3", "B b5", "C pass"]
        seq = at_table(referee).seq
        later = Proposal("C pass", seq, Source.PAGE)
        made = referee.put_right(
            Undo(seq, Source.PAGE, 2), Proposal("B k5", seq, Source.PAGE), [later]
        )
        assert isinstance(made, tuple)
        assert [event.action for event in made] == ["B k5", "C pass"]
        assert judged[4:] == ["B k5", "C pass"]
        session = at_table(referee)
        assert everything(replayed(journal.events(1))) == everything(session)
        assert [entry.action for entry in session.taken_back] == []


def test_later_entries_that_no_longer_fit_are_left_out(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        seq = enter(referee, "deal A", "A r3", "B b5", "C b6").seq
        later = Proposal("C b6", seq, Source.PAGE)
        undo = Undo(seq, Source.PAGE, 2)
        made = referee.put_right(undo, Proposal("B b7", seq, Source.PAGE), [later])
        assert isinstance(made, tuple)
        assert [event.action for event in made] == ["B b7"]
        assert at_table(referee).refusal is None, "nobody made that mistake"
