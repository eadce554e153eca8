"""A small club on a real hub: tables play, each part is cut off or killed, and nothing is lost."""

from __future__ import annotations

import pytest

from companion.hub.trial.club import ClubTrial, try_club
from companion.hub.trial.servers import has_mosquitto, postgres_programs

pytestmark = [
    pytest.mark.skipif(postgres_programs() is None, reason="PostgreSQL is not installed"),
    pytest.mark.skipif(not has_mosquitto(), reason="mosquitto is not installed"),
    pytest.mark.xdist_group("club"),
]


def test_nothing_is_lost_whatever_breaks() -> None:
    trial = ClubTrial(tables=4, minutes=0.35, plays_a_minute=60, watchers=2, breaks=5)
    outcome = try_club(trial)
    assert (outcome.lost, outcome.twice, outcome.out_of_order) == (0, 0, 0)
    assert outcome.entries > 20
    assert outcome.seen > 0
    assert outcome.broken == dict.fromkeys(("network", "boxes", "hub", "broker", "database"), 1)
    assert outcome.told > 0
    assert outcome.told_wrong == 0


def test_a_broker_hears_everything_while_nothing_breaks() -> None:
    trial = ClubTrial(tables=2, minutes=0.1, plays_a_minute=120, watchers=1)
    outcome = try_club(trial)
    assert outcome.told == outcome.entries > 0
    assert outcome.told_wrong == 0
