"""The page of a table that plays by itself, and the choice of a camera."""

from __future__ import annotations

import random
from html import unescape
from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.dashboard import Parts, create_app
from companion.devices.camera.simulated import Showing, simulation
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.onboarding.camera_choice import CameraChoice
from companion.service.chosen_settings import SettingsStore
from companion.sim.players import play
from companion.sim.visitors import Asked
from tests.catalogue import PLAYED
from tests.dashboard.phone import Phone, text


@pytest.fixture
def showing() -> Showing:
    return Showing(simulation("odin,seats=2"))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SettingsStore:
    monkeypatch.chdir(tmp_path)  # no companion.toml of this machine plays a part
    return SettingsStore(None, {"data": str(tmp_path / "data")})


@pytest.fixture
def starts() -> list[str]:
    """One for each time everything starts anew."""
    return []


@pytest.fixture
def phone(
    referee: Referee, journal: Journal, showing: Showing, store: SettingsStore, starts: list[str]
) -> Phone:
    choice = CameraChoice(store, store.folder, lambda: starts.append("anew"))
    parts = Parts(referee, journal, simulated=showing, camera_choice=choice, store=store)
    app = create_app(parts)
    app.testing = True
    return Phone(app.test_client(), referee, [])


def test_before_the_first_card_it_says_what_it_is(phone: Phone) -> None:
    told = text(phone.get("/"))
    assert "Demo: bots are playing" in told
    assert "Bots play Odin" in told
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
    asked = Asked("lay", ("b9", "g2"), several=True, leave="pass")
    showing.visitors.answer(Seat.B, asked)
    referee.wake()
    told = phone.get("/table").text
    assert "You play for Bjorn" in told
    assert "in hand: blue 9" in told
    assert "red 1" not in told.partition("own-hand")[2].partition("</form>")[0]
    phone.post("/simulated/hand", card=["hand g2"])
    assert showing.visitors.answer(Seat.B, asked) == ("g2",)
    assert phone.post("/simulated/hand", card=["hand g2"]).status_code in (200, 400)
    phone.post("/simulated/seat", seat="")
    assert showing.visitors.seat is None
    assert phone.post("/simulated/seat", seat="Z").status_code == 400


def sits_down(
    phone: Phone, referee: Referee, showing: Showing, asked: Asked, hand: tuple[str, ...] = ()
) -> str:
    """Bjorn's place, and what the page says once they are asked."""
    phone.post("/simulated/seat", seat="B")
    showing.visitors.holds(((), hand))
    showing.visitors.answer(Seat.B, asked)
    referee.wake()
    return phone.get("/table").text


def visitor_part(page: str) -> str:
    return unescape(page.partition('class="entry visitor"')[2].partition("Let the bot play on")[0])


def test_in_valhalla_a_card_of_the_hand_is_laid_by_one_tap(
    phone: Phone, referee: Referee, showing: Showing
) -> None:
    showing.show_text("valhalla,seats=2")
    referee.open(Setup("valhalla", ("Astrid", "Bjorn")), Source.PAGE)
    hand = ("hammer-2", "wolf-2", "freyja")
    asked = Asked("main", hand)
    told = visitor_part(sits_down(phone, referee, showing, asked, hand))
    assert "Which card do you lay as your Main?" in told
    for piece, sign, words in (("hammer-2", "hammer", "Hammer"), ("freyja", "deity", "Freyja")):
        button = told.partition(f'value="{piece}"')[2].partition("</button>")[0]
        assert f"#shape-{sign}" in button
        assert words in button
    assert "Press pass" not in told
    assert phone.post("/simulated/hand", leave="pass").status_code == 400
    assert phone.post("/simulated/hand", card=["hammer-2", "wolf-2"]).status_code == 400
    phone.post("/simulated/hand", card=["wolf-2"])
    assert showing.visitors.answer(Seat.B, asked) == ("wolf-2",)
    referee.wake()
    assert "Others are at it" in visitor_part(phone.get("/table").text)


def test_in_valhalla_the_choices_are_told_and_what_is_refused_stands_apart(
    phone: Phone, referee: Referee, showing: Showing
) -> None:
    showing.show_text("valhalla,seats=2")
    referee.open(Setup("valhalla", ("Astrid", "Bjorn")), Source.PAGE)
    asked = Asked(
        "strategy",
        (),
        ("B draws", "B takes axe", "B declares sword on A"),
        ("B takes draugr",),
        seen=("hammer-1", "draugr-3"),
        leave="pass",
    )
    told = visitor_part(sits_down(phone, referee, showing, asked))
    allowed, _, wrong = told.partition("Against the rules")
    for sentence in ("Bjorn draws.", "Bjorn takes Axe.", "Bjorn uses Sword on Astrid."):
        assert sentence in allowed
    assert "Bjorn takes Draugr." in wrong
    assert "You see:" in allowed
    assert "Hammer" in allowed.partition("You see:")[2]
    phone.post("/simulated/hand", line=["B takes draugr"])
    assert showing.visitors.answer(Seat.B, asked) == ("B takes draugr",)
    showing.visitors.answer(Seat.B, asked)
    phone.post("/simulated/hand", leave="pass")
    assert showing.visitors.answer(Seat.B, asked) == ("pass",)


