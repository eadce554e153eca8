"""A screen on the wall: no controls, large letters, and it goes from game to game by itself."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template

from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.views import speech_for, view_of
from companion.views.glance import Glance
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class WallSeat:
    name: str
    points: int
    rank: int
    turn: bool


class WallPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("wall", __name__)
        blueprint.add_url_rule("/wall", view_func=self.show)
        blueprint.add_url_rule("/wall/part", view_func=self.part)
        return blueprint

    def show(self) -> str:
        return render_template("wall.html", part=self.part(), watched=self._parts.table is not None)

    def part(self) -> str:
        """What changes with the game."""
        moment, language = self._parts.referee.moment, reader_language(self._parts.language)
        view, session = view_of(moment, language), moment.session
        if view is None or session is None:
            return render_template("_wall.html", view=None)
        glances = self._glances(language)
        turn = session.game.to_move(session.state)
        seats = tuple(
            WallSeat(name, points, rank, turn is not None and at == int(turn))
            for at, (name, points, rank) in enumerate(
                zip(view.names, view.standing.points, view.standing.ranks, strict=True)
            )
        )
        return render_template(
            "_wall.html",
            view=view,
            seats=seats,
            hero=glances[0] if glances and glances[0].value else None,
            glances=glances[1:],
            last=view.history[0].sentence if view.history else "",
            watched=self._parts.table is not None,
        )

    def _glances(self, language: str) -> tuple[Glance, ...]:
        session = self._parts.referee.moment.session
        if session is None:
            return ()
        speech = speech_for(session.setup, language)
        return words_of(session.setup.game).glance(speech, session.state)
