"""Logs written by earlier builds lead to the same table today. The files were made by the build
that had that version of the rules and must never be made again by a later one.

A line that begins with `!` was let stand. Where it changed something, coins, glory, favour,
longboats and units at home of every Jarl stand behind it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Accepted, Setup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.state import Player, State

LOGS = Path(__file__).with_name("old_logs")


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_old_log_is_judged_as_it_was(version: int) -> None:
    title, *lines = (LOGS / f"version-{version}.txt").read_text("utf-8").splitlines()
    assert title == f"valhal {version}"
    names = tuple(line[3:] for line in lines if line[1] == ":")
    changes = [line.split()[1:] for line in lines if line.startswith("option ")]
    told = tuple((name, value) for name, value in changes)
    state = valhal.start(Setup(valhal.NAME, names, changes=told, rules=version))
    for line in lines[len(names) + len(changes) :]:
        state = _replayed(state, line)
    assert state.over


def _replayed(state: State, line: str) -> State:
    words, _, expected = line.partition("  # ")
    judge = valhal.let_stand if words.startswith("! ") else valhal.judge
    verdict = judge(state, valhal.parse(words.removeprefix("! ")))
    assert isinstance(verdict, Accepted), (line, verdict)
    if expected:
        assert " ".join(map(_summary, verdict.state.players)) == expected, line
    return verdict.state


def _summary(player: Player) -> str:
    numbers = (player.coins, player.glory, player.favour, player.boats)
    return "/".join((*map(str, numbers), "+".join(player.units) or "-"))
