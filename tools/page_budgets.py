"""Prints every row of the page's budgets with what was measured: `make budgets`.

A companion of its own is started, and a real Chromium plays at it. The exit code tells whether
every row keeps within its budget."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from companion.bench.entries import count_entries
from tests.browser import looking
from tests.browser.conftest import FLAGS, Companion, Seat
from tests.browser.driving import VALHALLA, drawn, open_game, say, tab_to
from tests.browser.whole_games import follow, played, settled

VERDICTS = 20
SLOWER = 4
"""How many times slower the phone is than this machine."""
PAGES = ("/home", "/new", "/games", "/people", "/rules/odin", "/games/1", "/wall", "/")


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    budget: str
    found: str
    met: bool


def rows(browser: Browser, companion: Companion) -> Iterator[Row]:
    seat = _sit(browser, companion)
    yield from _taps(seat)
    yield _valhalla(seat)
    for each in count_entries():
        if each.aim is not None:
            yield Row(each.name, f"<= {each.aim} entries", str(each.count), each.met)
    yield from _weights(browser, companion)
    yield _verdicts(seat)
    yield _axe(seat)
    yield _keyboard(seat)
    yield _far(seat)
    seat.page.context.close()
    yield from _whole_games(browser, companion)


def _sit(browser: Browser, companion: Companion) -> Seat:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    return Seat(context.new_page(), companion.address)


def _taps(seat: Seat) -> Iterator[Row]:
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="1")
    say(seat, "deal A", "A r5", "count 0 1")
    seat.open("/home")
    seat.page.get_by_role("link", name="New game", exact=True).last.click()
    seat.tap("Go")
    seat.page.locator(".verdict h1").wait_for()
    yield Row("Odin: set-up with remembered people", "2 taps", "2 taps: New game, Go", met=True)
    open_game(seat, "odin", ("Anna", "Ben"))
    say(seat, "deal A")
    plays = (("one card", ("#card-r5",), 2), ("a set of two", ("#card-b7", "#card-b8"), 3))
    for words, cards, budget in plays:
        before = seat.page.locator(".board").get_attribute("data-seq")
        for card in cards:
            seat.page.locator(f"label:has({card})").click()
        seat.page.locator("#lay").click()
        seat.page.locator(f".board:not([data-seq='{before}'])").wait_for(state="attached")
        taps = len(cards) + 1
        yield Row(f"Odin: a play of {words}", f"{budget} taps", f"{taps} taps", taps == budget)
    seat.page.locator("#pass").click()
    seat.waits_for("Ben leads.")
    yield Row("Odin: a pass", "1 tap", "1 tap", met=True)


def _valhalla(seat: Seat) -> Row:
    """The most taps after choosing the seat, and what would have to be scrolled to."""
    open_game(seat, "valhalla", ("Anna", "Ben", "Cleo"))
    most, hidden = 1, 0
    for line in (*VALHALLA, ""):
        groups = seat.page.locator(".asked:visible .tab-row label")
        most = max(most, 2 if groups.count() else 1)
        for at in range(groups.count()):
            groups.nth(at).click()
            hidden += len(looking.outside(seat.page, ".verdict", ".asked .button"))
        hidden += len(looking.outside(seat.page, ".verdict", ".asked .button"))
        if line:
            say(seat, line)
    found = f"{most} taps, {hidden} buttons outside of 390x844"
    met = most <= 2 and not hidden
    return Row(
        "Valhalla: any action after choosing the seat", "<= 2 taps, no scrolling", found, met
    )


def _weights(browser: Browser, companion: Companion) -> Iterator[Row]:
    for path in ("/home", "/"):
        seat = _sit(browser, companion)
        weighing = looking.Weighing(seat.page)
        seat.open(path)
        seat.page.wait_for_load_state("load")
        seat.page.evaluate("document.fonts.ready")
        seat.page.context.close()
        beyond = [each for each in weighing.sizes if not each.startswith(companion.address)]
        found = f"{weighing.total / 1000:.0f} kB, {len(beyond)} requests beyond the box"
        met = weighing.total <= 250_000 and not beyond
        yield Row(f"page weight, first load of {path}", "<= 250 kB, none beyond", found, met)


def _verdicts(seat: Seat) -> Row:
    """From the verdict's arrival to the picture with it, on a phone four times slower."""
    open_game(seat, "odin", ("Anna", "Ben", "Cleo", "Dag"))
    devtools = seat.page.context.new_cdp_session(seat.page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    say(seat, "deal A", "A r5")
    seat.page.evaluate("performance.clearMeasures()")
    for number in range(VERDICTS):
        line = "B b2" if number % 2 == 0 else ""
        seat.page.evaluate(
            """async ([line, seq]) => {
              await fetch(line ? "/act" : "/dismiss", {method: "POST", headers: {"X-Live": "1"},
                body: new URLSearchParams({say: line, seq})});
            }""",
            [line, seat.page.locator(".board").get_attribute("data-seq")],
        )
        drawn(seat, number + 1)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    spans = seat.page.evaluate("performance.getEntriesByName('drawn').map((each) => each.duration)")
    middle, most = statistics.median(spans), max(spans)
    found = f"{middle:.0f} ms in the middle, {most:.0f} ms at most, of {len(spans)}"
    return Row("a verdict drawn, 4x CPU throttling", "<= 100 ms", found, middle <= 100)


def _axe(seat: Seat) -> Row:
    found: list[str] = []
    looked = 0
    themes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for theme in themes:
        seat.page.emulate_media(color_scheme=theme)
        open_game(seat, "odin", ("Anna", "Ben", "Cleo"), hand_size="2", limit="2")
        say(seat, "deal A", "A r5")
        seat.lay("blue 2")
        seat.page.locator(".refusal").wait_for()
        found += looking.violations(seat.page)
        open_game(seat, "valhalla", ("Anna", "Ben", "Cleo"))
        say(seat, *VALHALLA[:-2])
        found += looking.violations(seat.page)
        for path in PAGES:
            seat.open(path)
            found += looking.violations(seat.page)
        looked += len(PAGES) + 2
    return Row(f"axe-core on {looked} pages and states", "0 violations", str(len(found)), not found)


def _keyboard(seat: Seat) -> Row:
    open_game(seat, "odin", ("Anna", "Ben"))
    say(seat, "deal A")
    tab_to(seat, "blue 1")
    seat.page.keyboard.press("Space")
    stops = tab_to(seat, "Lay 1")
    return Row("keyboard: from the grid to Lay", "<= 3 stops", f"{stops} stops", stops <= 3)


def _far(seat: Seat) -> Row:
    looking.resize(seat.page, looking.DESK)
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    names = [
        seat.page.locator(each).first.evaluate(size) for each in (".seat .name", ".seat .points b")
    ]
    labels = [
        seat.page.locator(each).first.evaluate(size)
        for each in (".seat .size small", ".verdict .last")
    ]
    found = f"names and points {min(names):.0f} px, labels {min(labels):.0f} px"
    met = min(names) >= 48 and min(labels) >= 20
    return Row("text for two metres, 1280x800", ">= 48 px, labels >= 20 px", found, met)


def _whole_games(browser: Browser, companion: Companion) -> Iterator[Row]:
    """After every step to the podium, on four screens: is anything that is needed out of view?"""
    for game in (played("odin", 0, ("limit", "15")), played("valhalla", 1), settled(5)):
        looks = list(follow(browser, companion, game))
        hidden = [each for each in looks if each.hidden]
        found = f"{len(hidden)} of {len(looks)} looks, {len(game.lines)} steps to the podium"
        if hidden:
            first = hidden[0]
            found += f"; first {first.hidden} after {first.line!r} at {first.size}"
        yield Row(
            f"{game.name}: verdict and next action in view", "0 out of view", found, not hidden
        )


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("Chromium is missing; `make test` installs it", file=sys.stderr)
        return 2
    met = True
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        companion = Companion(Path(folder), "--camera", "none")
        companion.start()
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            for row in rows(browser, companion):
                met = met and row.met
                sign = "✓" if row.met else "✗"
                print(f"{sign} {row.name:<50} {row.budget:<26} {row.found}", flush=True)
        finally:
            browser.close()
            companion.kill(15)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
