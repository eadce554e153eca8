"""What each screen must do, as far as it can be measured: a part of `make budgets`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, Request

from tests.browser import looking
from tests.browser.conftest import Companion, Seat
from tests.browser.driving import open_game, say

SMALLEST = (320, 640)
GRID = (".cell", "#lay", "#pass")
PEOPLE = ("Anna", "Ben", "Cleo", "Dag", "Edda", "Finn")

_NESTED = """() => [...document.querySelectorAll("main *")].filter((each) =>
  /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1
).length"""
_COLUMNS = """() => new Set([...document.querySelectorAll("main > *")]
  .filter((each) => each.checkVisibility())
  .map((each) => Math.round(each.getBoundingClientRect().left))).size"""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    budget: str
    found: str
    met: bool


class Taps:
    """Counts the taps on a page from now on, also over the pages that follow."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._before = 0
        page.context.expose_binding(f"tapped{id(self)}", self._tapped)
        listening = f"addEventListener('pointerdown', () => tapped{id(self)}(), true)"
        page.add_init_script(listening)
        page.evaluate(listening)

    def _tapped(self, _source: object) -> None:
        self._before += 1

    def row(self, name: str, budget: int) -> Row:
        self._page.wait_for_timeout(100)  # the last one is on its way
        words = "1 tap" if budget == 1 else f"{budget} taps"
        return Row(name, words, f"{self._before} taps", self._before == budget)


def sit(browser: Browser, companion: Companion) -> Seat:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en"
    )
    return Seat(context.new_page(), companion.address)


def screens(browser: Browser, by_hand: Companion, watched: Companion) -> Iterator[Row]:
    seat = sit(browser, by_hand)
    yield from _table(seat)
    yield _history(seat)
    yield _replay(browser, by_hand, seat)
    yield from _new_game(seat)
    yield from _rules(seat)
    yield _my_seat(seat)
    yield _wall(seat)
    seat.page.context.close()
    seat = sit(browser, watched)
    yield from _home(seat)
    yield from _put_right(seat)
    seat.page.context.close()


def _none_out(name: str, budget: str, outside: list[str]) -> Row:
    found = "all in view" if not outside else f"{len(outside)} out of view: {outside[0]}"
    return Row(name, budget, found, not outside)


def _table(seat: Seat) -> Iterator[Row]:
    open_game(seat, "odin", PEOPLE)
    say(seat, "deal A", "A r5")
    for size in (looking.PHONE, looking.SMALL_PHONE):
        looking.resize(seat.page, size)
        words = f"table: Odin's grid and Lay / Pass at {size[0]}x{size[1]}"
        yield _none_out(words, "visible together", looking.outside(seat.page, ".verdict", *GRID))
    looking.resize(seat.page, looking.PHONE)
    tops = {box["y"] for each in seat.page.locator(".seat").all() if (box := each.bounding_box())}
    yield Row("table, phone: the scores of six", "one line", f"{len(tops)} line", len(tops) == 1)
    for size in (looking.TOUCH_SCREEN, looking.LANDSCAPE, looking.ZOOMED):
        looking.resize(seat.page, size)
        outside = looking.outside(seat.page, ".verdict", *GRID)
        left = looking.right_of(seat.page, ".verdict") <= looking.left_of(seat.page, ".entry")
        row = _none_out(f"table at {size[0]}x{size[1]}", "entry right, no scrolling", outside)
        yield row if left else Row(row.name, row.budget, "entry is not at the right", met=False)
    looking.resize(seat.page, looking.PHONE)


def _history(seat: Seat) -> Row:
    say(seat, "B b7", "C pass", "D pass")
    sheet = seat.open_sheet("history")
    boxes = [each.bounding_box() for each in sheet.locator(".undo").all()]
    rights = {round(box["x"] + box["width"]) for box in boxes if box}
    words = sheet.locator("li").first.inner_text()
    seat.close_sheet("history")
    found = f"{len(rights)} column, newest: {words.splitlines()[0]}"
    met = len(rights) == 1 and "Dag" in words
    return Row("history", "undo in one column, sentences", found, met)


def _replay(browser: Browser, by_hand: Companion, seat: Seat) -> Row:
    other = sit(browser, by_hand)
    other.open()
    before = other.page.locator(".verdict h1").inner_text()
    seat.open("/games/1")
    forms = seat.page.locator(".looked-at form:visible").count()
    same = other.page.locator(".verdict h1").inner_text() == before
    other.page.context.close()
    found = f"{forms} forms, others' page {'as it was' if same else 'changed'}"
    return Row("replay", "read-only, for oneself", found, not forms and same)


