"""The page on a phone: it stays useful while the box is away, and keeps the screen awake."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Companion, Seat, Sit

pytestmark = pytest.mark.browser
LOCKS = """
window.locks = [];
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async (kind) => {
  locks.push(kind);
  return new EventTarget();
} } });
"""
NO_LOCK = "delete Navigator.prototype.wakeLock;"


def test_the_page_stays_useful_while_the_box_is_away(sit: Sit, companion: Companion) -> None:
    seat = sit()
    seat.expected = re.compile("net::ERR_|Failed to load resource")
    page = seat.page
    seat.set_up(("Anna", "Ben"))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    seat.tap("Anna")
    seat.lay("red 3")
    seat.waits_for("Ben's turn.")
    for path in ("/rules/odin", "/people", "/"):
        seat.open(path)
        page.wait_for_load_state("load")
    companion.kill(signal.SIGKILL)

    seat.open("/")  # the table as it was, and what is the matter
    seat.waits_for("Ben's turn.")
    seat.middle_is("3")
    expect(page.locator("#away")).to_be_visible()
    seat.open("/rules/odin")
    page.get_by_role("searchbox").fill("goat")
    expect(page.locator("[data-rule]:visible").first).to_be_visible()
    seat.open("/people")
    expect(page.get_by_role("heading", name="People")).to_be_visible()
    seat.open("/print")  # never seen before
    expect(page.locator("[data-returns]")).to_be_visible()

    companion.start()
    seat.waits_for("Ben's turn.")  # by itself
    seat.lay("blue 4")
    seat.waits_for("Anna's turn.")


def test_the_screen_stays_awake_at_the_table_and_only_there(sit: Sit) -> None:
    seat = sit()
    seat.page.add_init_script(LOCKS)
    seat.set_up(("Anna", "Ben"))
    seat.open("/")
    seat.page.wait_for_function("locks.length > 0")
    assert seat.page.evaluate("locks") == ["screen"]
    seat.open("/people")
    seat.page.wait_for_load_state("load")
    assert seat.page.evaluate("locks") == []


def test_a_silent_film_does_it_where_the_browser_has_no_lock(
    browser: Browser, companion: Companion, sit: Sit
) -> None:
    sit().set_up(("Anna", "Ben"))
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.add_init_script(NO_LOCK)
    phone = Seat(context.new_page(), companion.address)
    phone.open("/")
    phone.page.wait_for_load_state("load")
    film = phone.page.locator("video.keeps-awake")
    expect(film).to_have_count(0)
    phone.page.locator(".verdict h1").tap()
    expect(film).to_have_count(1)
    phone.page.wait_for_function("!document.querySelector('video.keeps-awake').paused")
    context.close()
    assert phone.complaints == []
