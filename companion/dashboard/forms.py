"""What forms say, checked; and how they are answered."""

from __future__ import annotations

from urllib.parse import quote

from flask import Response, request, url_for

from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_


def home() -> Response:
    return Response(status=303, headers={"Location": url_for("pages.home")})


def seen() -> int:
    """What the form's sender had seen of the log."""
    return whole("seq", "")


def whole(field: str, default: str) -> int:
    text = request.form.get(field, default)
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadInput(
            "must-whole-number-got",
            N_("%(field)s must be a whole number, got %(text)s."),
            field=field,
            text=repr(text[:40]),
        )
    return int(text)


def word(field: str, most: int = 400) -> str:
    text = request.form.get(field, "").strip()
    if not text or len(text) > most:
        raise BadInput(
            "must-have-letters",
            N_("%(field)s must have 1 to %(most)s letters."),
            field=field,
            most=most,
        )
    return text


class Answering:
    """The table as it is now. A refusal is an answer like any other, not a fault."""

    def __init__(self, parts: Parts, fragments: Fragments) -> None:
        self._parts = parts
        self._fragments = fragments

    def __call__(self, verdict: str = "", said: str = "") -> Response:
        """`said` is told to this reader only."""
        if "X-Live" not in request.headers:
            return home()
        language = reader_language(self._parts.language)
        table = self._fragments.table(self._parts.referee.moment, language)
        return Response(table, headers={"X-Verdict": verdict, "X-Said": quote(said)})
