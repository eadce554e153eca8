"""The Flask app, from its parts. Nothing at module level."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, request
from flask_babel import Babel
from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader, PackageLoader, PrefixLoader
from werkzeug.exceptions import HTTPException

from companion.core.catalog import packs
from companion.dashboard.commands import Commands
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import LANGUAGE_NAMES, reader_language
from companion.dashboard.pages import Pages
from companion.dashboard.parts import Parts
from companion.dashboard.sheet_page import SheetPage
from companion.dashboard.stream import stream
from companion.dashboard.watched.page import WatchedPage
from companion.dashboard.watched.simulated_page import SimulatedPage
from companion.foundation.errors import BadInput, CompanionError, JournalFull, NoSuchGame
from companion.foundation.messages import N_
from companion.foundation.resources import shipped
from companion.views.notices import told
from companion.views.speech import Speech, game_translations

MOST_REQUEST_BYTES = 64_000  # forms are a few lines; files say their own


def create_app(parts: Parts) -> Flask:
    web = shipped("web")
    app = Flask("companion", template_folder=web / "templates", static_folder=web / "static")
    app.config.update(
        MAX_CONTENT_LENGTH=MOST_REQUEST_BYTES,
        MAX_FORM_MEMORY_SIZE=MOST_REQUEST_BYTES,
        BABEL_TRANSLATION_DIRECTORIES=";".join(
            str(folder) for folder in (web / "translations", *game_translations())
        ),
        SEND_FILE_MAX_AGE_DEFAULT=0,  # after an update phones must not keep the old script
    )
    app.jinja_loader = _templates(web / "templates")
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Babel(app, locale_selector=lambda: reader_language(parts.language))
    app.context_processor(lambda: _everywhere(parts))

    fragments = Fragments(app, parts)
    simulated = SimulatedPage(parts, fragments)
    app.register_blueprint(Pages(parts, fragments, simulated).blueprint())
    app.register_blueprint(Commands(parts, fragments).blueprint())
    app.register_blueprint(stream(parts, fragments))
    app.register_blueprint(SheetPage(parts).blueprint())
    app.register_blueprint(WatchedPage(parts, fragments).blueprint())
    app.register_blueprint(simulated.blueprint())
    app.before_request(partial(_same_site_only, parts))
    app.register_error_handler(CompanionError, partial(_told, parts))
    app.register_error_handler(HTTPException, _http_told)
    return app


def _templates(ours: Path) -> BaseLoader:
    """Our own templates, and those of each game under its name: `<game>/table.html`."""
    of_games = {name: PackageLoader(pack.package) for name, pack in packs().items()}
    return ChoiceLoader([FileSystemLoader(ours), PrefixLoader(of_games)])


def _everywhere(parts: Parts) -> dict[str, object]:
    """What every page shows, whatever it is about."""
    language = reader_language(parts.language)
    notices = [told(language, each) for each in parts.notices.standing]
    return {"language": language, "languages": LANGUAGE_NAMES, "notices": notices}


def _same_site_only(parts: Parts) -> Response | None:
    """A page elsewhere on the web must not play cards on this table."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    origin = request.headers.get("Origin")
    if origin is not None and _host(origin) != request.host:
        refused = N_("This request came from another site and was not carried out.")
        return _sentence(Speech(reader_language(parts.language)).say(refused), 403)
    return None


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # nowhere
        return ""


def _told(parts: Parts, error: Exception) -> Response:
    said = str(error)
    if isinstance(error, CompanionError):
        said = Speech(reader_language(parts.language)).told(error.message)
    if isinstance(error, NoSuchGame):
        return _sentence(said, 404)
    if isinstance(error, BadInput):
        return _sentence(said, 400)
    return _sentence(said, 507 if isinstance(error, JournalFull) else 500)


def _http_told(error: Exception) -> Response:
    code = error.code if isinstance(error, HTTPException) else None
    description = getattr(error, "description", None)
    return _sentence(str(description or error), code or 500)


def _sentence(sentence: str, status: int) -> Response:
    return Response(sentence + "\n", status, mimetype="text/plain")
