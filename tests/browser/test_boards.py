"""A board enrolled by touch on a phone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import expect

from companion.sim.faces.board_prints import BoardPrint, board_pixels
from tests.browser.conftest import Seat, Sit
from tests.browser.driving import finger_drags
from tests.browser.looking import violations


def photograph(folder: Path) -> Path:
    """A board that lies askew in the middle of a photograph."""
    picture = np.full((600, 800, 3), 80, np.uint8)
    pixels = board_pixels(BoardPrint("landscape", 5, (200.0, 120.0)))
    picture[150:390, 200:600] = pixels
    file = folder / "board.jpg"
    cv2.imwrite(str(file), picture)
    return file


def _drag_a_place(seat: Seat) -> None:
    """The units' place, by a finger; it is there again when the page is opened anew."""
    page = seat.page
    place = page.locator(".mat rect.zone").nth(10)
    page.wait_for_function("document.querySelector('.mat img').naturalWidth > 0")
    place.scroll_into_view_if_needed()
    before = place.bounding_box()
    assert before is not None
    middle = (before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    with page.expect_response(lambda reply: reply.request.method == "POST"):
        finger_drags(page, middle, (30, -40))
    expect(page.locator("#said")).not_to_be_empty()
    page.reload()
    place = page.locator(".mat rect.zone").nth(10)
    place.scroll_into_view_if_needed()
    after = place.bounding_box()
    assert after is not None
    assert after["x"] > before["x"] + 10


def test_a_board_is_enrolled_by_touch(sit: Sit, tmp_path: Path) -> None:
    seat = sit({"width": 320, "height": 700})
    page = seat.page
    seat.open("/boards/valhal")
    assert violations(page) == []
    page.locator("input[name=photograph]").set_input_files(photograph(tmp_path))
    seat.tap("Go on")
    page.wait_for_url("**/new")
    picture = page.locator(".photographed img")
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('.photographed img').naturalWidth > 0")
    sides = picture.bounding_box()
    assert sides is not None
    wanted = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.65), (0.25, 0.65))
    for at, (x, y) in enumerate(wanted):
        mark = page.locator(f"[data-corner='{at}']").bounding_box()
        assert mark is not None
        start = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
        to = (sides["x"] + x * sides["width"], sides["y"] + y * sides["height"])
        finger_drags(page, start, (to[0] - start[0], to[1] - start[1]))
    page.locator("input[name=name]").fill("Anna's settlement")
    assert violations(page) == []
    seat.tap("Keep the board")
    page.wait_for_url("**/boards/valhal/0")
    expect(page.locator(".mat rect.zone")).to_have_count(12)
    _drag_a_place(seat)
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) <= 320
    assert violations(page) == []
    seat.photograph("board-places")
    seat.open("/boards/valhal")
    seat.sees("Anna's settlement")
    assert page.evaluate(width) <= 320
