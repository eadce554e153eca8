"""A session is a fold of its log, and nothing but a fold."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core.game import Refused, reason
from companion.foundation.errors import BadNotation, LogCorrupt
from companion.games.odin import rules as odin
from companion.ledger.events import (
    Did,
    Event,
    LetStood,
    Opened,
    Proposal,
    Redo,
    Retracted,
    Source,
    Undo,
)
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import (
    Ruling,
    Session,
    begin,
    dismissed,
    followed,
    redone,
    refused,
    replayed,
    replaying,
    rule,
    settled,
)
from tests.catalogue import GAMES
from tests.ledger.logs import (
    OPENED,
    OPENING,
    after,
    codes,
    enter,
    everything,
    logs,
    next_event,
    opened,
    proposals,
    slip_in,
)
from tests.strategies import accepted, examples, odin_setup

Log = tuple[Event, ...]


@examples(60)
@given(logs(), st.data())
def test_replaying_a_prefix_then_the_rest_is_replaying_all(log: Log, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(log)))
    folded = list(accumulate(log[cut:], followed, initial=replayed(log[:cut])))[-1]
    assert everything(folded) == everything(replayed(log))


@examples(60)
@given(logs())
def test_the_state_is_that_of_the_entries_never_taken_back(log: Log) -> None:
    """Told a second time with nothing but a pile of states."""
    assert isinstance(log[0].fact, Opened)
    states = [odin.start(log[0].fact.setup)]
    counting: list[Event] = []
    for event in log[1:]:
        match event.fact:
            case Did(action):
                states.append(accepted(odin.judge(states[-1], odin.parse(action))))
                counting.append(event)
            case LetStood(action):
                states.append(accepted(odin.let_stand(states[-1], odin.parse(action))))
                counting.append(event)
            case Retracted(entries):
                del states[-entries:], counting[-entries:]
            case Opened():
                pytest.fail("opened twice")
    session = replayed(log)
    newest_first = list(session.entries)
    assert session.state == states[-1]
    assert [entry.event for entry in newest_first] == counting[::-1]
    assert [entry.state for entry in newest_first] == states[:0:-1]
    assert [entry.number for entry in newest_first] == list(range(len(counting), 0, -1))
    assert session.seq == log[-1].seq


@examples(60)
@given(logs(), st.data())
def test_undo_gives_exactly_the_state_before(log: Log, data: st.DataObject) -> None:
    before = replayed(log)
    ruling = rule(before, data.draw(proposals(before)))
    assume(isinstance(ruling, Ruling) and not isinstance(ruling.fact, Retracted))
    assert isinstance(ruling, Ruling)
    entered = settled(ruling, next_event(before, ruling))
    back = rule(entered, Undo(entered.seq, Source.BUTTON))
    assert isinstance(back, Ruling)
    assert back.fact == Retracted(1)
    again = settled(back, next_event(entered, back))
    assert again.state == before.state
    assert list(again.entries) == list(before.entries)
    assert (again.seq, again.refusal) == (before.seq + 2, None)


@examples(60)
@given(logs(), st.data())
def test_undo_goes_back_any_number_of_entries(log: Log, data: st.DataObject) -> None:
    session = replayed(log)
    states = [*(entry.state for entry in session.entries), session.start]
    many = data.draw(st.integers(-2, len(states) + 2))
    ruling = rule(session, Undo(session.seq, Source.PAGE, many))
    if 1 <= many < len(states):
        assert isinstance(ruling, Ruling)
        assert ruling.fact == Retracted(many)
        assert ruling.after.state == states[many]
        assert list(ruling.after.entries) == list(session.entries)[many:]
    else:
        have = len(states) - 1
        code = "undo-too-far" if have else "nothing-to-undo"
        nothing = reason(code, "TABLE", may_stand=False, asked=many, have=have)
        assert not isinstance(ruling, Ruling)
        assert ruling.reasons == (nothing,)


def redoable(session: Session) -> list[str]:
    return [entry.action for entry in session.redo]


def test_what_was_undone_can_come_back_until_something_else_is_entered() -> None:
    session = after(opened(), "deal A", "A r3", "B b5", "C pass")
    assert redoable(session) == []
    back = after(session, "undo 2", "undo")
    assert redoable(back) == ["A r3", "B b5", "C pass"]
    assert redoable(after(back, "A r3")) == ["B b5", "C pass"], "the same by hand is a redo"
    assert redoable(after(back, "A r4")) == []
    assert redoable(after(back, "A r4", "undo")) == ["A r4"]
    assert redoable(after(back, "A r3", "undo")) == ["A r3", "B b5", "C pass"]


@pytest.mark.parametrize(
    ("entries", "seen", "code"),
    [(0, 0, "redo-too-far"), (3, 0, "redo-too-far"), (1, 1, "stale")],
)
def test_a_redo_that_cannot_be(entries: int, seen: int, code: str) -> None:
    back = after(opened(), "deal A", "A r3", "undo 2")
    said = redone(back, Redo(back.seq - seen, Source.PAGE, entries))
    assert isinstance(said, Refused)
    assert [each.code for each in said.reasons] == [code]


def test_without_an_undo_there_is_nothing_to_redo() -> None:
    session = after(opened(), "deal A")
    said = redone(session, Redo(session.seq, Source.PAGE))
    assert isinstance(said, Refused)
    assert [each.code for each in said.reasons] == ["nothing-to-redo"]


def test_undo_and_undo_again_go_further_back() -> None:
    session = after(opened(), *OPENING)
    back = after(session, "undo", "undo 2")
    assert back.state == after(opened(), "deal A").state
    assert codes(rule(back, Undo(back.seq, Source.PAGE, 2))) == ["undo-too-far"]
    assert after(back, "undo").state == opened().state


@examples(60)
@given(logs(), st.data())
def test_a_stale_proposal_is_refused_whatever_it_says(log: Log, data: st.DataObject) -> None:
    session = replayed(log)
    before = everything(session)
    seen = data.draw(st.integers().filter(lambda seq: seq != session.seq))
    stale = (reason("stale", "TABLE", may_stand=False, seen=seen, now=session.seq),)
    texts = st.text() | st.just("deal A")
    proposal = Proposal(data.draw(texts), seen, Source.CAMERA, data.draw(st.booleans()))
    for each in (proposal, Undo(seen, Source.BUTTON)):
        ruling = rule(session, each)
        assert not isinstance(ruling, Ruling)
        assert ruling.reasons == stale
    assert everything(session) == before


def test_what_says_nothing_is_neither_accepted_nor_refused() -> None:
    with pytest.raises(BadNotation, match=r"column 3: 'r0' is not a card"):
        rule(opened(), Proposal("A r0", 1, Source.PAGE))


# The table overrules


def test_a_play_the_table_lets_stand_names_what_was_overruled() -> None:
    session = after(opened(), *OPENING)
    assert codes(rule(session, Proposal("C r2", session.seq, Source.PAGE))) == [
        "not-your-turn",
        "too-low",
    ]
    ruling = rule(session, Proposal("c  R2", session.seq, Source.PAGE, stand=True))
    assert isinstance(ruling, Ruling)
    assert ruling.fact == LetStood("C r2", ("not-your-turn", "too-low"))
    stood = settled(ruling, next_event(session, ruling))
    assert followed(session, next_event(session, ruling)).state == stood.state
    assert after(stood, "undo").state == session.state


def test_what_cannot_stand_is_refused_though_the_table_wants_it() -> None:
    session = after(opened(), *OPENING)
    ruling = rule(session, Proposal("C b5", session.seq, Source.PAGE, stand=True))
    assert codes(ruling) == ["on-the-table"]


def test_a_good_play_needs_no_overruling() -> None:
    ruling = rule(opened(), Proposal("deal B", 1, Source.PAGE, stand=True))
    assert isinstance(ruling, Ruling)
    assert ruling.fact == Did("deal B")


def test_what_a_play_assumes_is_said_until_the_next() -> None:
    setup = odin_setup(2, whole_hand_lead="forced")
    forced = begin(Event(1, 1, 0, "", "", Opened(setup, odin.VERSION)))
    led = after(forced, "deal A", "A r3")
    assert [each.code for each in led.assumes] == ["hand-is-no-set"]
    assert after(led, "B pass").assumes == ()


# A refusal on the table


def test_a_refusal_lies_on_the_table_until_something_is_entered() -> None:
    session = after(opened(), "deal A")
    ruling = rule(session, Proposal("A pass", session.seq, Source.PAGE))
    assert not isinstance(ruling, Ruling)
    lying = refused(session, "A pass", ruling)
    assert lying.refusal is not None
    assert (lying.refusal.action, lying.refusal.reasons) == ("A pass", ruling.reasons)
    assert lying.refusal.can_stand
    assert everything(dismissed(lying)) == everything(session)
    assert after(lying, "A r3").refusal is None
    assert after(lying, "undo").refusal is None


# A log that no longer replays


@pytest.mark.parametrize(
    ("kind", "body", "complaint"),
    [
        pytest.param(
            "did",
            '{"action": "C pass"}',
            "(C pass) no longer replays: not-your-turn [ODIN-SETUP-4] (seat=C, to_move=A)",
            id="refused by now",
        ),
        pytest.param(
            "did",
            '{"action": "A x7"}',
            "(A x7) no longer replays: column 3: 'x7' is not a card; write a colour and a number "
            "such as r7 (b r p g k o, or the suits h d s c with A for the ace), or goat",
            id="no notation",
        ),
        pytest.param(
            "let-stood",
            '{"action": "A b5", "reasons": []}',
            "(! A b5) no longer replays: on-the-table [ODIN-INV-4] (card=b5)",
            id="can no longer stand",
        ),
        pytest.param(
            "retracted",
            '{"entries": 5}',
            "(undo 5) no longer replays: undo-too-far [TABLE] (asked=5, have=4)",
            id="undone beyond the start",
        ),
        pytest.param(
            "opened",
            '{"setup": {"game": "odin", "names": ["Anna", "Bo"]}, "rules": 1}',
            "(odin opened) no longer replays: a game is opened only once",
            id="opened twice",
        ),
    ],
)
def test_an_event_that_no_longer_replays_is_named_with_the_reason(
    tmp_path: Path, kind: str, body: str, complaint: str
) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(OPENED.setup, Source.PAGE)
        good = enter(referee, *OPENING)
        seq = slip_in(path, 1, kind, body)
        log = journal.events(1)
        assert [event.seq for event in log] == [1, 2, 3, 4, 5, seq]
        with pytest.raises(LogCorrupt) as caught:
            replayed(log)
        assert str(caught.value) == f"game 1: event {seq} {complaint}"
        assert (caught.value.game, caught.value.seq) == (1, seq)
        sessions = replaying(log)
        readable = [next(sessions) for _ in range(5)]
        assert everything(readable[-1]) == everything(good)
        with pytest.raises(LogCorrupt):
            next(sessions)


@pytest.mark.parametrize(
    ("kind", "body", "complaint"),
    [
        (
            "did",
            '{"action": "deal A"}',
            "(Did(action='deal A')) no longer replays: a game starts by being opened",
        ),
        (
            "opened",
            '{"setup": {"game": "chess", "names": ["Anna", "Bo"]}, "rules": 1}',
            f"(opened) no longer replays: no game is called 'chess'; known: {', '.join(GAMES)}",
        ),
        (
            "opened",
            '{"setup": {"game": "odin", "names": ["Anna", "Bo"]}, "rules": 999}',
            "(opened) no longer replays: it was opened by a later version of the companion",
        ),
        (
            "opened",
            '{"setup": {"game": "odin", "names": ["Anna"]}, "rules": 1}',
            "(opened) no longer replays: seat-count [SETUP] (got=1, least=2, most=6)",
        ),
    ],
    ids=["not opened", "unknown game", "later rules", "bad seats"],
)
def test_a_game_that_no_longer_starts_is_named_with_the_reason(
    tmp_path: Path, kind: str, body: str, complaint: str
) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        seq = slip_in(path, 7, kind, body)
        with pytest.raises(LogCorrupt) as caught:
            replayed(journal.events(7))
    assert str(caught.value) == f"game 7: event {seq} {complaint}"


def test_a_log_with_a_hole_in_it_is_said_to_have_one() -> None:
    """Points carried in and then lost from the log would change nothing but the score."""
    first, second, third = (
        Event(1, 1, 0, "", "", Opened(opened().setup, 1)),
        Event(2, 1, 1, "", "", Did("carry 5 3 1")),
        Event(3, 1, 2, "", "", Did("deal A")),
    )
    assert replayed([first, second, third]).state.points == (5, 3, 1)
    with pytest.raises(LogCorrupt, match="it follows event 2, but the one before it is 1"):
        replayed([first, third])
