"""Valhalla on the page: a whole game of three with a clash, a battle, a double Draugr, a last
stand survived, two that are not, and a winner."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, Seat, Sit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def set_up(seat: Seat, *names: str) -> None:
    seat.open("/new?game=valhalla")
    seat.seat_people(names)
    seat.tap("Go")


def choose(seat: Seat, who: str, words: str, group: str = "") -> None:
    """Whose cards, where several could; then one tap, or two where there are many."""
    asked = seat.page.locator(f".asked[data-asked={who}]")
    expect(seat.page.locator("#table:not([inert])")).to_be_attached()
    asked.wait_for(state="attached")
    if not asked.is_visible():
        seat.page.locator(f".entry label:has(#tab-asked-{who})").click()
    row = asked.locator(".tab-row label", has_text=group)
    if group and row.count():
        row.click()
    buttons = asked.locator(f"[data-group='{group}']")
    buttons.get_by_role("button", name=words, exact=True).click()


def reveal(seat: Seat, who: str, main: str, support: str) -> None:
    choose(seat, who, support, group=f"Main: {main}")


def test_a_whole_game_of_three(sit: Sit) -> None:
    anna, wall = sit(), sit(DESKTOP)
    set_up(anna, "Anna", "Ben", "Cleo")
    wall.open()
    choose(anna, "table", "Anna")
    _nothing_is_revealed_early(anna, wall)
    _a_clash_and_a_double_draugr(anna, wall)
    _a_battle_with_two_last_stands(anna, wall)
    _the_second_turn_decides(anna, wall)


def _nothing_is_revealed_early(anna: Seat, wall: Seat) -> None:
    wall.waits_for("Lay Main and Support face down: Anna, Ben, Cleo.")
    choose(anna, "table", "Ben is ready")
    wall.waits_for("Lay Main and Support face down: Anna, Cleo.")
    expect(wall.page.locator("[data-seat=B] .laid .down")).to_have_count(2)
    expect(wall.page.locator("[data-seat=B] .laid")).not_to_contain_text("Hammer")
    anna.press("confirm")  # everybody is ready
    wall.waits_for("Turn up: Anna, Ben, Cleo.")
    anna.photograph("valhalla-reveal-phone")


def _a_clash_and_a_double_draugr(anna: Seat, wall: Seat) -> None:
    reveal(anna, "A", "Hammer", "Wolf")
    reveal(anna, "B", "Hammer", "Sword")
    reveal(anna, "C", "Axe", "Hammer")
    wall.sees("Anna clashes: Hammer to the discard pile.")
    wall.waits_for("Cleo: draw, take, or nothing.")
    choose(anna, "C", "Draw, shows Draugr, Draugr")
    wall.waits_for("Draugr! Cards are lost by Cleo.")
    expect(wall.page.locator("[data-seat=C] .flags")).to_contain_text("loses 2")
    anna.lamp("amber", lit=True)
    choose(anna, "C", "Sword", group="from hand")
    choose(anna, "C", "Wolf", group="from hand")
    anna.photograph("valhalla-battle-phone")


def _a_battle_with_two_last_stands(anna: Seat, wall: Seat) -> None:
    wall.waits_for("Battle: reveal the next card.")
    wall.sees("Hammer of Cleo: a lone Draugr costs two")
    for number in range(1, 5):
        choose(anna, "table", "Draugr")
        if number < 4:
            wall.sees(f"Draugr {number}: Anna, Ben lose 1 each.")
    wall.waits_for("Anna makes a last stand: three cards.")
    wall.photograph("valhalla-last-stand-desktop")
    choose(anna, "A", "Hammer, Hammer, Draugr", group="A Draugr is among them")
    expect(wall.page.locator("[data-seat=A] .flags")).to_contain_text("out of the game")
    wall.waits_for("Ben makes a last stand: three cards.")
    choose(anna, "B", "Hammer, Sword, Axe", group="Keeps Axe")
    wall.waits_for("Ben takes a card of the armory.")
    choose(anna, "B", "Take Hammer")


def _the_second_turn_decides(anna: Seat, wall: Seat) -> None:
    wall.waits_for("Lay Main and Support face down: Ben, Cleo.")
    anna.press("confirm")
    reveal(anna, "B", "Axe", "Hammer")
    choose(anna, "C", "Axe")  # a single card is left in the hand
    for card in ("Draugr", "Draugr", "Sword", "Wolf"):
        wall.waits_for("Battle: reveal the next card.")
        choose(anna, "table", card)
    wall.sees("Every fighter loses 4.")
    wall.waits_for("Ben makes a last stand: three cards.")
    choose(anna, "B", "Hammer, Hammer, Draugr", group="A Draugr is among them")
    choose(anna, "C", "Sword, Axe, Wolf", group="Keeps Wolf")
    wall.waits_for("The game is over.")
    wall.sees("Cleo wins")
    expect(wall.page.locator(".curve polyline")).to_have_count(3)
    wall.photograph("valhalla-over-desktop")
    anna.photograph("valhalla-over-phone")


def test_a_refusal_names_the_rule_and_how_this_table_reads_it(sit: Sit) -> None:
    seat = sit(language="de")
    seat.open("/new?game=valhalla")
    seat.seat_people(("Spieler 1", "Spieler 2", "Spieler 3"))
    seat.tap("Los")
    seat.type_in("A takes wolf")
    seat.page.locator(".why-fold summary").click()
    seat.sees("VLLA-STR-4b")
    seat.tap("Ändern")
    choose(seat, "table", "Spieler 1")
    seat.press("confirm")
    seat.waits_for("Aufdecken: Spieler 1, Spieler 2, Spieler 3.")
    for who, left in (("A", "Spieler 2, Spieler 3"), ("B", "Spieler 3")):
        seat.type_in(f"{who} reveals axe wolf")
        seat.waits_for(f"Aufdecken: {left}.")
    seat.type_in("C reveals draugr wolf")
    seat.page.locator(".why-fold summary").click()
    seat.sees("VLLA-STR-1")
    seat.sees("unsere Lesart")
    seat.photograph("valhalla-german")
    seat.tap("Ändern")
    seat.type_in("C reveals axe wolf")
    seat.waits_for("Kampf: Deckt die nächste Karte auf.")
