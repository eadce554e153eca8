"""Prints every row of the page's budgets with what was measured: `make budgets`.

Two companions of its own are started, one played by hand and one whose camera watches bots, and a
real Chromium plays at both. The exit code tells whether every row keeps within its budget. With
`budgets`, `screens` or `games` as arguments only those rows are measured."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from companion.bench.entries import count_entries
from companion.bench.statistics import measure_statistics
from tests.browser import every_page, looking
from tests.browser.conftest import FLAGS, Companion, Seat
from tests.browser.driving import VALHALLA, drawn, open_game, say, tab_to
from tests.browser.whole_games import follow, played, settled
from tools.page_screens import Row, Taps, screens, sit

VERDICTS = 40
SLOWER = 4
"""How many times slower the phone is than this machine."""
VERDICT_MS = 100
STATISTICS_MS = 200
PICTURES_SECONDS = 20
WINDOW_SECONDS = 2
SIMULATED = "simulated:odin,seed=5,speed=1"
WAYS = {
    "odin": (("deal A", "A r5"), "B b2"),
    "valhalla": (VALHALLA[:2], "A takes wolf"),
    "valhal": (every_page.BATTLE[:6], "A draws l2"),
}
"""Of each game: what is said first, and then a line that is refused."""


def budgets(browser: Browser, by_hand: Companion, watched: Companion) -> Iterator[Row]:
    seat = sit(browser, by_hand)
    yield from _taps(seat)
    yield _valhalla(seat)
    for each in count_entries():
        if each.aim is not None:
            found = f"{each.count} entries, 0 typed"  # the count itself never types
            yield Row(each.name, f"<= {each.aim} entries, none typed", found, each.met)
    yield from _weights(browser, by_hand)
    for game in WAYS:
        yield _verdicts(seat, game)
    yield _axe(browser, by_hand, watched)
    yield from _keyboard(seat)
    yield _far(seat)
    seat.page.context.close()
    yield _pictures(browser, watched)
    yield from _statistics()


def _taps(seat: Seat) -> Iterator[Row]:
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="1")
    say(seat, "deal A", "A r5", "count 0 1")
    seat.open("/home")
    taps = Taps(seat.page)
    seat.page.get_by_role("link", name="New game", exact=True).last.click()
    seat.tap("Go")
    seat.page.locator(".verdict h1").wait_for()
    yield taps.row("Odin: set-up with remembered people", 2)
    open_game(seat, "odin", ("Anna", "Ben"))
    say(seat, "deal A")
    plays = (("one card", ("#card-r5",), 2), ("a set of two", ("#card-b7", "#card-b8"), 3))
    for words, cards, budget in plays:
        taps = Taps(seat.page)
        before = seat.page.locator(".board").get_attribute("data-seq")
        for card in cards:
            seat.page.locator(f"label:has({card})").click()
        seat.page.locator("#lay").click()
        seat.page.locator(f".board:not([data-seq='{before}'])").wait_for(state="attached")
        yield taps.row(f"Odin: a play of {words}", budget)
    taps = Taps(seat.page)
    seat.page.locator("#pass").click()
    seat.waits_for("Ben leads.")
    yield taps.row("Odin: a pass", 1)


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
        seat = sit(browser, companion)
        weighing = looking.Weighing(seat.page)
        seat.open(path)
        seat.page.wait_for_load_state("load")
        seat.page.evaluate("document.fonts.ready")
        seat.page.context.close()
        beyond = [each for each in weighing.sizes if not each.startswith(companion.address)]
        found = f"{weighing.total / 1000:.0f} kB, {len(beyond)} requests beyond the box"
        met = weighing.total <= 250_000 and not beyond
        yield Row(f"page weight, first load of {path}", "<= 250 kB, none beyond", found, met)


def _verdicts(seat: Seat, game: str) -> Row:
    """From the verdict's arrival to the picture with it, on a phone four times slower: refusals
    and their ends, one after the other."""
    lines, refused = WAYS[game]
    open_game(seat, game, every_page.NAMES[: 2 if game == "valhal" else 3])
    devtools = seat.page.context.new_cdp_session(seat.page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    say(seat, *lines)
    seat.page.evaluate("performance.clearMeasures()")
    for number in range(VERDICTS):
        line = refused if number % 2 == 0 else ""
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
    most_of_all = statistics.quantiles(spans, n=20)[-1]
    found = (
        f"95 of 100 within {most_of_all:.0f} ms, {statistics.median(spans):.0f} ms in the middle, "
        f"{max(spans):.0f} ms at most, of {len(spans)}"
    )
    return Row(
        f"{game}: a verdict drawn, {SLOWER}x CPU throttling",
        f"95 % <= {VERDICT_MS} ms",
        found,
        most_of_all <= VERDICT_MS,
    )


def _axe(browser: Browser, by_hand: Companion, watched: Companion) -> Row:
    found: list[str] = []
    looked = 0
    for companion, paths in (
        (by_hand, (*every_page.ANY_TIME, *every_page.AFTER_GAMES)),
        (watched, ("/", *every_page.WATCHED)),
    ):
        seat = sit(browser, companion)
        for _ in every_page.states(seat) if companion is by_hand else ():
            found += looking.violations_by_day_and_night(seat.page)
            looked += 1
        for path in paths:
            seat.open(path)
            found += looking.violations_by_day_and_night(seat.page)
        looked += len(paths)
        seat.page.context.close()
    words = "; ".join((str(len(found)), *found[:1]))
    return Row(f"axe-core on {looked} pages and states, day and night", "0", words, not found)


def _keyboard(seat: Seat) -> Iterator[Row]:
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="1")
    keys = seat.page.keyboard
    tab_to(seat, "Anna")
    keys.press("Enter")
    seat.waits_for("Anna leads.")
    tab_to(seat, "blue 1")
    keys.press("Space")
    stops = tab_to(seat, "Lay 1")
    yield Row("keyboard: from the grid to Lay", "<= 3 stops", f"{stops} stops", stops <= 3)
    keys.press("Enter")
    seat.waits_for("Anna is out. Count the cards left.")
    tab_to(seat, "Count")
    keys.press("Enter")
    seat.waits_for("The game is over.")
    yield Row("keyboard alone", "a whole game", "from the deal to the podium", met=True)
    open_game(seat, "odin", ("Anna", "Ben", "Cleo"))
    say(seat, "deal A")
    seat.page.locator("#card-p4").focus()
    say(seat, "A r5", "B pass")
    at = str(seat.page.evaluate("document.activeElement.id"))
    yield Row("focus through live changes", "stays", f"on {at}", at == "card-p4")


def _far(seat: Seat) -> Row:
    looking.resize(seat.page, looking.DESK)
    names = looking.least_px(seat.page, ".seat .name", ".seat .points b")
    labels = looking.least_px(seat.page, ".seat .size small", ".verdict .last")
    looking.resize(seat.page, looking.PHONE)
    found = f"names and points {names:.0f} px, labels {labels:.0f} px"
    met = names >= 48 and labels >= 20
    return Row("text for two metres, table at 1280x800", ">= 48 px, labels >= 20 px", found, met)


def _pictures(browser: Browser, watched: Companion) -> Row:
    """In spans of two seconds in which anything arrived: something moved there."""
    seat = sit(browser, watched)
    seat.open()
    seat.page.locator("#above .mat img[src]").wait_for(timeout=120_000)
    counts = []
    for _ in range(PICTURES_SECONDS // WINDOW_SECONDS):
        before, begun = _shown(seat), time.monotonic()
        seat.page.wait_for_timeout(WINDOW_SECONDS * 1000)
        counts.append((_shown(seat) - before) / (time.monotonic() - begun))
    seat.page.context.close()
    moving = [each for each in counts if each]
    found = f"{statistics.median(moving or [0]):.1f} a second in the middle, {max(counts):.1f} best"
    met = bool(moving) and statistics.median(moving) >= 2
    return Row("pictures while something moves", ">= 2 a second", found, met)


def _shown(seat: Seat) -> int:
    return int(seat.page.locator("#above").get_attribute("data-pictures") or 0)


def _statistics() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for figure in measure_statistics(Path(folder), quick=False):
            once = figure.name.endswith("for the first time")
            budget = "told only: once in a box's life" if once else f"<= {STATISTICS_MS} ms"
            met = once or figure.value <= STATISTICS_MS
            yield Row(figure.name, budget, f"{figure.value:.0f} {figure.unit}", met)


def whole_games(browser: Browser, companion: Companion) -> Iterator[Row]:
    """After every step to the podium, at every size: is anything that is needed out of view?"""
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


@contextmanager
def _companion(camera: str) -> Iterator[Companion]:
    with tempfile.TemporaryDirectory() as folder:
        every_page.fill_in_sheet(Path(folder))
        companion = Companion(Path(folder), "--camera", camera)
        companion.start()
        try:
            yield companion
        finally:
            companion.kill(15)


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("Chromium is missing; `make test` installs it", file=sys.stderr)
        return 2
    met = True
    with ExitStack() as stack:
        by_hand = stack.enter_context(_companion("none"))
        watched = stack.enter_context(_companion(SIMULATED))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        stack.callback(browser.close)
        parts = {
            "budgets": budgets(browser, by_hand, watched),
            "screens": screens(browser, by_hand, watched),
            "games": whole_games(browser, by_hand),
        }
        for part in sys.argv[1:] or parts:
            for row in parts[part]:
                met = met and row.met
                sign = "✓" if row.met else "✗"
                print(f"{sign} {row.name:<52} {row.budget:<30} {row.found}", flush=True)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
