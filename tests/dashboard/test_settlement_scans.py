"""Settlements photographed with a phone, and the round of all of them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.dashboard import Parts, create_app
from companion.games.valhal.bots.phone_pictures import settlement_of
from companion.games.valhal.rules.state import State
from companion.games.valhal.rules.vocabulary import Fill
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.sim.phones import PhoneShot, ScanDrill
from companion.sim.render.scene import Light
from companion.vision.boards.kept import boards_file
from companion.watch.phone_eye import PhoneEye
from tests.dashboard.phone import text

STEADY = PhoneShot(slant=10.0, light=Light(hard=0.1, glare=0.0, blur=0.3), shake_px=0.0, props=0)
SETUP = Setup("valhal", ("Anna", "Ben"))
A, B = Seat(0), Seat(1)
SEED = 4
"""Of two boards with prints of their own ..."""
ALIKE_SEED = 3
"""... and of two that look alike, with places marked differently."""


@pytest.fixture
def client(referee: Referee, journal: Journal, tmp_path: Path) -> FlaskClient:
    app = create_app(Parts(referee, journal, folder=tmp_path, phone=PhoneEye(tmp_path)))
    app.testing = True
    referee.open(SETUP, Source.PAGE, ("first A",))
    return app.test_client()


def settlement(referee: Referee, seat: Seat, folder: Path, seed: int = SEED) -> ScanDrill:
    """As Anna and Ben have laid it: the books do not know of a food token and of five glory."""
    session = referee.moment.session
    assert session is not None
    state: State = session.state
    food = (Fill.TOKEN, Fill.TOKEN, Fill.EMPTY, Fill.EMPTY)
    changed = tuple(replace(each, food=food, glory=5) for each in state.players)
    drill = settlement_of(SETUP, replace(state, players=changed), seat, seed, STEADY)
    assert drill.boards is not None
    file = boards_file(folder, "valhal")
    file.parent.mkdir(parents=True, exist_ok=True)
    drill.boards.save(file)
    return drill


def sent(client: FlaskClient, subject: str, picture: bytes, **fields: str) -> TestResponse:
    file = (BytesIO(picture), "picture.jpg")
    return client.post("/scan", data={"subject": subject, "picture": [file], **fields})


def players(referee: Referee) -> list[tuple[bool, int]]:
    """Whether there is food for the first half of winter, and the glory, of each Jarl."""
    session = referee.moment.session
    assert session is not None
    return [(each.food[1] is Fill.TOKEN, each.glory) for each in session.state.players]


def taken(client: FlaskClient, referee: Referee, where: str) -> TestResponse:
    session = referee.moment.session
    assert session is not None
    return client.post(f"{where}/take", data={"seq": str(session.seq)})


def test_a_settlement_is_read_and_taken_at_one_tap(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    drill = settlement(referee, A, tmp_path)
    where = sent(client, "settlement.A", drill.picture).location
    page = text(client.get(where))
    assert "Take all 2 differences" in page
    assert "Glory: 5" in page
    assert client.get(f"{where}/picture/0").data == drill.picture
    taken(client, referee, where)
    assert players(referee) == [(True, 5), (False, 0)]
    assert "The picture agrees with the books." in text(client.get(where))
    session = referee.moment.session
    assert session is not None
    newest = islice(session.entries, 2)
    assert [entry.event.source for entry in newest] == ["phone", "phone"]


def test_a_scan_of_the_wrong_board_is_asked_about(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    drill = settlement(referee, B, tmp_path)
    where = sent(client, "settlement.A", drill.picture).location
    assert "This looks like something else: The settlement of Ben." in text(client.get(where))
    client.post(f"{where}/whose", data={"subject": "settlement.B"})
    assert "Take all 2 differences" in text(client.get(where))
    taken(client, referee, where)
    assert players(referee) == [(False, 0), (True, 5)]


def test_of_boards_that_look_alike_a_picture_shows_the_one_it_was_taken_of(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    drill = settlement(referee, B, tmp_path, ALIKE_SEED)
    where = sent(client, "settlement.B", drill.picture).location
    page = text(client.get(where))
    assert "This looks like something else" not in page
    assert "Take all 2 differences" in page
    taken(client, referee, where)
    assert players(referee) == [(False, 0), (True, 5)]


def test_a_board_that_looks_alike_is_read_anew_when_people_say_whose_it_is(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    drill = settlement(referee, B, tmp_path, ALIKE_SEED)
    where = sent(client, "settlement.A", drill.picture).location
    client.post(f"{where}/whose", data={"subject": "settlement.B"})
    assert "Take all 2 differences" in text(client.get(where))
    taken(client, referee, where)
    assert players(referee) == [(False, 0), (True, 5)]


def test_a_round_goes_from_one_settlement_to_the_next(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    assert "Scan all settlements before the season turns" in text(client.get("/scan"))
    assert text(client.get("/scan/round/settlement")).count("The settlement of") == 2
    for seat in (A, B):
        drill = settlement(referee, seat, tmp_path)
        where = sent(client, f"settlement.{seat}", drill.picture, round="settlement").location
        assert taken(client, referee, where).location == "/scan/round/settlement"
    page = text(client.get("/scan/round/settlement"))
    assert "All of them are scanned." in page
    assert page.count("agrees with the books") == 2
    assert players(referee) == [(True, 5), (True, 5)]


def test_a_picture_without_any_board_is_told(client: FlaskClient, referee: Referee) -> None:
    from tests.dashboard.test_scans import cards

    reply = sent(client, "settlement.A", cards("r1"))
    assert reply.status_code == 400
    assert "None of your boards is in the picture" in text(reply)
    assert referee.moment.session is not None


def test_the_whole_table_says_what_every_board_in_view_says(
    client: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    drill = settlement(referee, A, tmp_path)
    where = sent(client, "table", drill.picture).location
    assert "Glory: 5" in text(client.get(where))
