"""Whole games of Odin from the table to the score."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.tabletop.readings import Shown
from tests.games.odin.players import OdinPlayers
from tests.strategies import NAMES
from tests.watch.watched import Sees, WatchedTable, badly, perfectly

HANDS = 2


def played(
    referee: Referee, folder: Path, seats: int, seed: int, sees: Sees
) -> tuple[WatchedTable, OdinPlayers]:
    """Some hands of a game, watched from the first lead to the count."""
    referee.open(Setup("odin", NAMES[:seats]), Source.PAGE)
    table = WatchedTable(referee, folder, seed=seed, sees=sees)
    players = OdinPlayers(table, odin.start(table.session.setup), seed)
    players.hand_out(Seat.A)
    referee.propose(Proposal("deal A", table.session.seq, Source.PAGE))
    for _ in range(HANDS):
        players.play_hand()
        if players.state.over:
            break
        assert players.state.next_starter is not None
        players.hand_out(players.state.next_starter)
    table.eye.lying = []
    return table, players


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_game_seen_well_is_entered_without_a_question(
    referee: Referee, tmp_path: Path, seats: int, seed: int
) -> None:
    table, players = played(referee, tmp_path, seats, seed, perfectly)
    assert table.actions == players.truth[: len(table.actions)]
    assert len(players.truth) - len(table.actions) <= 1  # the next deal shows with the next lead
    assert [each for each in table.asked if not isinstance(each, Shown)] == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_looks_that_err_are_outvoted(
    referee: Referee, tmp_path: Path, seats: int, seed: int
) -> None:
    table, players = played(referee, tmp_path, seats, seed, badly(0.1, 0.01))
    assert table.actions == players.truth[: len(table.actions)]
    assert len(players.truth) - len(table.actions) <= 1
    assert table.session.refusal is None
