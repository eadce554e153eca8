"""The single door: one lock, written first, believed after, and everybody told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from companion.core.game import Refused, Setup
from companion.foundation.errors import BadNotation, BadSetup, JournalFull, LogCorrupt, NoSuchGame
from companion.foundation.messages import message
from companion.ledger.events import Did, Event, LetStood, Proposal, Redo, Retracted, Source, Undo
from companion.ledger.journal import Journal, now
from companion.ledger.referee import MOST_NOTED, Moment, Press, Referee
from companion.ledger.session import Ruling, replayed, told
from companion.tabletop.readings import Reading
from tests.ledger.logs import (
    OPENING,
    PATIENCE,
    SETUP,
    alongside,
    at_once,
    at_table,
    codes,
    enter,
    everything,
    kept,
    logs,
    rows,
    said,
    slip_in,
    worn_out,
)
from tests.strategies import examples, odin_setup

ONE_CARD_EACH = odin_setup(2, hand_size="1", limit="3")
LONG = 30.0  # nobody waits that long for a change that comes

LAMPS_OUT = message("lamps-out", "the lamps are out")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        yield journal


@pytest.fixture
def referee(journal: Journal) -> Referee:
    referee = Referee(journal)
    referee.open(SETUP, Source.PAGE)
    return referee


def refusals(path: Path) -> list[tuple[object, ...]]:
    """Game, seen, source, action and reasons of every refusal."""
    return [
        (game, seen, source, action, msgspec.json.decode(str(reasons)))
        for _, game, seen, _, source, action, reasons, _ in rows(path, "refusal")
    ]


# One of many


def test_of_64_proposals_on_one_state_one_is_accepted_and_63_are_stale(
    referee: Referee, journal: Journal, path: Path
) -> None:
    seen = enter(referee, "deal A").seq
    barrier = threading.Barrier(64)
    rulings: list[Ruling | Refused] = []

    def propose(number: int) -> None:
        line = f"A {'brpgko'[number % 6]}{number // 6 % 9 + 1}"
        barrier.wait(PATIENCE)
        rulings.append(referee.propose(Proposal(line, seen, Source.PAGE)))

    at_once(*(partial(propose, number) for number in range(64)))
    accepted = [ruling for ruling in rulings if isinstance(ruling, Ruling)]
    stale = [codes(ruling) for ruling in rulings if isinstance(ruling, Refused)]
    assert len(accepted) == 1
    assert stale == [["stale"]] * 63
    (event,) = journal.events(1, after=seen)
    assert event.fact == accepted[0].fact
    assert at_table(referee).state == accepted[0].after.state
    assert at_table(referee).refusal is None
    assert everything(replayed(journal.events(1))) == everything(at_table(referee))
    assert refusals(path) == [], "being late is no mistake to learn from"


def test_who_was_too_late_may_look_and_ask_again(referee: Referee, journal: Journal) -> None:
    """Eight at once, five times each: in the end there are forty passes, one after the other."""
    enter(referee, "deal A", "A r3")

    def pass_five_times() -> None:
        done = 0
        while done < 5:
            session = at_table(referee)
            line = session.game.format(session.game.passing(session.state))
            ruling = referee.propose(Proposal(line, session.seq, Source.PAGE, stand=True))
            done += isinstance(ruling, Ruling)

    at_once(*[pass_five_times] * 8)
    log = journal.events(1)
    assert len(log) == 3 + 8 * 5
    assert [event.based_on for event in log[1:]] == [event.seq for event in log[:-1]]
    assert everything(replayed(log)) == everything(at_table(referee))


# Written, then believed


def test_while_it_is_being_written_nobody_believes_it_yet(path: Path) -> None:
    """The journal asks what time it is in the middle of writing: that is when we look."""
    seen: list[Moment] = []

    def clock() -> str:
        seen.append(table.moment)
        return now()

    with Journal(path, clock=clock) as journal:
        table = Referee(journal)
        for line in ("", *OPENING, "! C r2", "undo 2"):
            before = table.moment
            if line:
                enter(table, line)
            else:
                table.open(SETUP, Source.PAGE)
            assert seen[-1] is before
            assert table.moment.version == before.version + 1
    assert len(seen) == len(OPENING) + 3


def test_who_is_told_can_already_read_it_in_the_journal(referee: Referee, path: Path) -> None:
    finished = threading.Event()
    missing: list[int] = []

    def watch() -> None:
        moment = referee.moment
        with Journal(path) as other:
            while not finished.is_set():
                moment = referee.wait(moment.version, 0.05)
                log = other.events(1)
                if moment.session is not None and log[-1].seq < moment.session.seq:
                    missing.append(moment.session.seq)

    with alongside(watch):
        try:
            for _ in range(10):
                enter(referee, *OPENING, "undo 4")
        finally:
            finished.set()
    assert missing == []


@pytest.mark.parametrize("line", ["A b7", "! B r2", "undo", "undo 3"])
def test_what_cannot_be_written_did_not_happen(
    referee: Referee, journal: Journal, path: Path, line: str
) -> None:
    before = enter(referee, *OPENING)
    version = referee.moment.version
    log = journal.events(1)
    with worn_out(path):
        with pytest.raises(JournalFull) as caught:
            referee.propose(said(line, before.seq))
        assert referee.moment == Moment(version + 1, before, caught.value.message)
        assert "worn out" in str(referee.moment.trouble)
        assert journal.events(1) == log
    ruling = referee.propose(said(line, before.seq))
    assert isinstance(ruling, Ruling)
    assert referee.moment.trouble is None
    assert len(journal.events(1)) == len(log) + 1
    assert everything(replayed(journal.events(1))) == everything(at_table(referee))


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_reading_is_entered_whole_or_not_at_all(
    referee: Referee, journal: Journal, path: Path, written: int
) -> None:
    before = enter(referee, *OPENING)
    log = journal.events(1)
    last = [told(each.event.fact) for each in islice(before.entries, 2)][::-1]
    reading = Reading(tuple(last), 1.0, undo=2)
    with worn_out(path, after=written), pytest.raises(JournalFull):
        referee.adopt(reading, before.seq, Source.PAGE)
    assert journal.events(1) == log
    assert at_table(referee) is before
    assert isinstance(referee.adopt(reading, before.seq, Source.PAGE), Ruling)
    assert at_table(referee).state == before.state
    assert len(journal.events(1)) == len(log) + 3


def test_what_cannot_follow_takes_nothing_back(referee: Referee, journal: Journal) -> None:
    before = enter(referee, *OPENING)
    log = journal.events(1)
    ruling = referee.adopt(Reading(("A b2",), 1.0, undo=1), before.seq, Source.PAGE)
    assert isinstance(ruling, Refused)
    assert journal.events(1) == log
    assert at_table(referee).refusal is not None


def test_a_refusal_on_the_table_survives_what_cannot_be_written(
    referee: Referee, path: Path
) -> None:
    seq = enter(referee, *OPENING).seq
    referee.propose(said("A b2", seq))
    lying = at_table(referee)
    assert lying.refusal is not None
    with worn_out(path), pytest.raises(JournalFull):
        referee.propose(said("! A b2", seq))
    assert everything(at_table(referee)) == everything(lying)


def test_a_game_that_cannot_be_written_is_not_opened(referee: Referee, path: Path) -> None:
    before = enter(referee, *OPENING)
    with worn_out(path), pytest.raises(JournalFull):
        referee.open(SETUP, Source.PAGE)
    assert at_table(referee) is before


# Opening and resuming


def test_opening_a_game(journal: Journal) -> None:
    referee = Referee(journal)
    assert referee.moment == Moment(0, None)
    first = referee.open(SETUP, Source.CAMERA)
    assert (first.number, first.seq, list(first.entries)) == (1, 1, [])
    assert referee.moment == Moment(1, first)
    assert journal.events(1)[0].source == "camera"
    second = referee.open(ONE_CARD_EACH, Source.PAGE)
    assert (second.number, second.seq, second.setup) == (2, 2, ONE_CARD_EACH)
    assert referee.moment.session is second


def test_a_bad_setup_is_refused_with_every_problem_and_not_written(
    referee: Referee, journal: Journal
) -> None:
    before = referee.moment
    with pytest.raises(BadSetup) as caught:
        referee.open(Setup("odin", ("Anna", "anna", ""), "xx", (("limit", "0"),)), Source.PAGE)
    assert [each.code for each in caught.value.problems] == [
        "name-twice",
        "name-empty",
        "edition-unknown",
        "option-value",
    ]
    with pytest.raises(NoSuchGame):
        referee.open(Setup("chess", ("Anna", "Bo")), Source.PAGE)
    assert referee.moment is before
    assert journal.count_games() == 1


def test_nothing_to_resume(journal: Journal) -> None:
    referee = Referee(journal)
    assert referee.resume() is None
    assert referee.moment == Moment(0, None)
    with pytest.raises(NoSuchGame):
        referee.resume(1)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """One journal in which all the games of a test pile up."""
    with Journal(tmp_path_factory.mktemp("shelf") / "journal.db") as journal:
        yield journal


@examples(40)
@given(logs())
def test_a_game_is_resumed_exactly_as_it_was_left(shelf: Journal, log: tuple[Event, ...]) -> None:
    number = shelf.import_game([(each.fact, each.at, each.source) for each in log])[0].game
    referee = Referee(shelf)
    session = referee.resume()
    assert session is referee.moment.session
    assert session is not None
    assert session.number == number
    assert session.seq == shelf.events(number)[-1].seq
    assert session.state == replayed(log).state
    assert kept(entry.event for entry in session.entries) == kept(
        entry.event for entry in replayed(log).entries
    )


def test_resumed_is_as_if_nothing_had_happened(referee: Referee, path: Path) -> None:
    referee.open(ONE_CARD_EACH, Source.PAGE)
    enter(referee, "deal A", "A r3", "undo")
    referee.resume(1)
    left = enter(referee, *OPENING, "! C r2", "undo", "A b7")
    with Journal(path) as other:
        again = Referee(other).resume()
        assert again is not None
        assert everything(again) == everything(left)
        second = Referee(other).resume(2)
        assert second is not None
        assert (second.number, second.seq) == (2, 5)


def test_a_log_that_no_longer_replays_is_not_resumed(
    referee: Referee, journal: Journal, path: Path
) -> None:
    enter(referee, *OPENING)
    before = referee.moment
    slip_in(path, 1, "did", '{"action": "C pass"}')
    with pytest.raises(LogCorrupt, match=r"^game 1: event 6 \(C pass\) no longer replays: not-yo"):
        referee.resume()
    assert referee.moment is before
    assert referee.entries_after(4) == journal.events(1, after=4)


# Refusals


def test_refusals_are_remembered_beside_the_log(
    referee: Referee, journal: Journal, path: Path
) -> None:
    seq = enter(referee, *OPENING).seq
    log = rows(path)
    said_so: list[tuple[Proposal | Undo, list[str]]] = [
        (Proposal("b  R2", seq, Source.CAMERA), ["not-your-turn", "too-low"]),
        (Proposal("A b5", seq, Source.PAGE, stand=True), ["on-the-table"]),
        (Proposal("nonsense", 2, Source.PAGE), ["stale"]),
        (Undo(3, Source.BUTTON), ["stale"]),
        (Undo(seq, Source.PAGE, 5), ["undo-too-far"]),
    ]
    for proposal, expected in said_so:
        assert codes(referee.propose(proposal)) == expected
    assert rows(path) == log
    assert refusals(path) == [
        (
            1,
            seq,
            "camera",
            "b  R2",
            [
                "not-your-turn [ODIN-SETUP-4] (seat=B, to_move=A)",
                "too-low [ODIN-PLAY-1] (value=2, middle=5)",
            ],
        ),
        (1, seq, "page", "A b5", ["on-the-table [ODIN-INV-4] (card=b5)"]),
        (1, seq, "page", "undo", ["undo-too-far [TABLE] (asked=5, have=4)"]),
    ]
    with Journal(path) as other:
        again = Referee(other).resume()
        assert again is not None
        assert everything(again) == {**everything(at_table(referee)), "refusal": None}


def test_refusals_without_end_are_not_written_without_end(referee: Referee, path: Path) -> None:
    """Each is a write that waits for the card; nobody may grind it with nonsense."""
    for at, expected in ((at_table(referee).seq, MOST_NOTED), (None, MOST_NOTED + 1)):
        seq = at or enter(referee, *OPENING).seq
        for _ in range(3 * MOST_NOTED if at else 1):
            assert isinstance(referee.propose(Proposal("B r9", seq, Source.PAGE)), Refused)
        assert len(refusals(path)) == expected


def test_a_refused_play_lies_on_the_table_for_all_to_see(referee: Referee) -> None:
    before = enter(referee, *OPENING)
    version = referee.moment.version
    ruling = referee.propose(said("A b2", before.seq))
    assert isinstance(ruling, Refused)
    session = at_table(referee)
    assert referee.moment.version == version + 1
    assert session.refusal is not None
    assert (session.refusal.action, session.refusal.reasons) == ("A b2", ruling.reasons)
    assert {**everything(session), "refusal": None} == everything(before)
    assert enter(referee, "! A b2").refusal is None


def test_what_is_stale_or_no_notation_changes_nothing_anybody_sees(referee: Referee) -> None:
    seq = enter(referee, *OPENING).seq
    before = referee.moment
    assert codes(referee.propose(said("A b7", seq - 1))) == ["stale"]
    assert codes(referee.propose(said("undo", seq + 1))) == ["stale"]
    with pytest.raises(BadNotation):
        referee.propose(said("A b0", seq))
    assert referee.moment is before


def test_a_refusal_that_cannot_be_remembered_is_still_a_refusal(
    referee: Referee, path: Path
) -> None:
    seq = enter(referee, *OPENING).seq
    with worn_out(path, "refusal"):
        assert codes(referee.propose(said("A b2", seq))) == ["too-low"]
    session = at_table(referee)
    assert session.refusal is not None
    assert session.refusal.action == "A b2"
    assert "worn out" in str(referee.moment.trouble)
    assert refusals(path) == []
    enter(referee, "A b7")
    assert referee.moment.trouble is None


def test_without_a_game_there_is_nothing_to_say(journal: Journal, path: Path) -> None:
    referee = Referee(journal)
    assert codes(referee.propose(said("deal A", 0))) == ["no-game"]
    assert [codes(referee.press(press)) for press in Press] == [["no-game"]] * len(Press)
    referee.dismiss()
    assert referee.entries_after(0) == []
    assert referee.moment == Moment(0, None)
    assert rows(path) == refusals(path) == []


# Everybody is told


def test_waiting_ends_with_the_next_change(referee: Referee) -> None:
    seq = enter(referee, "deal A").seq
    version = referee.moment.version
    changes: dict[str, Callable[[], object]] = {
        "entry": lambda: enter(referee, "A r3"),
        "undo": lambda: enter(referee, "undo"),
        "refusal": lambda: referee.propose(said("A pass", seq + 2)),
        "dismissal": referee.dismiss,
        "trouble": lambda: referee.report(LAMPS_OUT),
        "another game": lambda: referee.open(SETUP, Source.PAGE),
        "resumed": referee.resume,
        "nothing at all": referee.wake,
    }
    for name, change in changes.items():
        told: list[Moment] = []
        waiting = threading.Event()

        def wait(version: int = version, told: list[Moment] = told) -> None:
            waiting.set()  # noqa: B023 - the thread ends with the round
            told.append(referee.wait(version, LONG))

        started = time.monotonic()
        with alongside(wait, wait, wait):
            assert waiting.wait(LONG)
            time.sleep(0.01)
            change()
        assert time.monotonic() - started < LONG / 2, name
        assert told == [referee.moment] * 3, name
        assert referee.moment.version == version + 1, name
        version = referee.moment.version


def test_who_comes_late_does_not_wait(referee: Referee) -> None:
    enter(referee, "deal A")
    started = time.monotonic()
    assert referee.wait(referee.moment.version - 1, LONG) is referee.moment
    assert time.monotonic() - started < LONG / 2


def test_waiting_ends_when_the_time_is_up(referee: Referee) -> None:
    before = referee.moment
    started = time.monotonic()
    assert referee.wait(before.version, 0.1) is before
    assert 0.09 < time.monotonic() - started < LONG / 2


def test_trouble_is_told_until_something_else_happens(referee: Referee) -> None:
    session = enter(referee, "deal A")
    referee.report(LAMPS_OUT)
    assert referee.moment.trouble == LAMPS_OUT
    assert referee.moment.session is session
    referee.wake()
    assert referee.moment.trouble == LAMPS_OUT
    enter(referee, "A r3")
    assert referee.moment.trouble is None


def test_entries_after_what_somebody_has_seen(referee: Referee, journal: Journal) -> None:
    enter(referee, *OPENING)
    assert referee.entries_after(0) == journal.events(1)
    assert [event.fact for event in referee.entries_after(3)] == [Did("B b5"), Did("C pass")]
    assert referee.entries_after(5) == []


# The two buttons


def test_pass_passes_for_the_seat_to_move(referee: Referee, journal: Journal) -> None:
    enter(referee, "deal A", "A r3")
    for seat in "BC":
        ruling = referee.press(Press.PASS)
        assert isinstance(ruling, Ruling)
        assert ruling.fact == Did(f"{seat} pass")
    assert [event.source for event in journal.events(1)[3:]] == ["button", "button"]
    assert at_table(referee).seq == 5


def test_a_pass_against_the_rules_is_refused_as_any_other(referee: Referee, path: Path) -> None:
    enter(referee, "deal A")
    assert codes(referee.press(Press.PASS)) == ["no-pass-on-lead"]
    session = at_table(referee)
    assert session.refusal is not None
    assert session.refusal.action == "A pass"
    assert [row[2:4] for row in refusals(path)] == [("button", "A pass")]


def test_nobody_to_pass(referee: Referee, path: Path) -> None:
    assert codes(referee.press(Press.PASS)) == ["nobody-to-pass"]
    session = at_table(referee)
    assert session.refusal is not None
    assert not session.refusal.can_stand
    assert (session.seq, len(rows(path))) == (1, 1)


def test_confirm_counts_and_deals(journal: Journal) -> None:
    referee = Referee(journal)
    referee.open(ONE_CARD_EACH, Source.PAGE)
    enter(referee, "deal A", "A r3")
    facts = []
    for _ in range(2):
        ruling = referee.press(Press.CONFIRM)
        assert isinstance(ruling, Ruling)
        facts.append(ruling.fact)
    assert facts == [Did("count 0 1"), Did("deal B")]
    assert [event.source for event in journal.events(1)[3:]] == ["button", "button"]


@pytest.mark.parametrize("lines", [(), ("deal A",), OPENING], ids=["start", "lead", "turn"])
def test_nothing_to_confirm_while_people_choose(
    referee: Referee, path: Path, lines: tuple[str, ...]
) -> None:
    before = enter(referee, *lines)
    assert codes(referee.press(Press.CONFIRM)) == ["nothing-to-confirm"]
    session = at_table(referee)
    assert session.refusal is not None
    assert (session.refusal.action, session.refusal.can_stand) == ("", False)
    assert {**everything(session), "refusal": None} == everything(before)
    assert len(rows(path)) == before.seq


def test_nothing_to_confirm_when_the_game_is_over(journal: Journal) -> None:
    referee = Referee(journal)
    referee.open(odin_setup(2, hand_size="1", limit="1"), Source.PAGE)
    assert enter(referee, "deal A", "A r3", "count 0 1").over
    assert codes(referee.press(Press.CONFIRM)) == ["nothing-to-confirm"]
    assert codes(referee.press(Press.PASS)) == ["nobody-to-pass"]


def test_undo_takes_back_the_last_entry(referee: Referee, journal: Journal) -> None:
    led = enter(referee, "deal A", "A r3")
    enter(referee, "! C r2")
    ruling = referee.press(Press.UNDO)
    assert isinstance(ruling, Ruling)
    assert ruling.fact == Retracted(1)
    assert at_table(referee).state == led.state
    log = journal.events(1)
    assert isinstance(log[-2].fact, LetStood)
    assert log[-1].source == "button"
    assert isinstance(referee.press(Press.UNDO), Ruling)
    assert isinstance(referee.press(Press.UNDO), Ruling)
    assert codes(referee.press(Press.UNDO)) == ["nothing-to-undo"]
    assert at_table(referee).state == at_table(referee).start


def test_undo_takes_a_refusal_away_before_any_entry(referee: Referee, path: Path) -> None:
    before = enter(referee, *OPENING)
    referee.propose(said("A b2", before.seq))
    version = referee.moment.version
    assert referee.press(Press.UNDO) is None
    assert referee.moment.version == version + 1
    assert everything(at_table(referee)) == everything(before)
    assert len(rows(path)) == before.seq
    ruling = referee.press(Press.UNDO)
    assert isinstance(ruling, Ruling)
    assert ruling.fact == Retracted(1)


def test_a_button_that_cannot_be_written_is_told(referee: Referee, path: Path) -> None:
    before = enter(referee, "deal A", "A r3")
    for press in (Press.PASS, Press.UNDO):
        with worn_out(path), pytest.raises(JournalFull):
            referee.press(press)
        assert at_table(referee) is before
        assert "worn out" in str(referee.moment.trouble)


def test_if_another_program_was_faster_its_entry_counts(
    referee: Referee, journal: Journal, path: Path
) -> None:
    seen = enter(referee, "deal A").seq
    with Journal(path) as other:
        faster = Referee(other)
        faster.resume()
        faster.propose(Proposal("A r3", seen, Source.PAGE))
    assert codes(referee.propose(Proposal("A b4", seen, Source.PAGE))) == ["stale"]
    assert "another program" in str(referee.moment.trouble)
    assert at_table(referee).seq == seen + 1
    assert isinstance(referee.propose(Proposal("B b5", seen + 1, Source.PAGE)), Ruling)


# Redo


def test_a_redo_brings_back_what_was_undone_as_it_was(path: Path) -> None:
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        session = enter(referee, *OPENING, "! A r2")
        whole = session.state
        enter(referee, "undo 3")
        ruling = referee.redo(Redo(at_table(referee).seq, Source.PAGE, 2, "Anna"))
        assert isinstance(ruling, Ruling)
        assert [entry.action for entry in at_table(referee).redo] == ["A r2"]
        assert isinstance(referee.redo(Redo(at_table(referee).seq, Source.PAGE)), Ruling)
        assert at_table(referee).state == whole
        log = journal.events(1)
        assert isinstance(log[-1].fact, LetStood)
        assert [each.by for each in log[-3:]] == ["Anna", "Anna", ""]
        assert everything(replayed(log)) == everything(at_table(referee))
        assert codes(referee.redo(Redo(at_table(referee).seq, Source.PAGE))) == ["nothing-to-redo"]


def test_a_redo_outlives_a_restart(path: Path) -> None:
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, *OPENING, "undo 2")
    with Journal(path) as journal:
        referee = Referee(journal)
        session = referee.resume()
        assert session is not None
        assert isinstance(referee.redo(Redo(session.seq, Source.PAGE, 2)), Ruling)
        assert [entry.action for entry in at_table(referee).entries] == list(reversed(OPENING))


def test_a_redo_keeps_the_link_to_the_reading(path: Path) -> None:
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        session = enter(referee, "deal A")
        reading = Reading(("A r3",), 0.99, id=f"{session.seq}.1")
        assert isinstance(referee.adopt(reading, session.seq, Source.CAMERA), Ruling)
        enter(referee, "undo")
        referee.redo(Redo(at_table(referee).seq, Source.PAGE))
        assert journal.events(1)[-1].because == reading.ref(0)


def test_without_a_game_there_is_no_redo(path: Path) -> None:
    with Journal(path) as journal:
        assert codes(Referee(journal).redo(Redo(0, Source.PAGE))) == ["no-game"]
