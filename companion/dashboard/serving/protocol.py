"""The limits: who is let in, and how long they may take. Uvicorn speaks HTTP; it has no time-out
before the first request, for a request that comes slowly, or for a reader who stops reading."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from companion.dashboard.serving.places import Places

ASKING_SECONDS = 10.0
"""From the connection, or from the first byte of a further request, to the end of its head."""
STALLED_SECONDS = 20.0
"""How long a reader may take nothing of what is sent before they count as gone."""
LAST_WORDS_SECONDS = 0.5
"""How long somebody who is turned away has for reading why."""
MOST_TOLD = 64
"""Beyond the limit so many more are let in at a time, only to be told that it is full."""


@dataclass
class ConnectionLimits:
    """What the connections of one server share; all of it in the server's thread."""

    places: Places
    full: Any  # the ASGI app that says so
    sentence: str = ""
    """The same, for everybody beyond those who are let in to be told."""
    told: Places = field(default_factory=lambda: Places(MOST_TOLD, MOST_TOLD // 4))
    idle: dict[GuardedProtocol, None] = field(default_factory=dict)  # the longest first

    def enter(self, address: str) -> Places | None:
        """Where a place was found. If there is none, whoever has asked for nothing for longest has
        to go: of the same address, if only that has too many."""
        if self.places.take(address):
            return self.places
        if self._make_room(address) and self.places.take(address):
            return self.places
        return self.told if self.told.take(address) else None

    def _make_room(self, address: str) -> bool:
        anybody = self.places.full()
        for each in self.idle:
            if each.holds(self.places) and (anybody or each.address == address):
                each.leave()
                return True
        return False


class GuardedProtocol(H11Protocol):
    """One connection."""

    def __init__(
        self,
        limits: ConnectionLimits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._limits = limits
        self._place: Places | None = None
        self._asking: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._turned_away = False

    def holds(self, places: Places) -> bool:
        """Whether one of these places is its own: who is only told that it is full has none."""
        return self._place is places

    def leave(self) -> None:
        """Gone at once, whatever is still to be sent."""
        self._give_back()
        self.transport.abort()

    # -- what asyncio and Uvicorn call ------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        with suppress(OSError):  # a phone that went out of reach says no goodbye
            milliseconds = round(1000 * STALLED_SECONDS)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        self.address = "" if self.client is None else self.client[0]
        self._place = self._limits.enter(self.address)
        if self._place is None:
            self._turn_away(transport)
            return
        if self._place is self._limits.told:
            self.app = self._limits.full
        self._waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_clock("_stalled")
        self._give_back()

    def data_received(self, data: bytes) -> None:
        if self._turned_away:
            return
        super().data_received(data)
        if self._busy():
            self._limits.idle.pop(self, None)
            self._stop_clock("_asking")
        else:
            self._waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()  # which starts the clock of a connection kept alive
        if not self._busy() and self._place is not None and not self.transport.is_closing():
            self._limits.idle[self] = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_clock("_stalled")
        self._stalled = self.loop.call_later(STALLED_SECONDS, self.leave)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_clock("_stalled")

    def shutdown(self) -> None:
        """The server ends: what is being answered is finished, what is still coming in is not."""
        if self._busy() and self.cycle.more_body:
            self.leave()
        else:
            super().shutdown()

    # -- ours -------------------------------------------------------------------------------------

    def _turn_away(self, transport: asyncio.Transport) -> None:
        """Told at once, whatever they were going to ask. What they have sent is read and dropped:
        a connection that is closed over unread bytes loses its last words."""
        self._turned_away = True
        transport.write(_unasked(self._limits.sentence))
        if transport.can_write_eof():
            transport.write_eof()
        self._asking = self.loop.call_later(LAST_WORDS_SECONDS, self.leave)

    def _busy(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # none before the first request
        return cycle is not None and not cycle.response_complete

    def _waiting(self) -> None:
        """For the head of a request: the first, or one of which a part has come."""
        if self.transport.is_closing():
            return
        self._limits.idle.setdefault(self)
        if self._asking is None:
            self._asking = self.loop.call_later(ASKING_SECONDS, self.leave)

    def _give_back(self) -> None:
        self._limits.idle.pop(self, None)
        self._stop_clock("_asking")
        if self._place is not None:
            self._place.leave(self.address)
            self._place = None

    def _stop_clock(self, which: str) -> None:
        clock: asyncio.TimerHandle | None = getattr(self, which)
        if clock is not None:
            clock.cancel()
            setattr(self, which, None)


def _unasked(sentence: str) -> bytes:
    """A whole answer to whatever will be asked."""
    body = f"{sentence}\n".encode()
    head = (
        "HTTP/1.1 503 Service Unavailable",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Retry-After: 15",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body
