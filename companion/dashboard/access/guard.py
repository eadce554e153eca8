"""What every request goes through before a view sees it, and every answer on its way out."""

from __future__ import annotations

from flask import Flask, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access.callers import caller_of, device_name
from companion.dashboard.access.door import Door, bound_by_headers
from companion.dashboard.access.needs import READING, most_bytes, need
from companion.dashboard.access.origins import Names
from companion.dashboard.language import reader_language
from companion.foundation.messages import N_
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role
from companion.views.speech import Speech

FOREIGN_NAME = N_(
    "This box is not called %(host)s. Open it by its address or by its own name; others can be "
    "added in the settings (names)."
)
JOIN_FIRST = N_("Only people who have joined this table can do that.")
OWNER_ONLY = N_("Only the owner of this box can do that.")


class Guard:
    def __init__(self, book: AccessBook, names: Names, language: str) -> None:
        self._book = book
        self._door = Door(names, language, FOREIGN_NAME)
        self._language = language

    def protect(self, app: Flask) -> None:
        app.before_request(self._before)
        bound_by_headers(app)

    def _before(self) -> AnyResponse | tuple[str, int] | None:
        """An answer, if the request goes no further."""
        request.max_content_length = most_bytes(request.endpoint)
        request.max_form_memory_size = request.max_content_length  # files are counted there too
        if (refused := self._door.refused()) is not None:
            return refused
        g.caller = caller = caller_of(request, self._book)
        needed = need(request.endpoint, request.method)
        if caller.role >= needed:
            return None
        return self._not_allowed(needed)

    def _not_allowed(self, needed: Role) -> AnyResponse | tuple[str, int]:
        """A page that says how to be allowed; a sentence to scripts and programs."""
        sentence = OWNER_ONLY if needed is Role.OWN else JOIN_FIRST
        page = "text/html" in request.headers.get("Accept", "")
        if "X-Live" in request.headers or not page:
            return self._door.say(403, sentence)
        if request.method in READING:
            way = "access.own" if needed is Role.OWN else "access.join"
            return redirect(url_for(way, next=request.path), 303)
        told = Speech(reader_language(self._language)).say(sentence)
        return render_template("join.html", problem=told, name=device_name(), code=""), 403
