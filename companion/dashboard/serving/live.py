"""Answers that last: a stream is a coroutine that waits for the next change, not a thread.

A view returns a `LiveResponse` like any other response, after every check that other views go
through. The server then drives it as a coroutine; any other WSGI server iterates over it."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from flask import Response

from companion.ledger.referee import Moment, Referee

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LOOK_UP_SECONDS = 1.0  # the thread that waits for changes looks this often whether all is over


class Live(ABC):
    """The body of a response that lasts."""

    __slots__ = ()

    @abstractmethod
    def __aiter__(self) -> AsyncIterator[bytes]:
        """As a coroutine: waiting costs no thread."""

    @abstractmethod
    def __iter__(self) -> Iterator[bytes]:
        """The same, waiting in the caller's thread."""

    @abstractmethod
    def close(self) -> None:
        """Nobody listens any more; called once."""


class LiveResponse(Response):
    def __init__(self, live: Live, mimetype: str) -> None:
        super().__init__(live, mimetype=mimetype)
        self._live = live
        self.headers["Cache-Control"] = "no-store"
        self.headers["X-Accel-Buffering"] = "no"

    def get_app_iter(self, environ: WSGIEnvironment) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "HEAD":
            self._live.close()
            return ()
        return self._live


class Changes:
    """Wakes every coroutine that waits when the referee publishes a moment. One thread waits for
    all of them; it starts with the first."""

    def __init__(self, referee: Referee, stopping: threading.Event) -> None:
        self._referee = referee
        self._stopping = stopping
        self._next: asyncio.Event | None = None

    async def after(self, version: int, seconds: float) -> Moment:
        """The next moment after `version`, or the present one when the time is up."""
        if self._next is None:
            self._next = asyncio.Event()
            waiting = (asyncio.get_running_loop(), self._referee.moment.version)
            threading.Thread(target=self._run, args=waiting, name="changes", daemon=True).start()
        changed = self._next  # what is published after the next line sets this one
        moment = self._referee.moment
        if moment.version == version and not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), seconds)
        return self._referee.moment

    def _run(self, loop: asyncio.AbstractEventLoop, version: int) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while not self._stopping.is_set():
                moment = self._referee.wait(version, LOOK_UP_SECONDS)
                if moment.version != version:
                    version = moment.version
                    loop.call_soon_threadsafe(self._announce)
            loop.call_soon_threadsafe(self._announce)

    def _announce(self) -> None:
        changed, self._next = self._next, asyncio.Event()
        if changed is not None:
            changed.set()
