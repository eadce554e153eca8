"""People on the page: figures, names, and being forgotten."""

from __future__ import annotations

import csv
from io import StringIO

from companion.ledger.journal import Journal
from tests.dashboard.phone import Phone, text
from tests.people.games import play


def played(journal: Journal) -> None:
    for seed, month in enumerate(("09", "10", "11")):
        play(journal, ("Anna", "Ben"), seed, f"2026-{month}-05T20:00:00.000Z")
    play(journal, ("Anna", "Benny"), 9, "2026-11-06T20:00:00.000Z")


def test_before_the_first_game_there_is_nobody(phone: Phone) -> None:
    page = text(phone.get("/people"))
    assert "When a game is finished, everybody who played it is here." in page


def test_everybody_with_leaders_by_game_and_month(phone: Phone, journal: Journal) -> None:
    played(journal)
    page = text(phone.get("/people?game=odin&month=2026-10"))
    assert "Highest value laid" in page
    assert page.count("4 games") == 1
    board = page[page.index("Leaderboard") :]
    assert "Benny" not in board.partition("The best so far")[0].partition("Longest row")[2]
    assert phone.get("/people?game=chess&month=1999-01").status_code == 200


def test_a_person_has_a_page_and_keeps_games_under_another_name(
    phone: Phone, journal: Journal
) -> None:
    played(journal)
    assert "4 games" in text(phone.get("/people")).replace("games 4", "4 games")
    assert phone.submit("/people/2/name", name="Benjamin").status_code == 303
    page = text(phone.get("/people/2"))
    assert "also played as Ben" in page
    assert "Benjamin" in text(phone.get("/games"))
    assert phone.submit("/people/2/name", name="anna").status_code == 400
    assert phone.submit("/people/2/name", name="<b>").status_code == 400
    assert phone.get("/people/99").status_code == 400


def test_two_who_are_one_are_merged_unless_they_have_met(phone: Phone, journal: Journal) -> None:
    played(journal)
    phone.get("/people")
    refused = phone.submit("/people/2/merge", into="1")
    assert refused.status_code == 400
    assert "they are two people" in text(refused)
    assert phone.submit("/people/3/merge", into="2").status_code == 303
    rows = list(csv.DictReader(StringIO(phone.get("/people.csv").text)))
    assert {row["person"] for row in rows} == {"Anna", "Ben"}


def test_who_is_forgotten_is_nowhere_on_the_page(phone: Phone, journal: Journal) -> None:
    played(journal)
    phone.get("/people")
    assert phone.submit("/people/2/forget").status_code == 400
    assert phone.submit("/people/2/forget", sure="yes").status_code == 303
    for path in ("/people", "/people.csv", "/games", "/games/1", "/new", "/people/1"):
        page = text(phone.get(path))
        assert "Ben " not in page.replace("Benny", ""), path
    assert "somebody" in text(phone.get("/games"))


def test_an_emblem_is_kept(phone: Phone, journal: Journal) -> None:
    played(journal)
    phone.get("/people")
    assert phone.submit("/people/1/emblem", emblem="4", colour="7").status_code == 303
    assert 'class="emblem p7 huge"' in phone.get("/people/1").text
    assert phone.submit("/people/1/emblem", emblem="99", colour="7").status_code == 400


def test_a_damaged_file_of_people_keeps_nobody_from_playing(phone: Phone, journal: Journal) -> None:
    (journal.path.parent / "people.toml").write_text("person = 3")
    assert phone.new_game("Anna", "Ben").status_code == 303
    for path in ("/", "/games", "/new", "/games/1"):
        assert phone.get(path).status_code == 200, path
    reply = phone.get("/people")
    assert reply.status_code == 400
    assert "people.toml" in reply.text
