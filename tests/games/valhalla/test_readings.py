"""What single tables of Valhalla are taken for, above all where cards look alike."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Refused, Setup
from companion.games.valhalla.layout import ZONES
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.tabletop.mat import MAT
from companion.tabletop.readings import Question
from companion.tabletop.zones import centre
from companion.views import view_of
from companion.views.lamps import Lamp, lamps_for
from tests.strategies import NAMES
from tests.watch.watched import Lying, WatchedTable, perfectly

BACK = "valhalla-back"
BLANK = "?"
"""A card that is found and cannot be read."""
CLASH = ("first A", "ready", "A reveals hammer wolf", "B reveals hammer sword")
PEACE = ("first A", "ready", "A reveals hammer axe", "B reveals sword axe", "C reveals axe wolf")
FOUGHT = (*CLASH, "C reveals axe wolf", "C passes")
DRAWN = (*PEACE, "A draws", "B passes", "C passes", "ready", *PEACE[2:4], "C reveals axe sword")
"""A holds a card that nobody has seen."""
STRUCK = ("armory draugr", "armory sword", "armory axe", "armory hammer")


def sees(label: str, rng: random.Random) -> tuple[str | None, float, tuple[Any, ...]]:
    return (None, 0.9, ()) if label == BLANK else perfectly(label, rng)


class Table:
    """Three at a table, with the books where the lines have brought them."""

    def __init__(self, referee: Referee, folder: Path) -> None:
        referee.open(Setup("valhalla", NAMES[:3]), Source.PAGE)
        self.watched = WatchedTable(referee, folder, sees=sees)
        self.row = 0

    def books(self, *lines: str) -> None:
        for line in lines:
            proposal = Proposal(line, self.watched.session.seq, Source.PAGE)
            assert not isinstance(self.watched.referee.propose(proposal), Refused), line

    def put(self, zone: str, label: str, turn: int = 0) -> Lying:
        x, y = centre(ZONES[zone])
        return self.watched.lay(label, x, y, turn)

    def lose(self, zone: str, label: str) -> Lying:
        """Crosswise, over the inner end of the place."""
        x, y = centre(ZONES[zone])
        return self.watched.lay(label, x, y + (29 if y < MAT[1] / 2 else -29), turn=90)

    def armory(self, *labels: str) -> list[Lying]:
        _, y = centre(ZONES["armory"])
        self.row += len(labels)
        first = self.row - len(labels)
        return [self.watched.lay(one, 142 + 54 * (first + at), y) for at, one in enumerate(labels)]

    def rest(self, seconds: float = 6.0) -> list[str]:
        """What is entered while the table rests."""
        before = len(self.watched.actions)
        self.watched.settle(seconds)
        return self.watched.actions[before:]

    @property
    def offered(self) -> list[tuple[str, ...]]:
        asked = self.watched.opinion
        return [each.lines for each in asked.readings] if isinstance(asked, Question) else []

    @property
    def refused(self) -> str:
        refusal = self.watched.session.refusal
        return "" if refusal is None else refusal.action


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> Table:
    return Table(referee, tmp_path)


# Laying


def test_a_back_that_cannot_be_read_is_a_back(table: Table) -> None:
    table.books("first A")
    table.put("A.main", BACK)
    table.put("A.support", BLANK)
    assert table.rest() == ["A ready"]


def test_turned_up_too_early(table: Table) -> None:
    table.books("first A", "A ready")
    table.put("A.main", "wolf")
    table.put("A.support", "axe")
    assert table.rest() == []
    assert table.refused == "A reveals wolf axe"


def test_a_card_that_stays_unread_is_asked_for(table: Table) -> None:
    table.books("first A", "ready")
    table.put("B.main", "sword")
    table.put("B.support", BACK)
    assert table.rest() == []
    assert ("B reveals sword hammer",) in table.offered
    assert all(lines[0].startswith("B reveals sword ") for lines in table.offered)


# The Strategy Phase


def armed_peace(table: Table) -> list[Lying]:
    """C has a Sword on the pile, A another one, and two lie in the armory."""
    table.books(*CLASH, "C reveals sword wolf", "C declares sword on A", "C draws")
    table.books("armory wolf", "armory sword", "armory sword", "armory axe")
    table.books("A takes wolf", "B takes axe", "C fetches sword")
    table.books("ready", "A reveals sword axe", "B reveals wolf axe", "C reveals axe sword")
    return table.armory("sword", "sword")


def test_a_card_onto_its_like(table: Table) -> None:
    row = armed_peace(table)
    table.books("A declares sword on B")
    for seat, label in (("A", "sword"), ("B", "hammer"), ("C", "wolf")):
        table.put(f"{seat}.discard", label)
    table.watched.settle()
    table.watched.take(row[0])
    assert table.rest() == ["A takes sword"]


def test_out_of_turn_is_seen_beside_a_pile_that_shows_the_same(table: Table) -> None:
    row = armed_peace(table)
    table.books("A declares sword on B")
    table.put("A.discard", "sword")
    pile = table.put("B.discard", "hammer")
    table.watched.settle()
    table.watched.take(row[0], pile)
    table.put("B.discard", "sword")
    assert table.rest() == []
    assert table.refused == "B takes sword"


def test_a_card_that_left_the_armory_and_was_not_seen_again_is_asked_for(table: Table) -> None:
    row = armed_peace(table)
    table.put("A.discard", "hammer")
    table.watched.settle()
    table.watched.take(row[0])
    assert table.rest() == []
    assert table.offered == [("A takes sword",)]


def test_cards_on_their_way_to_the_armory_were_not_taken(table: Table) -> None:
    table.books(*PEACE, "C declares axe on A", "A draws sword wolf keeps sword")
    table.put("reveal", "wolf")
    assert table.rest() == []
    assert table.offered == []


# Losses


def test_the_place_says_who_lost_a_card_and_where_it_was(table: Table) -> None:
    table.books(*FOUGHT, *STRUCK)
    table.armory("draugr", "sword", "axe", "hammer")
    table.put("graveyard", "wolf")
    table.watched.settle()
    table.lose("B.main", "wolf")
    assert table.rest() == ["B loses wolf from hand"]
    pile = table.put("A.discard", "hammer")
    table.watched.settle()
    table.watched.take(pile)
    table.lose("A.support", "hammer")
    assert table.rest() == ["A loses hammer from discard"]


def test_two_lay_their_cards_at_once(table: Table) -> None:
    table.books(*FOUGHT, *STRUCK)
    table.armory("draugr", "sword", "axe", "hammer")
    table.watched.settle()
    table.lose("A.main", "axe")
    table.lose("B.main", "axe")
    assert sorted(table.rest()) == ["A loses axe from hand", "B loses axe from hand"]


def test_a_lost_card_over_a_main_of_its_kind(table: Table) -> None:
    table.books(*DRAWN, "A draws draugr draugr")
    table.put("A.main", "hammer")
    table.put("A.support", "axe")
    table.watched.settle()
    table.lose("A.main", "hammer")
    assert table.rest() == ["A loses hammer from hand"]


def test_straight_to_the_graveyard_it_is_asked_whose_it_was(table: Table) -> None:
    table.books(*FOUGHT, *STRUCK)
    table.armory("draugr", "sword", "axe", "hammer")
    table.watched.settle()
    table.put("graveyard", "axe")
    assert table.rest() == []
    assert {("A loses axe from hand",), ("B loses axe from hand",)} <= set(table.offered)
    assert table.refused == ""


def test_a_lost_card_is_entered_once_on_its_way_to_the_graveyard(table: Table) -> None:
    table.put("graveyard", "sword")
    table.watched.settle()
    table.books(*DRAWN, "A draws draugr draugr")
    lost = table.lose("A.main", "sword")
    assert table.rest() == ["A loses sword from hand"]
    assert table.rest() == []
    table.watched.take(lost)
    table.put("graveyard", "sword")
    assert table.rest() == []
    table.lose("A.main", "sword")
    assert table.rest() == ["A loses sword from hand"]


# The battle


def test_what_a_draugr_costs_is_told_as_it_is_revealed(table: Table) -> None:
    table.books(*FOUGHT)
    table.armory("draugr")
    assert table.rest() == ["armory draugr"]
    view = view_of(table.watched.referee.moment, "en")
    assert view is not None
    assert "Draugr 1: Anna, Bo lose 1 each." in str(view)
    assert Lamp.AMBER in lamps_for(table.watched.referee.moment)


def test_a_badly_seen_card_of_the_row_was_not_taken(table: Table) -> None:
    table.books(*FOUGHT, *STRUCK, "A loses wolf from hand", "B loses sword from hand")
    row = table.armory("draugr", "sword", "axe", "hammer")
    table.watched.settle()
    row[1].label = BLANK
    assert table.rest() == []
    assert table.offered == []
    table.watched.take(row[2])
    assert table.rest() == ["A takes axe"]


def test_two_taken_at_once_are_asked_for_by_whom(table: Table) -> None:
    table.books(*FOUGHT, *STRUCK, "A loses wolf from hand", "B loses sword from hand")
    row = table.armory("draugr", "sword", "axe", "hammer")
    table.watched.settle()
    table.watched.take(*row[1:3])
    assert table.rest() == []
    assert set(table.offered) == {
        ("A takes sword", "B takes axe"),
        ("A takes axe", "B takes sword"),
    }


def test_an_unreadable_card_of_a_battle_is_asked_for(table: Table) -> None:
    table.books(*FOUGHT)
    table.armory(BLANK)
    assert table.rest() == []
    assert len(table.offered) > 1
    assert table.refused == ""
