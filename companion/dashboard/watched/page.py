"""The watched table on the page: its live picture, its zones, and what people say against what the
camera made of it."""

from __future__ import annotations

import math

import msgspec
from flask import Blueprint, Response, render_template, request, url_for
from flask_babel import gettext as _

from companion.core.game import Refused
from companion.dashboard.access.callers import device_name
from companion.dashboard.forms import Answering, seen, whole, word
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts, TableSide
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_, Message
from companion.service.zone_file import box_of
from companion.tabletop.mat import MAT
from companion.views import explain, speech_for
from companion.views.speech import Speech
from companion.views.watched import thing_named, zone_named

NO_CAMERA = N_("There is no camera that could have pictures of it.")


class WatchedPage:
    def __init__(self, parts: Parts, fragments: Fragments) -> None:
        self._parts = parts
        self._answer = Answering(parts, fragments)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("watched", __name__)
        for path, view, method in (
            ("/things/<int:number>.jpg", self.thing, "GET"),
            ("/table.jpg", self.picture, "GET"),
            ("/lying.json", self.lying, "GET"),
            ("/zones/<game>", self.zones, "GET"),
            ("/zones/<game>", self.move, "POST"),
            ("/zones/<game>/reset", self.reset, "POST"),
            ("/dispute", self.dispute, "POST"),
            ("/case", self.case, "POST"),
            ("/correct", self.correct, "POST"),
            ("/learn", self.learn, "POST"),
            ("/keep-deck", self.keep_deck, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    @property
    def _table(self) -> TableSide:
        if self._parts.table is None:
            raise BadInput("no-camera", NO_CAMERA)
        return self._parts.table

    # -- looking --------------------------------------------------------------------------------

    def thing(self, number: int) -> Response:
        """A card or die that is asked about, as the camera saw it."""
        table = self._parts.table
        picture = b"" if table is None else table.crop(number)
        return _picture(picture, 404)

    def picture(self) -> Response:
        """The mat from straight above; made only when somebody looks, sent only if it changed."""
        table = self._parts.table
        answer = _picture(b"" if table is None else table.picture(), 204)
        if answer.status_code == 200:
            answer.headers["Cache-Control"] = "no-cache"  # asked for each time, by its tag
            answer.add_etag()
            answer.make_conditional(request)
        return answer

    def lying(self) -> Response:
        """What lies there, in millimetres of the mat."""
        table, session = self._parts.table, self._parts.referee.moment.session
        things = () if table is None else table.lying()
        language = reader_language(self._parts.language)
        speech = Speech(language) if session is None else speech_for(session.setup, language)
        found = [
            {
                "thing": each.number,
                "label": thing_named(speech, each.label),
                "p": round(each.p, 3),
                "quad": each.quad,
            }
            for each in things
            if not each.covered
        ]
        zones = {} if table is None or session is None else table.places(speech.game)
        extent = MAT if table is None else table.extent
        boxes = [{"words": zone_named(speech, n), "box": box_of(o)} for n, o in zones.items()]
        data = msgspec.json.encode({"mat": extent, "things": found, "zones": boxes})
        return Response(data, headers={"Cache-Control": "no-store"}, mimetype="application/json")

    # -- zones ----------------------------------------------------------------------------------

    def zones(self, game: str, problem: Message | None = None) -> str:
        zones = self._table.zones
        if game not in zones:
            raise NoSuchGame(
                "no-game-with-zones-2", N_("no game with zones is called %(game)s"), game=repr(game)
            )
        speech = Speech(reader_language(self._parts.language), game)
        boxes = [
            {"name": name, "words": zone_named(speech, name), "box": box_of(outline)}
            for name, outline in zones[game].items()
        ]
        trouble = problem or zones.trouble
        return render_template(
            "zones.html",
            game=game,
            games=tuple(zones),
            zones=boxes,
            mat=MAT,
            moved=zones.moved(game),
            on_boards=self._table.on_boards and self._on_table(game),
            problem="" if trouble is None else speech.told(trouble),
        )

    def _on_table(self, game: str) -> bool:
        session = self._parts.referee.moment.session
        return session is not None and session.setup.game == game

    def move(self, game: str) -> Response | tuple[str, int]:
        """One zone elsewhere, dragged or typed."""
        try:
            left, top, wide, high = (_millimetres(each) for each in ("x", "y", "w", "h"))
            self._table.zones.move(game, word("zone", 60), (left, top, wide, high))
        except BadInput as bad:
            if "X-Live" in request.headers:
                raise
            return self.zones(game, bad.message), 400
        return _back(game)

    def reset(self, game: str) -> Response:
        self._table.zones.reset(game)
        return _back(game)

    # -- saying ---------------------------------------------------------------------------------

    def dispute(self) -> Response:
        """The pictures an entry was read from are kept."""
        self._table.dispute(whole("entry", ""))
        self._parts.referee.wake()  # everybody sees that it is disputed
        return self._answer(said=_("The pictures of this entry are kept."))

    def case(self) -> Response:
        """An entry with its pictures and its truth is kept, for whoever makes the camera better."""
        folder = self._table.keep_case(whole("entry", ""))
        return self._answer(said=_("Kept as an example, in %(folder)s.", folder=folder))

    def correct(self) -> Response:
        """An entry was something else; what came after it is read again."""
        done = self._table.correct(whole("entry", ""), word("line"), seen(), device_name())
        if isinstance(done, Refused):
            why = " ".join(self._explained(done))
            raise BadInput("against-the-rules", "%(why)s", why=why)
        if not done.dropped:
            return self._answer("accepted", _("Put right; what came after it stands."))
        told = _("Put right. Later entries that no longer fit: %(count)s; they are read again.")
        return self._answer("accepted", told % {"count": done.dropped})

    def learn(self) -> Response:
        name = word("card", 60)
        self._table.learn(whole("thing", ""), name)
        return self._answer(said=_("Learnt: from now on this look is known."))

    def keep_deck(self) -> Response:
        """A deck is made of what was seen in play; that takes a while."""
        self._table.keep_deck(word("name", 60))
        self._parts.referee.wake()  # everybody sees that it is being made
        return self._answer(said=_("The deck is being made; the game goes on meanwhile."))

    def _explained(self, refused: Refused) -> list[str]:
        session = self._parts.referee.moment.session
        if session is None:
            return []
        speech = speech_for(session.setup, reader_language(self._parts.language))
        return [explain(speech, each) for each in refused.reasons]


def _picture(picture: bytes, without: int) -> Response:
    """`without` is the status if there is none."""
    headers = {"Cache-Control": "no-store"}
    return Response(picture, 200 if picture else without, headers, mimetype="image/jpeg")


def _millimetres(field: str) -> float:
    text = request.form.get(field, "")[:20]
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(
            "must-number-millimetres-got",
            N_("%(field)s must be a number of millimetres, got %(text)s."),
            field=field,
            text=repr(text),
        )
    return value


def _back(game: str) -> Response:
    return Response(status=303, headers={"Location": url_for("watched.zones", game=game)})
