"""Games of Valhalla from the table to the books: what can be seen is entered, the rest is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.games.valhalla import rules as valhalla
from companion.ledger.events import Source
from companion.ledger.referee import Referee
from tests.games.valhalla.players import ValhallaPlayers
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable

STEPS = 60


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_can_be_seen_is_entered(
    referee: Referee, tmp_path: Path, seats: int, seed: int
) -> None:
    referee.open(Setup("valhalla", NAMES[:seats]), Source.PAGE)
    table = WatchedTable(referee, tmp_path, seed=seed)
    players = ValhallaPlayers(table, valhalla.start(table.session.setup), seed)
    for _ in range(STEPS):
        if not players.state.over:
            players.step()
        assert players.agrees(), table.actions[-4:]
        assert table.session.refusal is None
    assert players.missed == []
    assert all(" declares " in each for each in players.asked)  # at whom, no camera can tell
