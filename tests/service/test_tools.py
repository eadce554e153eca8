"""The tools around the box: what they say to what cannot be, and the smoke test itself."""

from __future__ import annotations

import os
import pwd
import re
import socket
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


# The service, started as systemd would


def _unit(folder: Path, *command: str) -> Path:
    unit = folder / "companion.service"
    text = (ROOT / "systemd" / "companion.service").read_text()
    for key, value in (
        ("ExecStart", " ".join(command)),
        ("User", pwd.getpwuid(os.geteuid()).pw_name),
        ("WorkingDirectory", str(folder)),
        ("RuntimeDirectory", str(folder / "run")),
        ("Environment", f"COMPANION_DATA={folder / 'data'} PYTHONPATH={ROOT}"),
    ):
        text = re.sub(rf"^{key}=.*$", f"{key}={value}", text, count=1, flags=re.M)
    unit.write_text(text)
    return unit


def _tried(unit: Path, page: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOLS / "service.py"), "--unit", str(unit), "--page", page],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts as another user")


@as_root
def test_the_service_starts_and_stops_as_its_unit_says(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "companion.toml").write_text(f'port = {port}\ngpio = "none"\n')
    unit = _unit(tmp_path, sys.executable, "-m", "companion", "run")
    done = _tried(unit, f"http://127.0.0.1:{port}/")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    good = [line for line in done.stdout.splitlines() if line.startswith("good")]
    assert [line.split()[1] for line in good] == ["ready", "page:", "watchdog", "stopped"]


@as_root
def test_a_service_that_does_not_start(tmp_path: Path) -> None:
    done = _tried(_unit(tmp_path, "/bin/false"), "http://127.0.0.1:1/")
    assert done.returncode == 1
    assert done.stdout == "BAD   it ended with code 1 before it said READY=1\n"


def test_a_unit_that_starts_otherwise(tmp_path: Path) -> None:
    (tmp_path / "x.service").write_text("[Service]\nExecStart=/bin/true\n")
    done = _tried(tmp_path / "x.service", "http://127.0.0.1:1/")
    assert done.returncode == 1
    assert done.stdout.startswith("BAD   this unit starts otherwise")
