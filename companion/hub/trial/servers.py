"""Real servers to try a hub with: PostgreSQL and mosquitto from Debian's packages, each in a folder
of its own and gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE_SECONDS = 20.0
MOSQUITTO = "/usr/sbin/mosquitto"
"""Where Debian puts it, which is on root's path only."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def postgres_programs() -> Path | None:
    """Where Debian keeps `initdb` and `pg_ctl`; they are on nobody's path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _as_postgres(*command: str) -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


class Postgres:
    """A server that can be started, stopped and killed. Its folder must be open to PostgreSQL's own
    user, which those of pytest are not."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.port, self._programs = folder, free_port(), programs
        self._data = folder / "data"
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", str(self._data), "-U", "hub", "-A", "trust", "--no-sync")

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://hub@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = f"-p {self.port} -c unix_socket_directories= -c listen_addresses=127.0.0.1"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-o", options, "-l", log, "-w", "start")

    def kill(self) -> None:
        """As when the plug is pulled: the server and all its workers, at once."""
        first = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        everybody = [first, *_children(first)]
        for process in everybody:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        patience = time.monotonic() + PATIENCE_SECONDS
        while any(map(_runs, everybody)) and time.monotonic() < patience:
            time.sleep(0.02)  # it refuses to start while one of them is left
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", mode, "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            _as_postgres(str(self._programs / program), *arguments),
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            timeout=PATIENCE_SECONDS * 3,
        )


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = stat.read_text().partition(" ")
            if int(rest.rpartition(")")[2].split()[1]) == parent:
                found.append(int(number))
    return found


def _runs(process: int) -> bool:
    """Whether it is there and not merely waiting to be buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Mosquitto:
    """A broker that can be started, stopped and killed."""

    def __init__(
        self, folder: Path, port: int | None = None, settings: str = "allow_anonymous true"
    ) -> None:
        self.port = port or free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\npersistence false\n{settings}\n"
            + ("user root\n" if os.geteuid() == 0 else "")  # or it may not read its own files
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("mosquitto") or MOSQUITTO
        self._process = subprocess.Popen(
            [program, "-c", str(self._config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for_port(self.port)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def mosquitto(
    folder: Path, port: int | None = None, settings: str = "allow_anonymous true"
) -> Iterator[int]:
    """A broker on a port of its own, for as long as the block lasts."""
    broker = Mosquitto(folder, port, settings)
    broker.start()
    try:
        yield broker.port
    finally:
        broker.kill()


def has_mosquitto() -> bool:
    return shutil.which("mosquitto") is not None or Path(MOSQUITTO).exists()


def wait_for_port(port: int) -> None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port}")
