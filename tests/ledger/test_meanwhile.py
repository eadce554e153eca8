"""Phones that enter at the same time where all act at once: what others did in their own
settlements keeps nobody from entering, and everything else is looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from companion.core.game import Refused, Setup
from companion.ledger.events import Did, Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import Ruling, replayed
from tests.ledger.logs import at_once, at_table, codes, enter, everything, said

OPENING = (
    "sheet town.v1.level village", "sheet build.longboat.stages 3", "first A", "lay v1", "laid",
    "A rolls 5", "B rolls 2", "C rolls 1", "A stays", "B stays", "C stays", "lay v1", "laid",
)  # fmt: skip


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    with Journal(tmp_path / "journal.db") as journal:
        referee = Referee(journal)
        referee.open(Setup("valhal", ("Anna", "Ben", "Cleo")), Source.PAGE)
        enter(referee, *OPENING)
        yield referee


def late(referee: Referee, line: str, *meanwhile: str) -> Ruling | Refused:
    """Somebody says this who has not seen what was entered meanwhile."""
    seen = at_table(referee).seq
    enter(referee, *meanwhile)
    return referee.propose(said(line, seen))


@pytest.mark.parametrize(
    "line",
    [
        "A builds longboat with coin",
        "A builds warriors with coin iron",
        "A feeds winter-1",
        "A sacrifices coins for benevolence",
    ],
)
def test_others_in_their_settlements_matter_to_nobody(referee: Referee, line: str) -> None:
    meanwhile = ("B builds longboat with coin", "C agrees", "B feeds winter-1", "C disagrees")
    ruling = late(referee, line, *meanwhile)
    assert isinstance(ruling, Ruling)
    assert ruling.fact == Did(line)
    events = referee.entries_after(0)
    assert [event.fact for event in events[-5:]] == [Did(each) for each in (*meanwhile, line)]
    assert everything(replayed(events)) == everything(at_table(referee))


def test_it_does_not_matter_who_was_first(tmp_path: Path) -> None:
    states = []
    lines = ("A builds longboat with coin", "B feeds winter-1", "C builds warriors with iron")
    for number, order in enumerate(permutations(lines)):
        with Journal(tmp_path / f"{number}.db") as journal:
            referee = Referee(journal)
            referee.open(Setup("valhal", ("Anna", "Ben", "Cleo")), Source.PAGE)
            seen = enter(referee, *OPENING).seq
            for line in order:
                assert isinstance(referee.propose(said(line, seen)), Ruling)
            states.append(at_table(referee).state)
    assert states == [states[0]] * 6


@pytest.mark.parametrize(
    ("line", "meanwhile"),
    [
        ("A builds longboat with coin", "A feeds winter-1"),  # another phone of the same seat
        ("A feeds winter-1", "A feeds winter-1"),  # the same tap twice
        ("A agrees", "B feeds winter-1"),  # to that Anna has not agreed
        ("agree", "B feeds winter-1"),
        ("A builds longboat with coin", "sheet build.longboat.saw 2"),
        ("A feeds winter-1", "B resolves coins+1"),
        ("A resolves coins+1", "B feeds winter-1"),
        ("A feeds winter-1", "agree"),  # the season is over
        ("A feeds winter-1", "! B builds longboat with iron"),
        ("! A builds longboat with iron", "B feeds winter-1"),
        ("A builds longboat with iron", "B feeds winter-1"),  # against the rules now and then
        ("undo", "B feeds winter-1"),
        ("nonsense", "B feeds winter-1"),
    ],
)
def test_everything_else_is_looked_at_again(referee: Referee, line: str, meanwhile: str) -> None:
    assert codes(late(referee, line, meanwhile)) == ["stale"]
    assert at_table(referee).refusal is None


def test_what_was_taken_back_is_looked_at_again(referee: Referee) -> None:
    enter(referee, "C feeds winter-1")
    assert codes(late(referee, "A feeds winter-1", "B feeds winter-1", "undo 2")) == ["stale"]
    assert codes(referee.propose(said("A feeds winter-1", at_table(referee).seq + 3))) == ["stale"]


def test_what_is_gone_meanwhile_is_looked_at_again(tmp_path: Path) -> None:
    """The last of a supply that is really limited."""
    with Journal(tmp_path / "journal.db") as journal:
        referee = Referee(journal)
        strict = (("supply_limited", "strict"),)
        referee.open(Setup("valhal", ("Anna", "Ben", "Cleo"), changes=strict), Source.PAGE)
        enter(referee, *OPENING, "! C has longboats 21", "sheet achievement.longboats.group 4")
        line = "A builds longboat with coin"
        assert codes(late(referee, line, "B builds longboat with coin")) == ["stale"]
        enter(referee, "B withdraws longboat", line)


def test_three_phones_in_the_same_moment(referee: Referee) -> None:
    seen = at_table(referee).seq
    rulings: list[Ruling | Refused] = []

    def propose(line: str) -> None:
        rulings.append(referee.propose(Proposal(line, seen, Source.PAGE)))

    at_once(*(partial(propose, f"{seat} feeds winter-1") for seat in "ABC" for _ in range(5)))
    assert sum(isinstance(ruling, Ruling) for ruling in rulings) == 3
    assert [player.coins for player in at_table(referee).state.players] == [2, 2, 2]
