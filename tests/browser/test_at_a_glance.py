"""Moments where people look, what is felt without sound, and text that is read from two metres: at
every game's table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import looking
from tests.browser.conftest import Companion, Seat
from tests.browser.driving import VALHALLA, open_game, say

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
FAR_PX, FAR_LABEL_PX = 48, 20
NAMES = ("Anna", "Ben", "Cleo")
VALHAL = ("first A", "lay v1", "lay v2", "lay v3", "lay v4")
TO_BATTLE = (
    *("laid", "A rolls 5", "B rolls 2", "A attacks v1 with warriors on 1", "B stays"),
    *("sheet town.v1.rows 2/0/1", "sheet unit.warriors.dice 1 1", "A rolls 1", "town rolls 4"),
)
LABELS = (
    *(".seat .size small", ".verdict .last", ".stage .where", ".stage .owner", ".stage .kind"),
    *(".vh-stages", ".vh-seasons b", ".vh-towns small", ".vh-good small", ".vh-food small"),
)
FELT = """
  window.felt = [];
  navigator.vibrate = (how) => window.felt.push([how].flat().length);
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    companion = Companion(tmp_path_factory.mktemp("moments"), "--camera", "none")
    companion.start()
    yield companion
    companion.kill(15)
    assert "Traceback" not in companion.said()


@pytest.fixture
def seat(browser: Browser, table: Companion, request: pytest.FixtureRequest) -> Iterator[Seat]:
    """On a phone; with motion unless the test asks for less."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        locale="en",
        reduced_motion=getattr(request, "param", "no-preference"),
    )
    context.add_init_script(FELT)
    seat = Seat(context.new_page(), table.address)
    seat.expected = re.compile("status of 4")
    yield seat
    context.close()
    assert seat.complaints == []


def moves(page: Page, selector: str) -> list[str]:
    """The names of what moves there."""
    found: list[str] = page.locator(selector).evaluate_all(
        "all => all.map((each) => getComputedStyle(each).animationName)"
    )
    return [name for name in found if name != "none"]


def small(page: Page, least: float, *selectors: str) -> list[str]:
    """What is there but smaller."""
    return [
        f"{selector}: {size}"
        for selector in selectors
        for size in page.locator(selector).evaluate_all(
            "all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
        )
        if size < least
    ]


@pytest.mark.parametrize("seat", ["reduce"], indirect=True)
def test_every_table_is_read_from_two_metres(seat: Seat) -> None:
    page = seat.page
    looking.resize(page, looking.DESK)
    lines = {"odin": ("deal A", "A r5"), "valhalla": VALHALLA[:6], "valhal": VALHAL}
    for game, said in lines.items():
        open_game(seat, game, NAMES)
        say(seat, *said)
        assert page.locator(".seat .name").count() == len(NAMES), game
        far = (".seat .name", ".seat .points b", ".vh-place h3", ".vh-place .vh-good.big b")
        assert small(page, FAR_PX, *far) == [], game
        assert small(page, FAR_LABEL_PX, *LABELS) == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= looking.DESK[0], game
        page.goto(seat.address + "/wall")
        assert small(page, FAR_PX, ".wall-name", ".wall-points", ".wall-value", ".wall h1") == []
        assert small(page, FAR_LABEL_PX, ".wall-label", ".wall-last", ".wall-join") == []
        assert looking.outside(page, ".wall-name", ".wall-points", ".wall-last") == [], game


def test_a_refusal_is_felt_without_sound(seat: Seat) -> None:
    open_game(seat, "odin", NAMES)
    say(seat, "deal A", "A r5")
    assert seat.page.evaluate("felt") == [], "nobody has touched the page"
    seat.lay("blue 2")
    expect(seat.page.locator(".refusal")).to_be_visible()
    assert seat.page.evaluate("localStorage.getItem('sound')") is None
    assert seat.page.evaluate("felt") == [3]
    assert moves(seat.page, ".refusal .why") == ["shaken"]
    seat.tap("Change it")
    seat.lay("blue 7")
    expect(seat.page.locator(".verdict .value")).to_have_text("7")
    assert seat.page.evaluate("felt") == [3], "a card laid is not worth it without sound"


@pytest.mark.parametrize("seat", ["reduce"], indirect=True)
def test_who_asks_for_less_feels_nothing(seat: Seat) -> None:
    open_game(seat, "odin", NAMES)
    say(seat, "deal A", "A r5")
    seat.lay("blue 2")
    expect(seat.page.locator(".refusal")).to_be_visible()
    assert seat.page.evaluate("felt") == []
    assert moves(seat.page, ".refusal .why") == []


def test_a_hand_is_won_where_people_look(seat: Seat) -> None:
    open_game(seat, "odin", NAMES, hand_size="2", limit="20")
    say(seat, "deal A", "A r5", "B pass", "C pass", "A r6", "count 0 2 2")
    won = seat.page.locator(".stage .hand-won")
    expect(won).to_be_visible()
    expect(won.locator(".best")).to_contain_text("Anna")
    assert looking.outside(seat.page, ".hand-won") == []
    assert moves(seat.page, ".hand-won .best") == ["lifted"]


def test_cards_and_battles_move_in_every_game(seat: Seat) -> None:
    page = seat.page
    open_game(seat, "valhalla", NAMES)
    say(seat, *VALHALLA[:3])
    assert "laid" in moves(page, ".seat .laid .kind")
    say(seat, *VALHALLA[3:8])
    expect(page.locator(".battle-scene")).to_be_visible()
    assert moves(page, ".battle .clash") == ["clash"]

    open_game(seat, "valhal", NAMES[:2])
    say(seat, *VALHAL[:4])
    assert "laid" in moves(page, ".vh-towns li")
    say(seat, *TO_BATTLE)
    assert moves(page, ".vh-battle .vh-shore") == ["quake"]
    assert moves(page, ".vh-battle .vh-sides > div") == ["from-left", "from-right"]


@pytest.mark.parametrize("seat", ["reduce"], indirect=True)
def test_valhal_on_a_phone_has_the_common_board_above_the_jarls(seat: Seat) -> None:
    open_game(seat, "valhal", NAMES)
    say(seat, *VALHAL)
    places = [".seats", ".vh-wheel", ".vh-mainland", ".vh-places"]
    tops = [looking.top_of(seat.page, f".valhal {each}") for each in places]
    assert tops == sorted(tops)
    favour = seat.page.locator(".seat .size")
    expect(favour.first).to_contain_text("favour")
    assert tops[-1] - tops[0] <= 400, "compactly: less than half a screen"
    assert looking.violations(seat.page) == []
