"""Small versions of what `companion bench-hub` and `companion sim-club` measure: everything is
taken in, and every question of a club touches one part of each table. Times are no part of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import sim_club
from companion.hub.schema import DIVIDED
from companion.hub.store import open_store
from companion.hub.trial.club import ClubOutcome, ClubTrial
from companion.hub.trial.over_http import try_over_http
from companion.hub.trial.scale import parts_touched, try_intake, try_scale
from companion.hub.trial.servers import Postgres
from tests.hub.conftest import fresh_database


def counted(address: str, table: str) -> int:
    store = open_store(address)
    with store.transaction() as transaction:
        row = transaction.one(f"SELECT COUNT(*) FROM {table}")
    store.close()
    return int(row[0]) if row else 0


def test_intake_takes_everything_in(postgres: Postgres) -> None:
    address = fresh_database(postgres)
    store = open_store(address)
    outcome = try_intake(store, 12_000)
    store.close()
    assert outcome.events == counted(address, "event") == 12_000


def test_a_running_hub_takes_everything_in_by_http_and_folds_it(
    postgres: Postgres, tmp_path: Path
) -> None:
    address = fresh_database(postgres)
    outcome = try_over_http(address, 2_000, tmp_path)
    assert outcome.events == counted(address, "event") == 2_000
    assert counted(address, "result") > 0
    assert outcome.last_kb > 0


def test_a_clubs_questions_touch_one_part_of_each_table(postgres: Postgres) -> None:
    """As PostgreSQL explains the very questions that the pages ask."""
    store = open_store(fresh_database(postgres))
    outcome = try_scale(store, 30, lambda _line: None)
    store.close()
    assert outcome.events == 30_000
    assert outcome.bytes_an_event > 0
    seen = set()
    for question, plan in outcome.plans.items():
        touched = parts_touched(plan)
        assert all(len(parts) == 1 for parts in touched.values()), (question, touched)
        seen |= set(touched)
    assert seen <= set(DIVIDED)
    assert {"event", "result"} <= seen


def test_a_plan_that_is_not_pruned_would_be_noticed() -> None:
    plan = ["Append", "  -> Seq Scan on result_00 result_1", "  -> Seq Scan on result_01 result_2"]
    assert parts_touched(plan) == {"result": {"00", "01"}}


@pytest.mark.parametrize(
    ("asked", "breaks"), [((), 15), (("--breaks", "0"), 0), (("--minutes", "1"), 3)]
)
def test_the_command_breaks_things_unless_told_not_to(
    monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], breaks: int
) -> None:
    tried: list[ClubTrial] = []

    def noted(trial: ClubTrial, _say: object) -> ClubOutcome:
        tried.append(trial)
        return ClubOutcome()

    monkeypatch.setattr(sim_club, "try_club", noted)
    answer = CliRunner().invoke(sim_club.sim_club_command, [*asked])
    assert answer.exit_code == 0
    assert [trial.breaks for trial in tried] == [breaks]
