"""What a reader has chosen in this browser: the language, else the browser's, else the setting;
light or dark, else as the system has it."""

from __future__ import annotations

from flask import has_request_context, request

from companion.views.speech import LANGUAGES

COOKIE = "language"
THEME_COOKIE = "theme"
THEMES = ("dark", "light")
LANGUAGE_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "nl": "Nederlands",
}


def reader_language(default: str) -> str:
    if not has_request_context():
        return default
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES, default) or default


def reader_theme() -> str:
    """Empty: as the reader's system has it."""
    chosen = request.cookies.get(THEME_COOKIE, "") if has_request_context() else ""
    return chosen if chosen in THEMES else ""