def test_in_valhal_one_chooses_from_sentences_and_is_done(
    phone: Phone, referee: Referee, showing: Showing
) -> None:
    showing.show_text("valhal,seats=2")
    referee.open(Setup("valhal", ("Astrid", "Bjorn")), Source.PAGE)
    asked = Asked(
        "commission", (), ("B builds longboat with coin wood", "B feeds winter-1"), leave="done"
    )
    told = visitor_part(sits_down(phone, referee, showing, asked))
    assert "Bjorn commissions Longboat and pays" in told
    assert "Your hand" not in told
    assert "Done for this season" in told
    phone.post("/simulated/hand", leave="done")
    assert showing.visitors.answer(Seat.B, asked) == ("done",)


def test_a_game_without_drawings_and_questions_of_its_own_is_played_in_words(
    phone: Phone, referee: Referee, showing: Showing
) -> None:
    showing.show_text("valhal,seats=2")
    referee.open(Setup("valhal", ("Astrid", "Bjorn")), Source.PAGE)
    hand = ("longboat", "warriors")
    asked = Asked("muster", hand, several=True, leave="enough")
    told = visitor_part(sits_down(phone, referee, showing, asked, hand))
    assert "What do you do?" in told
    assert "None of this" in told
    assert all(f'value="{each}"' in told for each in (*hand, "enough"))
    assert '<span class="kind">Longboat</span>' in told
    phone.post("/simulated/hand", card=list(hand))
    assert showing.visitors.answer(Seat.B, asked) == hand
    referee.wake()
    assert "Your hand: <span" in visitor_part(phone.get("/table").text)


@pytest.mark.parametrize("game", PLAYED)
def test_every_question_of_a_game_can_be_told(
    phone: Phone, referee: Referee, showing: Showing, game: str
) -> None:
    showing.show_text(f"{game},seats=2,short=yes")
    visitors, told, luck = showing.visitors, set[str](), random.Random(1)
    script = play(showing.how.playing, visitors)
    referee.open(script.setup, Source.PAGE)
    visitors.sit(Seat.B)
    for _ in script.steps:
        asked = visitors.asked
        if asked is None:
            continue
        words = (*asked.cards, *asked.lines)
        if asked.what not in told:
            told.add(asked.what)
            referee.wake()
            page = visitor_part(phone.get("/table").text)
            assert all(f'"{word}"' in page or f'"hand {word}"' in page for word in words)
        leaves = asked.leave and (not words or luck.random() < 0.5)
        visitors.say(asked.leave if leaves else luck.choice(words))
    assert told


def test_playing_by_hand_is_chosen_by_one_tap(
    phone: Phone, store: SettingsStore, starts: list[str]
) -> None:
    assert phone.submit("/camera", camera="none").status_code == 200
    assert store.read().settings.camera == "none"
    assert starts == ["anew"]
    for unknown in ("file:/etc/passwd", "simulated:chess", "usb:odin"):
        assert phone.submit("/camera", camera=unknown).status_code == 400
    assert starts == ["anew"]


@pytest.mark.parametrize("camera", ["simulated", "simulated:odin"])
def test_a_simulated_table_is_chosen_with_or_without_its_game(
    phone: Phone, store: SettingsStore, camera: str
) -> None:
    assert phone.submit("/camera", camera=camera).status_code == 200
    assert store.read().settings.camera == camera


def test_where_settings_choose_the_camera_the_page_does_not(
    referee: Referee, journal: Journal, showing: Showing
) -> None:
    client = create_app(Parts(referee, journal, simulated=showing)).test_client()
    assert client.post("/camera", data={"camera": "usb"}).status_code == 400
    assert "The companion was started with --camera" in client.get("/").text


def test_a_table_of_people_knows_no_simulation(referee: Referee, journal: Journal) -> None:
    client = create_app(Parts(referee, journal)).test_client()
    assert client.post("/simulated", data={"seed": "1"}).status_code == 400
    assert "imulated" not in client.get("/new").text
    assert client.get("/table.jpg").status_code == 204
    assert client.get("/lying.json").get_json()["things"] == []
    assert client.get("/zones/odin").status_code == 400


def test_only_a_simulated_table_that_is_watched_can_be_told_to_ask(
    phone: Phone, referee: Referee, journal: Journal
) -> None:
    assert phone.post("/simulated/ask").status_code == 200, "nothing watches yet"
    real = create_app(Parts(referee, journal)).test_client()
    assert real.post("/simulated/ask").status_code == 400
