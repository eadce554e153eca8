"""The page of an owner's boards: photographed once, cut out by four corners, places nudged."""

from __future__ import annotations

import math
from contextlib import closing
from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request, url_for

from companion.dashboard.access.needs import BOARDS_BYTES, PHOTOGRAPH_BYTES
from companion.dashboard.forms import word
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_, Message
from companion.tabletop.layout import Layout, layouts
from companion.tabletop.polygons import Quad
from companion.tabletop.zones import size
from companion.views.speech import Speech
from companion.views.watched import zone_named

if TYPE_CHECKING:  # whoever plays by hand and has no boards needs no eyes
    from companion.vision.boards.shelf import BoardShelf, NewBoard

CORNERS = ("0.1 0.1", "0.9 0.1", "0.9 0.9", "0.1 0.9")
"""Where the corners are until somebody drags them: shares of the photograph's sides."""


class BoardsPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("boards", __name__)
        for path, view, method in (
            ("/boards/<game>", self.show, "GET"),
            ("/boards/<game>/file", self.export, "GET"),
            ("/boards/<game>/file", self.replace, "POST"),
            ("/boards/<game>/photograph", self.photograph, "GET"),
            ("/boards/<game>/photograph", self.take, "POST"),
            ("/boards/<game>/new", self.new, "GET"),
            ("/boards/<game>/new", self.enrol, "POST"),
            ("/boards/<game>/<int:number>", self.places, "GET"),
            ("/boards/<game>/<int:number>/print", self.picture, "GET"),
            ("/boards/<game>/<int:number>", self.move, "POST"),
            ("/boards/<game>/<int:number>/add", self.add, "POST"),
            ("/boards/<game>/<int:number>/drop", self.drop, "POST"),
            ("/boards/<game>/alike/<int:number>", self.alike, "GET"),
            ("/boards/<game>/alike/<int:number>", self.name, "POST"),
            ("/boards/<game>/<int:number>/forget", self.forget, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    # -- all boards -------------------------------------------------------------------------

    def show(self, game: str, problem: Message | None = None) -> str:
        shelf, speech = self._shelf(game), self._speech(game)
        try:
            boards = shelf.boards().boards
        except BadInput as damaged:  # another file can still take its place
            boards, problem = (), problem or damaged.message
        return render_template(
            "boards.html",
            game=game,
            boards=[(each.name, each.owner, each.size_mm, len(each.places)) for each in boards],
            alike=() if self._parts.table is None else self._parts.table.alike(),
            shared=bool(shelf.export()),
            problem="" if problem is None else speech.told(problem),
        )

    def export(self, game: str) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{game}.boards"'}
        return Response(
            self._shelf(game).export(), headers=headers, mimetype="application/octet-stream"
        )

    def replace(self, game: str) -> Response | tuple[str, int]:
        try:
            self._shelf(game).replace(_uploaded("file", BOARDS_BYTES)[0])
        except BadInput as bad:
            return self.show(game, bad.message), 400
        return self._changed(url_for("boards.show", game=game))

    def alike(self, game: str, number: int) -> Response:
        """The picture of a board that looks like another."""
        self._shelf(game)
        seen = () if self._parts.table is None else self._parts.table.alike()
        return _picture(next((each.picture for each in seen if each.number == number), b""))

    def name(self, game: str, number: int) -> Response:
        """Which of them it is."""
        self._shelf(game)
        if self._parts.table is not None:
            self._parts.table.name_board(number, word("name", 60))
        return Response(status=303, headers={"Location": url_for("boards.show", game=game)})

    # -- a new one --------------------------------------------------------------------------

    def take(self, game: str) -> Response | tuple[str, int]:
        try:
            self._shelf(game).take_photograph(*_uploaded("photograph", PHOTOGRAPH_BYTES))
        except BadInput as bad:
            return self.show(game, bad.message), 400
        return Response(status=303, headers={"Location": url_for("boards.new", game=game)})

    def photograph(self, game: str) -> Response:
        return _picture(self._shelf(game).photograph())

    def new(self, game: str, problem: Message | None = None) -> str | Response:
        """The photograph, with the board's corners to be dragged."""
        shelf, speech, layout = self._shelf(game), self._speech(game), self._layout(game)
        if not shelf.photograph():
            return Response(status=303, headers={"Location": url_for("boards.show", game=game)})
        corners = request.form.getlist("corner") or list(CORNERS)
        return render_template(
            "board_new.html",
            game=game,
            seats=_seats(layout),
            kinds=[
                (each.name, zone_named(speech, each.name), each.of_seat, each.size_mm)
                for each in layout.boards
            ],
            groups=_groups(layout, speech),
            size_mm=_usual_size(layout),
            corners=corners if len(corners) == len(CORNERS) else list(CORNERS),
            given=request.form,
            problem="" if problem is None else speech.told(problem),
        )

    def enrol(self, game: str) -> Response | tuple[str | Response, int]:
        try:
            number = self._shelf(game).enrol(_described(self._layout(game)))
        except BadInput as bad:
            return self.new(game, bad.message), 400
        return self._changed(url_for("boards.places", game=game, number=number))

    # -- one of them ------------------------------------------------------------------------

    def places(self, game: str, number: int, problem: Message | None = None) -> str:
        """Its picture, with its places to be dragged."""
        speech, shelf = self._speech(game), self._shelf(game)
        board = shelf.board(number)
        places = [
            {
                "name": each.name,
                "words": zone_named(speech, each.name),
                "box": [*each.outline[0], *size(each.outline)],
            }
            for each in board.places
        ]
        return render_template(
            "board_places.html",
            game=game,
            number=number,
            board=board,
            places=places,
            addable=[(each, zone_named(speech, each)) for each in shelf.addable(number)],
            problem="" if problem is None else speech.told(problem),
        )

    def picture(self, game: str, number: int) -> Response:
        return _picture(self._shelf(game).board(number).jpeg)

    def move(self, game: str, number: int) -> Response | tuple[str, int]:
        """One place elsewhere, dragged or typed."""
        try:
            left, top, wide, high = (_number(each) for each in ("x", "y", "w", "h"))
            self._shelf(game).move(number, word("zone", 60), (left, top, wide, high))
        except BadInput as bad:
            if "X-Live" in request.headers:
                raise
            return self.places(game, number, bad.message), 400
        return self._changed(url_for("boards.places", game=game, number=number))

    def add(self, game: str, number: int) -> Response | tuple[str, int]:
        """A place that this board has as well."""
        try:
            self._shelf(game).add_place(number, word("zone", 60))
        except BadInput as bad:
            return self.places(game, number, bad.message), 400
        return self._changed(url_for("boards.places", game=game, number=number))

    def drop(self, game: str, number: int) -> Response:
        self._shelf(game).drop_place(number, word("zone", 60))
        return self._changed(url_for("boards.places", game=game, number=number))

    def forget(self, game: str, number: int) -> Response:
        self._shelf(game).forget(number)
        return self._changed(url_for("boards.show", game=game))

    def _changed(self, where: str) -> Response:
        """The eyes look at the boards as they are now."""
        if self._parts.table is not None:
            self._parts.table.look_anew()
        return Response(status=303, headers={"Location": where})

    def _speech(self, game: str) -> Speech:
        return Speech(reader_language(self._parts.language), game)

    def _layout(self, game: str) -> Layout:
        known = layouts()
        if game not in known or self._parts.folder is None:
            raise NoSuchGame(
                "no-game-with-boards", N_("no game with boards is called %(game)s"), game=repr(game)
            )
        return known[game]

    def _shelf(self, game: str) -> BoardShelf:
        from companion.vision.boards.shelf import BoardShelf

        layout = self._layout(game)
        assert self._parts.folder is not None  # noqa: S101 - just looked
        return BoardShelf(self._parts.folder, game, layout)


def _seats(layout: Layout) -> list[str]:
    return sorted({name.partition(".")[0] for name in layout.zones if "." in name})


def _groups(layout: Layout, speech: Speech) -> dict[str, list[tuple[str, str]]]:
    """The kinds of places of a seat's board and of everybody's, where the game describes none."""
    from companion.vision.boards.template import groups

    if layout.boards:
        return {}
    return {
        owner: [(each, zone_named(speech, each)) for each in groups(layout.zones, owner)]
        for owner in ("", *_seats(layout)[:1])
    }


def _usual_size(layout: Layout) -> tuple[int, int]:
    from companion.vision.boards.template import template

    if layout.boards:
        wide, high = layout.boards[0].size_mm
        return round(wide), round(high)
    seats = _seats(layout)
    usual = template(layout.zones, seats[0] if seats else "")
    return (300, 200) if usual is None else (round(usual.size_mm[0]), round(usual.size_mm[1]))


def _described(layout: Layout) -> NewBoard:
    """What the form says of a new board."""
    from companion.vision.boards.shelf import NewBoard

    owner = request.form.get("owner", "").strip()
    kind = request.form.get("kind", "")
    mine = next((each for each in layout.boards if each.name == kind), None)
    if owner not in _seats(layout) or (mine is not None and not mine.of_seat):
        owner = ""
    if mine is not None and mine.of_seat and not owner:
        raise BadInput("whose-board", N_("Say whose board it is: every seat has one of these."))
    groups = request.form.getlist("seat-places" if owner else "shared-places")
    size_mm = (_number("wide"), _number("high"))
    known = "" if mine is None else mine.name
    return NewBoard(word("name", 60), owner, size_mm, _corners(), tuple(groups)[:60], known)


def _corners() -> Quad:
    """Four pairs of shares of the photograph's sides."""
    found: list[tuple[float, float]] = []
    for each in request.form.getlist("corner")[: len(CORNERS)]:
        x, _, y = each.partition(" ")
        found.append((_finite(x), _finite(y)))
    if len(found) != len(CORNERS) or not all(math.isfinite(v) for at in found for v in at):
        raise BadInput("four-corners-of-board", N_("Show the four corners of the board."))
    a, b, c, d = found
    return a, b, c, d


def _finite(text: str) -> float:
    try:
        return float(text[:20])
    except ValueError:
        return math.nan


def _number(field: str) -> float:
    value = _finite(request.form.get(field, ""))
    if not math.isfinite(value):
        raise BadInput(
            "must-number-millimetres-got",
            N_("%(field)s must be a number of millimetres, got %(text)s."),
            field=field,
            text=repr(request.form.get(field, "")[:20]),
        )
    return value


def _uploaded(field: str, most: int) -> tuple[bytes, str]:
    """The file somebody sent, and its name."""
    given = request.files.get(field)
    data = b""
    if given is not None:
        with closing(given):
            data = given.read(most + 1)
    if given is None or not data:
        raise BadInput("choose-file-first", N_("Choose a file first."))
    if len(data) > most:
        raise BadInput(
            "photograph-too-large",
            N_("A photograph may have %(most)s MB at most; make it smaller."),
            most=most // 1_000_000,
        )
    return data, (given.filename or field)[-60:]


def _picture(jpeg: bytes) -> Response:
    if not jpeg:
        return Response(status=404)
    answer = Response(jpeg, headers={"Cache-Control": "no-cache"}, mimetype="image/jpeg")
    answer.add_etag()
    answer.make_conditional(request)
    return answer
