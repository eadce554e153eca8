"""Pages and commands, asked the way a browser asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from tests.catalogue import GAMES
from tests.dashboard.phone import Phone, text


def test_a_fresh_companion_sends_people_to_the_set_up(phone: Phone) -> None:
    reply = phone.get("/")
    assert (reply.status_code, reply.location) == (302, "/new")
    assert "Who plays?" in text(phone.get("/new"))


def test_a_game_is_set_up_and_shown(phone: Phone) -> None:
    reply = phone.new_game("Anna", "Ben", "Cleo", limit="20", goat="true")
    assert (reply.status_code, reply.location) == (303, "/")
    session = phone.referee.moment.session
    assert session is not None
    assert session.setup == Setup(
        "odin", ("Anna", "Ben", "Cleo"), "en", (("goat", "true"), ("limit", "20"))
    )
    assert "Draw the leader by lot" in text(phone.get("/"))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_pages(phone: Phone, game: str) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora")[: GAMES[game].SEATS[0]]
    phone.referee.open(Setup(game, names), Source.PAGE)
    for path in (f"/new?game={game}", "/", "/table", f"/rules/{game}"):
        assert phone.get(path).status_code == 200, path


def test_options_left_as_the_edition_has_them_are_no_changes(phone: Phone) -> None:
    phone.post(
        "/games",
        name=["Anna", "Ben", "Cleo"],
        count="2",
        edition="de",
        **{"option.limit": "15", "option.deck": "", "option.next_hand_starter": "last_to_act"},
    )
    session = phone.referee.moment.session
    assert session is not None
    assert session.setup == Setup("odin", ("Anna", "Ben"), "de", ())


def test_everything_wrong_with_a_set_up_is_said_and_nothing_is_lost(phone: Phone) -> None:
    reply = phone.new_game("", "x" * 40, "Ann🙂", "Ben", "ben", limit="lots")
    assert reply.status_code == 400
    page = text(reply)
    for sentence in (
        "Player 1 has no name yet.",
        "The name of player 2 has 40 letters; 20 are the most.",
        "The name of player 3 may have letters, digits, spaces and - ' . only.",
        "Two players are called ben; add a letter to tell them apart.",
        "The option limit cannot be “lots”; it may be 1–1000, one_hand.",
    ):
        assert sentence in page
    assert 'value="Ben"' in reply.text, "what was typed is still there"
    assert phone.referee.moment.session is None


def test_the_set_up_remembers_the_people_of_last_time(phone: Phone) -> None:
    phone.new_game("Anna", "Ben", "Cleo", "Dag")
    page = phone.get("/new").text
    assert all(f'value="{name}"' in page for name in ("Anna", "Ben", "Cleo", "Dag"))


def test_another_game_offers_as_many_seats_as_it_has(phone: Phone) -> None:
    phone.new_game("Anna", "Ben", "Cleo", "Dag", "Edda", "Finn")
    page = phone.get("/new?game=valhalla").text
    assert page.count('name="name"') == 5
    assert 'value="Dag" maxlength' in page
    assert 'value="Edda" maxlength' not in page
    assert phone.get("/new?game=chess").status_code == 404


def test_a_play_a_refusal_and_letting_it_stand(phone: Phone) -> None:
    phone.new_game()
    assert phone.say("deal", "A").headers["X-Verdict"] == "accepted"
    phone.say("A", "r3")
    refused = phone.say("B", "b2")
    assert refused.headers["X-Verdict"] == "refused"
    assert "2 does not beat 3." in text(refused)
    assert "ODIN-PLAY-1" in text(refused)
    assert "Let it stand" in text(refused)
    stood = phone.say("B b2", stand="yes")
    assert stood.headers["X-Verdict"] == "accepted"
    assert "The table let it stand." in text(stood)


def test_what_cannot_stand_is_not_offered(phone: Phone) -> None:
    phone.new_game()
    phone.say("deal A")
    refused = phone.say("A", "r3", "r3")
    assert "Every card exists once" in text(refused)
    assert "Let it stand" not in text(refused)
    assert phone.say("A r3 r3", stand="yes").headers["X-Verdict"] == "refused"


def test_a_page_that_has_not_seen_the_latest_entry_is_told_to_look_again(phone: Phone) -> None:
    phone.new_game()
    before = str(phone.seq)
    phone.say("deal A")
    reply = phone.post("/act", say="deal B", seq=before)
    assert reply.headers["X-Verdict"] == "stale"
    session = phone.referee.moment.session
    assert session is not None
    assert session.refusal is None, "nobody else is bothered with it"
    assert "Player" not in text(reply)
    assert "Anna leads." in text(reply)


def test_what_was_undone_comes_back_by_a_tap(phone: Phone) -> None:
    phone.new_game()
    phone.say("deal A")
    phone.say("A r3")
    assert "Redo" not in phone.get("/").text
    phone.post("/undo", entries="1", seq=str(phone.seq))
    assert "Redo: Anna " in text(phone.get("/"))
    assert phone.post("/redo", seq="1").headers["X-Verdict"] == "stale"
    assert phone.post("/redo", seq=str(phone.seq)).headers["X-Verdict"] == "accepted"
    session = phone.referee.moment.session
    assert session is not None
    assert [entry.action for entry in session.entries] == ["A r3", "deal A"]
    assert "Redo" not in phone.get("/").text
    assert phone.post("/redo", seq=str(phone.seq)).headers["X-Verdict"] == "refused"
    assert session.refusal is None


def test_undo_of_several_entries(phone: Phone) -> None:
    phone.new_game()
    for action in ("deal A", "A r3", "B b5"):
        phone.say(action)
    phone.post("/undo", entries="2", seq=str(phone.seq))
    assert "Anna leads." in text(phone.get("/table"))


def test_drawing_lots_picks_one_of_those_offered(phone: Phone) -> None:
    drawn = set()
    for _ in range(40):
        phone.new_game()
        phone.post("/draw", say=["deal A", "deal B"], seq=str(phone.seq))
        session = phone.referee.moment.session
        assert session is not None
        drawn.add(session.state.hand.starter.name)
    assert drawn == {"A", "B"}


def test_without_a_script_forms_lead_back_to_the_table(phone: Phone) -> None:
    phone.new_game()
    reply = phone.submit("/act", say="deal A", seq=str(phone.seq))
    assert (reply.status_code, reply.location) == (303, "/")
    assert "Anna leads." in text(phone.get("/"))


def test_the_page_presses_buttons(phone: Phone) -> None:
    phone.new_game()
    phone.post("/box/pass")
    phone.post("/box/confirm", hold="yes")
    assert phone.pressed == [("pass", False), ("confirm", True)]
    assert phone.post("/box/lever").status_code == 400


def test_the_next_game_has_the_same_people_and_rules(phone: Phone) -> None:
    phone.new_game("Anna", "Ben", limit="20")
    first = phone.referee.moment.session
    assert phone.post("/again").status_code == 303
    second = phone.referee.moment.session
    assert first is not None
    assert second is not None
    assert (second.setup, second.number) == (first.setup, first.number + 1)


def test_games_are_listed_and_taken_up_again(phone: Phone) -> None:
    assert "No games yet." in text(phone.get("/games"))
    phone.new_game("Anna", "Ben")
    phone.say("deal A")
    phone.new_game("Cleo", "Dag")
    page = text(phone.get("/games"))
    assert "Odin 1" in page
    assert "Odin 2" in page
    phone.post("/games/1/resume")
    assert "Anna leads." in text(phone.get("/"))


def test_long_lists_have_pages(phone: Phone) -> None:
    for _ in range(25):
        phone.new_game()
    first, second = text(phone.get("/games")), text(phone.get("/games?skip=20"))
    assert "Older" in first
    assert "Newer" in second
    assert "Odin 25" in first
    assert "Odin 5 " in second


def test_a_record_is_downloaded(phone: Phone) -> None:
    phone.new_game()
    phone.say("deal A")
    reply = phone.get("/games/1/record")
    assert reply.text.startswith("odin 2\nA: Anna\nB: Ben\nedition: en\n")
    assert 'filename="game-1.txt"' in reply.headers["Content-Disposition"]


def test_the_rules_page_names_every_rule(phone: Phone) -> None:
    page = phone.get("/rules/odin").text
    assert 'id="ODIN-PLAY-1"' in page
    assert 'id="ODIN-INV-4"' in page


def test_the_join_code_is_a_picture_of_this_address(phone: Phone) -> None:
    reply = phone.get("/join.svg")
    assert reply.mimetype == "image/svg+xml"
    assert b"<svg" in reply.data


def test_the_view_for_programs(phone: Phone) -> None:
    assert phone.get("/view.json").json is None
    phone.new_game()
    found = phone.get("/view.json").json
    assert found is not None
    assert found["names"] == ["Anna", "Ben"]
    assert found["waiting"]["sentence"] == "Deal, and draw who leads."


@pytest.mark.parametrize(
    ("header", "sentence"),
    [("de-AT,de;q=0.9", "Wer spielt mit?"), ("pt", "Who plays?"), ("", "Who plays?")],
)
def test_the_browser_says_which_language_its_reader_reads(
    phone: Phone, header: str, sentence: str
) -> None:
    assert sentence in text(phone.client.get("/new", headers={"Accept-Language": header}))


def test_a_reader_may_choose_another_language(phone: Phone) -> None:
    phone.post("/language", language="de")
    assert "Wer spielt mit?" in text(phone.get("/new"))
    assert phone.post("/language", language="tlh").status_code == 400


@pytest.mark.parametrize(
    ("path", "fields", "status", "sentence"),
    [
        ("/act", {"say": "deal A"}, 400, "seq must be a whole number"),
        ("/act", {"say": "deal A", "seq": "x" * 50}, 400, "seq must be a whole number"),
        ("/act", {"seq": "1"}, 400, "nothing is written here"),
        ("/act", {"say": "A x9", "seq": "1"}, 400, "'x9' is not a card"),
        ("/act", {"say": "A " + "r1 " * 500, "seq": "1"}, 400, "400 are the most"),
        ("/undo", {"seq": "1", "entries": "-1"}, 400, "entries must be a whole number"),
        ("/draw", {"seq": "1"}, 400, "nothing to draw from"),
        ("/games/77/resume", {}, 404, "no game 77"),
        ("/games", {"game": "chess", "name": "Anna"}, 404, "no game is called 'chess'"),
        ("/act", {"say": "A", "junk": "x" * 70_000}, 413, "exceeds"),
        ("/nowhere", {}, 404, "not found"),
    ],
)
def test_malformed_requests_get_a_sentence_and_change_nothing(
    phone: Phone, path: str, fields: dict[str, str], status: int, sentence: str
) -> None:
    phone.new_game()
    before = phone.referee.moment.session
    reply = phone.post(path, **fields)
    assert (reply.status_code, reply.mimetype) == (status, "text/plain")
    assert sentence in reply.text
    assert "Traceback" not in reply.text
    assert phone.referee.moment.session is before


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "http://[", "null"])
def test_a_page_elsewhere_on_the_web_cannot_play(phone: Phone, origin: str) -> None:
    phone.new_game()
    reply = phone.client.post(
        "/act",
        data={"say": "deal A", "seq": "1"},
        headers={"Origin": origin, "X-Live": "1"},
    )
    assert reply.status_code == 403
    assert phone.seq == 1


def test_names_are_shown_as_text_and_never_as_markup(phone: Phone) -> None:
    reply = phone.new_game("<b>Anna</b>", "Ben")
    assert reply.status_code == 400
    assert "<b>Anna" not in reply.text


def test_a_full_disk_is_said_and_the_game_is_as_before(phone: Phone, journal: Journal) -> None:
    phone.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    journal._connection.execute("PRAGMA max_page_count = 1")
    entered: Callable[[], TestResponse] = partial(phone.say, "deal A")
    undone: Callable[[], TestResponse] = lambda: phone.post("/undo", seq=str(phone.seq))  # noqa: E731
    reply, do = entered(), entered
    for do in islice(cycle((undone, entered)), 800):  # until the last free page is used up
        reply = do()
        if reply.status_code != 200:
            break
    assert reply.status_code == 507
    assert "Free some disk space" in reply.text
    stuck = phone.seq
    assert "could not be written" in text(phone.get("/"))
    journal._connection.execute("PRAGMA max_page_count = 10000")
    assert do().headers["X-Verdict"] == "accepted"
    assert phone.seq == stuck + 1


@pytest.mark.parametrize(
    ("size", "answer"), [(64_001, 303), (200_000, 303), (200_001, 400), (300_000, 413)]
)
def test_a_sheet_may_be_as_large_as_is_said(
    referee: Referee, journal: Journal, tmp_path: Path, size: int, answer: int
) -> None:
    client = create_app(Parts(referee, journal, sheets=sheets_in(tmp_path))).test_client()
    sheet = (b"#" * 99 + b"\n") * 3000
    game = next(iter(sheets_in(tmp_path)))
    given = {"file": (BytesIO(sheet[: size - 1] + b"\n"), "sheet.toml")}
    assert client.post(f"/sheet/{game}/file", data=given).status_code == answer
