"""The hall of a club on a large screen: tables appear and change by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.core.game import Setup
from companion.hub.clubs import make_club
from companion.hub.store import open_store
from companion.hub.trial.programs import TrialProgram
from companion.hub.trial.servers import free_port, wait_for_port
from companion.ledger.events import Did, Opened, Unwritten
from companion.ledger.journal import Journal
from companion.outbox.catching_up import step
from companion.outbox.hub_client import HubClient
from companion.outbox.protocol import Joining
from companion.outbox.uplink import MembersHub
from tests.browser.conftest import Seat
from tests.browser.looking import violations


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A running hub: its address, and the key of its club for tables."""
    kept, port = str(tmp_path / "hub.db"), free_port()
    store = open_store(kept)
    key = make_club(store, "Ravens").key
    store.close()
    program = TrialProgram(
        "companion", "hub", "run", "--store", kept, "--host", "127.0.0.1", "--port", str(port)
    )
    program.start()
    wait_for_port(port)
    yield f"http://127.0.0.1:{port}", key
    program.kill()


def test_the_hall_follows_its_tables_by_itself(
    browser: Browser, hub: tuple[str, str], journal: Journal
) -> None:
    address, key = hub
    client = HubClient(address)
    token = client.join(key, Joining(journal.box, "By the door")).token
    there = MembersHub(client, journal.box, token)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    watcher = Seat(page, address)
    watcher.open("/c/ravens/hall")
    watcher.sees("By the door")
    journal.open_with([Opened(Setup("odin", ("Anna", "Ben")), 2), Did("deal A")], "page")
    step(journal, there, None)
    expect(page.locator(".hall-seats .turn")).to_contain_text("Anna")
    journal.append_all(1, [Unwritten(Did("A r9"))], 2, "page")
    step(journal, there, None)
    expect(page.locator(".hall-seats .turn")).to_contain_text("Ben")
    expect(page.locator(".hall-waiting")).to_contain_text("Ben")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    watcher.open("/c/ravens")
    assert violations(page) == []
    assert watcher.complaints == []
    page.close()
