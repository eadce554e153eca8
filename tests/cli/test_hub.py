"""`companion hub`, `join` and `leave` as somebody types them, with a real hub in between."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hub.trial.programs import TrialProgram
from companion.hub.trial.servers import free_port, wait_for_port
from companion.outbox.membership import read_membership


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Its address, and where it keeps things."""
    store, port = str(tmp_path / "hub.db"), free_port()
    program = TrialProgram(
        "companion", "hub", "run", "--store", store, "--host", "127.0.0.1", "--port", str(port)
    )
    program.start()
    wait_for_port(port)
    yield f"http://127.0.0.1:{port}", store
    program.kill()


def page(address: str, path: str) -> str:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def test_a_club_is_made_joined_and_left(hub: tuple[str, str], tmp_path: Path) -> None:
    address, store = hub
    made = companion("hub", "club", "Ravens", "--store", store)
    assert made.returncode == 0
    assert "/c/ravens" in made.stdout
    key, owner_key = re.findall(r": +(\S{32})$", made.stdout, re.MULTILINE)
    data = tmp_path / "box"
    refused = companion("join", address, "wrong", "--data", str(data))
    assert (refused.returncode, read_membership(data)) == (2, None)
    assert "no club has this key" in refused.stderr
    joined = companion("join", address, key, "--name", "By the door", "--data", str(data))
    assert joined.returncode == 0, joined.stderr
    assert "Ravens" in joined.stdout
    assert "By the door" in page(address, "/c/ravens")
    membership = read_membership(data)
    assert membership is not None
    assert owner_key not in (membership.token, key)
    again = companion("join", address, key, "--name", "Window", "--data", str(data))
    assert again.returncode == 0, again.stderr  # it has shown its token
    left = companion("leave", "--data", str(data))
    assert left.returncode == 0
    assert "could not be told" not in left.stdout
    assert read_membership(data) is None
    assert "Window" not in page(address, "/c/ravens")


def test_a_hub_whose_store_is_away_says_so_and_ends(tmp_path: Path) -> None:
    answer = companion("hub", "run", "--store", str(tmp_path), "--port", "0")
    assert answer.returncode == 2
    assert "cannot be used" in answer.stderr
    assert "Traceback" not in answer.stderr
