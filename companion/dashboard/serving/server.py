"""The page's server: Uvicorn, in this process. A stream is a coroutine; everything else is answered
by a few threads."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import uvicorn
from flask import Flask

from companion.dashboard.factory import create_app, most_bytes
from companion.dashboard.parts import Parts
from companion.dashboard.serving.gateway import Gateway, Receive, Scope, Send, Sentences, say
from companion.dashboard.serving.places import Places
from companion.dashboard.serving.protocol import ConnectionLimits, GuardedProtocol
from companion.foundation.errors import PortTaken
from companion.foundation.messages import N_, phrase
from companion.service.certificate import page_certificate
from companion.service.network import network_address
from companion.service.settings import Settings
from companion.views.speech import Speech

THREADS = 8
"""They answer requests. Streams hold none."""
MOST_CONNECTIONS = 3000
"""Besides the viewers'. Who has asked for nothing for longest makes room."""
FROM_ONE_ADDRESS = 128
"""Connections: a browser opens six to a page, and a family may be behind one router."""
WAITING_AT_THE_DOOR = 2048
"""Connections the system keeps until they are taken in."""
KEPT_ALIVE_SECONDS = 15
LEFT_SECONDS = 1
"""For requests that are being answered when the server ends."""
MOST_HEAD_BYTES = 32_768
SPARE_FILES = 256
"""Files besides connections: the journal, cameras, pins, libraries."""


@dataclass(frozen=True, slots=True)
class Site:
    """What a server serves: an app, and how large a request to a method and path may be."""

    page: Flask
    most_bytes: Callable[[str, str], int]
    from_one_address: int = FROM_ONE_ADDRESS


def table_site(parts: Parts) -> Site:
    """The page of a table."""
    page = create_app(parts)
    return Site(page, partial(most_bytes, page))


class Server:
    """Listens as soon as it is made; serves when it is run."""

    def __init__(self, settings: Settings, site: Site) -> None:
        most = _with_files_for(MOST_CONNECTIONS + settings.viewers)
        self._listening = _listening(settings)
        self.port = int(self._listening.getsockname()[1])
        self._here_only = settings.host in ("localhost", "::1") or settings.host.startswith("127.")
        self._pool = ThreadPoolExecutor(THREADS, "page")
        speech = Speech(settings.language)
        full = speech.say(N_("Too many pages are open at this table. Please try again soon."))
        limits = ConnectionLimits(Places(most, site.from_one_address), _Full(full), full)
        config = _config(site, self._pool, limits, speech)
        self._servers = [(uvicorn.Server(config), self._listening)]
        if settings.https_port:
            self._servers.append(_secure(settings, _config(site, self._pool, limits, speech)))
        self._https_port = settings.https_port
        self._thread = threading.Thread(target=self._serve, name="server", daemon=True)
        self._ended = threading.Event()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Here, and as the phones on this network see it."""
        here = f"http://localhost:{self.port}/"
        seen = None if self._here_only else network_address()
        secure = (f"https://{seen or 'localhost'}:{self._https_port}/",) if self._https_port else ()
        return (here, *secure) if seen is None else (here, *secure, f"http://{seen}:{self.port}/")

    def run(self) -> None:
        """Serves until interrupted; call it from the main thread."""
        self._thread.start()
        self._ended.wait()

    def close(self) -> None:
        for server, _ in self._servers:
            server.should_exit = True
        if self._thread.ident is not None:
            self._thread.join()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for _, listening in self._servers:
            listening.close()

    def _serve(self) -> None:
        try:
            asyncio.run(self._coroutine())
        finally:
            self._ended.set()

    async def _coroutine(self) -> None:
        asyncio.get_running_loop().set_default_executor(self._pool)
        await asyncio.gather(*(server.serve([at]) for server, at in self._servers))


def _config(
    site: Site, pool: ThreadPoolExecutor, limits: ConnectionLimits, speech: Speech
) -> uvicorn.Config:
    sentences = Sentences(
        too_large=speech.say(N_("That is larger than this page takes.")),
        too_slow=speech.say(N_("The request took too long to arrive. Please try again.")),
        busy=speech.say(N_("The companion is very busy. Please try again in a moment.")),
    )
    gateway = Gateway(site.page.wsgi_app, site.most_bytes, pool, sentences)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # nonsense from outside is no news
    return uvicorn.Config(
        gateway,
        http=partial(GuardedProtocol, limits),  # type: ignore[arg-type]  # made like the class
        ws="none",
        lifespan="off",
        interface="asgi3",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=WAITING_AT_THE_DOOR,
        timeout_keep_alive=KEPT_ALIVE_SECONDS,
        timeout_graceful_shutdown=LEFT_SECONDS,
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
    )


def _secure(settings: Settings, config: uvicorn.Config) -> tuple[uvicorn.Server, socket.socket]:
    """The same page over HTTPS, with the box's own certificate."""
    files = page_certificate(settings.data_folder)
    config.ssl_certfile, config.ssl_keyfile = files.certificate, files.key
    return uvicorn.Server(config), _listening(replace(settings, port=settings.https_port))


class _Full:
    """What everybody beyond the limit is told."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await say(send, 503, self._sentence)


def _with_files_for(connections: int) -> int:
    """How many connections can really be open, after the system was asked for more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    if soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(connections, max(soft - SPARE_FILES, 1))


def _listening(settings: Settings) -> socket.socket:
    # Named as TCP, so that asyncio knows that what is written may go out at once.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(WAITING_AT_THE_DOOR)
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
