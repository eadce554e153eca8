"""The Flask app, from its parts. Nothing at module level."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from flask import Flask, Response, has_request_context, request
from flask_babel import Babel
from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader, PackageLoader, PrefixLoader
from werkzeug.exceptions import HTTPException

from companion.core.catalog import packs
from companion.dashboard.access import needs
from companion.dashboard.access.callers import may, may_invite
from companion.dashboard.access.guard import Guard
from companion.dashboard.access.pages import AccessPages
from companion.dashboard.boards_page import BoardsPage
from companion.dashboard.card_upload import CardUpload
from companion.dashboard.care.buttons_page import ButtonsPage
from companion.dashboard.care.club_page import ClubPage
from companion.dashboard.care.health_page import HealthPage
from companion.dashboard.care.keeping_page import KeepingPage
from companion.dashboard.care.print_page import PrintPage
from companion.dashboard.care.settings_page import SettingsPage
from companion.dashboard.commands import Commands
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import LANGUAGE_NAMES, reader_language, reader_theme
from companion.dashboard.licences_page import licences_page
from companion.dashboard.looking_back.replay import Replay
from companion.dashboard.onboarding.common import SetupDoor
from companion.dashboard.onboarding.deck_pages import DeckPages
from companion.dashboard.onboarding.pages import SetupPages
from companion.dashboard.onboarding.table_page import TablePage
from companion.dashboard.onboarding.try_page import TryPage
from companion.dashboard.onboarding.you_page import YouPage
from companion.dashboard.pages import Pages
from companion.dashboard.parts import Parts
from companion.dashboard.people.pages import PeoplePages
from companion.dashboard.playing.home_page import HomePage
from companion.dashboard.playing.installing import InstallPages
from companion.dashboard.playing.lesson_page import LessonPage
from companion.dashboard.playing.seat import SeatPage
from companion.dashboard.playing.voice import VoicePage
from companion.dashboard.playing.wall import WallPage
from companion.dashboard.recovery_page import RecoveryPage
from companion.dashboard.scans.page import ScanPages
from companion.dashboard.serving.packing import pack_answers
from companion.dashboard.serving.stream import stream
from companion.dashboard.sheet_page import SheetPage
from companion.dashboard.sheet_photographs import SheetPhotographs
from companion.dashboard.watched.page import WatchedPage
from companion.dashboard.watched.put_right import PutRightPage
from companion.dashboard.watched.simulated_page import SimulatedPage
from companion.foundation.errors import BadInput, CompanionError, JournalFull, NoSuchGame
from companion.foundation.resources import shipped
from companion.people.roster import Roster
from companion.views.notices import told
from companion.views.speech import Speech, game_translations


def create_app(parts: Parts) -> Flask:
    web = shipped("web")
    app = Flask("companion", template_folder=web / "templates", static_folder=web / "static")
    app.config.update(
        MAX_CONTENT_LENGTH=needs.MOST_REQUEST_BYTES,
        MAX_FORM_MEMORY_SIZE=needs.MOST_REQUEST_BYTES,
        BABEL_TRANSLATION_DIRECTORIES=";".join(
            str(folder) for folder in (web / "translations", *game_translations())
        ),
        SEND_FILE_MAX_AGE_DEFAULT=0,  # after an update phones must not keep the old script
    )
    app.jinja_loader = _templates(web / "templates")
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    roster = Roster(parts.journal)
    app.jinja_env.globals["emblem_of"] = roster.emblem
    app.jinja_env.filters["in_bytes"] = in_bytes
    Babel(app, locale_selector=lambda: reader_language(parts.language))
    app.context_processor(lambda: _everywhere(parts))

    fragments, upload = Fragments(app, parts), CardUpload()
    simulated = SimulatedPage(parts, fragments)
    app.register_blueprint(Pages(parts, fragments, simulated, roster).blueprint())
    door = SetupDoor(parts)
    app.register_blueprint(HomePage(parts, roster, door).blueprint())
    app.register_blueprint(PeoplePages(parts, roster).blueprint())
    app.register_blueprint(Replay(parts, roster).blueprint())
    app.register_blueprint(SeatPage(parts, roster).blueprint())
    app.register_blueprint(VoicePage(parts).blueprint())
    app.register_blueprint(WallPage(parts).blueprint())
    app.register_blueprint(LessonPage(parts).blueprint())
    app.register_blueprint(InstallPages(parts).blueprint())
    app.register_blueprint(Commands(parts, fragments, upload).blueprint())
    app.register_blueprint(stream(parts, fragments))
    sheet = SheetPage(parts)
    app.register_blueprint(sheet.blueprint())
    app.register_blueprint(SheetPhotographs(parts, sheet, upload).blueprint())
    app.register_blueprint(BoardsPage(parts).blueprint())
    app.register_blueprint(ScanPages(parts).blueprint())
    app.register_blueprint(RecoveryPage(parts).blueprint())
    app.register_blueprint(WatchedPage(parts, fragments).blueprint())
    app.register_blueprint(PutRightPage(parts).blueprint())
    app.register_blueprint(simulated.blueprint())
    steps = (SetupPages, YouPage, TablePage, DeckPages, TryPage)
    for pages in (each(door) for each in steps):
        app.register_blueprint(pages.blueprint())
    app.register_blueprint(AccessPages(parts.access, parts.language).blueprint())
    app.register_blueprint(licences_page())
    app.register_blueprint(SettingsPage(parts).blueprint())
    app.register_blueprint(ClubPage(parts).blueprint())
    app.register_blueprint(KeepingPage(parts).blueprint())
    app.register_blueprint(HealthPage(parts, roster).blueprint())
    app.register_blueprint(PrintPage(parts).blueprint())
    app.register_blueprint(ButtonsPage(parts, door).blueprint())
    Guard(parts.access, parts.names, parts.language).protect(app)
    pack_answers(app)
    app.register_error_handler(CompanionError, partial(_told, parts))
    app.register_error_handler(HTTPException, _http_told)
    return app


def in_bytes(size: int) -> str:
    """A size as people read it."""
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_:
            return f"{size / bytes_:.1f} {unit}"
    return f"{size} B"


def most_bytes(app: Flask, method: str, path: str) -> int:
    """How large a request may be: known before anything of it is read."""
    try:
        endpoint, _ = app.url_map.bind("").match(path, method)
    except HTTPException:
        endpoint = None
    return needs.most_bytes(endpoint)


def _templates(ours: Path) -> BaseLoader:
    """Our own templates, and those of each game under its name: `<game>/table.html`."""
    of_games = {name: PackageLoader(pack.package) for name, pack in packs().items()}
    return ChoiceLoader([FileSystemLoader(ours), PrefixLoader(of_games)])


def _everywhere(parts: Parts) -> dict[str, object]:
    """What every page shows, whatever it is about."""
    language = reader_language(parts.language)
    notices = [told(language, each) for each in parts.notices.standing]
    recovering = parts.recovery is not None and parts.recovery.complaint is not None
    return {
        "language": language,
        "languages": LANGUAGE_NAMES,
        "theme": reader_theme(),
        "notices": notices,
        "recovering": recovering,
        "policy": parts.access.policy,
        "table_name": parts.name_now,
        "may": may,
        "table_code": parts.access.table_code if _invites() else "",
    }


def _invites() -> bool:
    return has_request_context() and may_invite(request)


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
