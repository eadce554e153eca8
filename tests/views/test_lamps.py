"""Lamps say in three lights what the page says in sentences: the same in every case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from companion.core.game import Reason, Setup
from companion.foundation.messages import message
from companion.ledger import records
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Moment, Referee
from companion.ledger.session import Refusal, Session
from companion.tabletop.readings import Desync, Question, Reading, Shown
from companion.views import Lamp, PublicView, lamps_for, view_of

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*/*.txt"))
ASKED = {
    "odin": "deal take count",
    "valhalla": "first loss stand support battle",
    "valhal": "first invite front heidrun removal ask draw option curse",
}
"""By game: the phases in which people have to answer something first."""
READING = Reading((), 0.9)
OPINIONS = (None, Shown(READING, 1.0), Question((READING,)), Desync((), ()))

DISK_FULL = message("disk-full", "the disk is full")


def sessions(file: Path) -> Iterator[Session]:
    record = records.read(file.read_bytes())
    yield records.open_record(record)
    for each in records.judged(record):
        yield each.after


def as_the_page_has_it(view: PublicView | None) -> frozenset[Lamp]:
    if view is None:
        return frozenset()
    lit = set()
    if view.refusing is not None:
        lit.add(Lamp.RED)
    elif view.history:
        lit.add(Lamp.GREEN)
    asked = view.opinion is not None and view.opinion.urgent
    if view.waiting.urgent or view.trouble or asked:
        lit.add(Lamp.AMBER)
    return frozenset(lit)


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_through_whole_games_the_lamps_say_what_the_page_says(file: Path) -> None:
    for session in sessions(file):
        moment = Moment(1, session)
        assert lamps_for(moment) == as_the_page_has_it(view_of(moment, "en"))
        asked = session.state.phase in ASKED[session.setup.game].split()
        assert (Lamp.AMBER in lamps_for(moment)) == asked, session.state.phase


@pytest.mark.parametrize("game", ASKED)
def test_whatever_comes_together_the_lamps_say_what_the_page_says(game: str) -> None:
    file = next(each for each in TRANSCRIPTS if each.parent.name == game)
    start, *_, later = sessions(file)
    refusal = Refusal("", (Reason("nothing-to-undo", "TABLE"),))
    for session, refused, trouble, opinion in product(
        (start, later), (None, refusal), (None, DISK_FULL), OPINIONS
    ):
        moment = Moment(1, replace(session, refusal=refused), trouble, opinion)
        assert lamps_for(moment) == as_the_page_has_it(view_of(moment, "en"))


@pytest.mark.parametrize("game", ASKED)
def test_every_phase_a_game_asks_in_is_one_it_has(game: str) -> None:
    seen = {
        str(session.state.phase)
        for file in TRANSCRIPTS
        if file.parent.name == game
        for session in sessions(file)
    }
    assert seen & set(ASKED[game].split())
    assert seen - set(ASKED[game].split())


def test_without_a_game_every_lamp_is_dark() -> None:
    assert lamps_for(Moment(0, None)) == frozenset()
    assert lamps_for(Moment(0, None, DISK_FULL)) == frozenset()


def test_lamps_follow_the_game(referee: Referee) -> None:
    def say(*actions: str) -> frozenset[Lamp]:
        for action in actions:
            session = referee.moment.session
            assert session is not None
            referee.propose(Proposal(action, session.seq, Source.PAGE))
        return lamps_for(referee.moment)

    referee.open(Setup("odin", ("Anna", "Ben", "Cleo")), Source.PAGE)
    assert say() == {Lamp.AMBER}  # who leads?
    assert say("deal A") == {Lamp.GREEN}
    assert say("B r3") == {Lamp.RED}  # not Ben's turn
    referee.dismiss()
    assert say() == {Lamp.GREEN}
    assert say("A r3", "B b5 b4", "C g7 g6") == {Lamp.GREEN, Lamp.AMBER}  # which card is taken?
    referee.report(DISK_FULL)
    assert Lamp.AMBER in say()


def test_amber_when_the_camera_asks(referee: Referee) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    referee.propose(Proposal("deal A", 1, Source.PAGE))
    lit = [lamps_for(replace(referee.moment, opinion=each)) for each in OPINIONS]
    green, asking = {Lamp.GREEN}, {Lamp.GREEN, Lamp.AMBER}
    assert lit == [green, green, asking, asking]
