"""Somebody sits down in a bot's place: the game waits for them, and plays what they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.devices.camera_simulated import CARELESS, SHORT, Showing, simulation
from companion.errors import BadInput, BadSettings
from companion.pieces import Seat
from companion.sim.players import Playing, Step, play
from companion.sim.visitors import Visitors

PLAYING = Playing("odin", 2, 13, changes=SHORT["odin"], fidgets=0.0)


def until_asked(steps: Iterator[Step], visitors: Visitors) -> list[Step]:
    walked = []
    while visitors.asked is None:
        walked.append(next(steps))
    return walked


def test_the_table_waits_for_a_visitor_and_lays_what_they_say() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    assert visitors.asked is not None
    assert visitors.asked.what == "lay"
    assert not visitors.asked.may_pass
    assert set(visitors.hand) == set(visitors.asked.cards)
    before = next(steps).table
    assert next(steps).table == before  # as long as they think nothing moves
    visitors.say("b4")
    laid = next(steps)
    assert laid.lines == ("A b4",)
    assert [one.face for one in laid.table if one not in before] == ["b4"]
    assert "b4" not in visitors.hand


def test_against_the_rules_it_is_laid_refused_and_taken_back() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    hand = visitors.hand
    visitors.say("b4", "p6")  # a lead is one card
    wrong, back = next(steps), next(steps)
    assert (wrong.lines, wrong.refused) == ((), "A p6 b4")
    assert back.what == "take back"
    assert set(visitors.hand) == set(hand)
    next(steps)
    assert visitors.asked is not None


def test_what_cannot_be_said_is_refused_in_a_sentence() -> None:
    visitors = Visitors()
    with pytest.raises(BadInput, match="not your turn"):
        visitors.say("b4")
    visitors.sit(Seat.A)
    until_asked(play(PLAYING, visitors).steps, visitors)
    for words, why in (
        (("r9",), "cards shown"),
        ((), "cards shown"),
        (("b4", "b4"), "cards shown"),
        (("pass",), "You lead"),
    ):
        with pytest.raises(BadInput, match=why):
            visitors.say(*words)
    assert visitors.asked is not None


def test_whoever_leaves_leaves_the_bot_to_play_on() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    visitors.sit(None)
    assert next(step for step in steps if step.lines).lines[0].startswith("A ")
    assert visitors.hand == ()


def test_without_visitors_the_game_is_the_same_as_ever() -> None:
    def lines(visitors: Visitors | None) -> list[str]:
        return [line for step in play(PLAYING, visitors).steps for line in step.lines]

    assert lines(None) == lines(Visitors())


def test_a_simulation_is_told_as_the_settings_say_it() -> None:
    how = simulation(
        "odin,seats=4,seed=7,mistakes=2,speed=2,light=hard,mat=yes,bumps=0.02,short=yes,careless=yes"
    )
    assert how.playing.sloppy == CARELESS
    assert simulation(str(how)) == how
    showing = Showing(how)
    with pytest.raises(BadSettings, match="light must be good or hard"):
        showing.show_text("odin,light=dark")
    assert showing.now == (0, how)
    showing.show_text("valhalla,seed=3")
    assert showing.now[0] == 1
    assert not showing.visitable
