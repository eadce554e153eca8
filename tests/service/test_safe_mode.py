"""A companion that is killed again and again, as processes under something like systemd."""

from __future__ import annotations

import os
import re
import select
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.service.crash_count import Failed, Starts

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(30)
        yield listening


@contextmanager
def running(
    folder: Path, *settings: str, **env: str
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    (folder / "companion.toml").write_text(
        f'data = "{folder}/data"\nport = 0\nhost = "127.0.0.1"\n' + "\n".join(settings)
    )
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "run"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                said.append(line.rstrip("\n"))
                if line.startswith("Scan"):
                    break
            yield process, said
        finally:
            process.kill()


def page(said: list[str], path: str = "", language: str = "en", **form: list[str]) -> str:
    address = next(line for line in said if line.startswith("page: ")).removeprefix("page: ")
    data = urllib.parse.urlencode(form, doseq=True).encode() if form else None
    asked = urllib.request.Request(address + path, data, {"Accept-Language": language})
    with urllib.request.urlopen(asked, timeout=20) as answer:
        return re.sub(r"\s+", " ", answer.read().decode())


def test_killed_three_times_then_safe_mode_that_says_why_and_still_plays(tmp_path: Path) -> None:
    settings = ('gpio = "mock"', 'camera = "usb:no such camera"')
    for _ in range(3):
        with running(tmp_path, *settings) as (process, said):
            assert "safe mode" not in " ".join(said)
            process.kill()
    with running(tmp_path, *settings) as (process, said):
        assert "safe mode: after 3 crashes in a row" in said
        assert "buttons and lamps: none" in said
        assert "camera: none: entries are made on the page" in said
        assert "Safe mode: the companion has crashed 3 times in a row." in page(said, "new")
        table = page(said, "games", name=["Anna", "Ben"])
        assert table.count("Safe mode:") == 2  # in one line, and whole in the sheet behind it
        assert "Abgesicherter Modus:" in page(said, language="de")
        assert "Anna" in table
        process.terminate()
        assert process.wait(20) == 0
    with running(tmp_path, *settings) as (process, said):  # stopped cleanly: everything again
        assert "buttons and lamps: simulated: press them on the page" in said
        process.terminate()
        process.wait(20)


def test_a_part_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO")
    for _ in range(3):
        with running(tmp_path, 'gpio = "real"') as (process, _):
            assert process.wait(20) == 2
    with running(tmp_path, 'gpio = "real"') as (process, said):
        told = page(said, "new")
        assert "has failed 3 times in a row, the last time because: gpio = " in told
        process.terminate()
        process.wait(20)


def test_what_was_chosen_on_the_page_and_cannot_be_is_left_out_and_can_be_chosen_anew(
    tmp_path: Path,
) -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO")
    (tmp_path / "data").mkdir()
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (tmp_path / "data" / "chosen.toml").write_text(f'gpio = "real"\nport = {port}\n')
        with running(tmp_path, 'gpio = "mock"') as (process, said):
            assert "buttons and lamps: simulated: press them on the page" in said
            told = page(said, "settings")
            assert told.count("What was chosen under Settings could not be done") == 2
            assert f'name="port" value="{port}"' in told
            process.terminate()
            assert process.wait(20) == 0


def test_systemd_hears_that_it_is_ready_alive_and_stopping(
    tmp_path: Path, ear: socket.socket
) -> None:
    watched = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "90000000"}
    with running(tmp_path, **watched) as (process, _):
        heard: set[str] = set()
        while heard != {"READY=1", "WATCHDOG=1"}:
            heard.add(ear.recv(4096).decode().split("\n")[0])
        process.terminate()
        assert process.wait(20) == 0
    last = b""
    while select.select([ear], [], [], 0)[0]:
        last = ear.recv(4096)
    assert last == b"STOPPING=1"
    assert Starts(tmp_path / "data" / "starts.json").failed == Failed()


def test_what_is_wrong_with_the_camera_is_said_while_it_lasts(tmp_path: Path) -> None:
    """Not there; there at the next try, and nothing to be said; and over. Played by hand."""
    pictures = tmp_path / "pictures"
    with running(tmp_path, f'camera = "file:{pictures}"') as (process, said):
        assert "camera: file pictures" in said
        assert _soon(said, lambda told: f"The camera is not there (file:{pictures})." in told)
        assert "Anna" in page(said, "games", name=["Anna", "Ben"])
        shutil.copytree(_two_pictures(tmp_path / "shown"), pictures)
        assert _soon(said, lambda told: "The camera is not there" not in told)
        assert _soon(said, lambda told: f"The film is over (file:{pictures})." in told)
        process.terminate()
        assert process.wait(20) == 0


def _two_pictures(folder: Path) -> Path:
    folder.mkdir()
    for shade in (100, 120):
        cv2.imwrite(str(folder / f"{shade}.png"), np.full((48, 64, 3), shade, np.uint8))
    return folder


def _soon(said: list[str], condition: Callable[[str], bool]) -> bool:
    patience = time.monotonic() + 20
    while time.monotonic() < patience:
        if condition(page(said, "table")):
            return True
        time.sleep(0.1)
    return False
