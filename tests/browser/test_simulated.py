"""What somebody sees who starts the companion for the first time: bots at a simulated table, before
the real eyes and the real referee. Whatever the camera is unsure of is answered as it was."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.conftest import DESKTOP, Companion, Sit
from tests.browser.driving import finger_drags
from tests.browser.watching import PATIENCE_SECONDS, Truth, Viewer

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.timeout(500)]


@pytest.fixture
def camera() -> tuple[str, ...]:
    """As `make run` starts it: nothing is said about a camera."""
    return ()


@pytest.fixture
def viewer(sit: Sit) -> Viewer:
    viewer = Viewer.of(sit(DESKTOP))
    viewer.expected = looking.CROP_GONE
    return viewer


def test_a_simulated_game_to_its_end_with_a_question_and_a_dispute(
    viewer: Viewer, companion: Companion
) -> None:
    truth = Truth()
    viewer.open()
    viewer.sees("Demo: bots are playing")
    viewer.photograph("simulated-start")
    viewer.deal_short_game()
    asked = disputed = 0
    patience = time.monotonic() + PATIENCE_SECONDS
    while not viewer.view()["standing"]["over"]:
        assert time.monotonic() < patience, viewer.written()
        asked += viewer.help(truth)
        flag = viewer.page.get_by_role("button", name="Dispute: keep the pictures")
        if not disputed and flag.count():
            flag.first.click()
            disputed = 1
            viewer.sees("The pictures of this entry are kept.")
            viewer.sees("disputed")
            viewer.photograph("simulated-disputed")
        time.sleep(0.2)
    viewer.waits_for("The game is over.")
    expect(viewer.page.locator(".scores tfoot td")).to_have_text(truth.points)
    assert viewer.written() == truth.lines
    assert asked >= 1
    (kept,) = (companion.folder / "simulated" / "disputes").glob("game-*/entry.json")
    assert list(kept.parent.glob("film-*.jpg"))
    viewer.photograph("simulated-over")
    assert not (companion.folder / "journal.db").exists()  # people's games are elsewhere


def test_a_seat_is_taken_over_and_an_entry_put_right(viewer: Viewer) -> None:
    truth = Truth()
    viewer.deal_short_game(speed="1")  # or the bot has played before anybody sits down
    viewer.open_sheet("demo")
    viewer.tap("Astrid")
    viewer.sees("You play for Astrid")
    hand = viewer.page.locator(".own-hand input")
    expect(hand).to_have_count(len(truth.hands[0]))
    viewer.page.locator("[value='hand b4']").check()
    viewer.photograph("simulated-seat")
    viewer.tap("Lay these on the table")
    patience = time.monotonic() + PATIENCE_SECONDS
    while "A b4" not in viewer.written():
        assert time.monotonic() < patience, viewer.written()
        viewer.help(truth)
        time.sleep(0.2)
    expect(hand).to_have_count(len(truth.hands[0]) - 1)

    # The crop is there to look at, and the entry can be made another.
    way = viewer.page.locator(".put-right-way").last.get_attribute("href")
    viewer.open(way or "")
    crop = viewer.page.locator(".crop-large img")
    expect(crop).to_be_visible()
    assert crop.evaluate("each => each.decode().then(() => each.naturalWidth)") > 0
    viewer.photograph("simulated-crop")
    typed = viewer.page.get_by_label("It was something else:")
    expect(typed).to_be_hidden()  # nobody has to type
    viewer.page.locator(".any-other summary").click()
    patience = time.monotonic() + PATIENCE_SECONDS
    while "A b5" not in viewer.written():  # the others play on: then it is looked at again
        assert time.monotonic() < patience, viewer.written()
        viewer.page.locator(".any-other [value='A b5']").click()
        viewer.page.wait_for_load_state()
        if viewer.page.url.rstrip("/") != viewer.address:
            viewer.open(way or "")
            viewer.page.locator(".any-other summary").click()
    # The others play on meanwhile: only the beginning is certain.
    assert viewer.written()[:2] == ["deal A", "A b5"]
    viewer.open()
    viewer.tap("Let the bot play on")
    viewer.open_sheet("demo")
    viewer.sees("Take over a seat:")


def test_the_picture_is_alive_and_a_tap_on_a_card_puts_it_right(viewer: Viewer) -> None:
    viewer.open()
    cards = viewer.page.locator("#above .mat a[aria-label]")
    expect(cards.first).to_be_visible(timeout=120_000)
    patience = time.monotonic() + PATIENCE_SECONDS
    while int(viewer.page.locator("#above").get_attribute("data-pictures") or 0) < 5:
        assert time.monotonic() < patience
        time.sleep(0.2)
    names = cards.evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert names
    assert not [name for name in names if re.fullmatch("[brpgko][1-9]", name)], "notation"
    # Found and followed at one go: cards come and go.
    where = cards.last.get_attribute("href")
    viewer.open(where or "")
    expect(viewer.page.locator(".crop-large img")).to_be_visible()
    expect(viewer.page.get_by_role("heading", name="Which card is this?")).to_be_visible()
    assert viewer.page.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]
    assert looking.violations(viewer.page) == []


def test_zones_are_dragged_and_come_back(viewer: Viewer) -> None:
    viewer.open("/zones/odin")
    zone = viewer.page.locator("[data-zone=discard]")
    before = zone.bounding_box()
    assert before is not None
    viewer.page.mouse.move(before["x"] + 10, before["y"] + before["height"] / 2)
    viewer.page.mouse.down()
    viewer.page.mouse.move(before["x"] + 10, before["y"] + before["height"] / 2 + 60, steps=3)
    viewer.page.mouse.up()
    viewer.sees("Kept.")
    viewer.page.reload()
    after = zone.bounding_box()
    assert after is not None
    assert abs(after["y"] - before["y"] - 60) < 2
    viewer.photograph("zones")

    # Onto the middle it may not go: it says why, and is where it was.
    viewer.page.mouse.move(after["x"] + 10, after["y"] + 40)
    viewer.page.mouse.down()
    viewer.page.mouse.move(after["x"] - 300, after["y"] - 100, steps=3)
    viewer.page.mouse.up()
    viewer.sees("would lie on the zone")
    viewer.tap("All zones back to where the mat has them")
    expect(viewer.page.get_by_role("button", name="All zones back")).to_have_count(0)
    again = zone.bounding_box()
    assert again is not None
    assert abs(again["y"] - before["y"]) < 2


def test_zones_are_dragged_by_a_finger(viewer: Viewer) -> None:
    page = viewer.page
    page.set_viewport_size({"width": 390, "height": 500})  # lower than the page: it could scroll
    viewer.open("/zones/odin")
    page.locator(".mat").evaluate("mat => mat.scrollIntoView({block: 'center'})")
    scrolled = page.evaluate("scrollY")
    zone, corner = (page.locator(f"[data-{what}=discard]") for what in ("zone", "handle"))
    for grip in page.locator("[data-handle]").all():
        box = grip.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 32
    before, grip_box = zone.bounding_box(), corner.bounding_box()
    assert before is not None
    assert grip_box is not None

    finger_drags(page, (before["x"] + 8, before["y"] + 8), (0, 30))
    viewer.sees("Kept.")
    after = zone.bounding_box()
    assert after is not None
    assert abs(after["y"] - before["y"] - 30) < 2
    assert page.evaluate("scrollY") == scrolled

    at = (grip_box["x"] + 17, grip_box["y"] + 30 + 17)
    finger_drags(page, at, (0, -15))
    smaller = zone.bounding_box()
    assert smaller is not None
    assert abs(after["height"] - smaller["height"] - 15) < 2
    assert page.evaluate("scrollY") == scrolled


def test_from_the_simulated_table_to_a_game_of_ones_own(
    viewer: Viewer, companion: Companion
) -> None:
    viewer.expected = re.compile("net::ERR_|status of")
    viewer.open()
    viewer.open_sheet("demo")
    viewer.tap("Play for real, entered by hand")
    patience = time.monotonic() + 60
    while not (companion.folder / "journal.db").exists():
        assert time.monotonic() < patience, companion.said()
        time.sleep(0.1)
    heading = viewer.page.get_by_role("heading", name="Who plays?")
    expect(heading).to_be_visible(timeout=30_000)  # by itself, when the companion is back
    viewer.set_up(("Anna", "Ben"))
    viewer.waits_for("Deal, and draw who leads.")
    expect(viewer.page.locator(".simulated")).to_have_count(0)
    assert "camera: none" in companion.said()
