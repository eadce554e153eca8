"""A network that can be cut: connections go through here to the hub, until they do not. With a
certificate it speaks TLS to the one side, as a web server before the hub does."""

from __future__ import annotations

import asyncio
import ssl
import threading
from contextlib import suppress

CLOSING_SECONDS = 5.0


class CutLine:
    """Forwards a port to another while it is whole. Has a thread of its own."""

    def __init__(self, target: int, tls: ssl.SSLContext | None = None) -> None:
        self._target = target
        self._whole = True
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._forward, "127.0.0.1", 0, ssl=tls), self._loop
        )
        self._server = started.result(10)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Whatever is on its way is lost, and nobody gets through."""
        self._whole = False
        self._loop.call_soon_threadsafe(self._drop)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self._whole = False
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result(CLOSING_SECONDS * 2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _finish(self) -> None:
        """Nothing is left open, and nobody is left waiting."""
        self._server.close()
        self._drop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=CLOSING_SECONDS)

    def _drop(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._open -= {writer, back}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        with suppress(OSError, RuntimeError):
            writer.close()
