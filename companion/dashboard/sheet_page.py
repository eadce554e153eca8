"""The page of an owner's sheet: what is known of a copy, what is missing, what contradicts the rule
book; to and from a file."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from companion.dashboard.forms import said
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_, Message
from companion.ledger.sheets import Merged, OwnersSheet
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
            ("/sheet/<game>/friend", self.merge, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    def show(self, game: str, problem: Message | None = None, merged: Merged | None = None) -> str:
        sheet = self.sheet(game)
        language = reader_language(self._parts.language)
        words = words_of(game)
        tour = words.sheet_tour
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
            tour=None if tour is None else tour(speech, sheet.sheet, self._running(game)),
            stop=request.args.get("stop", ""),
            merged=merged,
            differences=[
                (asks(speech, path), path, mine, theirs)
                for path, mine, theirs in (() if merged is None else merged.differences)
            ],
            entered=[(path, asks(speech, path), text) for path, text in sheet.entered],
            photographs=tuple(sheet.photographs.files()),
            pictured=_pictured(sheet),
            cards=sheet.cards,
            told=request.args.get("told", ""),
            photographed=request.args.get("photographed", ""),
            missing=[(path, asks(speech, path)) for path in missing[:MOST_ASKED]],
            count=len(missing),
            wrong=[explain(speech, each) for each in sheet.contradictions],
        )

    def enter(self, game: str) -> Response | tuple[str, int]:
        """One entry: said by chips and buttons, from a question's field, or typed whole."""
        sheet = self.sheet(game)
        path, text = request.form.get("path", "").strip(), request.form.get("value", "").strip()
        if words := " ".join(said()).split():
            _, path, *more = (*words, "", "")
            text = " ".join(more).strip()
        try:
            sheet.enter(path, text)
        except BadInput as bad:
            return self.show(game, bad.message), 400
        self._parts.notices.put("sheet", None)
        return _back(game, request.form.get("stop", ""), sheet.card_of(path))

    def export(self, game: str) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{game}-sheet.toml"'}
        return Response(self.sheet(game).export(), headers=headers, mimetype="text/plain")

    def replace(self, game: str) -> Response | tuple[str, int]:
        given = request.files.get("file")
        try:
            if given is None:
                raise BadInput("choose-file-first", N_("Choose a file first."))
            self.sheet(game).replace(given.read())
        except BadInput as bad:
            return self.show(game, bad.message), 400
        self._parts.notices.put("sheet", None)
        return _back(game)

    def merge(self, game: str) -> str | tuple[str, int]:
        """A friend's sheet beside this one."""
        given = request.files.get("file")
        try:
            if given is None:
                raise BadInput("choose-file-first", N_("Choose a file first."))
            return self.show(game, merged=self.sheet(game).merge(given.read()))
        except BadInput as bad:
            return self.show(game, bad.message), 400

    def _running(self, game: str) -> Any:
        """How the game stands that is played now; None if it is none of these."""
        session = self._parts.referee.moment.session
        return session.state if session is not None and session.setup.game == game else None

    def sheet(self, game: str) -> OwnersSheet:
        if game not in self._parts.sheets:
            raise NoSuchGame(
                "no-game-with-owner",
                N_("no game with an owner's sheet is called %(game)s"),
                game=repr(game),
            )
        return self._parts.sheets[game]


def _by_its_path(_speech: Speech, path: str) -> str:
    return path


def _pictured(sheet: OwnersSheet) -> dict[str, str]:
    """The photographed cards, each by the first path that tells of it."""
    kept = sheet.photographs.files()
    first = {sheet.card_of(path): path for path, _ in reversed(sheet.entered)}
    return {path: card for card, path in first.items() if card in kept}


def _back(game: str, stop: str = "", card: str = "") -> Response:
    """To the page again, and to the stop of the tour one was at; the card just told of may be
    photographed there."""
    at = stop if stop.isalpha() else None
    where = url_for("sheet.show", game=game, stop=at, told=card or None)
    if at:
        where += f"#stop-{at}"
    return Response(status=303, headers={"Location": where})
