"""The tools around the box: what they say to what cannot be, and the smoke test itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"


@pytest.mark.parametrize("script", sorted(TOOLS.glob("*.sh")), ids=lambda script: script.name)
def test_a_plain_shell_can_read_it(script: Path) -> None:
    assert os.access(script, os.X_OK)
    done = subprocess.run(["sh", "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_emulating_what_nobody_has(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(TOOLS / "aarch64.sh")],
        env=os.environ | {"RELEASE": "potato", "FOLDER": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "aarch64: RELEASE is bookworm or trixie, got 'potato'\n"


def _command(folder: Path, *words: str) -> Path:
    command = folder / "companion"
    command.write_text("#!/bin/sh\n" + " ".join(words) + ' "$@"\n')
    command.chmod(0o755)
    return command


def _smoked(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOLS / "smoke.py"), *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )


def test_the_smoke_test_passes_here(tmp_path: Path) -> None:
    done = _smoked(str(_command(tmp_path, "exec", sys.executable, "-m", "companion")))
    assert (done.returncode, done.stderr) == (0, "")
    tried = [line.split()[1] for line in done.stdout.splitlines()[1:]]
    assert tried == ["rules:", "journal:", "page:", "picture:", "doctor:"]


def test_the_smoke_test_can_fail(tmp_path: Path) -> None:
    done = _smoked(str(_command(tmp_path, "exit 0; echo")))
    assert done.returncode == 1
    assert "BAD   rules" in done.stdout
    assert _smoked().returncode == 2
