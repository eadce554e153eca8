"""Old games, remembered people and the wall, in real browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, Sit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WALL = {"width": 1280, "height": 800}


def test_looking_at_an_old_game_leaves_every_other_page_alone(sit: Sit) -> None:
    anna, ben, wall = sit(), sit(DESKTOP), sit(WALL)
    anna.set_up(("Anna", "Ben"))
    anna.tap("Anna")
    anna.lay("red 3")

    # Two taps with remembered people; the running game is not ended without asking.
    anna.page.get_by_role("link", name="New game").first.click()
    anna.tap("Go")
    expect(anna.page.get_by_role("heading", name="A game is running")).to_be_visible()
    anna.tap("Start the new game")
    ben.open()
    wall.open("/wall")
    ben.waits_for("Deal, and draw who leads.")

    anna.open("/games/1")
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("Anna lays red 3.")
    anna.page.keyboard.press("ArrowLeft")
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("Dealt; Anna leads.")
    expect(anna.page.locator(".looked-at form:visible")).to_have_count(0)
    ben.waits_for("Deal, and draw who leads.")

    # The wall has followed into the new game by itself, and can be read from far away.
    expect(wall.page.locator("#wall-part h1")).to_have_text("Deal, and draw who leads.")
    ben.tap("Ben")
    expect(wall.page.locator("#wall-part h1")).to_have_text("Ben leads.")
    for part, least in ((".wall-name", 48), (".wall-points", 48), (".wall-label", 20)):
        size = wall.page.locator(part).first.evaluate(
            "e => parseFloat(getComputedStyle(e).fontSize)"
        )
        assert size >= least, part
    expect(wall.page.locator("button, a, input")).to_have_count(0)


def test_a_phone_that_is_bens_says_when_it_is_his_turn(sit: Sit) -> None:
    anna, ben = sit(), sit()
    anna.set_up(("Anna", "Ben"))
    ben.open()
    ben.tap("More")
    ben.page.get_by_text("Whose phone is this?").click()
    ben.page.locator(".whose").get_by_role("button", name="Ben", exact=True).click()
    expect(ben.page.locator(".mine")).to_contain_text("Ben")
    anna.tap("Anna")
    anna.lay("red 3")
    expect(ben.page.locator(".mine")).to_contain_text("Your turn, Ben")


def test_rules_are_searched_as_one_types(sit: Sit) -> None:
    seat = sit()
    seat.open("/rules/odin")
    seat.page.get_by_role("searchbox").fill("goat")
    expect(seat.page.locator("[data-rule]:visible")).not_to_have_count(0)
    for rule in seat.page.locator("[data-rule]:visible").all():
        assert re.search("goat", rule.inner_text(), re.IGNORECASE)
    seat.page.get_by_role("searchbox").fill("zeppelin")
    expect(seat.page.get_by_text("No rule has these words.")).to_be_visible()
