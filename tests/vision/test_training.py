"""The path from drawings to models, from end to end, in a minute."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.vision import decks
from companion.vision.networks import Network, sums

torch_there = importlib.util.find_spec("torch") is not None
ROOT = Path(__file__).parents[2]
NETWORKS = ("detector", "embedder", "index", "dice", "refiner")


@pytest.mark.skipif(not torch_there, reason="torch is only in the training extra")
@pytest.mark.timeout(600)
def test_a_few_steps_make_every_model(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "models.train", "--quick"]
    run = subprocess.run(
        [*command, "--work", str(tmp_path / "work"), "--to", str(tmp_path / "to")],
        cwd=ROOT, capture_output=True, text=True, timeout=540, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    made = sums(tmp_path / "to")
    assert {f"{name}.onnx" for name in NETWORKS} <= set(made)
    points = Network(tmp_path / "to" / "embedder.onnx").run(np.zeros((3, 112, 80, 3), np.uint8))
    assert np.allclose(np.linalg.norm(points, axis=1), 1, atol=1e-3)
    assert len(decks.load(tmp_path / "to" / "odin.deck").labels) == 56
    again = subprocess.run(
        [*command, "refiner", "--work", str(tmp_path / "work"), "--to", str(tmp_path / "to")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "going on at step 12 of 12" in again.stdout


@pytest.mark.skipif(not torch_there, reason="torch is only in the training extra")
def test_an_unknown_model_is_named() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "models.train", "telescope"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "no model is called telescope" in run.stderr
