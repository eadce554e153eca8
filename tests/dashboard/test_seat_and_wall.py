"""Somebody's own phone, and the screen on the wall."""

from __future__ import annotations

import pytest

from companion.core.game import Setup
from companion.ledger.events import Source
from tests.catalogue import GAMES
from tests.dashboard.phone import Phone, text


def test_a_phone_says_whose_it_is_and_sees_its_own_turn_and_cards(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    assert text(phone.get("/seat/part")).strip() == ""
    assert phone.submit("/seat", name="Ben").status_code == 303
    phone.say("deal A")
    assert "Anna leads." in text(phone.get("/seat/part"))
    phone.say("A r5")
    assert "Your turn, Ben" in text(phone.get("/seat/part"))
    phone.say("B r8 g8")
    part = text(phone.get("/seat/part"))
    assert "Everybody saw you take 5 red 5" in part
    assert "In your hand 8" in part
    assert "Everybody saw you take" in text(phone.get("/"))
    phone.submit("/seat", name="")
    assert text(phone.get("/seat/part")).strip() == ""


def test_a_phone_cannot_be_somebodys_who_is_not_there(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    assert phone.submit("/seat", name="Zoe").status_code == 400
    phone.client.set_cookie("seat", "\x00<b>" * 50)
    assert phone.get("/seat/part").status_code == 200


def test_in_the_next_game_it_is_still_their_phone(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    phone.submit("/seat", name="Ben")
    phone.new_game("Ben", "Cleo")
    phone.say("deal A")
    assert "Your turn, Ben" in text(phone.get("/seat/part"))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_wall_and_own_seats(phone: Phone, game: str) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora")[: GAMES[game].SEATS[0]]
    phone.referee.open(Setup(game, names), Source.PAGE)
    phone.submit("/seat", name="Anna")
    assert phone.get("/seat/part").status_code == 200
    page = text(phone.get("/wall"))
    assert all(name in page for name in names)


def test_the_wall_has_no_controls_and_follows_the_game(phone: Phone) -> None:
    assert "No game is on the table." in text(phone.get("/wall"))
    phone.new_game("Anna", "Ben")
    phone.say("deal A")
    phone.say("A r5")
    page = phone.get("/wall")
    assert not any(tag in page.text for tag in ("<form", "<button", "<input", "<a "))
    part = text(phone.get("/wall/part"))
    assert "Value to beat 5" in part
    assert "Ben's turn." in part
    assert "Anna lays red 5." in part
    phone.say("B r4")
    assert "4 does not beat 5." in text(phone.get("/wall/part"))
