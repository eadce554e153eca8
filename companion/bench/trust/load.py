"""The page under a load that no table makes: a thousand sockets that say nothing, hundreds of
viewers, one address that wants everything."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from companion.bench.page import PATIENCE_SECONDS, Crowd, memory_mb, serving
from companion.bench.trust.promise import Promise, Tested

SOCKETS = 1000
VIEWERS = 500
STRANGER = "127.0.0.9"
"""An address of this machine that the server takes for another machine."""
SLOWEST_MS = 200
FREED_SECONDS = 3.0


def _attempt(folder: Path, *, long: bool) -> Tested:
    asked = 500 if long else 50  # pages, to find the slowest
    with serving(folder / "load") as (port, pid), ExitStack() as stack:
        _post(port, "/games", name=["Anna", "Ben"], count="2")
        _slowest(port, 3)  # the first page of all is made from templates never read before
        with _idle(port, "127.0.0.1"):
            idle_ms = _slowest(port, asked)
        with _idle(port, STRANGER):
            greedy_ms = _slowest(port, asked)
        crowd = stack.enter_context(Crowd(port, VIEWERS))
        crowd.last_heard(1)
        stack.enter_context(_idle(port, "127.0.0.1"))
        both_ms = _slowest(port, asked)
        before = time.perf_counter()
        _post(port, "/act", say=["deal A"], seq="1")
        heard_ms = 1000 * (crowd.last_heard(2) - before)
        memory = memory_mb(pid)
        freed = _freed(port)
    return Tested(
        max(idle_ms, greedy_ms, both_ms) < SLOWEST_MS and freed < FREED_SECONDS,
        f"slowest page {idle_ms:.0f} ms with idle sockets, {greedy_ms:.0f} ms with those of one "
        f"address, {both_ms:.0f} ms with viewers too; an entry reached all in {heard_ms:.0f} ms; "
        f"{memory:.0f} MB; closed pages free after {freed:.1f} s",
        f"{SOCKETS} sockets, {VIEWERS} viewers",
    )


PROMISE = Promise(
    "load",
    "idle sockets and many viewers leave the page quick",
    f"every page in {SLOWEST_MS} ms, all {VIEWERS} viewers served, places free in 3 s",
    _attempt,
)


def _freed(port: int) -> float:
    """Seconds from the end of many streams of one address until it can have a new one."""
    for each in [_stream(port) for _ in range(60)]:
        each.close()
    before = time.perf_counter()
    while time.perf_counter() - before < PATIENCE_SECONDS:
        with _stream(port) as again:
            if b" 200 " in again.recv(100):
                return time.perf_counter() - before
        time.sleep(0.02)
    raise RuntimeError("closed pages keep their places")


def _stream(port: int) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS, (STRANGER, 0))
    opened.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return opened


@contextmanager
def _idle(port: int, address: str) -> Iterator[None]:
    """Sockets that say nothing."""
    with ExitStack() as stack:
        for _ in range(SOCKETS):
            each = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS, (address, 0))
            stack.enter_context(each)
        time.sleep(0.5)  # until all have been taken in
        yield


def _slowest(port: int, times: int) -> float:
    """Milliseconds, each page over a connection of its own."""
    taken = []
    for _ in range(times):
        before = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        connection.request("GET", "/")
        reply = connection.getresponse()
        reply.read()
        connection.close()
        if reply.status != 200:
            raise RuntimeError(f"the page answered {reply.status}")
        taken.append(1000 * (time.perf_counter() - before))
    return max(taken)


def _post(port: int, path: str, **fields: str | list[str]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-Live": "1"}
    connection.request("POST", path, urlencode(fields, doseq=True), headers)
    reply = connection.getresponse()
    reply.read()
    connection.close()
    if reply.status >= 400:
        raise RuntimeError(f"{path} answered {reply.status}")
