"""Switching the box off: the login manager is asked, and what it says is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.foundation.errors import BadInput
from companion.service.power import Turn, turn_machine, why_not


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the programs of this machine lie; there are none but a shell's."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def login_manager(tools: Path, can: str, *, code: int = 0, does: int = 0) -> None:
    """One that answers `Can...` so, and writes down what it was asked to do."""
    script = f"""#!/bin/sh
case "$*" in
  *Manager\\ Can*) echo 's "{can}"'; exit {code} ;;
  *) echo "$*" >> {tools}/asked; exit {does} ;;
esac
"""
    (tools / "busctl").write_text(script)
    (tools / "busctl").chmod(0o755)


@pytest.mark.parametrize(("turn", "word"), [(Turn.OFF, "PowerOff"), (Turn.AGAIN, "Reboot")])
def test_a_machine_that_may_be_switched_is_switched(tools: Path, turn: Turn, word: str) -> None:
    login_manager(tools, "yes")
    assert why_not(turn) is None
    turn_machine(turn)
    assert (tools / "asked").read_text().split()[-3:] == [word, "b", "false"]


@pytest.mark.parametrize("can", ["no", "challenge", "na"])
def test_one_that_may_not_is_left_alone_and_says_why(tools: Path, can: str) -> None:
    login_manager(tools, can)
    assert "may not switch this machine" in str(why_not(Turn.OFF))
    with pytest.raises(BadInput, match="may not switch this machine"):
        turn_machine(Turn.OFF)
    assert not (tools / "asked").exists()


def test_a_manager_that_says_no_in_the_end_is_told(tools: Path) -> None:
    login_manager(tools, "yes", does=1)
    with pytest.raises(BadInput, match="said no"):
        turn_machine(Turn.AGAIN)


def test_a_silent_manager_and_none_at_all(tools: Path) -> None:
    assert "no login manager" in str(why_not(Turn.OFF))
    login_manager(tools, "yes", code=1)
    assert "silent" in str(why_not(Turn.OFF))
    with pytest.raises(BadInput, match="silent"):
        turn_machine(Turn.OFF)
