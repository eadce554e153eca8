"""Pictures from a phone, asked the way a browser asks: what is read, what is taken, bad input."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.sim.faces.canvas import Image as Pixels
from companion.sim.phones import PhoneShot, around, as_jpeg, hands_laid_open, phone_rng, taken
from companion.sim.render.scene import Light
from companion.sim.render.tables import faces_of
from companion.tabletop.readings import Question, Reading
from companion.watch.phone_eye import PhoneEye
from tests.dashboard.phone import text

STEADY = PhoneShot(slant=12.0, light=Light(hard=0.1, glare=0.0, blur=0.3), shake_px=0.0, props=0)


@pytest.fixture
def client(referee: Referee, journal: Journal, tmp_path: Path) -> FlaskClient:
    app = create_app(Parts(referee, journal, folder=tmp_path, phone=PhoneEye(tmp_path)))
    app.testing = True
    return app.test_client()


@pytest.fixture
def counting(referee: Referee) -> Referee:
    """Two play hands of two cards: Anna has gone out, and Ben holds two."""
    setup = Setup("odin", ("Anna", "Ben"), changes=(("hand_size", "2"),))
    referee.open(setup, Source.PAGE)
    for line in ("deal A", "A r1", "B pass", "A r2"):
        session = referee.moment.session
        assert session is not None
        referee.propose(Proposal(line, session.seq, Source.PAGE))
    return referee


def cards(*labels: str) -> bytes:
    """A picture of one hand."""
    faces = {each.face.label: each for each in faces_of("odin")}
    rng = phone_rng(1)
    laid = [card for hand in hands_laid_open([[faces[e] for e in labels]], rng) for card in hand]
    return as_jpeg(taken(laid, around(laid), rng, STEADY).image)


def sent(client: FlaskClient, subject: str, *pictures: bytes, **fields: str) -> TestResponse:
    files = [(BytesIO(data), f"{at}.jpg") for at, data in enumerate(pictures)]
    return client.post("/scan", data={"subject": subject, "picture": files, **fields})


def form_of(reply: TestResponse) -> str:
    found = re.search(r'name="seq" value="(\d+)"', reply.text)
    assert found is not None
    return found[1]


def test_a_hand_is_read_beside_the_books_and_taken_with_its_source(
    client: FlaskClient, counting: Referee
) -> None:
    assert "The hand of Ben" in text(client.get("/scan"))
    reply = sent(client, "hand.B", cards("g4", "p7"))
    assert reply.status_code == 303
    page = client.get(reply.location)
    assert "Take 1 difference" in text(page)
    client.post(f"{reply.location}/take", data={"seq": form_of(page)})
    session = counting.moment.session
    assert session is not None
    assert session.latest is not None
    event = session.latest.event
    assert event.source == "phone"
    assert sorted(event.action.split()[2:]) == ["g4", "p7"]
    assert "Take" not in text(client.get(reply.location))


def test_what_differs_in_number_is_marked_and_not_taken_with_the_rest(
    client: FlaskClient, counting: Referee
) -> None:
    reply = sent(client, "hand.B", cards("g4", "p7", "b2"))
    page = client.get(reply.location)
    assert "unsure" in text(page)
    assert "Books" in text(page)
    before = counting.moment.session
    client.post(f"{reply.location}/take", data={"seq": str(before.seq if before else 0)})
    assert counting.moment.session == before


def test_a_row_can_be_left_as_the_books_have_it(client: FlaskClient, counting: Referee) -> None:
    reply = sent(client, "hand.B", cards("g4", "p7"))
    line = re.search(r'data-line="([^"]+)"', client.get(reply.location).text)
    assert line is not None
    client.post(f"{reply.location}/leave", data={"line": line[1]})
    page = client.get(reply.location)
    assert "Take it" not in text(page)


def blank(level: int = 120) -> bytes:
    return as_jpeg(np.full((600, 800, 3), level, np.uint8))


def shown_on_a_screen() -> bytes:
    """Lines of a screen and nothing of the game."""
    rows = np.tile(np.array([40, 200], np.uint8), 300)[:, None]
    picture: Pixels = np.repeat(np.repeat(rows, 800, 1)[..., None], 3, 2)
    return as_jpeg(picture)


BAD = {
    "nothing chosen": ((), "Take or choose a photograph first."),
    "no picture": ((b"hello",), "not a picture"),
    "half a picture": ((blank()[:300],), "not a picture"),
    "HEIC": ((b"\x00\x00\x00\x18ftypheic" + b"\0" * 200,), "HEIC"),
    "blank": ((blank(),), "blank"),
    "a screen": ((shown_on_a_screen(),), "Nothing of this game was found"),
    "twenty at once": ((blank(),) * 20, "6 pictures at most"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_told_in_one_sentence(
    client: FlaskClient, counting: Referee, case: str
) -> None:
    pictures, sentence = BAD[case]
    before = counting.moment.session
    reply = sent(client, "hand.B", *pictures)
    assert reply.status_code == 400
    assert sentence in text(reply)
    assert counting.moment.session == before


def test_scanning_needs_a_game_and_a_subject_of_it(client: FlaskClient, referee: Referee) -> None:
    assert client.get("/scan").status_code == 404
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    assert sent(client, "hand.B", blank()).status_code == 400
    assert client.get("/scan/99").status_code == 404


def test_a_game_without_a_scanner_has_no_such_button(client: FlaskClient, referee: Referee) -> None:
    referee.open(Setup("valhalla", ("Anna", "Ben")), Source.PAGE)
    assert "Scan with this phone" not in client.get("/").text
    assert client.get("/scan").status_code == 400


def test_the_table_offers_to_scan(client: FlaskClient, counting: Referee) -> None:
    assert counting.moment.session is not None
    assert "Scan with this phone" in client.get("/").text


def test_a_card_the_camera_asks_about_is_told_by_a_picture(
    client: FlaskClient, referee: Referee
) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE, ("deal A",))
    session = referee.moment.session
    assert session is not None
    readings = (Reading(("A g4",), 0.5, id="2.1"), Reading(("A g9",), 0.4, id="2.2"))
    referee.notice(Question(readings), session.seq)
    assert "The card the camera asks about" in text(client.get("/scan"))
    reply = sent(client, "asked", cards("g9"))
    page = client.get(reply.location)
    client.post(f"{reply.location}/take", data={"seq": form_of(page)})
    after = referee.moment.session
    assert after is not None
    assert after.latest is not None
    assert (after.latest.event.action, after.latest.event.source) == ("A g9", "phone")
    assert str(after.latest.event.because) == "2.2/0"


def test_cards_just_laid_are_read_as_a_play(client: FlaskClient, referee: Referee) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE, ("deal A",))
    reply = sent(client, "play", cards("g9"))
    page = client.get(reply.location)
    client.post(f"{reply.location}/take", data={"seq": form_of(page)})
    session = referee.moment.session
    assert session is not None
    assert session.latest is not None
    assert session.latest.event.action == "A g9"


def test_what_somebody_else_entered_meanwhile_is_not_overwritten(
    client: FlaskClient, referee: Referee
) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE, ("deal A",))
    reply = sent(client, "play", cards("g9"))
    seq = form_of(client.get(reply.location))
    referee.propose(Proposal("A g8", int(seq), Source.PAGE))
    before = referee.moment.session
    client.post(f"{reply.location}/take", data={"seq": seq})
    assert referee.moment.session == before
