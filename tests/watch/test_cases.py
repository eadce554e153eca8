"""Plays somebody kept, read again from their pictures; and what `companion replay-case` says.

A case is a folder with `entry.json` (the game, the entries before, the truth) and `look-*.jpg`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from companion.cli.replay_case import replayed
from companion.foundation.errors import BadInput
from tests.cli.calling import companion

CASES = sorted(Path(__file__).with_name("cases").iterdir())


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_kept_case_is_read_right(folder: Path, tmp_path: Path) -> None:
    truth, entered = replayed(folder, tmp_path)
    assert entered == truth


def test_the_command_says_what_was_read_and_what_it_should_have_been(tmp_path: Path) -> None:
    case = tmp_path / CASES[0].name
    shutil.copytree(CASES[0], case)
    told = json.loads((case / "entry.json").read_text())
    (case / "entry.json").write_text(json.dumps({**told, "truth": ["A r1"]}))
    said = companion("replay-case", str(case))
    assert said.code == 1
    assert "WRONG: A k5" in said.text
    assert "the truth is A r1" in said.text


@pytest.mark.parametrize("missing", ["entry.json", "look-0.jpg"])
def test_a_folder_that_is_no_case(tmp_path: Path, missing: str) -> None:
    case = tmp_path / "case"
    shutil.copytree(CASES[0], case)
    (case / missing).unlink()
    with pytest.raises(BadInput, match=r"not a disputed play|there are no pictures"):
        replayed(case, tmp_path)


@pytest.mark.parametrize(
    "wrong", [{"setup": {"game": 5}}, {"before": 5}, {"truth": None}, {"setup": None}]
)
def test_a_case_whose_words_are_damaged(tmp_path: Path, wrong: dict[str, object]) -> None:
    case = tmp_path / "case"
    shutil.copytree(CASES[0], case)
    told = json.loads((case / "entry.json").read_text())
    (case / "entry.json").write_text(json.dumps({**told, **wrong}))
    with pytest.raises(BadInput, match="case"):
        replayed(case, tmp_path)
