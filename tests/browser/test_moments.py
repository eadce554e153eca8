"""Moments in a real browser: what is worth a second of motion has it, and none of it moves where
people ask for less."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import every_page
from tests.browser.conftest import Companion, Seat
from tests.browser.driving import VALHALLA, open_game, say

pytestmark = pytest.mark.browser
NOTED = """
window.due = new Set();
window.had = new Set();
window.moved = new Set();
const LAST = "data-last-moment";
const noted = { subtree: true, attributeFilter: ["class", LAST], attributeOldValue: true };
new MutationObserver((changes) => {
  for (const { target, attributeName, oldValue } of changes) {
    // One drawing may have several moments: all but the last are old values by now.
    if (attributeName === LAST) due.add(oldValue).add(target.dataset.lastMoment);
    if (target.classList.contains("moment")) had.add(target.dataset.moment);
  }
}).observe(document, noted);
addEventListener("animationstart", ({ target }) => {
  const part = target.closest?.(".moment");
  if (part) moved.add(part.dataset.moment);
}, true);
"""
"""Notes which moments were due, which parts showed theirs, and which of them moved."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    folder: Path = tmp_path_factory.mktemp("moments")
    every_page.fill_in_sheet(folder)
    companion = Companion(folder, "--camera", "none")
    companion.start()
    yield companion
    companion.kill(15)


def moments(seat: Seat) -> Iterator[str]:
    """A table of each game; each moment, when it is due."""
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="2")
    say(seat, "deal A")
    yield from _reached(seat, "laid", "A r5")
    yield from _reached(seat, "hand", "count 0 1")
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="1")
    say(seat, "deal A", "A r5")
    yield from _reached(seat, "victory", "count 0 1")
    open_game(seat, "odin", ("Anna", "Ben"))
    say(seat, "deal A", "A r5")
    seat.lay("blue 2")
    expect(seat.page.locator(".refusal")).to_be_visible()
    yield "refused"
    open_game(seat, "valhalla", every_page.NAMES)
    say(seat, *VALHALLA[:8])
    yield from _reached(seat, "battle", "armory sword")
    yield from _reached(seat, "draugr", "armory draugr")
    open_game(seat, "valhal", ("Anna", "Ben"))
    say(seat, *every_page.BATTLE[:8])
    yield from _reached(seat, "battle", "A rolls 1", "town rolls 4")


def _reached(seat: Seat, moment: str, *lines: str) -> Iterator[str]:
    say(seat, *lines)
    yield moment


def sit_down(browser: Browser, table: Companion, *, still: bool) -> Seat:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        locale="en",
        reduced_motion="reduce" if still else "no-preference",
    )
    context.add_init_script(NOTED)
    return Seat(context.new_page(), table.address)


def test_each_moment_moves(browser: Browser, table: Companion) -> None:
    seat = sit_down(browser, table, still=False)
    for moment in moments(seat):
        seat.page.wait_for_function("moment => had.has(moment)", arg=moment)
        seat.page.wait_for_function("moment => moved.has(moment)", arg=moment)
    seat.page.context.close()
    assert seat.complaints == []


def test_nothing_moves_where_people_ask_for_less(browser: Browser, table: Companion) -> None:
    seat = sit_down(browser, table, still=True)
    for moment in moments(seat):
        seat.page.wait_for_function("moment => due.has(moment)", arg=moment)
        assert seat.page.evaluate("[...had, ...moved]") == [], moment
    seat.page.context.close()
