"""A whole game of Valhal by hand on a phone: three Jarls, two years, a copy nobody has described
yet, and not one letter typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.games.valhal.bookkeeping import game
from companion.games.valhal.owner_sheet import SHEET as RULES
from companion.games.valhal.rules.state import Phase
from companion.ledger.sheets import OwnersSheet
from tests.browser.conftest import PHONE, Companion, Seat, Sit
from tests.browser.valhal_hand import Hand

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

UNFOLD = "for (const each of document.querySelectorAll('#table details')) each.open = true"
FOLD = "for (const each of document.querySelectorAll('#table details')) each.open = false"
WIDTH = "document.documentElement.scrollWidth"


def test_two_years_of_three_jarls_without_typing(sit: Sit, companion: Companion) -> None:
    seat = sit()
    seat.open("/new?game=valhal")
    seat.seat_people(("Anna", "Ben", "Cleo"))
    seat.tap("Go")
    seat.page.wait_for_url(f"{seat.address}/")
    expect(seat.page.locator(".board")).to_be_visible()
    loads: list[str] = []
    seat.page.on("framenavigated", lambda frame: loads.append(frame.url))
    hand, looked = Hand(seat.page), set[Phase]()
    for state, line in game():
        if state.phase not in looked:
            looked.add(state.phase)
            _nothing_is_too_wide(seat, state.phase)
        hand.enter(line)
    expect(seat.page.locator(".vh-year")).to_contain_text("Year 3")
    assert loads == [], "an entry loaded the page anew"
    assert {Phase.LAYING, Phase.CHOOSE, Phase.BATTLE, Phase.COMMISSION, Phase.ASK} <= looked
    learnt = dict(OwnersSheet("valhal", RULES, companion.folder).entered)
    assert learnt["town.v1.level"] == "village"  # told with the laying, kept for the next game
    assert "card.lesser.l1" in learnt


def _nothing_is_too_wide(seat: Seat, phase: Phase) -> None:
    """With every fold open."""
    seat.page.evaluate(UNFOLD)
    assert seat.page.evaluate(WIDTH) <= PHONE["width"], phase
    seat.photograph(f"valhal-{phase}-phone")
    seat.page.evaluate(FOLD)
