"""axe-core on every page and every state of every table, by day and by night: it finds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect
from werkzeug.routing import Rule

from companion.dashboard import Parts, create_app
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from tests.browser import every_page, looking
from tests.browser.conftest import Companion, Seat

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]
NO_PAGE = re.compile(
    r"static|\.(jpg|json|png|svg|csv|zip|js|crt|webmanifest|deck)$|/(stream|voice|record|file|table)$"
    r"|/(findings|pressed|waiting|part|made|print|photograph)$|/print/|/game/|/photographs/"
    r"|/picture/|/alike/"
)
"""Files, parts of pages, and what is only asked for by scripts."""


class Examined:
    """What axe-core found, by page and state."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.found: dict[str, list[str]] = {}

    def here(self, what: str) -> None:
        self.found[what] = looking.violations_by_day_and_night(self.seat.page)

    def open(self, *paths: str) -> None:
        for path in paths:
            self.seat.open(path)
            self.here(path)

    def nothing(self) -> None:
        assert self.found
        assert {what: each for what, each in self.found.items() if each} == {}


def sit_down(browser: Browser, address: str) -> Seat:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, locale="en", reduced_motion="reduce"
    )
    return Seat(context.new_page(), address)


def start(folder: Path, *words: str) -> Iterator[Companion]:
    companion = Companion(folder, *words)
    companion.start()
    yield companion
    companion.kill(15)
    assert "Traceback" not in companion.said()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Companion]:
    every_page.fill_in_sheet(tmp_path)
    yield from start(tmp_path, "--camera", "none")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Companion]:
    yield from start(tmp_path, "--camera", "simulated:odin,seed=5,speed=4")


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Companion]:
    (tmp_path / "journal.db").write_bytes(b"no journal at all" * 400)
    yield from start(tmp_path, "--camera", "none")


def test_every_state_of_every_table(browser: Browser, table: Companion) -> None:
    seat = sit_down(browser, table.address)
    examined = Examined(seat)
    for state in every_page.states(seat):
        examined.here(state)
    examined.open(*every_page.SCANNED, *every_page.AFTER_GAMES)
    seat.open("/new?game=odin")
    seat.tap("Go")
    expect(seat.page.get_by_role("heading", name="A game is running")).to_be_visible()
    examined.here("asking")
    seat.page.context.close()
    examined.nothing()
    assert seat.complaints == []


def test_every_page_without_a_camera(browser: Browser, table: Companion) -> None:
    owner, watcher = (sit_down(browser, table.address) for _ in range(2))
    examined = Examined(owner)
    examined.open(*every_page.ANY_TIME)
    owner.open("/set-up")
    owner.page.get_by_label("Name of this phone").fill("Owner")
    owner.page.get_by_label("The owner's code").fill("nine worlds")
    owner.page.get_by_role("switch").check()
    owner.tap("This box is mine")
    examined.here("owned")
    examined.open("/who", "/who/devices")
    examined.nothing()
    watched = Examined(watcher)
    watcher.expected = re.compile("403")
    watched.open("/home", "/join", "/own", "/new")
    watched.nothing()
    for seat in (owner, watcher):
        seat.page.context.close()
        assert seat.complaints == []


def test_every_page_with_a_camera(browser: Browser, watched: Companion) -> None:
    seat = sit_down(browser, watched.address)
    seat.expected = looking.CROP_GONE
    examined = Examined(seat)
    seat.open()
    cards = seat.page.locator("#above .mat a[href]")
    expect(cards.first).to_be_attached(timeout=120_000)
    examined.here("watched")
    right = cards.last.get_attribute("href")
    seat.open_sheet("demo")
    examined.here("demo")
    examined.open(right or "", *every_page.WATCHED)
    seat.page.context.close()
    examined.nothing()


def test_a_box_whose_journal_is_damaged(browser: Browser, damaged: Companion) -> None:
    seat = sit_down(browser, damaged.address)
    examined = Examined(seat)
    examined.open("/recovery", "/")
    seat.page.context.close()
    examined.nothing()


def test_no_page_is_left_out(journal: Journal, referee: Referee) -> None:
    app = create_app(Parts(referee, journal))
    looked_at = {
        _rule_of(app, path)
        for paths in (
            every_page.ANY_TIME,
            every_page.AFTER_GAMES,
            every_page.SCANNED,
            every_page.WATCHED,
            every_page.ELSEWHERE,
        )
        for path in paths
    }
    pages = {each.rule for each in app.url_map.iter_rules() if "GET" in (each.methods or ())}
    assert {each for each in pages if not NO_PAGE.search(each)} - looked_at == set()


def _rule_of(app: Flask, path: str) -> str:
    rule, _ = app.url_map.bind("").match(path.partition("?")[0], return_rule=True)
    assert isinstance(rule, Rule)
    return rule.rule
