"""From readings to entries: what is shown, asked, objected to, withdrawn and corrected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.game import Refused, Setup
from companion.foundation.errors import BadInput
from companion.foundation.notices import Notice
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.referee import Press, Referee
from companion.tabletop.readings import Desync, Question, Shown
from tests.games.odin.players import DISCARD, LANES
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable

LANE_1, LANE_2 = LANES


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    """Three players; A leads r7, seen by the camera."""
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    enter(table, "deal A")
    table.lay("r7", *LANE_1)
    table.settle()
    assert table.actions == ["deal A", "A r7"]
    return table


def enter(table: WatchedTable, line: str, *, stand: bool = False) -> None:
    proposal = Proposal(line, table.session.seq, Source.PAGE, stand)
    assert not isinstance(table.referee.propose(proposal), Refused)


def sees(table: WatchedTable, **labels: tuple[tuple[str, float], ...]) -> None:
    """From now on these cards look like that."""

    def look(label: str, _rng: object) -> tuple[str, float, tuple[tuple[str | int, float], ...]]:
        (first, p), *others = labels.get(label, ((label, 0.999),))
        return first, p, tuple(others)

    table.eye.sees = look


# One clear legal reading


def test_a_play_is_shown_first_and_taken_after_a_moment(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.2)
    assert isinstance(table.opinion, Shown)
    assert table.opinion.reading.lines == ("B b8",)
    assert table.actions[-1] == "A r7"
    table.look(3)
    assert table.opinion is None
    assert table.actions[-1] == "B b8"


def test_confirm_takes_it_at_once(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.0)
    table.referee.press(Press.CONFIRM)
    assert table.actions[-1] == "B b8"
    table.look(5)
    assert table.actions[-1] == "B b8"


def test_a_card_pulled_back_in_time_is_no_play(table: WatchedTable) -> None:
    card = table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.0)
    assert isinstance(table.opinion, Shown)
    table.take(card)
    table.settle()
    assert table.opinion is None
    assert table.actions[-1] == "A r7"


def test_a_set_laid_card_by_card_is_one_play(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.5)
    table.lay("b3", LANE_2[0] + 22, LANE_2[1])
    table.settle()
    assert table.actions[-1] == "B b8 b3"


def test_what_is_rejected_is_not_entered(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.0)
    table.loop.reject(table.session.seq)
    table.look(6)
    assert table.actions[-1] == "A r7"
    assert table.opinion is None


def test_a_card_known_to_be_another_players_says_who_forgot_to_pass(table: WatchedTable) -> None:
    beaten = table.eye.lying[0]
    table.lay("b8", *LANE_2)
    table.take(beaten)
    table.settle()
    for line in ("C pass", "A pass"):
        enter(table, line)
    table.take(*table.eye.lying)
    table.settle()
    table.lay("k2", *LANE_1)
    table.settle()
    assert table.actions[-1] == "B k2"
    enter(table, "C pass")
    enter(table, "A pass")
    table.settle()
    assert table.session.state.hand.to_move.name == "B"


# Close readings


def test_close_readings_are_asked(table: WatchedTable) -> None:
    sees(table, b8=(("b8", 0.55), ("k8", 0.43)))
    table.lay("b8", *LANE_2)
    table.settle()
    asked = table.opinion
    assert isinstance(asked, Question)
    assert [each.lines for each in asked.readings[:2]] == [("B b8",), ("B k8",)]
    assert [thing.label for thing in asked.about] == ["b8"]
    assert table.loop.crop(asked.about[0].number) == b"a picture"
    assert table.actions[-1] == "A r7"
    table.referee.adopt(asked.readings[1], table.session.seq, Source.PAGE)
    table.look(6)
    assert table.actions[-1] == "B k8"


def test_an_answer_nobody_offered_is_believed(table: WatchedTable) -> None:
    sees(table, b8=(("k8", 0.55), ("o8", 0.43)))
    table.lay("b8", *LANE_2)
    table.settle()
    enter(table, "B b8")
    table.look(8)
    assert table.actions[-1] == "B b8"
    assert table.opinion is None


def test_unsure_pixels_accuse_nobody(table: WatchedTable) -> None:
    sees(table, b2=(("b2", 0.9), ("b8", 0.05)))
    table.lay("b2", *LANE_2)
    table.settle(10)
    assert isinstance(table.opinion, Question)
    assert table.session.refusal is None


def test_a_card_that_cannot_be_there_is_asked_about_not_blamed(table: WatchedTable) -> None:
    """It was discarded: a misread card is likelier than a card that came back."""
    for line in ("B b8 b3", "C k9 k8"):
        enter(table, line)
    enter(table, "C take b8")
    table.take(*table.eye.lying)
    table.lay("k9", *LANE_1)
    table.lay("k8", LANE_1[0] + 22, LANE_1[1])
    table.settle()
    table.lay("b3", *LANE_2)
    table.lay("b9", LANE_2[0] + 22, LANE_2[1])
    table.settle(10)
    assert table.session.refusal is None
    assert isinstance(table.opinion, Question)


def test_two_cards_lifted_at_once_are_asked_about(table: WatchedTable) -> None:
    three = [
        table.lay(label, LANE_2[0] + 22 * at, LANE_2[1]) for at, label in enumerate(("b8", "b3"))
    ]
    table.settle()
    table.take(table.eye.lying[0])
    table.settle()
    table.lay("k9", *LANE_1)
    table.lay("k5", LANE_1[0] + 22, LANE_1[1])
    table.settle()
    table.take(*three)
    table.settle()
    assert isinstance(table.opinion, Question)
    assert {each.lines for each in table.opinion.readings} == {("C take b8",), ("C take b3",)}


# Against the rules


def test_a_clear_illegal_play_is_refused_with_its_rule(table: WatchedTable) -> None:
    card = table.lay("b2", *LANE_2)
    table.settle(8)
    refusal = table.session.refusal
    assert refusal is not None
    assert refusal.action == "B b2"
    assert [each.code for each in refusal.reasons] == ["too-low"]
    table.take(card)
    table.settle()
    assert table.session.refusal is None
    assert table.actions[-1] == "A r7"


def test_a_refused_play_can_stand(table: WatchedTable) -> None:
    table.lay("b2", *LANE_2)
    table.settle(8)
    enter(table, "B b2", stand=True)
    table.look(8)
    assert table.actions[-1] == "B b2"
    assert table.session.refusal is None
    assert table.opinion is None


def test_a_refusal_rejected_was_a_misreading(table: WatchedTable) -> None:
    table.lay("b2", *LANE_2)
    table.settle(8)
    table.referee.dismiss()
    table.look(8)
    assert table.session.refusal is None


def test_who_was_put_right_twice_asks_and_blames_nobody(table: WatchedTable) -> None:
    for label in ("b2", "b3"):
        card = table.lay(label, *LANE_2)
        table.settle(8)
        assert table.session.refusal is not None
        assert table.notices.standing == ()
        table.referee.dismiss()
        table.look(1)
        table.take(card)
        table.settle()
    assert table.notices.standing == (Notice("table-misread"),)
    table.lay("b4", *LANE_2)
    table.settle(10)
    assert table.session.refusal is None
    assert isinstance(table.opinion, Question)
    assert table.opinion.readings[0].lines == ("B b4",)


def test_too_few_cards_are_given_time(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.lay("b3", LANE_2[0] + 22, LANE_2[1])
    table.settle()
    table.lay("k9", *LANE_1)
    table.take(table.eye.lying[0])
    table.hand()
    table.look(3)
    assert table.session.refusal is None
    table.lay("k8", LANE_1[0] + 22, LANE_1[1])
    table.settle()
    assert table.actions[-1] == "C k9 k8"


# Taken back, and out of step


def test_what_was_undone_is_not_entered_again(table: WatchedTable) -> None:
    sees(table, b8=(("b8", 0.93), ("k8", 0.06)))
    table.lay("b8", *LANE_2)
    table.settle()
    assert table.actions[-1] == "B b8"
    table.referee.press(Press.UNDO)
    table.look(8)
    assert table.actions[-1] == "A r7"
    assert isinstance(table.opinion, Question)
    offered = [each.lines for each in table.opinion.readings]
    assert ("B b8",) not in offered
    assert offered


def test_what_was_undone_at_once_is_not_entered_again(table: WatchedTable) -> None:
    """Before the camera has looked into the books again."""
    table.lay("b8", *LANE_2)
    table.hand()
    for _ in range(200):
        table.look(0.1)
        if table.actions[-1] == "B b8":
            break
    assert table.actions[-1] == "B b8"
    table.referee.press(Press.UNDO)
    table.look(8)
    assert table.actions[-1] == "A r7"


def test_a_correction_rereads_what_came_after_it(table: WatchedTable) -> None:
    sees(table, b8=(("k8", 0.97), ("b8", 0.02)))
    table.take(table.eye.lying[0])
    table.lay("b8", *LANE_2)
    table.settle()
    table.lay("g9", *LANE_1)
    table.settle()
    assert table.actions[-2:] == ["B k8", "C g9"]
    table.referee.propose(Undo(table.session.seq, Source.PAGE, 2))
    enter(table, "B b8")
    table.look(8)
    assert table.actions[-2:] == ["B b8", "C g9"]
    assert table.opinion is None


def test_the_middle_gone_is_asked_and_can_mean_that_all_passed(table: WatchedTable) -> None:
    table.take(*table.eye.lying)
    table.settle()
    asked = table.opinion
    assert isinstance(asked, Question)
    assert asked.readings[0].lines == ("B pass", "C pass")
    table.referee.adopt(asked.readings[0], table.session.seq, Source.PAGE)
    table.look(5)
    assert table.actions[-2:] == ["B pass", "C pass"]
    assert table.opinion is None


def test_the_middle_on_the_discard_pile_means_that_all_passed(table: WatchedTable) -> None:
    table.eye.lying[0].x, table.eye.lying[0].y = DISCARD
    table.settle()
    assert table.actions[-2:] == ["B pass", "C pass"]


def test_an_entry_that_the_table_does_not_bear_out_is_a_desync(table: WatchedTable) -> None:
    enter(table, "B b8")
    table.look(12)
    asked = table.opinion
    assert isinstance(asked, (Desync, Question))


# The end of a hand

OPEN = ((150.0, 46.0), (420.0, 46.0))


@pytest.fixture
def ending(referee: Referee, tmp_path: Path) -> WatchedTable:
    """Two players with two cards each and perhaps the goat; A has gone out, B holds one card."""
    changes = (("hand_size", "2"), ("goat", "true"))
    referee.open(Setup("odin", NAMES[:2], changes=changes), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    enter(table, "deal A")
    table.lay("r7", *LANE_1)
    table.settle()
    table.take(*table.eye.lying)
    table.lay("b8", *LANE_2)
    table.settle()
    enter(table, "A pass")
    table.take(*table.eye.lying)
    table.settle()
    for line in ("B r7", "A k9"):
        enter(table, line)
    return table


def test_a_goat_nobody_has_seen_is_asked_for(ending: WatchedTable) -> None:
    table = ending
    assert table.session.state.phase == "count"
    table.take(*table.eye.lying)
    table.settle()
    assert isinstance(table.opinion, Question)
    offered = {each.lines for each in table.opinion.readings}
    assert offered == {("count 0 1",), ("count 0 1 goat=B",)}


def test_a_hand_laid_open_shows_the_goat_and_is_counted(ending: WatchedTable) -> None:
    ending.lay("goat", *OPEN[0])
    ending.settle()
    assert ending.actions[-1] == "count 0 1 goat=B"


def test_a_hand_laid_open_without_the_goat_is_counted(ending: WatchedTable) -> None:
    ending.lay("p5", *OPEN[0])
    ending.settle()
    assert ending.actions[-1] == "count 0 1"


def test_a_card_too_many_is_a_question_not_an_objection(ending: WatchedTable) -> None:
    ending.lay("p5", *OPEN[0])
    ending.lay("p6", OPEN[0][0] + 30, OPEN[0][1])
    ending.settle(10)
    assert isinstance(ending.opinion, Question)
    offered = {each.lines for each in ending.opinion.readings}
    assert offered == {("count 0 1",), ("count 0 2",)}
    assert ending.session.refusal is None
    seen = next(each for each in ending.opinion.readings if each.lines == ("count 0 2",))
    ending.referee.adopt(seen, ending.session.seq, Source.PAGE, stand=True)
    assert ending.session.state.points == (0, 2)


# Evidence


def test_a_disputed_play_is_kept_with_its_pictures(table: WatchedTable, tmp_path: Path) -> None:
    table.lay("b8", *LANE_2)
    table.settle()
    folder = tmp_path / table.loop.dispute(table.session.seq)
    told = json.loads((folder / "entry.json").read_text())
    assert told["lines"] == told["truth"] == ["B b8"]
    assert told["before"] == ["deal A", "A r7"]
    assert told["setup"]["game"] == "odin"
    names = {file.name.split("-")[0] for file in folder.glob("*.jpg")}
    assert names == {"film", "look", "thing"}


def test_nothing_is_written_unless_somebody_disputes(table: WatchedTable, tmp_path: Path) -> None:
    assert not list(tmp_path.glob("game-*"))
    with pytest.raises(BadInput):
        table.loop.dispute(999)


def test_a_card_found_twice_blames_nobody(table: WatchedTable) -> None:
    """One card, seen as two that nearly lie on each other."""
    table.take(*table.eye.lying)
    for line in ("B pass", "C pass"):
        enter(table, line)
    table.settle()
    table.lay("k1", *LANE_1)
    table.lay("p3", LANE_1[0] - 2, LANE_1[1] + 22)
    table.settle(10)
    assert table.session.refusal is None
    asked = table.opinion
    assert isinstance(asked, Question)
    assert {each.lines for each in asked.readings[:2]} == {("A k1",), ("A p3",)}
    table.referee.adopt(asked.readings[0], table.session.seq, Source.PAGE)
    table.look(10)
    assert table.actions[-1] in ("A k1", "A p3")
    assert table.opinion is None


@pytest.mark.parametrize(("face", "entered"), [("b8", "B b8"), ("k3", "A r7")])
def test_a_face_on_a_card_in_plain_view_counts_but_blames_nobody(
    table: WatchedTable, face: str, entered: str
) -> None:
    """The halves of two cards can look like a third."""
    table.lay(face, LANE_1[0] + 2, LANE_1[1] + 22)
    table.settle(15)
    assert table.session.refusal is None
    assert table.actions[-1] == entered


def test_a_card_people_spoke_about_is_held_against_nobody_else(table: WatchedTable) -> None:
    table.lay("b2", *LANE_2)
    table.settle(8)
    assert table.session.refusal is not None
    enter(table, "B pass")  # and leaves the card lying there
    table.look(12)
    assert table.session.refusal is None
    assert table.actions[-1] == "B pass"


def test_a_card_that_was_undone_is_not_entered_for_the_next(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.settle()
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    table.look(0.5)
    enter(table, "B pass")
    table.look(12)
    assert table.actions[-1] == "B pass"
    assert isinstance(table.opinion, Question)


def test_a_pass_is_no_card_that_was_misread(table: WatchedTable) -> None:
    card = table.lay("b8", *LANE_2)
    table.settle()
    table.referee.propose(Undo(table.session.seq, Source.PAGE))
    table.look(0.5)
    enter(table, "B pass")
    table.look(0.5)
    table.take(card)
    table.settle()
    sees(table, g9=(("g9", 0.95), ("b9", 0.03)))
    table.lay("g9", *LANE_2)
    table.settle(10)
    assert table.actions[-1] == "C g9"


def test_confirming_nothing_leaves_a_refusal_where_it_is(table: WatchedTable) -> None:
    table.lay("b2", *LANE_2)
    table.settle(8)
    table.referee.press(Press.CONFIRM)
    table.look(8)
    assert table.session.refusal is not None
    assert table.session.refusal.action == "B b2"


def test_taking_a_card_away_leaves_somebody_elses_refusal(table: WatchedTable) -> None:
    card = table.lay("b2", *LANE_2)
    table.settle(8)
    table.referee.propose(Proposal("B g1", table.session.seq, Source.PAGE))
    table.look(1)
    table.take(card)
    table.settle(4)
    assert table.session.refusal is not None
    assert table.session.refusal.action == "B g1"


def test_nothing_is_promised_of_a_table_out_of_sight(table: WatchedTable) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    table.look(1.0)
    assert isinstance(table.opinion, Shown)
    table.loop.look_anew()
    table.in_sight = False
    table.look(1.0)
    assert table.opinion is None
    table.in_sight = True
    table.settle()
    assert table.actions[-1] == "B b8"


def test_a_rejection_that_comes_after_the_entry_is_not_for_the_next_play(
    table: WatchedTable,
) -> None:
    table.lay("b8", *LANE_2)
    table.hand()
    seen = table.session.seq
    while table.session.seq == seen:
        table.look(0.1)
    table.loop.reject(seen)
    table.look(3)
    table.take(table.eye.lying[0])
    table.settle()
    table.lay("g9", *LANE_1)
    table.settle()
    assert table.actions[-2:] == ["B b8", "C g9"]
