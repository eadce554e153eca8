"""What the page promises, as assertions: where verdict and entry stand after every step, how many
taps it takes, how heavy it is, that it can be read, and played by keyboard alone. One server for
all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser import looking
from tests.browser.conftest import Companion, Seat
from tests.browser.driving import VALHALLA, drawn, focused, open_game, say, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
HEAVIEST_BYTES = 250_000
FAR_PX, FAR_LABEL_PX = 48, 20
"""The least size of names and points, and of labels, on a screen that is read from two metres."""
PEOPLE = ("Anna", "Ben", "Cleo", "Dag", "Edda", "Finn")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    companion = Companion(tmp_path_factory.mktemp("budgets"), "--camera", "none")
    companion.start()
    yield companion
    companion.kill(15)
    assert "Traceback" not in companion.said()


def sit_down(browser: Browser, table: Companion, **how: object) -> Seat:
    context: BrowserContext = browser.new_context(
        viewport={"width": 390, "height": 844},
        locale=str(how.get("locale", "en")),
        reduced_motion="reduce",
    )
    seat = Seat(context.new_page(), table.address)
    seat.expected = re.compile("status of 4")
    return seat


@pytest.fixture
def seat(browser: Browser, table: Companion) -> Iterator[Seat]:
    seat = sit_down(browser, table)
    yield seat
    seat.page.context.close()
    assert seat.complaints == []


def stands_well(seat: Seat, step: str) -> None:
    """At every size the verdict and what one does next are in view."""
    for size in looking.SIZES:
        looking.resize(seat.page, size)
        wanted = (".verdict", ".entry .bar .button", ".cell", ".entry .take-card")
        assert looking.outside(seat.page, *wanted) == [], (step, size)
        wide = seat.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], (step, size)
    looking.resize(seat.page, looking.PHONE)


def test_odin_stands_still_from_the_deal_to_the_podium(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE, hand_size="2", limit="3")
    stands_well(seat, "deal")
    say(seat, "deal A")
    stands_well(seat, "lead")
    grid, lay = looking.top_of(seat.page, ".grid"), looking.top_of(seat.page, "#lay")
    for line in ("A r5", "B b6", "C pass", "D pass", "E pass", "F g9", "A pass"):
        say(seat, line)
        if "take" in (seat.page.locator(".board").get_attribute("data-phase") or ""):
            stands_well(seat, f"{line}, a card is taken")
            continue
        stands_well(seat, line)
        assert looking.top_of(seat.page, ".grid") == grid, line
        assert looking.top_of(seat.page, "#lay") == lay, line
    seat.lay("blue 1")
    expect(seat.page.locator(".refusal")).to_be_visible()
    for size in looking.SIZES:
        looking.resize(seat.page, size)
        assert looking.outside(seat.page, ".verdict", ".refusal", ".refusal .button") == []
    looking.resize(seat.page, looking.PHONE)
    seat.tap("Change it")
    expect(seat.page.get_by_role("checkbox", name="blue 1")).not_to_be_checked()


def test_a_play_takes_as_many_taps_as_it_has_cards_and_one(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE[:2])
    say(seat, "deal A")
    taps = 0

    def tap(locator: str) -> None:
        nonlocal taps
        taps += 1
        seat.page.locator(locator).click()

    tap("label:has(#card-r5)")
    tap("#lay")
    seat.waits_for("Ben's turn.")
    assert taps == 2
    for cell in ("#card-b7", "#card-b8"):
        tap(f"label:has({cell})")
    tap("#lay")
    seat.waits_for("Anna's turn.")
    assert taps == 2 + 3
    tap("#pass")
    seat.waits_for("Ben leads.")
    assert taps == 2 + 3 + 1


def test_a_game_with_remembered_people_begins_with_two_taps(seat: Seat) -> None:
    open_game(seat, "odin", ("Anna", "Ben"), hand_size="1", limit="1")
    say(seat, "deal A", "A r5", "count 0 1")
    seat.waits_for("The game is over.")
    seat.open("/home")
    seat.page.get_by_role("link", name="New game", exact=True).last.click()
    seat.tap("Go")
    expect(seat.page.locator(".verdict h1")).to_be_visible()
    expect(seat.page.locator(".seats .seat .name")).to_contain_text(["Anna", "Ben"])


def test_valhalla_is_told_without_scrolling(seat: Seat) -> None:
    open_game(seat, "valhalla", PEOPLE[:3])
    for line in VALHALLA:
        stands_well(seat, line)
        _every_choice_is_in_view(seat.page, line)
        say(seat, line)
    _every_choice_is_in_view(seat.page, "last stand")


def _every_choice_is_in_view(page: Page, step: str) -> None:
    """Whoever is chosen: what they can say is one tap away, or two."""
    for who in _taps(page.locator(".entry > .tabs > .tab-row label")):
        who()
        for group in _taps(page.locator(".asked:visible .tab-row label")):
            group()
            assert page.locator(".asked .button:visible").count(), step
            assert looking.outside(page, ".verdict", ".asked .button", ".asked label") == [], step


def _taps(labels: Locator) -> list[Callable[[], None]]:
    """A tap on each; where there are none, none is needed."""
    return [each.click for each in labels.all()] or [lambda: None]


def test_it_is_light_and_asks_nobody_else(browser: Browser, table: Companion) -> None:
    for path in ("/home", "/"):
        seat = sit_down(browser, table)
        weighing = looking.Weighing(seat.page)
        seat.open(path)
        seat.page.wait_for_load_state("load")
        seat.page.evaluate("document.fonts.ready")
        seat.page.context.close()
        assert [each for each in weighing.sizes if not each.startswith(table.address)] == []
        assert 0 < weighing.total <= HEAVIEST_BYTES, (path, weighing.total, weighing.sizes)


def test_it_is_read_from_two_metres(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE)
    say(seat, "deal A", "A r5")
    looking.resize(seat.page, looking.DESK)
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    for large in (".seat .name", ".seat .points b", ".verdict .value"):
        assert seat.page.locator(large).first.evaluate(size) >= FAR_PX, large
    for label in (".seat .size small", ".verdict .last", ".middle .owner", ".to-beat small"):
        assert seat.page.locator(label).first.evaluate(size) >= FAR_LABEL_PX, label


def test_a_game_by_keyboard_alone(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE[:2], hand_size="1", limit="1")
    keys = seat.page.keyboard
    tab_to(seat, "Anna")
    keys.press("Enter")
    seat.waits_for("Anna leads.")
    tab_to(seat, "blue 1")
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    assert focused(seat) == "red 2"
    keys.press("Space")
    stops = tab_to(seat, "Lay 2")
    assert stops <= 3
    keys.press("Enter")
    seat.waits_for("Anna is out. Count the cards left.")
    tab_to(seat, "Count")
    keys.press("Enter")
    seat.waits_for("The game is over.")


def test_what_one_is_at_outlives_what_others_do_and_each_change_is_drawn_once(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE[:3])
    say(seat, "deal A")
    seat.page.locator("label:has(#card-p4)").click()
    seat.page.locator("#card-p4").focus()
    looking.resize(seat.page, looking.DESK)
    seat.page.locator(".typed summary").click()
    seat.page.locator("#typed-entry").fill("half a w")
    seat.page.locator("#card-p4").focus()
    seat.page.evaluate("scrollTo(0, 40)")
    count = "performance.getEntriesByName('drawn').length"
    before = seat.page.evaluate(count)
    say(seat, "A r5", "B pass", "C b7")
    assert seat.page.evaluate("document.activeElement.id") == "card-p4"
    expect(seat.page.locator("#card-p4")).to_be_checked()
    expect(seat.page.locator("#typed-entry")).to_have_value("half a w")
    assert seat.page.locator(".typed").get_attribute("open") is not None
    assert seat.page.evaluate("scrollY") == 40
    drawn(seat, before + 3)
    assert seat.page.evaluate(count) == before + 3


def test_two_languages_at_one_table(browser: Browser, table: Companion, seat: Seat) -> None:
    german = sit_down(browser, table, locale="de")
    open_game(seat, "odin", PEOPLE[:2])
    say(seat, "deal A")
    german.open()
    german.lay("rote 3")
    seat.waits_for("Ben's turn.")
    expect(german.page.locator(".verdict .last")).to_contain_text("rote 3")
    expect(seat.page.locator(".verdict .last")).to_contain_text("red 3")
    german.page.context.close()
    assert german.complaints == []


def test_the_sound_switch_is_remembered(seat: Seat) -> None:
    open_game(seat, "odin", PEOPLE[:2])
    say(seat, "deal A")
    more = seat.open_sheet("more")
    switch = more.get_by_role("switch", name="Sounds")
    expect(switch).not_to_be_checked()
    more.locator("label.switch", has_text="Sounds").click()
    seat.page.reload()
    seat.open_sheet("more")
    expect(seat.page.get_by_role("switch", name="Sounds")).to_be_checked()
    seat.close_sheet("more")
    say(seat, "A r5")
    expect(seat.page.locator("html")).to_have_attribute("data-last-moment", "laid")
