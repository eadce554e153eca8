"""The live stream: server-sent events whose id is the journal's seq.

`entry` is one event of the log as a sentence; `table` is the whole live part of the page; `beat`
says that the companion is there. A page that was away says how far it had heard (Last-Event-ID) and
is told what it missed."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.ledger.referee import Moment

BEAT_SECONDS = 10.0  # a page that hears nothing for longer knows that the stream has ended


def stream(parts: Parts, fragments: Fragments) -> Blueprint:
    blueprint = Blueprint("stream", __name__)
    places = threading.BoundedSemaphore(parts.viewers)

    @blueprint.get("/stream")
    def follow() -> Response:
        if not places.acquire(blocking=False):
            return Response(
                f"{parts.viewers} pages are following already; this one looks in now and then.\n",
                503,
                {"Retry-After": "15"},
                mimetype="text/plain",
            )
        heard = _heard(request.headers.get("Last-Event-ID", ""))
        messages = _messages(parts, fragments, reader_language(parts.language), heard)
        response = Response(messages, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(places.release)
        return response

    return blueprint


def _heard(said: str) -> int | None:
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None


def _messages(
    parts: Parts, fragments: Fragments, language: str, heard: int | None
) -> Iterator[bytes]:
    yield b"retry: 1000\n\n"
    moment = parts.referee.moment
    seq = _seq(moment) if heard is None else heard
    while not parts.stopping.is_set():
        yield fragments.messages(moment, language, seq)
        seq, version = _seq(moment), moment.version
        while moment.version == version and not parts.stopping.is_set():
            moment = parts.referee.wait(version, BEAT_SECONDS)
            if moment.version == version:
                yield b"event: beat\ndata: .\n\n"


def _seq(moment: Moment) -> int:
    return 0 if moment.session is None else moment.session.seq
