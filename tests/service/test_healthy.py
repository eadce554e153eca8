"""Whether the page of a box that was just installed answers, wherever it listens."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.dashboard import Parts
from companion.dashboard.serving.server import Server, table_site
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.chosen_settings import SettingsStore
from companion.service.healthy import answers, page_address
from companion.service.settings import Settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    settings = tmp_path / "companion.toml"
    settings.write_text("port = 8081\n")
    return settings


def test_the_page_is_looked_for_where_the_settings_have_it(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert page_address(file, data) == "http://localhost:8081/"
    SettingsStore(file, {"data": str(data)}).choose({"port": 8082})
    assert page_address(file, data) == "http://localhost:8082/", "what was chosen on the page"
    file.write_text('host = "127.0.0.1"\n')
    assert page_address(file, data) == "http://127.0.0.1:8082/"


def test_a_page_that_is_there_and_one_that_is_not(journal: Journal, referee: Referee) -> None:
    made = Server(Settings(host="127.0.0.1", port=0), table_site(Parts(referee, journal)))
    address = f"http://127.0.0.1:{made.port}/"
    running = threading.Thread(target=made.run)
    running.start()
    assert answers(address)
    made.close()
    running.join()
    assert not answers(address, patience=0.0)
