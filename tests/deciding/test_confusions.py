"""What people put right is remembered: what looks like it is doubted, as long as it pays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Refused, Setup
from companion.deciding.confusions import Confusions, confirmed, doubted, put_right
from companion.games.odin.layout import LAYOUT
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Question
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.tracking.looks import quad_at
from tests.watch.watched import WatchedTable

LANE_1, LANE_2 = LANES
PARTS = LAYOUT.features
WORDS = st.sampled_from([f"{colour}{number}" for colour in "brpgko" for number in range(1, 10)])


def thing(*odds: tuple[str, float]) -> Thing:
    return Thing(1, "card", odds, quad_at(0, 0, 0))


def test_a_colour_misread_once_is_doubted_of_every_number() -> None:
    confusions = put_right((), "o9", "g9", PARTS)
    (one,) = doubted([thing(("o4", 0.99))], confusions, PARTS)
    assert one.odds[0][0] == "o4"
    assert one.likely("g4") == pytest.approx(0.33)
    (other,) = doubted([thing(("r4", 0.99))], confusions, PARTS)
    assert other.odds == (("r4", 0.99),)


def test_a_number_misread_once_is_doubted_of_every_colour() -> None:
    confusions = put_right((), "r6", "r9", PARTS)
    (one,) = doubted([thing(("b6", 0.9))], confusions, PARTS)
    assert one.likely("b9") == pytest.approx(0.3)


def test_a_word_that_is_no_colour_and_number_is_doubted_by_itself() -> None:
    confusions = put_right((), "axe", "sword", PARTS)
    (axe, goat) = doubted([thing(("axe", 0.9)), thing(("goat", 0.9))], confusions, PARTS)
    assert axe.likely("sword") == pytest.approx(0.3)
    assert goat.likely("goat") == 0.9


def test_another_card_altogether_was_no_misreading() -> None:
    assert put_right((), "o9", "g4", PARTS) == ()
    assert put_right((), "o9", "o9", PARTS) == ()


def test_answers_show_how_often_the_doubt_is_right() -> None:
    never = always = put_right((), "o9", "g9", PARTS)
    for _ in range(9):
        never, always = confirmed(never, "o4", PARTS), put_right(always, "o4", "g4", PARTS)
    assert doubted([thing(("o2", 1.0))], never, PARTS)[0].p > 0.9
    assert doubted([thing(("o2", 1.0))], always, PARTS)[0].label == "g2"


def test_where_one_colour_was_misread_all_are_less_sure() -> None:
    sure, surest = thing(("r4", 0.999), ("k4", 0.001)), thing(("r4", 1 - 1e-9), ("k4", 1e-9))
    assert doubted([sure], (), PARTS) == (sure,)
    confusions = put_right((), "o9", "g9", PARTS)
    assert doubted([sure], confusions, PARTS)[0].p < 0.9
    assert doubted([surest], confusions, PARTS)[0].p > 0.99


@given(st.lists(st.tuples(WORDS, WORDS), max_size=30), st.lists(WORDS, max_size=30), WORDS, WORDS)
def test_whatever_is_said_probabilities_stay_such(
    said: list[tuple[str, str]], kept: list[str], one: str, two: str
) -> None:
    confusions = put_right((), one, two, PARTS)
    for read, meant in said:
        confusions = put_right(confusions, read, meant, PARTS)
    for word in kept:
        confusions = confirmed(confusions, word, PARTS)
    card = thing((one, 0.8), *(((two, 0.15),) if one != two else ()))
    (after,) = doubted([card], confusions, PARTS)
    assert sum(p for _, p in after.odds) == pytest.approx(sum(p for _, p in card.odds))
    assert all(0 <= p <= 1 for _, p in after.odds)
    assert [p for _, p in after.odds] == sorted((p for _, p in after.odds), reverse=True)


@given(WORDS, st.lists(st.tuples(WORDS, WORDS), max_size=8))
def test_whatever_is_doubted_odds_stay_odds(word: str, said: list[tuple[str, str]]) -> None:
    confusions: Confusions = ()
    for read, meant in said * 4:
        confusions = put_right(confusions, read, meant, PARTS)
    (one,) = doubted(
        [thing((word, 0.97), ("r1" if word != "r1" else "b2", 0.02))], confusions, PARTS
    )
    assert all(p >= 0 for _, p in one.odds)
    assert sum(p for _, p in one.odds) == pytest.approx(0.99)


# At the table


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    """Green cards look orange, surely. A leads r2, B's g4 was entered as o4 and put right."""
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    table.eye.sees = lambda label, _: (label.replace("g", "o"), 0.999, ())
    enter(table, "deal A")
    first = table.lay("r2", *LANE_1)
    table.settle()
    table.lay("g4", *LANE_2)
    table.settle()
    assert table.actions[-1] == "B o4"
    table.witness.correct(table.session.seq, "B g4", table.session.seq)
    table.take(first)
    table.settle()
    assert table.actions[-1] == "B g4"
    table.lay("g6", *LANE_1)
    table.settle(6)
    return table


