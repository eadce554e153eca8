"""The hub's Flask app: the same templates, styles and languages as a table's page."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from zlib import crc32

from flask import Flask, Response, render_template, request
from flask_babel import Babel
from werkzeug.exceptions import HTTPException

from companion.core.catalog import packs
from companion.dashboard.access.door import Door, bound_by_headers
from companion.dashboard.access.origins import Names
from companion.dashboard.language import COOKIE, LANGUAGE_NAMES, reader_language
from companion.foundation.errors import BadInput, CompanionError, HubStoreAway
from companion.foundation.messages import N_
from companion.foundation.resources import shipped
from companion.hub.hall import Hall
from companion.hub.store import Store
from companion.hub.web.api import BoxApi, NotThisBox
from companion.hub.web.club_pages import HubPages
from companion.hub.web.owner_pages import OwnerPages
from companion.hub.web.owner_tables import OwnerTables
from companion.hub.web.result_pages import ResultPages
from companion.hub.worker import FoldingWorker
from companion.outbox.protocol import MOST_BYTES
from companion.views.emblems import emblem_number
from companion.views.speech import LANGUAGES, Speech, game_translations

YEAR_SECONDS = 365 * 24 * 3600
FOREIGN_NAME = N_(
    "This hub is not called %(host)s. Open it by its address or by its own name; others are told "
    "to it when it is started (--name)."
)
HTTP_WORDS = {
    403: N_("This is for the owner of this club only. Show the owner's key on the club's page."),
    404: N_("There is nothing at this address."),
    405: N_("This can only be done with a button of a page."),
    413: N_("That is more than this hub takes at once."),
}


@dataclass(frozen=True, slots=True)
class HubParts:
    store: Store
    worker: FoldingWorker
    hall: Hall
    language: str = "en"
    names: Names = field(default_factory=Names)
    """What it is called by; boxes and browsers that ask for another name are refused."""


def create_hub(parts: HubParts) -> Flask:
    web = shipped("web")
    app = Flask("hub", template_folder=web / "templates", static_folder=web / "static")
    app.config.update(
        MAX_CONTENT_LENGTH=MOST_BYTES,
        BABEL_TRANSLATION_DIRECTORIES=";".join(
            str(folder) for folder in (web / "translations", *game_translations())
        ),
        SESSION_COOKIE_NAME="hub",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SECRET_KEY=_secret(parts.store),
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals["emblem_of"] = lambda name: emblem_number(crc32(name.casefold().encode()))
    app.jinja_env.filters["zip_words"] = lambda names: [(each, each.capitalize()) for each in names]
    Babel(app, locale_selector=lambda: reader_language(parts.language))
    app.context_processor(lambda: _everywhere(parts))
    app.register_blueprint(BoxApi(parts.store, parts.worker).blueprint())
    pages = HubPages(parts.store, parts.hall, parts.worker, parts.language)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(ResultPages(parts.store).blueprint())
    app.register_blueprint(OwnerPages(parts.store).blueprint())
    app.register_blueprint(OwnerTables(parts.store, parts.worker).blueprint())
    app.post("/language", endpoint="language")(_choose_language)
    app.before_request(Door(parts.names, parts.language, FOREIGN_NAME).refused)
    bound_by_headers(app)
    app.register_error_handler(CompanionError, lambda error: _told(parts, error))
    app.register_error_handler(HTTPException, lambda error: _http_told(parts, error))
    return app


def _secret(store: Store) -> str:
    """What owners' cookies are signed with: made once, kept with the rest."""
    with store.transaction() as transaction:
        transaction.run(
            "INSERT INTO secret (name, value) VALUES ('cookies', ?) ON CONFLICT (name) DO NOTHING",
            secrets.token_hex(32),
        )
        row = transaction.one("SELECT value FROM secret WHERE name = 'cookies'")
    assert row is not None, "it is there or was just made"  # noqa: S101
    return str(row[0])


def _everywhere(parts: HubParts) -> dict[str, object]:
    language = reader_language(parts.language)
    return {"language": language, "languages": LANGUAGE_NAMES, "games": list(packs())}


def _choose_language() -> Response:
    chosen = request.form.get("language", "")
    back = urlsplit(request.referrer or "/").path or "/"
    response = Response(status=303, headers={"Location": back})
    if chosen in LANGUAGES:
        response.set_cookie(COOKIE, chosen, max_age=YEAR_SECONDS, samesite="Lax")
    return response


def _told(parts: HubParts, error: CompanionError) -> Response:
    said = Speech(reader_language(parts.language)).told(error.message)
    if isinstance(error, NotThisBox):
        return _sentence(said, 403)
    if isinstance(error, BadInput):
        return _sentence(said, 400)
    return _sentence(said, 503 if isinstance(error, HubStoreAway) else 500)


def _http_told(parts: HubParts, error: HTTPException) -> Response:
    words = HTTP_WORDS.get(error.code or 500)
    if words is None:
        return _sentence(str(error.description or error), error.code or 500)
    return _sentence(Speech(reader_language(parts.language)).say(words), error.code or 500)


def _sentence(sentence: str, status: int) -> Response:
    """What went wrong: as a page for people, as a line for boxes."""
    if request.path.startswith("/api/"):
        return Response(sentence + "\n", status, mimetype="text/plain")
    slug = (request.view_args or {}).get("slug", "")
    return Response(render_template("hub/problem.html", sentence=sentence, slug=slug), status)
