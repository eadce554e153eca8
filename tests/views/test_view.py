"""The public view of a moment."""

from __future__ import annotations

import msgspec
import pytest

from companion.core.game import Setup
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.referee import Press, Referee
from companion.views import Lamp, PublicView, lamps_for, view_of

NAMES = ("Anna", "Ben", "Cleo")


def say(referee: Referee, *actions: str, stand: bool = False) -> PublicView:
    for action in actions:
        session = referee.moment.session
        assert session is not None
        referee.propose(Proposal(action, session.seq, Source.PAGE, stand))
    return view(referee)


def view(referee: Referee, language: str = "en") -> PublicView:
    found = view_of(referee.moment, language)
    assert found is not None
    return found


@pytest.fixture
def table(referee: Referee) -> Referee:
    referee.open(Setup("odin", NAMES), Source.PAGE)
    return referee


def test_without_a_game_there_is_no_view_and_no_lamp(referee: Referee) -> None:
    assert view_of(referee.moment, "en") is None
    assert lamps_for(referee.moment) == frozenset()


def test_the_view_says_what_is_waited_for(table: Referee) -> None:
    assert view(table).waiting.sentence == "Deal, and draw who leads."
    assert say(table, "deal A").waiting.sentence == "Anna leads."
    assert say(table, "A r3").waiting.sentence == "Ben's turn."
    assert say(table, "B b5 b4", "C g7 g6").waiting.sentence == "Cleo takes one card."
    assert view(table, "de").waiting.sentence == "Cleo nimmt eine Karte."


def test_a_refusal_is_shown_with_sentence_rule_and_ways_on(table: Referee) -> None:
    shown = say(table, "deal A", "A r3", "B b2").refusing
    assert shown is not None
    assert shown.action == "B b2"
    assert shown.said == "Ben lays blue 2."
    assert shown.sentences == ("2 does not beat 3.",)
    assert [rule.id for rule in shown.rules] == ["ODIN-PLAY-1"]
    assert shown.can_stand
    stood = say(table, "B b2", stand=True)
    assert stood.refusing is None
    assert stood.history[0].overruled
    assert stood.history[0].sentence == "Ben lays blue 2. The table let it stand."


def test_an_undo_with_nothing_to_undo_is_told(table: Referee) -> None:
    table.press(Press.UNDO)
    shown = view(table)
    assert shown.refusing is not None
    assert shown.refusing.sentences == ("There is nothing to undo.",)
    assert not shown.refusing.can_stand
    assert Lamp.RED in lamps_for(table.moment)
    table.press(Press.UNDO)  # takes the refusal away
    assert view(table).refusing is None


def test_history_is_newest_first_and_knows_how_far_an_undo_goes(table: Referee) -> None:
    shown = say(table, "deal A", "A r3", "B b5")
    assert [(told.sentence, told.undo) for told in shown.history] == [
        ("Ben lays blue 5.", 1),
        ("Anna lays red 3.", 2),
        ("Dealt; Anna leads.", 3),
    ]
    table.propose(Undo(shown.seq, Source.PAGE, entries=2))
    assert [told.sentence for told in view(table).history] == ["Dealt; Anna leads."]


def test_the_table_shows_middle_hands_and_known_cards(table: Referee) -> None:
    shown = say(table, "deal A", "A r3", "B b5").table
    assert (shown.value, shown.owner, shown.phase) == (5, "Ben", "turn")
    assert [place.size for place in shown.places] == [8, 9, 9]
    assert [[face.words for face in place.known] for place in shown.places] == [[], ["red 3"], []]
    assert {face.card: face.place for row in shown.grid for face in row if face.place} == {
        "b5": "table",
        "r3": "held",
    }


def test_discards_are_hidden_when_the_table_keeps_them_closed(referee: Referee) -> None:
    """A-ODIN-13."""
    for value, expected in (("true", {"r3": "gone"}), ("false", {})):
        referee.open(Setup("odin", NAMES, "en", (("discards_public", value),)), Source.PAGE)
        shown = say(referee, "deal A", "A r3", "B pass", "C pass").table
        assert {f.card: f.place for row in shown.grid for f in row if f.place} == expected


def test_the_end_names_the_winners_and_draws_the_chart(referee: Referee) -> None:
    referee.open(Setup("odin", NAMES[:2], "en", (("limit", "one_hand"),)), Source.PAGE)
    say(referee, "deal A")
    say(referee, "A shows r1 r5", stand=True)
    shown = say(referee, "A r1 r5")
    assert shown.expected == "count 0 9"
    referee.press(Press.CONFIRM)
    shown = view(referee)
    assert shown.standing.over
    assert shown.winners == ("Anna",)
    assert shown.waiting.sentence == "The game is over."
    chart = shown.table.chart
    assert [[dot.points for dot in line.dots] for line in chart.lines] == [[0, 0], [0, 9]]
    labels = sorted(line.label_y for line in chart.lines)
    assert labels[1] - labels[0] >= 15


def test_the_view_is_plain_data(table: Referee) -> None:
    say(table, "deal A", "A r3", "B b2")
    decoded = msgspec.json.decode(msgspec.json.encode(view(table)))
    assert decoded["refusing"]["sentences"] == ["2 does not beat 3."]
    assert decoded["table"]["places"][0]["name"] == "Anna"
