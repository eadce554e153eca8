"""The hall, live: its tables as HTML whenever one has changed, made once however many watch."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from flask import Flask, current_app, render_template
from flask_babel import force_locale

from companion.dashboard.serving.live import Live
from companion.dashboard.serving.stream import BEAT, BEAT_SECONDS, HELLO
from companion.hub.hall import Hall, seen

MOST_KEPT = 64
"""Halls kept as HTML: a club and a language each."""


@dataclass(frozen=True, slots=True)
class HallMoment:
    """What a page shows: the club's version, and the minute, because tables fall silent without
    saying so."""

    version: int
    minute: int


def moment_of(version: int) -> HallMoment:
    return HallMoment(version, int(time.monotonic() // 60))


class HallFragments:
    """Any thread may call."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._lock = threading.Lock()
        self._made: dict[tuple[int, str], tuple[HallMoment, bytes]] = {}

    def message(self, app: Flask, club: int, moment: HallMoment, language: str) -> bytes:
        with self._lock:
            made = self._made.get((club, language))
            if made is None or made[0] != moment:
                if len(self._made) >= MOST_KEPT:
                    self._made.clear()
                made = (moment, self._render(app, club, moment, language))
                self._made[club, language] = made
            return made[1]

    def _render(self, app: Flask, club: int, moment: HallMoment, language: str) -> bytes:
        tables = [seen(table, language) for table in self._hall.tables(club)]
        with app.test_request_context(), force_locale(language):
            html = render_template("hub/_tables.html", tables=tables)
        lines = "".join(f"data: {line}\n" for line in html.splitlines())
        return f"event: hall\nid: {moment.version}\n{lines}\n".encode()


class HallViewer(Live):
    """One page that watches the hall of a club."""

    def __init__(self, hall: Hall, fragments: HallFragments, club: int, language: str) -> None:
        self._hall, self._fragments = hall, fragments
        self._club, self._language = club, language
        self._app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001

        hall.watch(club)
        self._open = True

    def close(self) -> None:
        if self._open:
            self._open = False
            self._hall.watch(self._club, -1)

    def _message(self, moment: HallMoment) -> bytes:
        return self._fragments.message(self._app, self._club, moment, self._language)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield HELLO
        loop, shown = asyncio.get_running_loop(), HallMoment(-1, -1)
        while True:
            version = await self._hall.after(self._club, shown.version, BEAT_SECONDS)
            now = moment_of(version)
            if now == shown:
                yield BEAT
                continue
            shown = now
            yield await loop.run_in_executor(None, self._message, shown)

    def __iter__(self) -> Iterator[bytes]:
        yield HELLO
        shown = HallMoment(-1, -1)
        while True:
            now = moment_of(self._hall.wait(self._club, shown.version, BEAT_SECONDS))
            if now == shown:
                yield BEAT
                continue
            shown = now
            yield self._message(shown)
