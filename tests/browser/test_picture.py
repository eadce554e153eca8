"""The picture of the table where a camera watches: scores on its upper edge, readings as layers,
also on the wall; at the end the podium takes its place. The camera is a table told in words, so it
is quick."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect
from werkzeug.serving import make_server

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from tests.browser import looking
from tests.games.odin.players import LANES
from tests.watch.watched import WatchedTable

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def watched(referee: Referee, tmp_path: Path) -> WatchedTable:
    options = (("hand_size", "2"), ("limit", "2"))
    referee.open(Setup("odin", ("Anna", "Ben", "Cleo"), "en", options), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    say(table, "deal A")
    table.lay("r7", *LANES[0])
    table.settle()
    return table


@pytest.fixture
def page(browser: Browser, watched: WatchedTable, journal: Journal) -> Iterator[Page]:
    """With a picture that never changes; nothing follows the stream."""
    app = create_app(Parts(watched.referee, journal, table=watched.witness))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    running = threading.Thread(target=server.serve_forever)
    running.start()
    page = browser.new_page(
        base_url=f"http://127.0.0.1:{server.server_port}",
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
        locale="en",
        service_workers="block",
    )
    page.route("**/table.jpg", _picture)
    page.route("**/stream", lambda route: route.abort())
    yield page
    page.close()
    server.shutdown()
    running.join()
    server.server_close()


def _picture(route: Route) -> None:
    made = BytesIO()
    Image.new("RGB", (297, 210), "#1c3a22").save(made, "JPEG")
    headers = {"ETag": '"one"', "Content-Type": "image/jpeg"}
    route.fulfill(status=200, headers=headers, body=made.getvalue())


def say(table: WatchedTable, *lines: str) -> None:
    for line in lines:
        table.referee.propose(Proposal(line, table.session.seq, Source.PAGE))


def test_the_wall_shows_readings_and_fetches_nothing_twice(page: Page) -> None:
    looked: list[str] = []
    page.on("request", lambda each: looked.append(each.url) if "lying" in each.url else None)
    looking.resize(page, looking.DESK)
    page.goto("/wall")
    expect(page.locator(".wall-picture .thing-there text")).to_have_text("red 7")
    expect(page.locator(".wall-picture .mat .zones").first).to_be_hidden()
    while len(looked) < 4:
        page.wait_for_timeout(50)
    assert page.locator(".wall-picture").get_attribute("data-pictures") == "1"
    assert page.locator("main a, main button, main input").count() == 0
    assert looking.outside(page, ".wall-picture .mat", ".wall-name", ".wall-last") == []
    assert looking.violations(page) == []


def test_the_scores_stand_on_the_picture(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".hero .mat a[aria-label='red 7']")).to_be_visible()
    for size in (looking.PHONE, looking.SMALL_PHONE, looking.TOUCH_SCREEN):
        looking.resize(page, size)
        strip = page.locator(".seats").bounding_box()
        assert strip is not None
        on_it = looking.top_of(page, ".hero .mat") - strip["y"] - strip["height"]
        assert abs(on_it) <= 1, size
        assert looking.outside(page, ".seat .name", ".seat .points b", "#lay", "#pass") == [], size
    assert looking.violations(page) == []


def test_labels_do_not_lie_on_each_other(page: Page, watched: WatchedTable) -> None:
    x, y = LANES[1]
    watched.lay("b8", x, y)
    watched.lay("b9", x + 20, y)
    watched.settle()
    page.goto("/")
    expect(page.locator(".hero .mat .tag")).to_have_count(3)
    boxes = [each.bounding_box() for each in page.locator(".hero .mat .tag").all()]
    for at, one in enumerate(boxes):
        for other in boxes[:at]:
            assert one is not None
            assert other is not None
            beside = abs(one["x"] - other["x"]) >= (one["width"] + other["width"]) / 2 - 1
            below = abs(one["y"] - other["y"]) >= one["height"] - 1
            assert beside or below


@pytest.mark.parametrize("size", looking.SIZES)
def test_at_the_end_the_podium_takes_the_place_of_the_picture(
    page: Page, watched: WatchedTable, size: tuple[int, int]
) -> None:
    say(watched, "B pass", "C pass", "A r6", "count 0 2 2")
    looking.resize(page, size)
    page.goto("/")
    expect(page.locator(".podium")).to_be_visible()
    expect(page.locator(".hero")).to_be_hidden()
    assert looking.outside(page, ".podium .podium-name", ".over h2") == []
