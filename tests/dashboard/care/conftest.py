"""Fixtures of the pages that care for the box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.ledger.journal import Journal
from tests.dashboard.care.box import Box


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    monkeypatch.chdir(tmp_path)  # no companion.toml of this machine plays a part
    (tmp_path / "data").mkdir()
    with Journal(tmp_path / "data" / "journal.db") as journal:
        yield Box(tmp_path / "data", journal)


@pytest.fixture
def client(box: Box) -> FlaskClient:
    return box.client()
