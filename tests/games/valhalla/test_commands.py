"""The commands with the second game: the same doors, another notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import companion

ROOT = Path(__file__).parents[2]
GAME = ROOT / "transcripts" / "valhalla" / "everybody_loses.txt"
TOP = "valhalla 1\nA: Anna\nB: Ben\nC: Cleo\n"


def test_a_record_is_judged_to_its_end() -> None:
    answer = companion("check", "valhalla", str(GAME), "--json")
    assert answer.code == 1, "the transcript has slips in it"
    *lines, last = answer.objects
    assert {line["verdict"] for line in lines} == {"accepted", "refused", "stands"}
    assert last["over"] is True
    assert last["winners"] == []
    told = companion("check", "valhalla", str(GAME)).lines[-1]
    assert told == "final: Anna 0, Ben 0; won by nobody"


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("A draws", "VLLA-STR-4a"),
        ("armory draugr", "VLLA-BAT-3"),
        ("A ready", None),
        ("ready", None),
    ],
)
def test_is_that_legal_now(action: str, rule: str | None) -> None:
    answer = companion("legal", "valhalla", "-", action, "--json", stdin=f"{TOP}first A\n")
    (found,) = answer.objects
    assert found["legal"] is (rule is None)
    assert found["reasons"] == ([] if rule is None else [rule])


def test_what_could_come_next() -> None:
    answer = companion("legal", "valhalla", "-", stdin=f"{TOP}first A\nB ready\n")
    assert answer.lines == ["A ready", "C ready", "ready"]


def test_a_record_of_another_game_is_said_to_be_one() -> None:
    answer = companion("check", "odin", "-", stdin=TOP)
    assert (answer.code, "valhalla, not of odin" in answer.err) == (2, True)


def test_a_game_comes_back_letter_for_letter(tmp_path: Path) -> None:
    clean = "\n".join(line for line in GAME.read_text().splitlines() if not line.startswith("#"))
    accepted = [
        each["action"]
        for each in companion("check", "valhalla", "-", "--json", stdin=clean).objects[:-1]
        if each["verdict"] != "refused"
    ]
    record = tmp_path / "game.txt"
    record.write_text("valhalla 1\nA: Anna\nB: Ben\n\n" + "\n".join(accepted) + "\n")
    data = ("--data", str(tmp_path / "data"))
    assert companion("import", str(record), *data).code == 0
    first = companion("export", "1", *data).out
    (tmp_path / "again.txt").write_bytes(first)
    assert companion("import", str(tmp_path / "again.txt"), "--again", *data).code == 0
    assert companion("export", "2", *data).out == first
