"""The page's WSGI server: waitress, in this process."""

from __future__ import annotations

import errno
import socket

from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from companion.dashboard.factory import create_app
from companion.dashboard.parts import Parts
from companion.foundation.errors import PortTaken
from companion.foundation.messages import N_, phrase
from companion.service.network import network_address
from companion.service.settings import Settings

SPARE_THREADS = 16
"""They answer requests while every viewer holds a thread of its own."""
MOST_WAITING_CONNECTIONS = 256
"""Connections that may wait for a thread."""
STREAM_BUFFER_BYTES = 65_536
"""A stream never ends, so its buffer is changed for a new one this often."""


class Server:
    """Listens as soon as it is made; serves when it is run."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        listening = _listening(settings)
        self.port = int(listening.getsockname()[1])
        self._dispatcher = ThreadedTaskDispatcher()
        self._dispatcher.set_thread_count(settings.viewers + SPARE_THREADS)
        self._waitress = create_server(
            create_app(parts),
            _dispatcher=self._dispatcher,
            sockets=[listening],
            connection_limit=settings.viewers + MOST_WAITING_CONNECTIONS,
            outbuf_high_watermark=STREAM_BUFFER_BYTES,
            clear_untrusted_proxy_headers=True,
            ident="companion",
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        """Here, and as the phones on this network see it."""
        here = f"http://localhost:{self.port}/"
        seen = network_address()
        return (here,) if seen is None else (here, f"http://{seen}:{self.port}/")

    def run(self) -> None:
        """Serves until interrupted; call it from the main thread."""
        self._waitress.run()

    def close(self) -> None:
        self._dispatcher.shutdown()
        self._waitress.close()


def _listening(settings: Settings) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
    except OSError as taken:
        listening.close()
        advice = (
            N_(
                "perhaps a companion is running already. Stop it, or choose another port: "
                "companion run --port 8081"
            )
            if taken.errno == errno.EADDRINUSE
            else N_("check host and port in the settings")
        )
        where = f"{settings.host}:{settings.port}"
        raise PortTaken(
            "page-cannot-listen-on",
            N_("the page cannot listen on %(where)s (%(why)s); %(advice)s"),
            where=where,
            why=taken.strerror,
            advice=phrase(advice),
        ) from None
    return listening
