"""A box that is being set up on the page: real parts before a painted camera, no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.ledger.journal import Journal
from tests.dashboard.onboarding.fresh_box import FreshBox


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FreshBox]:
    monkeypatch.chdir(tmp_path)  # no companion.toml of this machine plays a part
    (tmp_path / "data").mkdir()
    with Journal(tmp_path / "data" / "journal.db") as journal:
        box = FreshBox(tmp_path / "data", journal)
        yield box
        box.desk.close()