def enter(table: WatchedTable, line: str) -> None:
    proposal = Proposal(line, table.session.seq, Source.PAGE)
    assert not isinstance(table.referee.propose(proposal), Refused)


def test_the_next_card_of_that_colour_is_asked_not_entered_wrong(table: WatchedTable) -> None:
    assert table.actions[-1] == "B g4"
    assert isinstance(table.opinion, Question)
    assert {each.lines[0] for each in table.opinion.readings[:2]} == {"C o6", "C g6"}


def test_the_next_game_is_played_under_the_same_lamp(table: WatchedTable) -> None:
    table.referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table.take(*table.eye.lying)
    enter(table, "deal A")
    table.settle()
    table.lay("g6", *LANE_1)
    table.settle(6)
    assert table.actions == ["deal A"]
    assert isinstance(table.opinion, Question)
    assert {each.lines[0] for each in table.opinion.readings[:2]} == {"A o6", "A g6"}


def test_the_answer_counts_and_teaches(table: WatchedTable) -> None:
    assert isinstance(table.opinion, Question)
    enter(table, "C g6")
    table.look(4)
    assert table.actions[-1] == "C g6"
    assert table.opinion is None


def test_which_of_two_that_look_alike_was_taken_is_asked(referee: Referee, tmp_path: Path) -> None:
    alike = {"o6": "g6", "g6": "o6"}
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    table.eye.sees = lambda label, _: (
        (label, 0.55, ((alike[label], 0.44),)) if label in alike else (label, 0.999, ())
    )
    for line in ("deal A", "A r2", "B o6 g6"):
        enter(table, line)
    table.lay("o6", *LANE_1)
    green = table.lay("g6", LANE_1[0] + 70, LANE_1[1])
    table.settle()
    table.lay("p9", *LANE_2)
    table.lay("p8", LANE_2[0] + 70, LANE_2[1])
    table.settle(6)
    assert table.actions[-1] == "C p9 p8"
    table.take(green)
    table.settle(6)
    assert table.actions[-1] == "C p9 p8"
    assert isinstance(table.opinion, Question)
    assert {each.lines[0] for each in table.opinion.readings} == {"C take o6", "C take g6"}


def test_of_what_came_after_a_correction_nothing_is_doubted(
    referee: Referee, tmp_path: Path
) -> None:
    referee.open(Setup("odin", NAMES[:2]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    table.eye.sees = lambda label, _: ("k4" if label == "b4" else label, 0.97, ())
    enter(table, "deal A")
    first = table.lay("r2", *LANE_1)
    table.settle()
    second = table.lay("b4", *LANE_2)
    table.settle()
    wrong = table.session.seq
    table.take(first)
    table.settle()
    third = table.lay("g5", *LANE_1)
    table.settle()
    table.take(second)
    table.settle()
    table.lay("b6", *LANE_2)
    table.settle()
    table.take(third)
    table.settle()
    assert table.actions[1:] == ["A r2", "B k4", "A g5", "B b6"]
    table.witness.correct(wrong, "B b4", table.session.seq)
    table.look(12)
    assert table.actions[1:] == ["A r2", "B b4", "A g5", "B b6"]
    assert table.opinion is None
    table.lay("g8", *LANE_1)
    table.settle()
    assert table.actions[-1] == "A g8"
