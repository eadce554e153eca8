"""Programs of ours in processes of their own, which can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class RunningProgram:
    """A program of ours in a process of its own, which can be killed and started again."""

    def __init__(self, *arguments: str, lines: Callable[[str], None] | None = None) -> None:
        self._arguments = arguments
        self._lines = lines
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.core_seconds = 0.0

    @property
    def number(self) -> int:
        """Of the process that runs."""
        if self._process is None:
            raise ProcessLookupError("it does not run")
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if self._lines else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if self._lines is not None:
            self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
            self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        if process.stdout is not None and self._lines is not None:
            for line in process.stdout:
                self._lines(line)

    def revive(self) -> None:
        """Starts it again if it has ended by itself, as systemd does: a hub ends if its database
        does not answer when it starts."""
        if self._process is not None and self._process.poll() is not None:
            self._let_go(self._process)
            self.start()

    def kill(self, number: int = signal.SIGKILL) -> None:
        process = self._process
        if process is None:
            return
        with suppress(OSError):  # it may have ended already
            self.core_seconds += core_seconds(process.pid)
        process.send_signal(number)
        process.wait()
        self._let_go(process)

    def _let_go(self, process: subprocess.Popen[str]) -> None:
        """Closes what connected it with us, once it has ended and everything was read."""
        if self._reader is not None:
            self._reader.join()
            self._reader = None
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        self._process = None

    def quit(self) -> None:
        """As when somebody stops it: it may finish what it is at."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(30)
            self._let_go(self._process)


def core_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kb(process: int | str = "self") -> int:
    """What it has in memory now."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
