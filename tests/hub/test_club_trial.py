"""A small club on a real hub: tables play, things are cut off or killed, and nothing is lost."""

from __future__ import annotations

import pytest

from companion.hub.trial.club import ClubTrial, try_club
from companion.hub.trial.servers import postgres_programs


@pytest.mark.skipif(postgres_programs() is None, reason="PostgreSQL is not installed")
@pytest.mark.xdist_group("club")
def test_nothing_is_lost_whatever_breaks() -> None:
    trial = ClubTrial(tables=4, minutes=0.35, plays_a_minute=60, watchers=2, breaks=5)
    outcome = try_club(trial)
    assert (outcome.lost, outcome.twice, outcome.out_of_order) == (0, 0, 0)
    assert outcome.entries > 20
    assert outcome.seen > 0
    assert sum(outcome.broken.values()) == 5
