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


def whole(field: str, default: str = "", *, digits: int = 15, signed: bool = False) -> int:
    """A number of a form, of so many digits at most; `signed`: it may be below zero."""
    text = request.form.get(field, default).strip()
    plain = text.removeprefix("-") if signed else text
    if not (plain.isascii() and plain.isdigit() and len(plain) <= digits):
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


def said() -> list[str]:
    """The words of one action: fields called `say`, then those called `say.01` and so on, for
    fields of which one is picked need names of their own. What `say.02.coins` holds is said after
    that word, and not at all if it is nothing or zero."""
    words = request.form.getlist("say")
    for name in sorted(name for name in request.form if name.startswith("say.")):
        _, _, word = name.removeprefix("say.").partition(".")
        for value in request.form.getlist(name):
            if not word:
                words.append(value)
            elif value.strip() not in ("", "0"):
                words += [word, value]
    return words
