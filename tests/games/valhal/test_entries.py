"""A busy table keeps within the aims, as `companion bench entries` prints them."""

from __future__ import annotations

from companion.games.valhal.bookkeeping import _counted, game
from tests.cli.calling import companion


def test_a_busy_table_keeps_within_the_aims() -> None:
    answer = companion("bench", "entries", "--json")
    counts = {each["name"]: (each["count"], each["aim"]) for each in answer.objects}
    assert len(counts) == 14
    assert "Valhal, answers about the copy in year 1: the most of 10 games" in counts
    assert [name for name, (count, aim) in counts.items() if aim and count > aim] == []
    assert answer.code == 0
    told = companion("bench", "entries").text
    assert "year 1, winter" in told
    assert "aim 25" in told


def test_everything_there_is_to_tell_comes_up_in_the_games_that_are_counted() -> None:
    said = {word for seed in range(4) for _, line in game(seed) for word in line.split()}
    assert {"strike", "uses", "chooses", "sheet", "draws", "continue", "agree"} <= said
    lines = [line for seed in range(4) for _, line in game(seed)]
    assert any(" says activated " in line for line in lines)
    assert any(" | " in line for line in lines)
    assert any("ability:town-dice+1" in line for line in lines)
    assert any(line.startswith("sheet favour.wrath") for line in lines)


def test_new_cards_count_as_answers() -> None:
    lines = [line for state, line in game(0) if state.year == 1]
    told = [line for line in lines if line.startswith("sheet ") or " says " in line]
    assert any(" says " in line for line in told)
    assert _counted(0)[1] == len(told)
