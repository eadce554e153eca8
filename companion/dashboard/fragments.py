"""The live part of the page, made once per change and language however many are watching."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from flask import Flask, render_template
from flask_babel import force_locale

from companion.core.catalog import pack_named
from companion.dashboard.parts import Parts
from companion.dashboard.watched.parts import Simulated, Watched, simulated_part, watched_part
from companion.ledger.referee import Moment
from companion.tabletop.layout import games_with_boards
from companion.views import lamps_for, speech_for, tell, view_of
from companion.views.notices import told
from companion.views.speech import Speech

MOST_MISSED = 20  # entries told again to a page that was away

K = TypeVar("K")
T = TypeVar("T", str, bytes)


class Fragments:
    def __init__(self, app: Flask, parts: Parts) -> None:
        self._app = app
        self._parts = parts
        self._lock = threading.RLock()
        self._run = secrets.token_hex(4)  # versions count anew when the companion starts anew
        self._version = -1
        self._tables: dict[str, str] = {}
        self._messages: dict[tuple[str, int], bytes] = {}

    def table(self, moment: Moment, language: str) -> str:
        """The table of this moment as HTML."""
        return self._once(moment, self._tables, language, lambda: self._render(moment, language))

    def messages(self, moment: Moment, language: str, heard: int) -> bytes:
        """What the stream tells somebody who has heard of the log up to `heard`. However many
        numbers are claimed, few different messages are made and kept."""
        heard = _within(heard, moment)
        return self._once(
            moment,
            self._messages,
            (language, heard),
            lambda: b"".join(self._compose(moment, language, heard)),
        )

    def _once(self, moment: Moment, made: dict[K, T], key: K, make: Callable[[], T]) -> T:
        with self._lock:
            if moment.version != self._version:
                self._version = moment.version
                self._tables.clear()
                self._messages.clear()
            if key not in made:
                made[key] = make()
            return made[key]

    def _render(self, moment: Moment, language: str) -> str:
        view = view_of(moment, language)
        finger = self._parts.finger
        # A request of nobody: the stream renders outside of any, and links are relative anyway.
        with self._app.test_request_context(), force_locale(language):
            return render_template(
                "_table.html",
                run=self._run,
                version=moment.version,
                view=view,
                lamps=lamps_for(moment),
                buttons=() if finger is None else finger.buttons,
                trouble=None if moment.trouble is None else Speech(language).told(moment.trouble),
                notices=[told(language, each) for each in self._parts.notices.standing],
                sheets=self._parts.sheets,
                with_boards=() if self._parts.folder is None else games_with_boards(),
                watched=self._watched(moment, language),
                simulated=self._simulated(moment, language),
                choosable=self._parts.camera_choice is not None,
                scannable=self._scannable(moment),
            )

    def _scannable(self, moment: Moment) -> bool:
        session = moment.session
        if session is None or session.over or self._parts.phone is None:
            return False
        return pack_named(session.setup.game).scan is not None

    def _watched(self, moment: Moment, language: str) -> Watched | None:
        table, session = self._parts.table, moment.session
        if table is None or session is None:
            return None
        return watched_part(table, moment, speech_for(session.setup, language))

    def _simulated(self, moment: Moment, language: str) -> Simulated | None:
        table, session = self._parts.simulated, moment.session
        if table is None:
            return None
        speech = None if session is None else speech_for(session.setup, language)
        watching = self._parts.table
        asks = watching is not None and watching.asks_next
        return simulated_part(table, speech, asks_next=asks)

    def _compose(self, moment: Moment, language: str, heard: int) -> Iterator[bytes]:
        session = moment.session
        seq = 0 if session is None else session.seq
        if session is not None and heard < seq:
            speech = speech_for(session.setup, language)
            missed = [each for each in self._parts.referee.entries_after(heard) if each.seq <= seq]
            for event in missed:
                yield _message("entry", event.seq, tell(speech, event.fact))
        yield _message("table", seq, self.table(moment, language))


def _within(heard: int, moment: Moment) -> int:
    """As far as it can be told apart: what was heard long ago, or is yet to come, is one."""
    seq = 0 if moment.session is None else moment.session.seq
    return min(max(heard, seq - MOST_MISSED), seq)


def _message(name: str, seq: int, data: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in data.splitlines())
    return f"event: {name}\nid: {seq}\n{lines}\n".encode()
