"""What is asked of every request, before who sends it matters: does it mean this site, and does a
change come from its own pages? A table's page and a hub stand behind the same door."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, Response, request

from companion.dashboard.access.needs import READING
from companion.dashboard.access.origins import Names, from_here
from companion.dashboard.language import reader_language
from companion.foundation.messages import N_
from companion.views.speech import Speech

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
}
"""Nothing from elsewhere, no script inside a page, and inside no other page."""

FOREIGN_PAGE = N_("This request came from another site and was not carried out.")


@dataclass(frozen=True, slots=True)
class Door:
    names: Names
    language: str
    foreign_name: str
    """What is said to a request for a name that is not ours (`host`)."""

    def refused(self) -> Response | None:
        """An answer, if the request goes no further."""
        if not self.names.ours(request.host):
            return self.say(421, self.foreign_name, host=repr(request.host[:60]))
        if request.method not in READING and not from_here(request.host, request.headers.get):
            return self.say(403, FOREIGN_PAGE)
        return None

    def say(self, status: int, sentence: str, **facts: object) -> Response:
        said = Speech(reader_language(self.language)).say(sentence, **facts)
        return Response(said + "\n", status, mimetype="text/plain")


def bound_by_headers(app: Flask) -> None:
    """Every answer tells the browser what its page may not do."""
    app.after_request(_with_headers)


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
