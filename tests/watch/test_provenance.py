"""From the reading to the event: whoever enters something, the log says where it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.core.game import Refused, Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Event, Link, Proposal, Retracted, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.referee import Press, Referee
from companion.ledger.session import replayed
from companion.tabletop.readings import Question, Reading, ReadingRef, Shown
from companion.watch.evidence import truth_of
from tests.games.odin.players import DISCARD, LANES
from tests.ledger.logs import everything
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    """Three players; A leads r7, seen by the camera."""
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    enter(table, "deal A")
    table.lay("r7", *LANES[0])
    table.settle()
    assert table.actions == ["deal A", "A r7"]
    return table


@pytest.fixture
def client(table: WatchedTable, journal: Journal) -> Iterator[FlaskClient]:
    with create_app(Parts(table.referee, journal, table=table.witness)).test_client() as client:
        yield client


def enter(table: WatchedTable, line: str, *, stand: bool = False) -> None:
    proposal = Proposal(line, table.session.seq, Source.PAGE, stand)
    assert not isinstance(table.referee.propose(proposal), Refused)


def last(table: WatchedTable) -> Event:
    assert table.session.latest is not None
    return table.session.latest.event


def shown(table: WatchedTable) -> Reading:
    table.lay("b8", *LANES[1])
    table.hand()
    table.look(1.0)
    assert isinstance(table.opinion, Shown)
    return table.opinion.reading


def asked(table: WatchedTable) -> tuple[Reading, ...]:
    table.eye.sees = lambda label, _rng: (
        ("b8", 0.55, (("k8", 0.43),)) if label == "b8" else (label, 0.999, ())
    )
    table.lay("b8", *LANES[1])
    table.settle()
    assert isinstance(table.opinion, Question)
    return table.opinion.readings


def misread(table: WatchedTable) -> Event:
    """A blue 8 was entered as the black one."""
    table.eye.sees = lambda label, _rng: (
        ("k8", 0.98, (("b8", 0.02),)) if label == "b8" else (label, 0.999, ())
    )
    table.lay("b8", *LANES[1])
    table.settle()
    assert table.actions[-1] == "B k8"
    return last(table)


# Made of a reading


def test_what_the_camera_enters(table: WatchedTable) -> None:
    event = last(table)
    assert (event.source, event.action) == (Source.CAMERA, "A r7")
    assert event.because == ReadingRef(f"{event.based_on}.1", 0)


def test_what_people_enter_that_no_camera_has_read(table: WatchedTable) -> None:
    enter(table, "B pass")
    assert last(table).link == Link()


def test_confirm_on_the_box(table: WatchedTable) -> None:
    reading = shown(table)
    table.referee.press(Press.CONFIRM)
    assert (last(table).source, last(table).link) == (Source.BUTTON, Link(reading.ref(0)))


def test_a_tap_on_what_is_shown(table: WatchedTable, client: FlaskClient) -> None:
    reading = shown(table)
    client.post("/notion", data={"seq": table.session.seq, "reading": 0})
    assert (last(table).source, last(table).link) == (Source.PAGE, Link(reading.ref(0)))


def test_a_tap_on_a_question_means_the_reading_that_was_chosen(
    table: WatchedTable, client: FlaskClient
) -> None:
    _, second, *_ = asked(table)
    client.post("/notion", data={"seq": table.session.seq, "reading": 1})
    assert (last(table).action, last(table).link) == ("B k8", Link(second.ref(0)))


def test_a_line_typed_as_the_camera_shows_it(table: WatchedTable, client: FlaskClient) -> None:
    reading = shown(table)
    client.post("/act", data={"say": ["b", "B8"], "seq": table.session.seq})
    assert (last(table).action, last(table).link) == ("B b8", Link(reading.ref(0)))


def test_a_line_typed_before_the_camera_asks(table: WatchedTable) -> None:
    table.eye.sees = lambda label, _rng: (label, 0.55, (("k8", 0.43),))
    table.lay("b8", *LANES[1])
    table.hand()
    table.look(1.5)
    assert table.opinion is None
    enter(table, "B k8")
    ref = last(table).because
    assert ref is not None
    assert ref.line == 0


def test_a_reading_of_several_lines_says_which(table: WatchedTable) -> None:
    table.eye.lying[0].x, table.eye.lying[0].y = DISCARD
    table.settle()
    assert table.actions[-2:] == ["B pass", "C pass"]
    second, first = (entry.event.because for entry in list(table.session.entries)[:2])
    assert first is not None
    assert first.line == 0
    assert second == ReadingRef(first.reading, 1)


def test_a_refused_reading_that_people_let_stand(table: WatchedTable) -> None:
    table.lay("b2", *LANES[1])
    table.settle(8)
    refusal = table.session.refusal
    assert refusal is not None
    assert refusal.because is not None
    enter(table, "B b2", stand=True)
    assert last(table).because == refusal.because


# Said instead


def test_an_answer_after_none_of_this(table: WatchedTable, client: FlaskClient) -> None:
    first, *_ = asked(table)
    client.post("/wave", data={"seq": table.session.seq})
    client.post("/act", data={"say": ["B", "o8"], "seq": table.session.seq})
    assert (last(table).action, last(table).link) == ("B o8", Link(None, first.ref(0)))


def test_an_answer_nobody_offered_is_not_said_instead_unless_people_rejected(
    table: WatchedTable,
) -> None:
    asked(table)
    enter(table, "B pass")
    assert last(table).link == Link()


def test_an_answer_to_a_refusal_that_was_taken_away(table: WatchedTable) -> None:
    table.lay("b2", *LANES[1])
    table.settle(8)
    refusal = table.session.refusal
    table.referee.dismiss()
    table.look(0.5)
    enter(table, "B b9")
    assert refusal is not None
    assert last(table).link == Link(None, refusal.because)


def test_a_correction_says_what_it_replaces_and_the_rest_stays_as_it_was(
    table: WatchedTable, client: FlaskClient
) -> None:
    wrong = misread(table)
    table.take(table.eye.lying[0])
    table.settle()
    table.lay("r9", *LANES[0])
    table.settle()
    later = last(table)
    assert later.action == "C r9"
    data = {"entry": wrong.seq, "line": "B b8", "seq": table.session.seq}
    client.post("/correct", data=data)
    after, instead = (entry.event for entry in list(table.session.entries)[:2])
    assert (instead.action, instead.link) == ("B b8", Link(None, wrong.because))
    assert (after.action, after.link) == ("C r9", later.link)
    table.witness.correct(instead.seq, "B o8", table.session.seq)
    again = list(table.session.entries)[1].event
    assert (again.action, again.link) == ("B o8", Link(None, wrong.because))


def test_an_entry_by_hand_after_undo(table: WatchedTable) -> None:
    wrong = misread(table)
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    table.look(0.5)
    enter(table, "B b9")
    assert last(table).link == Link(None, wrong.because)


def test_an_entry_by_hand_after_undo_that_the_camera_thought_possible(table: WatchedTable) -> None:
    wrong = misread(table)
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    table.look(0.5)
    enter(table, "B b8")
    event = last(table)
    assert event.instead_of == wrong.because
    assert event.because is not None
    assert event.because.reading.startswith(f"{event.based_on}.")


def test_the_same_entry_again_by_hand_after_undo(table: WatchedTable) -> None:
    before = misread(table)
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    enter(table, "B k8")
    assert last(table).link == before.link


def test_undo_by_people_rests_on_nothing(table: WatchedTable, journal: Journal) -> None:
    table.referee.press(Press.UNDO)
    event = journal.events(table.session.number)[-1]
    assert (event.fact, event.link) == (Retracted(1), Link())


def test_undo_by_a_reading_rests_on_the_whole_of_it(table: WatchedTable, journal: Journal) -> None:
    reading = Reading(("A r6",), 0.9, undo=1, id="3.1")
    table.referee.adopt(reading, table.session.seq, Source.CAMERA)
    back, line = journal.events(table.session.number)[-2:]
    assert back.link == Link(ReadingRef("3.1"))
    assert line.link == Link(ReadingRef("3.1", 0))


def test_the_log_has_it_all_when_it_is_read_again(table: WatchedTable, journal: Journal) -> None:
    wrong = misread(table)
    table.witness.correct(wrong.seq, "B b8", table.session.seq)
    again = replayed(journal.events(table.session.number))
    assert everything(again) == everything(table.session)
    assert [entry.event.link for entry in again.entries][:2] == [
        Link(None, wrong.because),
        Link(ReadingRef("2.1", 0)),
    ]


def test_what_a_reading_should_have_been(table: WatchedTable) -> None:
    wrong = misread(table)
    assert wrong.because is not None
    reading = Reading(("B k8",), 0.98, id=wrong.because.reading)
    assert truth_of(table.session, reading) == ("B k8",)
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    enter(table, "B pass")
    assert truth_of(table.session, reading) == ("B pass",)
    assert truth_of(table.session, replace(reading, id="99.1")) == ("B k8",)


def test_a_line_that_was_entered_after_all_was_not_replaced(table: WatchedTable) -> None:
    reading = Reading(("B k8",), 0.98, id="3.1")
    for link in (Link(None, reading.ref(0)), Link(reading.ref(0))):
        line = "B pass" if link.because is None else "C k8"
        table.referee.propose(Proposal(line, table.session.seq, Source.PAGE, link=link))
    assert truth_of(table.session, reading) == ("C k8",)
