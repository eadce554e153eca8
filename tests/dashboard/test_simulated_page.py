"""The page of a table that plays by itself, and the choice of a camera."""

from __future__ import annotations

import pytest

from companion.dashboard import Parts, create_app
from companion.devices.camera_simulated import Showing, simulation
from companion.events import Source
from companion.journal import Journal
from companion.pieces import Seat
from companion.referee import Referee
from companion.rules.core import Setup
from companion.sim.visitors import Asked
from tests.dashboard.conftest import Phone, text


@pytest.fixture
def showing() -> Showing:
    return Showing(simulation("odin,seats=2"))


@pytest.fixture
def chosen() -> list[str]:
    return []


@pytest.fixture
def phone(referee: Referee, journal: Journal, showing: Showing, chosen: list[str]) -> Phone:
    parts = Parts(referee, journal, simulated=showing, choose_camera=chosen.append)
    app = create_app(parts)
    app.testing = True
    return Phone(app.test_client(), referee, [])


def test_before_the_first_card_it_says_what_it_is(phone: Phone) -> None:
    told = text(phone.get("/"))
    assert "Simulated table. Bots play Odin" in told
    assert "The bots are sitting down." in told


def test_another_game_is_chosen_by_its_pickers(phone: Phone, showing: Showing) -> None:
    assert "What do the bots play?" in text(phone.get("/new"))
    reply = phone.submit(
        "/simulated",
        game="valhalla",
        seats="6",
        speed="5",
        light="hard",
        mistakes="3",
        seed="42",
        careless="yes",
    )
    assert reply.status_code == 303
    how = showing.how
    assert (how.playing.game, how.playing.seats, how.playing.seed) == ("valhalla", 5, 42)
    assert (how.speed, how.light, how.playing.mistakes) == (5, "hard", 3)
    assert showing.now[0] == 1
    phone.submit("/simulated/again")
    assert showing.how.playing.seed == 43


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("seed", "-1", "seed must be 0 to"),
        ("speed", "warp", "speed must be 0.1 to 20"),
        ("light", "dark", "light must be good or hard"),
        ("game", "chess", "bots play odin, valhalla, valhal"),
        ("mistakes", "1,bumps=9", "mistakes cannot be"),
    ],
)
def test_what_cannot_be_shown_is_said_and_all_goes_on(
    phone: Phone, showing: Showing, field: str, value: str, sentence: str
) -> None:
    reply = phone.submit("/simulated", **{field: value})
    assert reply.status_code == 400
    assert sentence in text(reply)
    assert showing.now[0] == 0


def test_peoples_games_do_not_start_at_it(phone: Phone, referee: Referee) -> None:
    before = referee.moment
    for path in ("/games", "/again", "/games/1/resume"):
        reply = phone.submit(path, name=["Anna", "Ben"])
        assert reply.status_code == 400
        assert "only its bots play" in reply.text
    assert referee.moment is before


def test_a_seat_is_taken_its_hand_shown_and_played(
    phone: Phone, referee: Referee, showing: Showing
) -> None:
    referee.open(Setup("odin", ("Astrid", "Bjorn")), Source.PAGE)
    assert "Take over a seat: Astrid Bjorn" in text(phone.get("/table"))
    phone.post("/simulated/seat", seat="B")
    showing.visitors.holds((("r1",), ("b9", "g2")))
    showing.visitors.answer(Seat.B, Asked("lay", ("b9", "g2"), may_pass=True))
    referee.wake()
    told = phone.get("/table").text
    assert "You play for Bjorn" in told
    assert "in hand: blue 9" in told
    assert "red 1" not in told.partition("own-hand")[2].partition("</form>")[0]
    phone.post("/simulated/hand", card=["hand g2"])
    assert showing.visitors.answer(Seat.B, Asked("lay", ("b9", "g2"))) == ("g2",)
    assert phone.post("/simulated/hand", card=["hand g2"]).status_code in (200, 400)
    phone.post("/simulated/seat", seat="")
    assert showing.visitors.seat is None
    assert phone.post("/simulated/seat", seat="Z").status_code == 400


def test_a_camera_is_chosen_by_one_tap(phone: Phone, chosen: list[str]) -> None:
    assert phone.submit("/camera", camera="usb").status_code == 200
    assert chosen == ["usb"]
    assert phone.submit("/camera", camera="file:/etc/passwd").status_code == 400
    assert chosen == ["usb"]


def test_where_settings_choose_the_camera_the_page_does_not(
    referee: Referee, journal: Journal, showing: Showing
) -> None:
    client = create_app(Parts(referee, journal, simulated=showing)).test_client()
    assert client.post("/camera", data={"camera": "usb"}).status_code == 400
    assert "The settings ask for it" in client.get("/").text


def test_a_table_of_people_knows_no_simulation(referee: Referee, journal: Journal) -> None:
    client = create_app(Parts(referee, journal)).test_client()
    assert client.post("/simulated", data={"seed": "1"}).status_code == 400
    assert "imulated" not in client.get("/new").text
    assert client.get("/table.jpg").status_code == 204
    assert client.get("/lying.json").get_json()["things"] == []
    assert client.get("/zones/odin").status_code == 400
