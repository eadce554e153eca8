"""A game that brings no layout or no reader is played by hand, and the page says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from companion.core import catalog
from companion.core.game import Setup
from companion.core.pack import GamePack
from companion.games.odin import PACK
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable


@pytest.mark.parametrize("pack", [replace(PACK, layout=None), replace(PACK, reader=None)])
def test_the_camera_says_that_it_cannot_read_the_game(
    referee: Referee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: GamePack
) -> None:
    found = MappingProxyType({pack.name: pack})
    monkeypatch.setattr(catalog, "_found", lambda: (found, ()))
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    referee.propose(Proposal("deal A", table.session.seq, Source.PAGE))
    table.lay("r7", *LANES[0])
    table.settle()
    assert table.actions == ["deal A"]
    assert [each.code for each in table.notices.standing] == ["game-by-hand"]
