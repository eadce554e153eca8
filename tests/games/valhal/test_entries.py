"""A busy table keeps within the aims, as `companion bench entries` prints them."""

from __future__ import annotations

from tests.cli.calling import companion


def test_a_busy_table_keeps_within_the_aims() -> None:
    answer = companion("bench", "entries", "--json")
    counts = {each["name"]: (each["count"], each["aim"]) for each in answer.objects}
    assert len(counts) == 8
    assert [name for name, (count, aim) in counts.items() if aim and count > aim] == []
    assert answer.code == 0
    told = companion("bench", "entries").text
    assert "year 1, winter" in told
    assert "aim 25" in told
