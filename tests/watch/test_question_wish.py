"""Somebody wants to see a question: the next play is asked about, and then all is as usual."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Setup
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.tabletop.readings import Question
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.watch.watched import Sees, WatchedTable, perfectly


def nearly_sure(label: str, _rng: random.Random) -> tuple[str, float, tuple[Any, ...]]:
    """Clear enough to be entered, but another card is thought of."""
    return label, 0.99, ((f"b{label[1]}", 0.009),)


def a_game(referee: Referee, folder: Path, sees: Sees) -> WatchedTable:
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, folder, sees=sees)
    table.referee.propose(Proposal("deal A", table.session.seq, Source.PAGE))
    return table


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    return a_game(referee, tmp_path, nearly_sure)


def test_the_next_play_is_asked_about_with_what_else_it_may_be(table: WatchedTable) -> None:
    table.witness.ask_next()
    assert table.witness.asks_next
    table.lay("r7", *LANES[0])
    table.settle()
    question = table.opinion
    assert isinstance(question, Question)
    assert [each.lines for each in question.readings][:2] == [("A r7",), ("A b7",)]
    assert table.actions == ["deal A"]
    table.referee.adopt(question.readings[0], table.session.seq, Source.PAGE)
    table.look(1.0)
    assert table.actions == ["deal A", "A r7"]
    assert not table.witness.asks_next
    table.lay("p8", *LANES[1])
    table.settle()
    assert table.actions == ["deal A", "A r7", "B p8"]


def test_a_question_that_is_rejected_has_been_asked(table: WatchedTable) -> None:
    table.witness.ask_next()
    table.lay("r7", *LANES[0])
    table.settle()
    table.witness.reject(table.session.seq)
    table.look(1.0)
    assert not table.witness.asks_next


def test_where_there_is_nothing_to_choose_from_nobody_is_asked(
    referee: Referee, tmp_path: Path
) -> None:
    table = a_game(referee, tmp_path, perfectly)
    table.witness.ask_next()
    table.lay("r7", *LANES[0])
    table.settle()
    assert table.actions == ["deal A", "A r7"]
    assert table.witness.asks_next
