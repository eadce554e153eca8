"""Nonsense sent to every route; `companion bench trust --row requests --long` sends a million."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bench.trust.requests import answers

REQUESTS = 20_000
SHARES = 5  # so that two processes can share the work
DEEP = (
    *("/settings", "/settings/backup.zip", "/setup", "/setup/table", "/setup/buttons", "/recovery"),
    *("/who/devices", "/act", "/undo", "/join", "/set-up", "/health"),
)
"""Pages that need a part of the box."""
MOST_MISSED = 3  # by chance: without the parts nearly all are


@pytest.mark.parametrize("share", range(SHARES))
def test_nonsense_is_answered_in_words(tmp_path: Path, share: int) -> None:
    statuses: dict[int, int] = {}
    reached: set[str] = set()
    for method, path, status in answers(tmp_path, REQUESTS // SHARES, seed=share):
        assert status < 500, f"{method} {path!r}"
        statuses[status] = statuses.get(status, 0) + 1
        if status < 400 and method in ("GET", "POST"):
            reached.add(path)
    assert {200, 303, 400, 404, 405} <= set(statuses), "it reached the pages"
    missed = set(DEEP) - reached
    assert len(missed) <= MOST_MISSED, f"and what lies behind them, but for {missed}"
