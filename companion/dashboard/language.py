"""Which language this reader reads: chosen on the page, else the browser's, else the setting."""

from __future__ import annotations

from flask import has_request_context, request

from companion.views.speech import LANGUAGES

COOKIE = "language"
LANGUAGE_NAMES = {"en": "English", "de": "Deutsch"}


def reader_language(default: str) -> str:
    if not has_request_context():
        return default
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES, default) or default
