"""The page under load: a real server in its own process, and a hundred viewers that follow it."""

from __future__ import annotations

import http.client
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

from companion.bench.figure import Figure

VIEWERS = 100
PATIENCE_SECONDS = 30
"""How long an answer may take before the measurement is given up."""


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[int, int]]:
    """Runs a companion in a process of its own; gives its port and its process id."""
    command = [sys.executable, "-m", "companion", "run", "--port", "0", "--data", str(folder)]
    command += words or ("--camera", "none")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield _port(process), process.pid
        finally:
            process.terminate()


def _port(process: subprocess.Popen[str]) -> int:
    for line in process.stdout or ():
        found = re.search(r"http://localhost:(\d+)/", line)
        if found:
            return int(found[1])
    raise RuntimeError("the companion did not start")


class Crowd:
    """Viewers that follow the page live, all in one thread. Records when each heard of an entry."""

    def __init__(self, port: int, viewers: int) -> None:
        self._viewers = viewers
        self._heard: dict[int, list[float]] = {}
        self._stopping = threading.Event()
        self._selector = selectors.DefaultSelector()
        self._streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(viewers)]
        for stream in self._streams:
            stream.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self._selector.register(stream, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._listen)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._thread.join()
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def last_heard(self, seq: int) -> float:
        """When the last of them was sent the table with entry `seq`."""
        patience = time.perf_counter() + PATIENCE_SECONDS
        while time.perf_counter() < patience:
            heard = self._heard.get(seq, [])
            if len(heard) == self._viewers:
                return heard[-1]
            time.sleep(0.0005)
        raise RuntimeError(f"not every viewer heard of entry {seq}")

    def _listen(self) -> None:
        while not self._stopping.is_set():
            for key, _ in self._selector.select(0.1):
                got = key.fileobj.recv(1 << 18) if isinstance(key.fileobj, socket.socket) else b""
                at = got.find(b"event: table\nid: ")
                if at >= 0:
                    seq = int(got[at + 17 : at + 37].split(b"\n")[0])
                    self._heard.setdefault(seq, []).append(time.perf_counter())


def measure_page(folder: Path, *, quick: bool) -> Iterator[Figure]:
    before = time.perf_counter()
    with serving(folder / "page") as (port, pid), ExitStack() as stack:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        stack.callback(connection.close)
        _ask(connection, "GET", "/new")
        yield Figure("start to first page", 1000 * (time.perf_counter() - before), "ms")
        yield Figure("memory of the running companion", memory_mb(pid), "MB")
        _ask(connection, "POST", "/games", name=["Anna", "Ben"], count="2")

        crowd = stack.enter_context(Crowd(port, VIEWERS))
        crowd.last_heard(1)
        answers, delays = _play(connection, crowd, 20 if quick else 100)
        yield Figure(f"answer with {VIEWERS} viewers, median", statistics.median(answers), "ms")
        yield Figure(f"answer with {VIEWERS} viewers, 95 %", _most(answers), "ms")
        yield Figure(f"entry to the last of {VIEWERS} viewers, 95 %", _most(delays), "ms")
        yield Figure(f"memory with {VIEWERS} viewers", memory_mb(pid), "MB")


def _play(
    connection: http.client.HTTPConnection, crowd: Crowd, rounds: int
) -> tuple[list[float], list[float]]:
    """A lead and its undo, again and again. Milliseconds to each answer, and until the last viewer
    heard of it."""
    answers, delays = [], []
    seq = 1
    _ask(connection, "POST", "/act", say=["deal A"], seq=str(seq))
    crowd.last_heard(2)
    for _ in range(rounds):
        for path, fields in (("/act", {"say": ["A r7"]}), ("/undo", {"entries": ["1"]})):
            seq += 1
            before = time.perf_counter()
            _ask(connection, "POST", path, seq=str(seq), **fields)
            answers.append(1000 * (time.perf_counter() - before))
            delays.append(1000 * (crowd.last_heard(seq + 1) - before))
    return answers, delays


def _ask(
    connection: http.client.HTTPConnection, method: str, path: str, **fields: str | list[str]
) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-Live": "1"}
    connection.request(method, path, urlencode(fields, doseq=True), headers)
    reply = connection.getresponse()
    body = reply.read()
    if reply.status >= 400 or reply.headers.get("X-Verdict") == "refused":
        raise RuntimeError(f"{path} answered {reply.status}: {body[:200]!r}")


def _most(values: list[float]) -> float:
    """95 % of the values are at most this."""
    return statistics.quantiles(values, n=20)[-1]


def memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000
