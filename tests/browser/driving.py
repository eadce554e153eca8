"""Driving a page: games begun and entries made elsewhere, and the keyboard."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_SECONDS, Seat

VALHALLA = (
    *("first A", "ready", "A reveals hammer wolf", "B reveals hammer sword"),
    *("C reveals axe hammer", "C draws draugr draugr", "C loses sword from hand"),
    *("C loses wolf from hand", *["armory draugr"] * 4),
)
"""A game of three up to two last stands."""


def open_game(seat: Seat, game: str, names: tuple[str, ...], **options: str) -> None:
    """A new game, by the form's own address, whatever is on the table."""
    seat.open("/home")
    fields = [("game", game), ("sure", "yes"), *(("name", each) for each in names)]
    fields += [(f"option.{name}", value) for name, value in options.items()]
    seat.page.evaluate(
        "fields => fetch('/games', {method: 'POST', body: new URLSearchParams(fields)})", fields
    )
    seat.open()


def say(seat: Seat, *lines: str) -> None:
    """Entries from elsewhere: the page hears of them by the stream."""
    for line in lines:
        before = seat.page.locator(".board").get_attribute("data-seq")
        seat.page.evaluate(
            """([line, seq]) => fetch("/act", {method: "POST", headers: {"X-Live": "1"},
                 body: new URLSearchParams({say: line, seq})}).then((reply) => reply.text())""",
            [line, before],
        )
        expect(seat.page.locator(".board")).not_to_have_attribute("data-seq", str(before))


def drawn(seat: Seat, count: int) -> None:
    """Waits until so many changes have been drawn."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while seat.page.evaluate("performance.getEntriesByName('drawn').length") < count:
        assert time.monotonic() < patience, f"fewer than {count} changes were drawn"
        seat.page.wait_for_timeout(10)


def focused(seat: Seat) -> str:
    return str(
        seat.page.evaluate(
            "(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()"
        )
    ).replace("\n", " ")


def tab_to(seat: Seat, words: str, most: int = 60) -> int:
    for stops in range(1, most):
        seat.page.keyboard.press("Tab")
        if focused(seat) == words:
            return stops
    raise AssertionError(f"{words} cannot be reached; at {focused(seat)}")


def finger_drags(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """As a phone sends it: the browser may take the finger for scrolling, and then it is lost."""
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    points = [{"x": start[0] + by[0] * n / 8, "y": start[1] + by[1] * n / 8} for n in range(9)]
    for kind, at in [("touchStart", points[:1]), *(("touchMove", [each]) for each in points[1:])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
