"""The command that measures the models: what it counts and what it prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from models import judge


def judged(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["judge", *words])
    judge.main()


def test_it_counts_every_thing_in_plain_view_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(monkeypatch, "--only", "odin, apart, 1280", "--tables", "1", "--json")
    row = json.loads(capsys.readouterr().out)
    assert row["set"] == "odin, apart, 1280x720"
    assert row["things"] == row["right"] + row["wrong"] + row["unsure"] + row["missed"] == 12
    assert row["right %"] > 90


def test_and_says_how_sure_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(monkeypatch, "--only", "strangers: odin", "--tables", "1", "--reliability", "--json")
    assert json.loads(capsys.readouterr().out)["said, right, many"] == []
    judged(monkeypatch, "--only", "odin, apart, 1280", "--tables", "1", "--reliability", "--json")
    row = json.loads(capsys.readouterr().out)
    assert sum(many for _, _, many in row["said, right, many"]) > 10
    assert row["off by %"] < 5


def test_a_drawing_shows_every_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [(value, what) for value, what in judge.STEPS["blur (pixels)"] if value < 2]
    monkeypatch.setattr(judge, "STEPS", {"blur (pixels)": points})
    judged(monkeypatch, "--plots", str(tmp_path), "--tables", "1")
    drawn = (tmp_path / "seeing-blur.svg").read_text()
    assert all(f">{value:g}<" in drawn for value, _ in points)
