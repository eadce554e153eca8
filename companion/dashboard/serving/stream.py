"""The live stream: server-sent events whose id is the journal's seq.

`entry` is one event of the log as a sentence; `table` is the whole live part of the page; `beat`
says that the companion is there. A page that was away says how far it had heard (Last-Event-ID) and
is told what it missed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Response, request

from companion.dashboard.access.callers import may_still_watch
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.dashboard.serving.live import Changes, Live, LiveResponse
from companion.dashboard.serving.places import Places
from companion.foundation.messages import N_
from companion.ledger.referee import Moment
from companion.views.speech import Speech

BEAT_SECONDS = 10.0  # a page that hears nothing for longer knows that the stream has ended
FROM_ONE_ADDRESS = 40  # streams: a family behind one router, or every page of one machine
HELLO = b"retry: 1000\n\n"
BEAT = b"event: beat\ndata: .\n\n"


def stream(parts: Parts, fragments: Fragments) -> Blueprint:
    blueprint = Blueprint("stream", __name__)
    places = Places(parts.viewers, FROM_ONE_ADDRESS)
    source = _Source(parts, fragments, Changes(parts.referee, parts.stopping))

    @blueprint.get("/stream")
    def follow() -> Response:
        language, address = reader_language(parts.language), request.remote_addr or ""
        if not places.take(address):
            told = N_("%(count)s pages are following already; this one looks in now and then.")
            sentence = Speech(language).say(told, count=places.taken)
            return Response(sentence + "\n", 503, {"Retry-After": "15"}, mimetype="text/plain")
        heard = _heard(request.headers.get("Last-Event-ID", ""))
        still = may_still_watch(request, parts.access)
        viewer = _Viewer(source, places, address, language, heard, still)
        return LiveResponse(viewer, "text/event-stream")

    return blueprint


def _heard(said: str) -> int | None:
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None


@dataclass(frozen=True, slots=True)
class _Source:
    """What all viewers share. However many wait for the same message, it is made once."""

    parts: Parts
    fragments: Fragments
    changes: Changes
    making: dict[tuple[int, str, int], asyncio.Future[bytes]] = field(default_factory=dict)

    async def messages(self, moment: Moment, language: str, heard: int) -> bytes:
        key = (moment.version, language, heard)
        if key not in self.making:
            loop = asyncio.get_running_loop()
            made = loop.run_in_executor(None, self.fragments.messages, moment, language, heard)
            made.add_done_callback(lambda _: self.making.pop(key))
            self.making[key] = made
        return await asyncio.shield(self.making[key])  # one who leaves takes it from nobody


@dataclass(frozen=True, slots=True)
class _Viewer(Live):
    source: _Source
    places: Places
    address: str
    language: str
    heard: int | None
    still: Callable[[], bool]
    """Whether they may still watch: asked before everything they are sent."""

    def close(self) -> None:
        self.places.leave(self.address)

    def _goes_on(self) -> bool:
        return not self.source.parts.stopping.is_set() and self.still()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        source = self.source
        yield HELLO
        moment = source.parts.referee.moment
        seq = _seq(moment) if self.heard is None else self.heard
        while self._goes_on():
            yield await source.messages(moment, self.language, seq)
            seq, version = _seq(moment), moment.version
            while moment.version == version and self._goes_on():
                moment = await source.changes.after(version, BEAT_SECONDS)
                if moment.version == version and self._goes_on():
                    yield BEAT

    def __iter__(self) -> Iterator[bytes]:
        parts, fragments = self.source.parts, self.source.fragments
        yield HELLO
        moment = parts.referee.moment
        seq = _seq(moment) if self.heard is None else self.heard
        while self._goes_on():
            yield fragments.messages(moment, self.language, seq)
            seq, version = _seq(moment), moment.version
            while moment.version == version and self._goes_on():
                moment = parts.referee.wait(version, BEAT_SECONDS)
                if moment.version == version and self._goes_on():
                    yield BEAT


def _seq(moment: Moment) -> int:
    return 0 if moment.session is None else moment.session.seq
