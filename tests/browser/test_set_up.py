"""Set-up in a real browser, by touch at a phone's size: from an empty data folder to a watched
play with an own deck."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Seat, Sit

LEARNING_MS = 120_000
WATCHING_MS = 120_000
WAITING_MS = 20_000
"""For what the camera has to see first."""


@pytest.fixture
def camera() -> tuple[str, ...]:
    """Nothing is said at the start: whoever sets the box up chooses on the page."""
    return ()


def tap(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).or_(
        page.get_by_role("link", name=words, exact=True)
    ).first.tap()


def no_wider_than_the_phone(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def drag_by_finger(page: Page, handle: Locator, dx: float, dy: float) -> None:
    """With the touch events of a finger, as the browser gives them."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for share in (0.3, 0.6, 1.0):
        point = {"x": x + share * dx, "y": y + share * dy}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def the_table_is_found(seat: Seat) -> None:
    page = seat.page
    expect(page.get_by_role("heading", name="Where the table is")).to_be_visible()
    expect(page.locator("#shot[data-found=yes]")).to_be_visible(timeout=WAITING_MS)
    no_wider_than_the_phone(page)
    tap(page, "The table is here")
    expect(page.get_by_role("heading", name="Where the table is done")).to_be_visible()


def nobody_looks_any_more(seat: Seat) -> None:
    """A look that is going on ends before this one is answered."""
    seat.open("/setup")
    seat.page.request.get(f"{seat.address}/setup/table/seen.json?way=markers")


def a_deck_is_learnt(page: Page, name: str) -> None:
    """Nine cards after nine, as they are laid; the last few may be fewer."""
    page.get_by_label("What do you call it?").fill(name)
    tap(page, "Show the cards")
    expect(page.locator(".asked b")).to_have_count(9)
    shown = page.locator(".progress b")
    while True:
        asked = page.locator(".asked b").count()
        if not asked:
            break
        before = shown.inner_text()
        expect(page.locator(f"#shot[data-seen='{asked}']")).to_be_visible(timeout=WAITING_MS)
        tap(page, "Keep these cards")
        expect(shown).not_to_have_text(before)
        page.wait_for_load_state()
    no_wider_than_the_phone(page)
    tap(page, "All shown: learn them")
    expect(page.get_by_text(f"{name} is learnt.")).to_be_visible(timeout=LEARNING_MS)


def test_from_an_empty_box_to_a_watched_play_of_an_own_deck(sit: Sit) -> None:
    seat = sit(touch=True)
    page = seat.page
    seat.open("/home")
    tap(page, "Set up this table")

    page.get_by_label("What do you call this table?").fill("Kitchen")
    tap(page, "Keep, and on to the camera")
    expect(page.locator(".brand")).to_contain_text("Kitchen")
    expect(page.locator(".gauges li")).to_have_count(4, timeout=WAITING_MS)
    no_wider_than_the_phone(page)
    tap(page, "This camera is right")

    the_table_is_found(seat)
    tap(page, "Next")

    a_deck_is_learnt(page, "mine")
    tap(page, "Use it for Odin")
    expect(page.locator("select[name=deck]").first).to_have_value("odin/mine/own")
    tap(page, "Next")

    tap(page, "The zones are right")

    tap(page, "Try the buttons")
    for button in range(2):
        page.get_by_role("button", name="Press it").nth(button).tap()
    expect(page.get_by_text("pressed", exact=True)).to_have_count(2)
    tap(page, "Done")
    expect(page.get_by_role("heading", name="Buttons and lamps done")).to_be_visible()
    tap(page, "Next")

    expect(page.locator("select[name=deck]")).to_have_value("mine")
    expect(page.locator("#said")).to_have_text("Nothing lies there.", timeout=WAITING_MS)
    tap(page, "Lay a card")
    expect(page.locator("[data-try=lay].done")).to_contain_text("I see:", timeout=WAITING_MS)
    tap(page, "Take it away")
    expect(page.locator("[data-try=take].done")).to_be_visible(timeout=WAITING_MS)
    tap(page, "Pass")
    expect(page.locator("#said")).to_contain_text("Have a good game", timeout=WAITING_MS)
    seat.open("/setup")
    expect(page.locator(".way-step.done")).to_have_count(7)
    page.get_by_text("Everything is set up.").wait_for()

    seat.open("/")
    play = page.locator("#sheet-history").get_by_text("lays")
    expect(play.first).to_be_attached(timeout=WATCHING_MS)
    nobody_looks_any_more(seat)


def test_each_way_finds_the_table_and_a_finger_drags_the_corners(sit: Sit) -> None:
    seat = sit(touch=True)
    page = seat.page
    seat.open("/setup/table?way=markers")
    the_table_is_found(seat)

    tap(page, "Corners")
    handles = page.locator(".corner")
    expect(handles).to_have_count(4)
    field = page.locator("[name=corners]")
    before = json.loads(field.input_value())
    drag_by_finger(page, handles.nth(0), 40, 30)
    after = json.loads(field.input_value())
    picture = page.locator("#shot img").bounding_box()
    assert picture is not None
    assert abs((after[0][0] - before[0][0]) * picture["width"] - 40) < 2
    assert abs((after[0][1] - before[0][1]) * picture["height"] - 30) < 2
    assert after[1:] == before[1:]
    drag_by_finger(page, handles.nth(0), -40, -30)
    tap(page, "The table is here")
    expect(page.get_by_role("heading", name="Where the table is done")).to_be_visible()

    tap(page, "Cards")
    expect(page.locator("#said")).to_contain_text("mm.", timeout=40_000)
    expect(page.locator("#shot[data-found=yes] .piece")).not_to_have_count(0)
    nobody_looks_any_more(seat)
