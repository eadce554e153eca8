"""The page of an owner's boards, asked the way a browser asks."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.sim.faces.board_prints import BoardPrint, board_pixels
from tests.dashboard.phone import text

CORNERS = ["0.0 0.0", "1.0 0.0", "1.0 1.0", "0.0 1.0"]


@pytest.fixture
def client(referee: Referee, journal: Journal, tmp_path: Path) -> FlaskClient:
    app = create_app(Parts(referee, journal, folder=tmp_path))
    app.testing = True
    return app.test_client()


def photographed(client: FlaskClient, data: bytes | None = None) -> TestResponse:
    if data is None:
        pixels = board_pixels(BoardPrint("chart", 3, (200.0, 120.0)))
        data = bytes(cv2.imencode(".jpg", pixels)[1])
    file = {"photograph": (BytesIO(data), "board.jpg")}
    return client.post("/boards/valhal/photograph", data=file)


def enrolled(client: FlaskClient, **changed: str | list[str]) -> TestResponse:
    form = {
        "corner": CORNERS, "name": "Anna", "owner": "A", "wide": "200", "high": "120",
        "kind": "settlement",
    }  # fmt: skip
    return client.post("/boards/valhal/new", data={**form, **changed})


def test_before_the_first_board_the_page_says_how_to_begin(client: FlaskClient) -> None:
    reply = client.get("/boards/valhal")
    assert reply.status_code == 200
    assert "No board yet." in text(reply)


def test_a_board_is_photographed_cut_out_and_its_places_nudged(client: FlaskClient) -> None:
    reply = photographed(client)
    assert (reply.status_code, reply.location) == (303, "/boards/valhal/new")
    assert client.get("/boards/valhal/photograph").mimetype == "image/jpeg"
    assert "Whose is it?" in text(client.get("/boards/valhal/new"))
    reply = enrolled(client)
    assert (reply.status_code, reply.location) == (303, "/boards/valhal/0")
    page = client.get("/boards/valhal/0")
    assert "site-4" in page.text
    assert "season" not in page.text
    moved = {"zone": "site-4", "x": "150", "y": "70", "w": "40", "h": "45"}
    assert client.post("/boards/valhal/0", data=moved).status_code == 303
    assert "[150.0, 70.0, 40.0, 45.0]" in client.get("/boards/valhal/0").text.replace("&#34;", '"')
    assert "places: 12" in text(client.get("/boards/valhal"))
    assert client.get("/boards/valhal/0/print").mimetype == "image/jpeg"


def test_a_board_of_everybody_has_the_shared_places(client: FlaskClient) -> None:
    photographed(client)
    enrolled(client, owner="", name="Seasons", kind="season")
    page = client.get("/boards/valhal/0").text
    assert "season-winter" in page
    assert "site-1" not in page


def test_a_place_is_taken_away_and_added_again(client: FlaskClient) -> None:
    photographed(client)
    enrolled(client)
    client.post("/boards/valhal/0/drop", data={"zone": "altar"})
    page = client.get("/boards/valhal/0")
    assert '<option value="altar">' in page.text
    assert '<option value="site-1">' not in page.text
    assert client.post("/boards/valhal/0/add", data={"zone": "altar"}).status_code == 303
    assert '<option value="altar">' not in client.get("/boards/valhal/0").text
    assert client.post("/boards/valhal/0/add", data={"zone": "altar"}).status_code == 400
    assert client.post("/boards/valhal/0/add", data={"zone": "moon"}).status_code == 400


def test_no_two_boards_have_one_place(client: FlaskClient) -> None:
    photographed(client)
    enrolled(client)
    again = enrolled(client, name="Anna's other one")
    assert again.status_code == 400
    assert "has all these places already" in text(again)
    assert enrolled(client, name="Ben", owner="B").status_code == 303
    assert enrolled(client, name="Seasons", kind="season").status_code == 303
    assert "season-winter" in client.get("/boards/valhal/2").text
    assert "whose board" in text(enrolled(client, name="Food", owner="", kind="food"))


@pytest.mark.parametrize("kind", ["mainland", "favour", "yggdrasil", "season", "tableau"])
def test_every_board_of_the_box_has_its_template(client: FlaskClient, kind: str) -> None:
    photographed(client)
    assert enrolled(client, name="it", owner="", kind=kind).status_code == 303
    page = client.get("/boards/valhal/0").text
    place = {
        "mainland": "mainland-12", "favour": "D.favour-6", "yggdrasil": "A.glory-20",
        "season": "season-spring", "tableau": "front-6",
    }[kind]  # fmt: skip
    assert f"{place}" in page


@pytest.mark.parametrize(
    "changed",
    [
        {"corner": ["0 0", "1 1", "1 0", "0 1"]},
        {"corner": ["0 0", "1 0"]},
        {"corner": ["a b", "1 0", "1 1", "0 1"]},
        {"corner": ["nan 0", "1 0", "1 1", "0 1"]},
        {"wide": "9999999"},
        {"wide": "inf"},
        {"high": "wide"},
        {"name": ""},
        {"name": "x" * 400},
    ],
)
def test_a_board_described_badly_is_refused_and_asked_again(
    client: FlaskClient, changed: dict[str, str | list[str]]
) -> None:
    photographed(client)
    reply = enrolled(client, **changed)
    assert reply.status_code == 400
    assert 'role="alert"' in reply.text
    assert "No board yet." in text(client.get("/boards/valhal"))


@pytest.mark.parametrize("data", [b"", b"ftypheic", bytes(2000)])
def test_a_photograph_that_is_none_is_refused(client: FlaskClient, data: bytes) -> None:
    reply = photographed(client, data)
    assert reply.status_code == 400
    assert client.get("/boards/valhal/new").status_code == 303  # nothing to cut out


def test_a_blank_photograph_makes_no_board(client: FlaskClient) -> None:
    blank = np.full((400, 600, 3), 200, np.uint8)
    photographed(client, bytes(cv2.imencode(".png", blank)[1]))
    reply = enrolled(client)
    assert reply.status_code == 400
    assert "too little print" in text(reply)


def test_boards_are_shared_as_a_file_and_forgotten(client: FlaskClient) -> None:
    photographed(client)
    enrolled(client)
    file = client.get("/boards/valhal/file").data
    assert client.post("/boards/valhal/0/forget").status_code == 303
    assert "No board yet." in text(client.get("/boards/valhal"))
    bad = client.post("/boards/valhal/file", data={"file": (BytesIO(b"no"), "x.boards")})
    assert bad.status_code == 400
    good = client.post("/boards/valhal/file", data={"file": (BytesIO(file), "x.boards")})
    assert good.status_code == 303
    assert "Belongs to seat A" in text(client.get("/boards/valhal"))


def test_a_game_nobody_knows_has_no_boards(client: FlaskClient) -> None:
    assert client.get("/boards/chess").status_code == 404
    assert client.get("/boards/valhal/7").status_code == 400


def test_a_table_without_a_camera_leads_to_its_boards(
    client: FlaskClient, referee: Referee
) -> None:
    referee.open(Setup("valhal", ("Anna", "Ben")), Source.PAGE)
    assert 'href="/boards/valhal"' in client.get("/").text


def test_a_game_without_boards_does_not_offer_any(client: FlaskClient, referee: Referee) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    assert "/boards/" not in client.get("/").text
