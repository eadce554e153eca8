"""The page of an owner's sheet: what is known of a copy, what is missing, what contradicts the rule
book; to and from a file."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for

from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_, Message
from companion.ledger.sheets import MOST_BYTES, OwnersSheet
from companion.views import explain
from companion.views.speech import Speech
from companion.views.words import words_of

MOST_ASKED = 80  # at a time: the rest follows as these are answered


class SheetPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("sheet", __name__)
        for path, view, method in (
            ("/sheet/<game>", self.show, "GET"),
            ("/sheet/<game>", self.enter, "POST"),
            ("/sheet/<game>/file", self.export, "GET"),
            ("/sheet/<game>/file", self.replace, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    def show(self, game: str, problem: Message | None = None) -> str:
        sheet = self._sheet(game)
        language = reader_language(self._parts.language)
        words = words_of(game)
        speech = Speech(language, game, piece=words.piece)
        asks = words.sheet_question or _by_its_path
        try:
            missing = sheet.missing
        except BadInput as damaged:  # another file can still take its place
            return render_template(
                "sheet.html",
                game=game,
                problem=speech.told(problem or damaged.message),
                damaged=True,
            )
        return render_template(
            "sheet.html",
            game=game,
            problem="" if problem is None else speech.told(problem),
            entered=[(path, asks(speech, path), text) for path, text in sheet.entered],
            missing=[(path, asks(speech, path)) for path in missing[:MOST_ASKED]],
            count=len(missing),
            wrong=[explain(speech, each) for each in sheet.contradictions],
        )

    def enter(self, game: str) -> Response | tuple[str, int]:
        """One entry, from a question's field or typed whole."""
        sheet = self._sheet(game)
        path, text = request.form.get("path", "").strip(), request.form.get("value", "").strip()
        try:
            sheet.enter(path, text)
        except BadInput as bad:
            return self.show(game, bad.message), 400
        return _back(game)

    def export(self, game: str) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{game}-sheet.toml"'}
        return Response(self._sheet(game).export(), headers=headers, mimetype="text/plain")

    def replace(self, game: str) -> Response | tuple[str, int]:
        request.max_content_length = MOST_BYTES + 10_000  # a file may be larger than a form
        given = request.files.get("file")
        try:
            if given is None:
                raise BadInput("choose-file-first", N_("Choose a file first."))
            self._sheet(game).replace(given.read())
        except BadInput as bad:
            return self.show(game, bad.message), 400
        return _back(game)

    def _sheet(self, game: str) -> OwnersSheet:
        if game not in self._parts.sheets:
            raise NoSuchGame(
                "no-game-with-owner",
                N_("no game with an owner's sheet is called %(game)s"),
                game=repr(game),
            )
        return self._parts.sheets[game]


def _by_its_path(_speech: Speech, path: str) -> str:
    return path


def _back(game: str) -> Response:
    return Response(status=303, headers={"Location": url_for("sheet.show", game=game)})
