"""What systemd hears, through a socket like its own."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.service.notify import ServiceManager


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5)
        yield listening


def heard(ear: socket.socket) -> str:
    return ear.recv(4096).decode()


def test_ready_alive_status_stopping(ear: socket.socket, tmp_path: Path) -> None:
    manager = ServiceManager.from_environment(
        {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "90000000"}
    )
    assert manager.present
    assert manager.watchdog_seconds == 90
    manager.ready("page: http://pi.local/\nREADY=0")  # nobody smuggles a line in
    assert heard(ear) == "READY=1\nSTATUS=page: http://pi.local/ READY=0"
    manager.alive()
    assert heard(ear) == "WATCHDOG=1"
    manager.status("Göteborg")
    assert heard(ear) == "STATUS=Göteborg"
    manager.stopping()
    assert heard(ear) == "STOPPING=1"


def test_an_abstract_socket() -> None:
    name = f"companion-test-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as ear:
        ear.bind(f"\0{name}")
        ear.settimeout(5)
        ServiceManager(f"@{name}").ready("here")
        assert heard(ear) == "READY=1\nSTATUS=here"


def test_without_a_watchdog_nothing_is_fed(ear: socket.socket, tmp_path: Path) -> None:
    manager = ServiceManager.from_environment({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    manager.alive()
    manager.stopping()
    assert heard(ear) == "STOPPING=1"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"NOTIFY_SOCKET": ""},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "90000000", "WATCHDOG_PID": "1"},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "soon"},
        {"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "90000000"},
    ],
)
def test_a_watchdog_that_is_not_meant(given: dict[str, str]) -> None:
    assert ServiceManager.from_environment(given).watchdog_seconds is None


def test_a_manager_that_is_deaf_or_none_at_all(tmp_path: Path) -> None:
    for manager in (ServiceManager(), ServiceManager(str(tmp_path / "nobody"))):
        manager.ready("x")
        manager.alive()
        manager.stopping()
