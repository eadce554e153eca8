"""A table that plays by itself, and which camera watches: chosen on the page."""

from __future__ import annotations

import re

from flask import Blueprint, Response, render_template, request

from companion.core.catalog import game_named, packs
from companion.core.notation import Seat
from companion.dashboard.forms import Answering, home
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts, SimulatedTable
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message
from companion.onboarding.camera_choice import fixed_camera
from companion.views.speech import Speech

CAMERAS = ("none", "simulated")
"""What can be chosen with a tap from the table; real cameras are chosen in set-up."""
SPEEDS = ("1", "2", "5", "10")
LIGHTS = ("good", "hard")
MOST_MISTAKES = 9


class SimulatedPage:
    def __init__(self, parts: Parts, fragments: Fragments) -> None:
        self._parts = parts
        self._answer = Answering(parts, fragments)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("simulated", __name__)
        for path, view in (
            ("/simulated", self.show),
            ("/simulated/again", self.again),
            ("/simulated/seat", self.sit),
            ("/simulated/hand", self.say),
            ("/simulated/ask", self.ask),
            ("/camera", self.camera),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=["POST"])
        return blueprint

    @property
    def _table(self) -> SimulatedTable:
        if self._parts.simulated is None:
            raise BadInput("table-not-simulated", N_("This table is not simulated."))
        return self._parts.simulated

    def form(self, problem: Message | None = None) -> str:
        """In place of the form for a new game."""
        from companion.sim.players import played_games

        now = spelt_out(self._table.text)
        return render_template(
            "simulated.html",
            now=now,
            games=played_games(),
            seats=game_named(now["game"]).SEATS,
            speeds=SPEEDS,
            lights=LIGHTS,
            mistakes=range(MOST_MISTAKES + 1),
            problem=""
            if problem is None
            else Speech(reader_language(self._parts.language)).told(problem),
        )

    def show(self) -> Response | tuple[str, int]:
        now = spelt_out(self._table.text)
        given = {name: request.form.get(name, "").strip() or usual for name, usual in now.items()}
        given["seats"] = _seats(given["game"], given["seats"])
        for name in ("short", "careless", "boards"):  # boxes that are not ticked say nothing
            given[name] = "yes" if request.form.get(name) == "yes" else "no"
        try:
            for name, value in given.items():
                if not re.fullmatch(r"[\w.-]{1,20}", value, re.ASCII):
                    raise BadInput(
                        "cannot",
                        N_("%(name)s cannot be %(value)s."),
                        name=name,
                        value=repr(value[:40]),
                    )
            self._table.show_text(text_of(given))
        except BadInput as bad:
            return self.form(bad.message), 400
        return home()

    def again(self) -> Response:
        """The next game: other cards, the same players."""
        now = spelt_out(self._table.text)
        self._table.show_text(text_of({**now, "seed": str(int(now["seed"]) + 1)}))
        return home()

    def sit(self) -> Response:
        """In a bot's place, or back to watching."""
        letter = request.form.get("seat", "")
        session = self._parts.referee.moment.session
        names = () if session is None else session.setup.names
        seats = {str(Seat(at)): Seat(at) for at in range(len(names))}
        if letter and letter not in seats:
            raise BadInput("no-seat", N_("There is no seat %(letter)s."), letter=repr(letter[:10]))
        self._table.visitors.sit(seats[letter] if letter else None)
        return self._answer()

    def say(self) -> Response:
        """The cards or the line they chose, or the word for leaving it."""
        given = request.form
        cards = [each.removeprefix("hand ") for each in given.getlist("card")]
        leave = given.get("leave", "")
        self._table.visitors.say(*([leave] if leave else [*cards, *given.getlist("line")]))
        return self._answer("accepted")

    def ask(self) -> Response:
        """A question about the next play, for somebody who has never seen one."""
        if self._parts.simulated is None:
            raise BadInput("table-not-simulated", N_("This table is not simulated."))
        if self._parts.table is not None:
            self._parts.table.ask_next()
        return self._answer()

    def camera(self) -> Response:
        """Another camera, or none: everything starts anew with it."""
        choice = self._parts.camera_choice
        if choice is None:
            raise fixed_camera()
        camera = request.form.get("camera", "")
        kind, _, game = camera.partition(":")
        if camera not in CAMERAS and not (kind == "simulated" and game in packs()):
            raise BadInput(
                "choose-one", N_("Choose one of %(cameras)s."), cameras=", ".join(CAMERAS)
            )
        choice.choose(camera)
        return Response(render_template("changing.html"), headers={"Refresh": "15; url=/"})


def spelt_out(text: str) -> dict[str, str]:
    """`GAME,seed=7` as {"game": "GAME", "seed": "7"}."""
    game, _, rest = text.partition(",")
    pairs = (each.partition("=") for each in rest.split(",") if each)
    return {"game": game, **{name: value for name, _, value in pairs}}


def text_of(words: dict[str, str]) -> str:
    rest = (f"{name}={value}" for name, value in words.items() if name != "game")
    return ",".join((words["game"], *rest))


def _seats(game: str, asked: str) -> str:
    """As many as were asked for, or as this game has room for."""
    room = game_named(game).SEATS if game in packs() else range(2, 7)
    good = asked.isascii() and asked.isdigit() and len(asked) < 3
    return str(min(max(int(asked), room[0]), room[-1])) if good else asked
