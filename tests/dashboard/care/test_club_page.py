"""The page on which a box joins a club and leaves it, without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard.factory import create_app
from companion.dashboard.parts import Parts
from companion.hub.trial.servers import free_port
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.outbox.joining import ClubMembership
from companion.outbox.membership import FILE, read_membership
from tests.outbox.test_uplink import club_key, running_hub


@pytest.fixture
def page(tmp_path: Path, journal: Journal, referee: Referee) -> FlaskClient:
    door = ClubMembership(tmp_path, journal.box, lambda: "By the door")
    return create_app(Parts(referee, journal, club_door=door)).test_client()


def test_a_box_joins_a_club_and_leaves_it_on_its_page(
    page: FlaskClient, tmp_path: Path, journal: Journal
) -> None:
    kept, port = tmp_path / "hub.db", free_port()
    with running_hub(kept, port) as address:
        assert "Join the club" in page.get("/settings/club").text
        wrong = page.post("/settings/club/join", data={"address": address, "key": "wrong"})
        assert wrong.status_code == 400
        assert "no club has this key" in wrong.text
        assert read_membership(tmp_path) is None
        asked = {"address": address, "key": club_key(kept)}
        assert page.post("/settings/club/join", data=asked).status_code == 303
        membership = read_membership(tmp_path)
        assert membership is not None
        assert (membership.club, membership.box) == ("Ravens", journal.box)
        assert f"Ravens ({address})" in page.get("/settings/club").text
        assert membership.token not in page.get("/settings/club").text
        assert page.post("/settings/club/leave").status_code == 303
    assert read_membership(tmp_path) is None
    assert "Join the club" in page.get("/settings/club").text


@pytest.mark.parametrize("asked", [{}, {"address": "hub"}, {"address": "http://127.0.0.1:1"}])
def test_what_cannot_be_joined_is_said(page: FlaskClient, asked: dict[str, str]) -> None:
    answer = page.post("/settings/club/join", data={**asked, "key": "k"})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_broken_membership_is_said_and_can_be_joined_anew(
    page: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_bytes(b"{")
    assert "cannot be read" in page.get("/settings/club").text
    assert page.post("/settings/club/leave").status_code == 303
    assert "cannot be read" not in page.get("/settings/club").text


def test_where_bots_play_there_is_no_club(journal: Journal, referee: Referee) -> None:
    page = create_app(Parts(referee, journal)).test_client()
    assert page.get("/settings/club").status_code == 404
