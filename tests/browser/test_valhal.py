"""Valhal on the page: the first year of a game of two, from Vikingfahrt to next summer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from companion.games.valhal.owner_sheet import SHEET as RULES
from companion.ledger.sheets import OwnersSheet
from tests.browser.conftest import DESKTOP, Companion, Seat, Sit
from tests.games.valhal.rules.tables import SHEET

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def wall(sit: Sit, companion: Companion) -> Seat:
    """A table whose copy has its sheet filled in."""
    OwnersSheet("valhal", RULES, companion.folder).write(SHEET)
    seat = sit(DESKTOP)
    seat.open("/new?game=valhal")
    seat.seat_people(("Anna", "Ben"))
    seat.tap("Go")
    return seat


def say(seat: Seat, *lines: str) -> None:
    """By the button that says it, where one can be seen; typed else. Each adds to the history."""
    for line in lines:
        before = seat.page.locator(".history li").first.inner_text()
        button = seat.page.locator(f"button[value='{line}']:visible")
        if button.count():
            button.first.click()
        else:
            seat.type_in(line)
        expect(seat.page.locator(".history li").first).not_to_have_text(before)
        expect(seat.page.locator(".refusal")).to_have_count(0)


def test_the_first_year_of_two_jarls(wall: Seat, sit: Sit) -> None:
    phone = sit()
    phone.open()
    say(wall, "first A", "lay v1", "lay v2", "lay v3")
    say(wall, "A rolls 5", "B rolls 2", "A attacks v1 with warriors on 1", "B stays")

    # A battle: the Warriors are wounded in the first round and win the second.
    say(wall, "A rolls 1", "town rolls 4")
    expect(phone.page.locator("#table")).to_contain_text("wounded")
    phone.photograph("valhal-battle-phone")
    say(wall, "A rolls 6", "town rolls 1")

    # Loot: food goes to the next free space of the display, by itself.
    say(wall, "A draws l2")
    wall.photograph("valhal-loot-desktop")
    say(wall, "lay f1", "lay f2", "lay v4")

    # A commission paid with coin and token takes two steps at once.
    say(wall, "A builds longboat with coin wood")
    wall.photograph("valhal-commission-desktop")
    say(wall, "agree")
    say(phone, "event e1")

    # In winter both spaces have to be filled.
    say(phone, "A pays longboat with coin")
    phone.type_in("A agrees")
    expect(phone.page.locator(".refusal")).to_contain_text("VHAL-FOOD-3")
    phone.photograph("valhal-hungry-phone")
    phone.tap("Change it")
    say(phone, "A feeds winter-2", "A agrees", "B agrees")
    say(wall, "event e1", "agree", "event e1")
    expect(wall.page.locator("#table")).to_contain_text("Year 2")
    expect(phone.page.locator("#table")).to_contain_text("Year 2")
    wall.photograph("valhal-next-summer-desktop")


def test_two_phones_at_once_lose_nothing(wall: Seat, sit: Sit) -> None:
    anna, ben = sit(), sit()
    say(wall, "first A", "lay v1", "lay v2", "lay v3")
    say(wall, "A rolls 5", "B rolls 2", "A stays", "B stays", "lay v4", "lay f1", "lay f2")
    anna.open()
    ben.open()
    for seat, line in ((anna, "A builds longboat with coin"), (ben, "B builds warriors with iron")):
        seat.open_sheet("more")
        seat.page.locator(".typed summary").click()
        seat.page.locator(".typed input[name=say]").fill(line)
    # Ben's finger is down while the table changes under it: his tap still counts.
    ben.page.locator(".typed button").hover()
    ben.page.mouse.down()
    anna.page.locator(".typed button").click()
    expect(ben.page.locator("#heard")).to_contain_text("Anna commissions")
    ben.page.mouse.up()
    for seat in (anna, ben, wall):
        expect(seat.page.locator(".history")).to_contain_text("Anna commissions")
        expect(seat.page.locator(".history")).to_contain_text("Ben commissions")


def test_an_answer_that_comes_late_does_not_bring_back_the_table_as_it_was(
    wall: Seat, sit: Sit
) -> None:
    anna = sit(routed=True)
    anna.open()
    late: list[Callable[[], None]] = []

    def hold_back(route: Route) -> None:
        answer = route.fetch()
        late.append(lambda: route.fulfill(response=answer))

    anna.page.route("**/act", hold_back)
    anna.type_in("first A")
    expect(wall.page.locator(".history")).to_contain_text("Anna gets the starting token")
    say(wall, "lay v1")
    late.pop()()
    expect(anna.page.locator(".typed input[name=say]")).to_have_value("")
    expect(anna.page.locator(".history")).to_contain_text("On the Mainland: v1")


def test_ticks_of_the_set_up_outlive_changes_and_a_reload(wall: Seat, sit: Sit) -> None:
    boxes = ".vh-checklist input[type=checkbox]"
    for at in (0, 2):
        wall.page.locator(".vh-checklist label").nth(at).click()
    phone = sit()
    phone.open()
    say(phone, "first B")  # entered elsewhere: the table is drawn anew
    expect(wall.page.locator(".verdict")).to_contain_text("Mainland")
    assert _ticked(wall, boxes) == [0, 2]
    wall.page.reload()
    expect(wall.page.locator(boxes).first).to_be_attached()
    assert _ticked(wall, boxes) == [0, 2]
    wall.page.locator(".vh-checklist > summary").click()
    wall.page.locator(".vh-checklist label").nth(2).click()
    wall.page.reload()
    expect(wall.page.locator(boxes).first).to_be_attached()
    assert _ticked(wall, boxes) == [0]
    assert _ticked(phone, boxes) == [], "each browser has its own"


def _ticked(seat: Seat, boxes: str) -> list[int]:
    return [at for at, box in enumerate(seat.page.locator(boxes).all()) if box.is_checked()]