def _new_game(seat: Seat) -> Iterator[Row]:
    seat.open("/new?game=odin")
    remembered = [
        each.input_value() for each in seat.page.locator(".names input[name=name]").all()[:2]
    ]
    found = ", ".join(remembered)
    yield Row("new game", "remembered people first", found, remembered == list(PEOPLE[:2]))
    seat.tap("Go")
    asks = seat.page.get_by_role("heading", name="A game is running").count()
    yield Row("new game while one runs", "asks first", "asks" if asks else "ends it", bool(asks))


def _rules(seat: Seat) -> Iterator[Row]:
    seat.open("/rules/odin")
    rules = seat.page.locator("[data-rule]")
    every = rules.count()
    seat.page.get_by_role("searchbox").fill("goat")
    shown = seat.page.locator("[data-rule]:visible").count()
    yield Row("rules", "searched as one types", f"{shown} of {every}", 0 < shown < every)
    seat.open()
    seat.lay("blue 2")
    link = seat.page.locator(".refusal .rule a").first
    link.wait_for(state="attached")
    at = (link.get_attribute("href") or "").partition("#")[2]
    seat.tap("Change it")
    seat.open("/rules/odin")
    there = seat.page.locator(f"[id='{at}']").count()
    found = f"{at} {'found' if there else 'missing'}"
    yield Row("refusal", "links to its rule", found, bool(at) and there == 1)


def _my_seat(seat: Seat) -> Row:
    seat.page.request.post(f"{seat.address}/seat", form={"name": "Edda"})
    seat.open()
    words = seat.page.locator(".mine").inner_text().replace("\n", " ")
    hidden: list[str] = []
    for size in (looking.PHONE, looking.TOUCH_SCREEN, looking.LANDSCAPE):
        looking.resize(seat.page, size)
        hidden += looking.outside(seat.page, ".mine", ".verdict", *GRID)
    looking.resize(seat.page, looking.PHONE)
    seat.page.request.post(f"{seat.address}/seat", form={"name": ""})
    met = "Your turn, Edda" in words and not hidden
    found = words if not hidden else f"out of view: {hidden[0]}"
    return Row("my seat", "your turn at a glance", found, met)


def _wall(seat: Seat) -> Row:
    looking.resize(seat.page, looking.DESK)
    seat.open("/wall")
    seat.page.locator(".wall-name").first.wait_for()
    names = looking.least_px(seat.page, ".wall-name", ".wall-points", ".wall-value")
    labels = looking.least_px(seat.page, ".wall-label", ".wall-last")
    controls = seat.page.locator("button, a, input").count()
    codes = seat.page.locator(".wall-join img").count()
    looking.resize(seat.page, looking.PHONE)
    found = f"{names:.0f} px, labels {labels:.0f} px, {controls} controls, {codes} code to join"
    met = names >= 48 and labels >= 20 and not controls and codes == 1
    return Row("wall at 1280x800", ">= 48 px, labels >= 20, none", found, met)


def _home(seat: Seat) -> Iterator[Row]:
    seat.open("/home")
    parts = (".running-picture", ".running-turn", ".running-scores")
    missing = [each for each in parts if not seat.page.locator(each).count()]
    outside = missing or looking.outside(seat.page, ".running")
    yield _none_out("home: the running game", "picture, turn, score in view", outside)
    seat.open()
    chip = seat.page.locator(".demo")
    chip.wait_for()
    high = (chip.bounding_box() or {"height": 0})["height"]
    yield Row("demo", "one chip", f"{high:.0f} px high", 0 < high <= 48)


def _put_right(seat: Seat) -> Iterator[Row]:
    card = seat.page.locator("#above .mat a[href]").last
    card.wait_for(state="attached", timeout=120_000)
    label = card.get_attribute("aria-label") or ""
    yield Row("picture: a card that was read", "in words", label, " " in label)
    beyond: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((seat.address, "blob:", "data:")):
            beyond.append(request.url)

    seat.page.on("request", note)
    seat.open(card.get_attribute("href") or "")
    looking.resize(seat.page, SMALLEST)
    wide = int(seat.page.evaluate("document.documentElement.scrollWidth"))
    columns, nested = (int(seat.page.evaluate(each)) for each in (_COLUMNS, _NESTED))
    likely = seat.page.locator(".likeliest .take-card").count()
    looking.resize(seat.page, looking.PHONE)
    found = f"{columns} column, {wide} px wide, {nested} nested scrolling, {likely} likeliest"
    met = columns == 1 and wide <= SMALLEST[0] and not nested and not beyond
    yield Row("put it right at 320 px", "one column, no wider, no nesting", found, met)
