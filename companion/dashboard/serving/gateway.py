"""From the server's coroutines to the page's plain functions. A request is read whole, within
bounds, before one of a few threads works on it: who sends or reads slowly holds no thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from companion.dashboard.serving.live import Live
from companion.dashboard.serving.wsgi import Headers, PageAnswer, answered, environ_of

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

T = TypeVar("T")
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

SENDING_SECONDS = 20.0
"""How long a request may take to come in whole: so long, and longer if it may be large."""
LEAST_BYTES_A_SECOND = 50_000
MOST_GATHERED_BYTES = 100_000_000
"""Of all requests that are coming in at once."""
MOST_DRAINED_BYTES = 4_000_000
"""Read and dropped of a request that is too large: most browsers hear no answer before they have
sent everything."""
MOST_WAITING = 1000
"""Requests that wait for a thread; more are told to come back."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said to those who are not let through, in the language of the settings."""

    too_large: str
    too_slow: str
    busy: str


class TurnedAway(Exception):
    """A request that is answered without the page."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Gateway:
    """The ASGI app around the WSGI one. `most_bytes` says how large a request to a path may be."""

    def __init__(
        self,
        page: WSGIApplication,
        most_bytes: Callable[[str, str], int],
        pool: Executor,
        sentences: Sentences,
    ) -> None:
        self._page = page
        self._most_bytes = most_bytes
        self._pool = pool
        self._sentences = sentences
        self._gathered = 0
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._ask(scope, receive)
        except TurnedAway as refusal:
            await say(send, refusal.status, str(refusal))
        except ConnectionError:  # nobody is there to be answered
            return
        else:
            await _start(send, answer.status, answer.headers)
            if isinstance(answer.body, Live):
                await _follow(answer.body, receive, send)
            else:
                await self._send_pieces(answer, send)

    async def _ask(self, scope: Scope, receive: Receive) -> PageAnswer:
        body = bytearray()
        try:
            await self._gather(scope, receive, body)
            if self._waiting >= MOST_WAITING:
                raise TurnedAway(503, self._sentences.busy)
            environ = environ_of(scope, bytes(body))
            return await self._in_pool(partial(copy_context().run, answered, self._page, environ))
        finally:
            self._gathered -= len(body)

    async def _gather(self, scope: Scope, receive: Receive, body: bytearray) -> None:
        """One that says it is too large is not kept at all."""
        headers = dict(scope["headers"])
        said = headers.get(b"content-length", b"0")
        if b"transfer-encoding" not in headers and not said.strip(b"0"):
            return
        most = self._most_bytes(scope["method"], scope["path"])
        try:
            async with asyncio.timeout(SENDING_SECONDS + most / LEAST_BYTES_A_SECOND):
                if len(said) > 15 or int(said) > most:
                    await self._too_large(receive)
                while await self._further(receive, body):
                    if len(body) > most:
                        await self._too_large(receive)
                    if self._gathered > MOST_GATHERED_BYTES:
                        raise TurnedAway(503, self._sentences.busy)
        except TimeoutError:
            raise TurnedAway(408, self._sentences.too_slow) from None

    async def _further(self, receive: Receive, body: bytearray) -> bool:
        """Adds what has come to the body; whether more is to come."""
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionAbortedError
        body += message["body"]
        self._gathered += len(message["body"])
        return bool(message["more_body"])

    async def _too_large(self, receive: Receive) -> None:
        dropped, more = 0, True
        while more and dropped < MOST_DRAINED_BYTES:
            message = await receive()
            dropped += len(message.get("body", b""))
            more = message.get("more_body", False)
        raise TurnedAway(413, self._sentences.too_large)

    async def _send_pieces(self, answer: PageAnswer, send: Send) -> None:
        try:
            while True:
                piece, last = answer.piece, answer.last
                await send({"type": "http.response.body", "body": piece, "more_body": not last})
                if last:
                    return
                await self._in_pool(answer.pull)
        finally:
            answer.close()

    async def _in_pool(self, work: Callable[[], T]) -> T:
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1


async def say(send: Send, status: int, sentence: str) -> None:
    """One sentence instead of the page; the connection ends with it."""
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Connection", "close"),
        ("Retry-After", "10"),
        ("X-Content-Type-Options", "nosniff"),
    ]
    await _start(send, status, headers)
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})


async def _start(send: Send, status: int, headers: Headers) -> None:
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})


async def _follow(live: Live, receive: Receive, send: Send) -> None:
    """Until it ends, or the page at the other end is closed: that is noticed at once."""
    sending = asyncio.ensure_future(_send_all(live, send))
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
        live.close()


async def _send_all(live: Live, send: Send) -> None:
    async for chunk in live:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
