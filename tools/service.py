"""Starts the installed service as systemd would, where systemd is not running (in a container,
in an emulated Debian), and tries it: it says that it is ready, its page answers, the watchdog is
fed, and it stops when told. `sudo python3 tools/service.py`; exit code 1 if something failed.

The command, user, folders and watchdog are those of the installed unit; its walls (read-only
system, devices, addresses) are systemd's own and are not built here.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

UNIT = Path("/etc/systemd/system/companion.service")
PAGE = "http://127.0.0.1:8080/"
PATIENCE = 180.0  # seconds; an emulated Pi is a slow one


class Failed(Exception):
    """The service did not do what it should."""


@dataclass(frozen=True, slots=True)
class Unit:
    command: tuple[str, ...]
    user: str
    environment: dict[str, str]
    folder: Path
    runtime: Path
    watchdog_seconds: int


def read_unit(text: str) -> Unit:
    """What a start needs of the unit; raises `Failed` for one that starts otherwise."""
    lines: dict[str, list[str]] = defaultdict(list)
    for key, value in re.findall(r"^(\w+)=(.*)$", text, re.M):
        lines[key].append(value)
    try:
        return Unit(
            command=tuple(shlex.split(lines["ExecStart"][0])),
            user=lines["User"][0],
            environment=dict(
                each.split("=", 1) for line in lines["Environment"] for each in shlex.split(line)
            ),
            folder=Path(lines["WorkingDirectory"][0]),
            runtime=Path("/run") / lines["RuntimeDirectory"][0],
            watchdog_seconds=int(lines["WatchdogSec"][0]),
        )
    except (IndexError, ValueError) as missing:
        raise Failed(f"this unit starts otherwise: {missing}") from None


class Told:
    """What the service has told its manager."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening

    def hears(self, word: str, process: subprocess.Popen[bytes]) -> float:
        """Seconds until `word` came."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            with contextlib.suppress(TimeoutError):
                said = self._listening.recv(4096).decode().splitlines()
                if word in said:
                    return time.monotonic() - began
            if process.poll() is not None:
                raise Failed(f"it ended with code {process.returncode} before it said {word}")
        raise Failed(f"it did not say {word} in {PATIENCE:.0f} seconds")


@contextlib.contextmanager
def started(unit: Unit) -> Iterator[tuple[subprocess.Popen[bytes], Told]]:
    who = pwd.getpwnam(unit.user)
    unit.runtime.mkdir(mode=0o755, exist_ok=True)
    os.chown(unit.runtime, who.pw_uid, who.pw_gid)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        address = f"{folder}/notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
            listening.bind(address)
            Path(address).chmod(0o666)
            listening.settimeout(1.0)
            watched = str(unit.watchdog_seconds * 1_000_000)
            with subprocess.Popen(  # noqa: S603 - the installed service's own command
                unit.command,
                user=who.pw_uid,
                group=who.pw_gid,
                extra_groups=os.getgrouplist(unit.user, who.pw_gid),
                cwd=unit.folder,
                env={
                    "PATH": "/usr/bin:/bin",
                    "HOME": who.pw_dir,
                    "USER": unit.user,
                    "NOTIFY_SOCKET": address,
                    "WATCHDOG_USEC": watched,
                    **unit.environment,
                },
            ) as process:
                try:
                    yield process, Told(listening)
                finally:
                    process.kill()


def tried(unit: Unit, page: str) -> Iterator[str]:
    with started(unit) as (process, told):
        yield f"ready after {told.hears('READY=1', process):.1f} s, as user {unit.user}"
        began = time.monotonic()
        with urllib.request.urlopen(page, timeout=PATIENCE) as answer:  # noqa: S310
            size = len(answer.read())
        yield f"page: {size} bytes in {(time.monotonic() - began) * 1000:.0f} ms"
        fed = max(told.hears("WATCHDOG=1", process) for _ in range(2))
        if fed > unit.watchdog_seconds:
            raise Failed(f"the watchdog starved: {fed:.0f} s")
        yield f"watchdog fed within {fed:.1f} s of {unit.watchdog_seconds}"
        process.send_signal(signal.SIGTERM)
        told.hears("STOPPING=1", process)
        yield f"stopped when told, with code {process.wait(PATIENCE)}"
        if process.returncode:
            raise Failed("it did not end well")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--unit", type=Path, default=UNIT, help="the unit's file")
    parser.add_argument("--page", default=PAGE, help="where its page answers")
    asked = parser.parse_args()
    try:
        for line in tried(read_unit(asked.unit.read_text()), asked.page):
            print(f"good  {line}", flush=True)
    except (Failed, OSError, KeyError, subprocess.TimeoutExpired) as why:
        print(f"BAD   {why}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
