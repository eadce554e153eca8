"""Bookkeeping of how well a game was followed."""

from __future__ import annotations

import numpy as np

from companion.ledger.events import Did, Event, Fact, Retracted, Source
from companion.sim.render.scene import Truth
from companion.sim.steps import By, Step
from companion.tabletop.observations import Sighting
from companion.trials.scoring import (
    ExpectedLine,
    FirstLookTally,
    RefusedPlay,
    ReportedLine,
    Tally,
    expected_lines,
    first_look_is_right,
    reported_lines,
    tally,
)
from tests.tracking.looks import card

DUE = (
    ExpectedLine("deal A", by=By.PAGE),
    ExpectedLine("A r3"),
    ExpectedLine("B r2", legal=False),
    ExpectedLine("B b4 b2"),
    ExpectedLine("C pass", by=By.BUTTON),
    ExpectedLine("A k5 k3"),
    ExpectedLine("A take b4"),
)
ALL = tuple(ReportedLine(one.line, one.legal) for one in DUE)
POINTS = ((3, 0, 4), (3, 0, 4))


def without(at: int) -> tuple[ReportedLine, ...]:
    return ALL[:at] + ALL[at + 1 :]


def instead(at: int, *heard: ReportedLine) -> tuple[ReportedLine, ...]:
    return (*ALL[:at], *heard, *ALL[at + 1 :])


def test_all_right() -> None:
    assert tally("odin", DUE, ALL, POINTS) == Tally(
        games=1, plays=4, right=4, illegal=1, caught=1, scores=1, perfect=1
    )
    assert tally("odin", DUE, ALL[1:], POINTS).right == 4  # entered by hand, and left out


def test_a_set_may_be_told_in_any_order() -> None:
    assert tally("odin", DUE, instead(3, ReportedLine("B b2 b4")), POINTS).right == 4
    assert tally("odin", DUE, instead(3, ReportedLine("B b2 nonsense")), POINTS).wrong == 1


def test_what_can_go_wrong() -> None:
    wrong = tally("odin", DUE, instead(3, ReportedLine("B b4 b3")), POINTS)
    assert (wrong.right, wrong.wrong, wrong.missed, wrong.perfect) == (3, 1, 0, 0)
    missed = tally("odin", DUE, without(6), POINTS)
    assert (missed.right, missed.missed, missed.ghosts) == (3, 1, 0)
    ghost = tally("odin", DUE, (*ALL, ReportedLine("B g9")), POINTS)
    assert (ghost.right, ghost.ghosts, ghost.perfect) == (4, 1, 0)
    score = tally("odin", DUE, ALL, ((3, 0, 4), (3, 0, 5)))
    assert (score.right, score.scores, score.perfect) == (4, 0, 0)


def test_asked() -> None:
    offered = ReportedLine("A k5 k3", asked=True, offered=("A k5 k2", "A k3 k5"))
    one = tally("odin", DUE, instead(5, offered), POINTS)
    assert (one.right, one.asked, one.offered, one.wrong, one.perfect) == (3, 1, 1, 0, 1)
    astray = ReportedLine("A k5 k2", asked=True, offered=("A k5 k2", "A k5 k1"))
    other = tally("odin", DUE, instead(5, astray), POINTS)
    assert (other.asked, other.offered, other.wrong) == (1, 0, 1)


def test_objections() -> None:
    overlooked = tally("odin", DUE, without(2), POINTS)
    assert (overlooked.caught, overlooked.overlooked) == (0, 1)
    accused = tally("odin", DUE, (*ALL[:1], ReportedLine("A r9 b2", legal=False), *ALL[1:]), POINTS)
    assert (accused.right, accused.accused, accused.caught) == (4, 1, 1)
    refused = tally("odin", DUE, instead(1, ReportedLine("A r3", legal=False)), POINTS)
    assert (refused.right, refused.accused, refused.missed) == (3, 1, 1)


def test_tallies_add_up() -> None:
    one = tally("odin", DUE, ALL, POINTS)
    both = one + tally("odin", DUE, without(1), None)
    assert (both.games, both.plays, both.right, both.perfect) == (2, 8, 7, 1)
    assert ("final scores right", 1, 2) in both.rows()


def test_the_truth_of_steps() -> None:
    steps = [
        Step("lead", None, (), ("A r3",)),
        Step("mistake", None, (), refused="B r2"),
        Step("take back", None, ()),
        Step("pass", None, (), ("B pass",), by=By.BUTTON),
    ]
    assert expected_lines(steps) == (
        ExpectedLine("A r3"),
        ExpectedLine("B r2", legal=False),
        ExpectedLine("B pass", by=By.BUTTON),
    )


def test_the_log_as_what_was_said() -> None:
    facts: list[tuple[Fact, Source]] = [
        (Did("A r3"), Source.CAMERA),
        (Did("B b4"), Source.CAMERA),
        (Retracted(1), Source.CAMERA),  # pulled back in time
        (Did("B b4 b3"), Source.CAMERA),
        (Retracted(1), Source.PAGE),  # put right by hand
        (Did("B b4 b2"), Source.PAGE),
        (Did("C k4 k3"), Source.PAGE),  # an answer
    ]
    events = [
        Event(seq, 1, seq - 1, "", source, fact) for seq, (fact, source) in enumerate(facts, 1)
    ]
    said = reported_lines(events, [RefusedPlay(1, "B r1")], {7: ("C k4 k3", "C k4 k2")})
    assert said == (
        ReportedLine("A r3"),
        ReportedLine("B r1", legal=False),
        ReportedLine("B b4 b3"),
        ReportedLine("C k4 k3", asked=True, offered=("C k4 k3", "C k4 k2")),
    )


# One look alone


def truth(label: str, x: float, visible: float = 1.0) -> Truth:
    quad = np.array([[x - 30, 60], [x + 30, 60], [x + 30, 150], [x - 30, 150]], np.float64)
    return Truth("card", label, quad, quad, visible)


def seen(label: str | None, x: float) -> Sighting:
    return card(label, x, 105)


def test_a_look_is_right_if_what_came_is_named_and_what_went_is_not() -> None:
    r7, b8 = truth("r7", 100), truth("b8", 140)
    assert first_look_is_right([r7], [r7, b8], [seen(None, 100), seen("b8", 142)])
    assert not first_look_is_right([r7], [r7, b8], [seen("r7", 100), seen("b6", 140)])
    assert not first_look_is_right([r7], [r7, b8], [seen("r7", 100)])
    assert first_look_is_right([r7, b8], [r7], [seen("r7", 100)])
    assert not first_look_is_right([r7, b8], [r7], [seen("r7", 100), seen("b8", 140)])
    assert first_look_is_right(
        [r7], [r7, truth("b8", 140, 0.1)], [seen("r7", 100)]
    )  # it cannot be seen


def test_looks_add_up() -> None:
    one = FirstLookTally().counted(legal=True, right=True).counted(legal=False, right=False).ended()
    two = FirstLookTally().counted(legal=True, right=True).ended()
    assert one + two == FirstLookTally(2, 2, 0, 1, 1, 2)
