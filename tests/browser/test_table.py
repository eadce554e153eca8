"""Odin on the page, from set-up to the winner, as people would do it."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, Companion, Seat, Sit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_whole_game_by_taps_and_buttons_with_two_browsers_in_step(sit: Sit) -> None:
    anna, wall = sit(), sit(DESKTOP)
    anna.open()
    anna.photograph("set-up-phone")
    anna.set_up(("Anna", "Ben"), hand_size="4", limit="4")
    wall.open()
    wall.waits_for("Deal, and draw who leads.")
    anna.tap("Anna")

    # A lead, and a play that is refused, let stand, and taken back after all.
    wall.waits_for("Anna leads.")
    anna.lay("red 3")
    anna.middle_is("3")
    wall.waits_for("Ben's turn.")
    anna.lay("blue 2")
    anna.sees("2 does not beat 3.")
    expect(anna.page.locator(".refusal .face")).to_have_text("2 blue 2")
    anna.page.get_by_text("Why?").click()
    anna.sees("ODIN-PLAY-1")
    anna.sees("The middle is worth 65.")  # the example of that rule
    anna.lamp("red", lit=True)
    wall.sees("2 does not beat 3.")
    anna.photograph("refused-phone")
    anna.tap("Let it stand")
    wall.middle_is("2")
    wall.sees("The table let it stand.")
    anna.lamp("red", lit=False)
    anna.press("hold")
    wall.middle_is("3")
    wall.waits_for("Ben's turn.")

    _two_cards_and_a_take(anna, wall)
    _passes_and_the_end_of_a_hand(anna, wall)
    _a_hand_over_the_limit(anna, wall)


def test_sheets_catch_up_though_a_finger_rested_while_the_table_came_twice(sit: Sit) -> None:
    seat = sit()
    seat.open()
    seat.set_up(("Anna", "Ben"), hand_size="4", limit="4")
    seat.tap("Anna")
    seat.lay("red 3")
    seat.lay("blue 2")
    seat.lamp("red", lit=True)

    page = seat.page
    page.evaluate("table.dispatchEvent(new PointerEvent('pointerdown'))")
    page.evaluate(
        "table.querySelector('[name=stand]').form.requestSubmit(table.querySelector('[name=stand]'))"
    )
    seat.waits_for("Anna's turn.")  # drawn from the answer
    page.wait_for_function("busy.missed !== null")  # and the stream brought the same table
    page.evaluate("dispatchEvent(new PointerEvent('pointerup'))")
    seat.lamp("red", lit=False)


def _two_cards_and_a_take(anna: Seat, wall: Seat) -> None:
    anna.lay("blue 5", "blue 4")
    wall.middle_is("54")
    anna.lay("green 7", "green 6")
    wall.waits_for("Anna takes one card.")
    anna.lamp("amber", lit=True)
    anna.photograph("take-phone")
    anna.tap("blue 5")
    wall.waits_for("Ben's turn.")
    wall.photograph("table-desktop")
    anna.page.reload()
    anna.waits_for("Ben's turn.")
    anna.middle_is("76")


def _passes_and_the_end_of_a_hand(anna: Seat, wall: Seat) -> None:
    anna.press("pass")
    wall.waits_for("Anna leads.")
    anna.lay("black 9")
    wall.tap("Pass")
    anna.waits_for("Anna leads.")
    anna.lay("blue 5")
    wall.waits_for("Anna is out. Count the cards left.")
    anna.press("confirm")
    wall.waits_for("Deal; Ben leads.")
    anna.press("confirm")


def _a_hand_over_the_limit(anna: Seat, wall: Seat) -> None:
    for card in ("red 9", "red 8", "red 7"):
        wall.waits_for("Ben leads.")
        wall.lay(card)
        wall.waits_for("Anna's turn.")
        wall.tap("Pass")
    wall.lay("red 6")
    wall.waits_for("Ben is out. Count the cards left.")
    wall.tap("Count")
    anna.waits_for("The game is over.")
    anna.sees("Ben wins")
    anna.open_sheet("points")
    totals = anna.page.locator(".scores tfoot td")
    expect(totals).to_have_text(["4", "3"])
    anna.close_sheet("points")
    anna.photograph("over-phone")
    wall.photograph("over-desktop")
    anna.tap("Next game, same people")
    wall.waits_for("Deal, and draw who leads.")
    wall.tap("Draw the leader by lot")
    expect(anna.page.locator(".waiting h1")).to_have_text(re.compile("(Anna|Ben) leads."))


def test_the_page_outlives_the_server(sit: Sit, companion: Companion) -> None:
    ben = sit()
    ben.expected = re.compile("net::ERR_")
    ben.set_up(("Anna", "Ben", "Cleo"))
    ben.tap("Anna")
    ben.lay("red 3")
    ben.waits_for("Ben's turn.")
    companion.kill(signal.SIGKILL)
    ben.sees("The companion is away.")
    ben.photograph("away-phone")
    companion.start()
    ben.sees("The companion is back.")
    ben.waits_for("Ben's turn.")
    ben.middle_is("3")
    expect(ben.page.locator("#away")).to_be_hidden()
    ben.lay("blue 4")
    ben.waits_for("Cleo's turn.")


def test_german_from_set_up_to_refusal(sit: Sit) -> None:
    seat = sit(language="de")
    seat.open()
    seat.sees("Wer spielt mit?")
    expect(seat.page.locator(".editions :checked")).to_have_value("de")
    seat.seat_people(("Spieler 1", "Spieler 2"))
    seat.tap("Los")
    seat.waits_for("Wer am lautesten lacht, eröffnet: Tippt den Namen an.")
    seat.tap("Spieler 1")
    seat.lay("rote 3")
    seat.lay("blaue 2")
    seat.sees("2 schlägt 3 nicht.")
    seat.photograph("refused-german")
    seat.tap("Ändern")
    expect(seat.page.locator(".refusal")).to_have_count(0)
    expect(seat.page.get_by_role("checkbox", name="blaue 2")).not_to_be_checked()
    seat.page.locator(".tongue").click()
    seat.page.locator(".languages button", has_text="EN").click()
    seat.waits_for("Spieler 2's turn.")


def test_without_a_script_the_forms_still_keep_the_game(sit: Sit) -> None:
    seat = sit(script=False)
    seat.set_up(("Anna", "Ben"))
    seat.tap("Anna")
    seat.waits_for("Anna leads.")
    seat.lay("red 3")
    seat.waits_for("Ben's turn.")
    seat.lay("blue 2")
    seat.sees("2 does not beat 3.")


def test_a_pulled_plug_is_told_though_nothing_says_so(sit: Sit, companion: Companion) -> None:
    seat = sit()
    seat.page.clock.install()
    seat.set_up(("Anna", "Ben"))
    seat.sees("Draw the leader by lot")
    seat.page.wait_for_load_state()  # its words stand before its scripts have come
    assert companion.process is not None
    companion.process.send_signal(signal.SIGSTOP)  # it falls silent, and no connection ends
    told = seat.page.get_by_text("The companion is away.")
    try:
        for _ in range(10):  # the stream may open, and begin to wait anew, after the first leap
            seat.page.clock.fast_forward(30_000)
            seat.page.wait_for_timeout(500)
            if told.is_visible():
                break
        expect(told).to_be_visible()
    finally:
        companion.process.send_signal(signal.SIGCONT)
    seat.sees("The companion is back.")
    seat.page.clock.fast_forward(3_000)
    expect(seat.page.locator("#away")).to_be_hidden()


def test_a_request_that_got_lost_is_not_the_end(sit: Sit) -> None:
    anna, ben = sit(), sit(routed=True)
    anna.set_up(("Anna", "Ben"))
    ben.open()
    ben.expected = re.compile("ERR_FAILED")
    ben.page.route("**/act", lambda route: route.abort())
    ben.tap("Anna")
    ben.sees("The companion is away.")
    anna.tap("Ben")
    ben.sees("The companion is back.")
    ben.waits_for("Ben leads.")


def test_choosing_outlives_what_others_do_meanwhile(sit: Sit) -> None:
    anna, ben = sit(), sit()
    anna.set_up(("Anna", "Ben"))
    anna.tap("Anna")
    ben.open()
    for card in ("red 3", "red 7"):
        anna.page.get_by_role("checkbox", name=card).check()
    expect(anna.page.locator("[data-worth]")).to_have_text("73")
    ben.lay("blue 9")
    ben.waits_for("Ben's turn.")
    anna.waits_for("Ben's turn.")
    expect(anna.page.get_by_role("checkbox", name="red 7")).to_be_checked()
    expect(anna.page.locator("[data-worth]")).to_have_text("73")


def test_the_goat_is_asked_for_when_hands_are_counted(sit: Sit) -> None:
    seat = sit()
    seat.set_up(("Anna", "Ben"), hand_size="1", goat="true", limit="20")
    seat.tap("Anna")
    seat.lay("red 3")
    seat.waits_for("Anna is out. Count the cards left.")
    seat.sees("Who holds the goat?")
    seat.photograph("count-phone")
    seat.page.locator(".goat label", has_text="Ben").click()
    seat.tap("Count")
    seat.waits_for("Deal; Ben leads.")
    expect(seat.page.locator(".scores tfoot td")).to_have_text(["0", "5"])


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_sticks_out_at_the_side(sit: Sit, width: int) -> None:
    seat = sit({"width": width, "height": 800})
    seat.set_up(("Maximiliane Charlott", "Ben", "Cleo", "Dag", "Edda", "Finn"))
    for path in ("/", "/new", "/games", "/rules/odin"):
        seat.open(path)
        wide = seat.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
    seat.open()
    seat.tap("Ben")
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= width
    seat.open("/new?game=valhalla")
    seat.tap("Go")
    seat.page.locator(".asking .button.main").click()  # in place of the running game
    seat.page.get_by_role("button", name="Ben", exact=True).click()
    seat.press("confirm")
    seat.waits_for("Turn up: Ben, Cleo, Dag, Maximiliane Charlott.")
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= width


def test_wrong_names_are_told_and_nothing_typed_is_lost(sit: Sit) -> None:
    seat = sit()
    seat.expected = re.compile("status of 400")
    seat.set_up(("Anna", "Anna"))
    seat.sees("Two players are called Anna")
    expect(seat.page.get_by_role("combobox", name="Player 2")).to_have_value("Anna")


def test_light_or_dark_is_chosen_and_remembered(sit: Sit) -> None:
    seat = sit()
    seat.page.emulate_media(color_scheme="dark")
    seat.set_up(("Anna", "Ben"))
    root = seat.page.locator("html")
    ground = "() => getComputedStyle(document.documentElement).getPropertyValue('--ground')"
    seat.open_sheet("more")
    dark = seat.page.evaluate(ground)
    seat.page.get_by_role("radio", name="light").check()
    assert seat.page.evaluate(ground) != dark
    seat.page.reload()  # the page comes light from the box
    expect(root).to_have_attribute("data-theme", "light")
    seat.tap("Anna")  # a live change leaves the choice alone
    seat.open_sheet("more")
    expect(seat.page.locator(".themes :checked")).to_have_value("light")
    seat.page.get_by_role("radio", name="automatic").check()
    seat.page.reload()
    assert root.get_attribute("data-theme") is None
    assert seat.page.evaluate(ground) == dark
