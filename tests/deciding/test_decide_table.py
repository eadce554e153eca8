"""One step of deciding at a time, at its own door: what is known, the books, what is seen, and
what is done about it. No loop, no referee, no journal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from companion.core.game import Accepted, Setup
from companion.deciding.decide import MOST_ASKED, decide
from companion.deciding.memory import Books, Decision, Limits, Memory, Sight
from companion.games.odin import rules as odin
from companion.tabletop.observations import Odds, Thing
from companion.tabletop.readings import Desync, Question, Reading, ReadingRef, Shown
from tests.catalogue import ZONES
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.tracking.looks import quad_at

SEQ = 3
"""Of the last entry, A r7."""


def state_after(*lines: str) -> odin.State:
    state = odin.start(Setup("odin", NAMES[:3]))
    for line in lines:
        verdict = odin.judge(state, odin.parse(line))
        assert isinstance(verdict, Accepted), line
        state = verdict.state
    return state


def card(number: int, *odds: tuple[str, float], lane: int = 1, dx: float = 0.0) -> Thing:
    x, y = LANES[lane]
    said: Odds = odds
    return Thing(number, "card", said, quad_at(x + dx, y))


LED = card(1, ("r7", 0.999), lane=0)
LAID = card(2, ("b8", 0.999))
PAIR = (LAID, card(3, ("b3", 0.999), dx=22))
SHOWN_AT_TWO = "show B b8 b3 until 3.5, look again"
CLOSE = card(2, ("b8", 0.55), ("k8", 0.43))
LOW = card(2, ("b2", 0.999))
THREE = (*PAIR, card(4, ("b5", 0.999), dx=44))
BOOKS = Books("odin", 1, SEQ, state_after("deal A", "A r7"))
KNOWN = Memory(1, SEQ, names={1: "r7"})
LOW_READING = Reading(("B b2",), 0.98, legal=False, blamed=True, names=((2, "b2"),), id="3.1")


def seen(now: float, *table: Thing, settled: bool = True, stirred_at: float = -1.0) -> Sight:
    return Sight(now, (LED, *table), ZONES["odin"], settled=settled, stirred_at=stirred_at)


def told(decision: Decision) -> str:
    """A decision in a few words."""
    said = []
    if decision.dismiss:
        said.append(f"dismiss {decision.dismiss}")
    if decision.enter is not None:
        said.append(f"enter {decision.enter.spelt}")
    match decision.opinion:
        case Shown(reading, at):
            said.append(f"show {reading.spelt} until {at:g}")
        case Question(readings):
            said.append(f"ask {' | '.join(each.spelt for each in readings[:2])}")
        case Desync(books, table):
            said.append(f"books {' '.join(books)} table {' '.join(table)}")
        case None:
            pass
    if decision.look_again:
        said.append("look again")
    return ", ".join(said)


@dataclass(frozen=True)
class Case:
    name: str
    sights: tuple[Sight, ...]
    expected: str
    memory: Memory = KNOWN
    books: Books = BOOKS
    limits: Limits = field(default_factory=Limits)
    rejected: bool = False


REFUSED = replace(BOOKS, refused="B b2", refused_because=ReadingRef("3.1", 0))
BLAMED = replace(KNOWN, blamed=LOW_READING, entering=LOW_READING, readings=(LOW_READING,))
OURS = replace(BLAMED, table=(LED, LOW))

CASES = (
    Case("nothing new", (seen(0), seen(1)), "look again"),
    Case("nothing new for a while", (seen(0), seen(1.2)), ""),
    Case("a clear play is shown", (seen(0, *PAIR),), "show B b8 b3 until 1.5, look again"),
    Case("for a while", (seen(0, *PAIR), seen(1.4, *PAIR)), "show B b8 b3 until 1.5, look again"),
    Case("and entered", (seen(0, *PAIR), seen(1.5, *PAIR)), "enter B b8 b3"),
    Case(
        "sooner if so wished",
        (seen(0, *PAIR), seen(0.5, *PAIR)),
        "enter B b8 b3",
        limits=Limits(take_seconds=0.5),
    ),
    Case("a second card may follow", (seen(0, LAID),), "show B b8 until 2.5, look again"),
    Case("then it is one play", (seen(0, LAID), seen(2, *PAIR)), SHOWN_AT_TWO),
    Case("none came", (seen(0, LAID), seen(2.5, LAID)), "enter B b8"),
    Case(
        "not while something is unsettled",
        (seen(0, LAID), seen(5, LAID, settled=False)),
        "look again",
    ),
    Case(
        "the time counts from when anything last moved",
        (seen(0, LAID), seen(5, LAID, stirred_at=4.0)),
        "show B b8 until 6.5, look again",
    ),
    Case("pulled back in time", (seen(0, LAID), seen(1), seen(9)), ""),
    Case("close ones are looked at again", (seen(0, CLOSE), seen(2.9, CLOSE)), "look again"),
    Case("and then asked", (seen(0, CLOSE), seen(3, CLOSE)), "ask B b8 | B k8"),
    Case(
        "not sure enough for this table",
        (seen(0, LAID), seen(3, LAID)),
        "ask B b8 | B pass; C b8",
        limits=Limits(sure=0.9999),
    ),
    Case(
        "what they said is made less sure",
        (seen(0, card(2, ("b8", 0.95), ("k8", 0.04))),),
        "look again",
        limits=Limits(temper=2.0),
    ),
    Case("against the rules", (seen(0, *THREE), seen(1.9, *THREE)), "look again"),
    Case("the referee refuses it", (seen(0, *THREE), seen(2, *THREE)), "enter B b8 b5 b3"),
    Case("a second card would mend it", (seen(0, LOW), seen(4.9, LOW)), "look again"),
    Case("none came to mend it", (seen(0, LOW), seen(5, LOW)), "enter B b2"),
    Case(
        "nobody is blamed for unsure pixels",
        (seen(0, card(2, ("b2", 0.98))), seen(9, card(2, ("b2", 0.98)))),
        "ask B b2 | B pass; C b2",
    ),
    Case(
        "however likely it is by all that is known",
        (seen(0, card(2, ("b2", 0.98))), seen(9, card(2, ("b2", 0.98)))),
        "ask B b2 | B pass; C b2",
        limits=Limits(blame=0.5),
    ),
    Case(
        "only if the pixels are sure enough",
        (seen(0, card(2, ("b2", 0.98))), seen(9, card(2, ("b2", 0.98)))),
        "enter B b2",
        limits=Limits(blame=0.5, blame_pixels=0.97),
    ),
    Case(
        "nor by a camera that was put right twice",
        (seen(0, LOW), seen(9, LOW)),
        "ask B b2 | B pass; C b2",
        memory=replace(KNOWN, put_right=(2, 3)),
    ),
    Case(
        "that was long ago",
        (seen(0, LOW), seen(9, LOW)),
        "enter B b2",
        memory=replace(KNOWN, put_right=(2, 3)),
        limits=Limits(lately=0),
    ),
    Case(
        "nor while somebody else's refusal lies there",
        (seen(0, LOW), seen(9, LOW)),
        "look again",
        books=replace(BOOKS, refused="C g1"),
    ),
    Case(
        "nor for a thing people spoke about",
        (seen(0, LOW), seen(9, LOW)),
        "ask B b2 | B pass; C b2",
        memory=replace(KNOWN, disputed=frozenset({2})),
    ),
    Case("our refusal stays while the card lies", (seen(9, LOW),), "look again", OURS, REFUSED),
    Case("and goes with it", (seen(9),), "dismiss B b2", OURS, REFUSED),
    Case(
        "a refusal of the same words that is not ours stays",
        (seen(9),),
        "",
        OURS,
        replace(REFUSED, refused_because=None),
    ),
    Case(
        "nor is one of another reading",
        (seen(9),),
        "",
        OURS,
        replace(REFUSED, refused_because=ReadingRef("2.1", 0)),
    ),
    Case("a refusal people took away is not said again", (seen(9, LOW), seen(30, LOW)), "", OURS),
    Case("rejected, it is not shown", (seen(0, LAID), seen(1, LAID)), "", rejected=True),
    Case(
        "undone, it is not entered again, but something else may have happened",
        (seen(0, LAID), seen(9, LAID)),
        "ask B pass; C b8",
        memory=replace(KNOWN, barred=(Reading(("B b8",), 1.0, names=((2, "b8"),)),)),
    ),
    Case(
        "or the card may be another",
        (seen(0, CLOSE), seen(9, CLOSE)),
        "ask B k8 | B pass; C b8",
        memory=replace(KNOWN, barred=(Reading(("B b8",), 1.0, names=((2, "b8"),)),)),
    ),
    Case(
        "until the card is taken away",
        (seen(0), seen(5, LAID)),
        "show B b8 until 7.5, look again",
        memory=replace(KNOWN, barred=(Reading(("B b8",), 1.0, names=((2, "b8"),)),)),
    ),
    Case(
        "another game begins with nothing in mind",
        (seen(0, LOW),),
        "look again",
        memory=replace(OURS, number=7),
        books=REFUSED,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_done(case: Case) -> None:
    memory, decision = case.memory, Decision()
    for at, sight in enumerate(case.sights):
        last = at + 1 == len(case.sights)
        rejected = case.rejected and last
        memory, decision = decide(memory, case.books, sight, case.limits, rejected=rejected)
    assert told(decision) == case.expected


def test_a_step_changes_nothing_it_was_given_and_is_the_same_each_time() -> None:
    sight = seen(0, CLOSE)
    first = decide(KNOWN, BOOKS, sight)
    assert decide(KNOWN, BOOKS, sight) == first
    assert Memory(1, SEQ, names={1: "r7"}) == KNOWN


def test_a_table_that_no_entry_explains_is_told_after_a_while() -> None:
    out = Desync(("b8",), ("r7",))
    memory = replace(KNOWN, table=(LED,), desync=out, since=0.0)
    waits = [decide(memory, BOOKS, seen(now))[1] for now in (1.1, 1.2, 7.9, 8.0)]
    assert [told(each) for each in waits] == ["look again", "", "", "books b8 table r7"]
    _, known = decide(replace(memory, rejected=out), BOOKS, seen(8.0))
    assert told(known) == "", "people have said that the books are right"


def test_a_question_offers_no_more_than_people_can_overlook() -> None:
    many = card(2, *((f"{colour}8", 0.16) for colour in "brpgko"))
    memory, _ = decide(KNOWN, BOOKS, seen(0, many))
    _, decision = decide(memory, BOOKS, seen(3, many))
    assert isinstance(decision.opinion, Question)
    assert len(decision.opinion.readings) == MOST_ASKED
    assert [thing.number for thing in decision.opinion.about] == [2]


# Which reading is which


def ids(memory: Memory) -> list[tuple[str, str]]:
    return [(each.spelt, each.id) for each in memory.readings]


def test_readings_are_numbered_by_the_entry_they_follow() -> None:
    memory, _ = decide(KNOWN, BOOKS, seen(0, CLOSE))
    assert ids(memory)[:2] == [("B b8", "3.1"), ("B k8", "3.2")]


def test_the_same_reading_keeps_its_number_until_the_books_move() -> None:
    memory, _ = decide(KNOWN, BOOKS, seen(0, LAID))
    (_, number), *_ = ids(memory)
    memory, _ = decide(memory, BOOKS, seen(1))
    memory, _ = decide(memory, BOOKS, seen(2, card(2, ("k8", 0.5), ("b8", 0.45))))
    assert dict(ids(memory))["B b8"] == number
    assert dict(ids(memory))["B k8"] != number
    moved = replace(BOOKS, seq=5)
    memory, _ = decide(memory, moved, seen(3, LAID))
    assert ids(memory)[0] == ("B b8", "5.1")
