"""Old games step by step, and games that would take the running one's place."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from companion.ledger.journal import Journal
from tests.dashboard.phone import Phone, text
from tests.people.games import play


def test_a_game_is_looked_at_step_by_step_and_nothing_else_changes(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    phone.say("deal A")
    phone.say("A r3")
    phone.new_game("Cleo", "Dag")
    before = phone.referee.moment
    steps = [text(phone.get(f"/games/1?step={step}")) for step in range(3)]
    assert "The table before the first entry" in steps[0]
    assert "Dealt; Anna leads." in steps[1].partition("All steps")[0]
    assert "Anna lays red 3." in steps[2].partition("All steps")[0]
    assert "Anna lays red 3." in text(phone.get("/games/1?step=999"))
    assert phone.referee.moment is before
    assert "Cleo" in text(phone.get("/"))
    assert phone.get("/games/77").status_code == 404


def test_what_is_looked_at_cannot_be_acted_on(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    phone.say("deal A")
    page = phone.get("/games/1").text
    assert '<fieldset disabled class="looked-at"' in page


def test_another_game_asks_before_it_takes_the_running_ones_place(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    phone.say("deal A")
    running = phone.referee.moment.session
    reply = phone.submit("/games", name=["Cleo", "Dag"], **{"option.limit": "20"})
    page = text(reply)
    assert "A game is running" in page
    assert 'name="option.limit" value="20"' in reply.text
    assert phone.referee.moment.session is running
    for path in ("/again",):
        assert "A game is running" in text(phone.submit(path))
    phone.submit("/games", name=["Cleo", "Dag"], sure="yes")
    phone.say("deal A")
    assert "A game is running" in text(phone.get("/games/1/resume"))
    assert "A game is running" in text(phone.submit("/games/1/resume"))
    phone.submit("/games/1/resume", sure="yes")
    session = phone.referee.moment.session
    assert session is not None
    assert session.number == 1


def test_a_finished_game_has_a_picture_to_share(phone: Phone, journal: Journal) -> None:
    three = ("Anna", "Ben", "Zoë Őrs")
    number = play(journal, three, 3, "2026-11-05T20:00:00.000Z")
    reply = phone.get(f"/games/{number}/picture.png")
    assert reply.mimetype == "image/png"
    assert Image.open(BytesIO(reply.data)).size == (1080, 1350)
    phone.new_game()
    assert phone.get("/games/2/picture.png").status_code == 400


def test_the_rules_by_chapter_with_the_tables_own(phone: Phone) -> None:
    phone.new_game("Anna", "Ben", limit="20", goat="true")
    page = text(phone.get("/rules/odin"))
    assert page.index("What is in the box") < page.index("Laying a set") < page.index("Winning")
    assert "Point limit : 20 the edition: 15" in page
    assert "Grumpy Goat : yes the edition: no" in page


def test_the_set_up_offers_people_and_says_what_the_edition_says(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    phone.new_game("Cleo", "Dag", "Edda")
    page = phone.get("/new").text
    assert 'data-names="Anna|Ben"' in page
    assert [page.index(f'data-name="{name}"') for name in ("Cleo", "Edda", "Anna")] == sorted(
        page.index(f'data-name="{name}"') for name in ("Cleo", "Edda", "Anna")
    )
    assert "the edition: 9" in page
    german = phone.get("/new?game=odin&edition=de").text
    assert 'value="de" checked' in german
